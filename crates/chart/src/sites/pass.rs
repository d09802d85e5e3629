//! The inside and outside passes over halves and hooks.

use super::{Side, SiteMarginals, SiteScores};
use crate::part::Node;
use crate::semiring::Semiring;

/// The values of all items. Halves have a row for each slot while it is [open] and one for it [closed], with a column for each word and one for
/// the root; hooks have a row for each node and a column for each slot.
#[derive(Debug, Default)]
pub(super) struct Tables<V> {
    pub(super) left: Vec<V>,
    pub(super) right: Vec<V>,
    pub(super) hooks: Vec<V>,
    pub(super) outer_left: Vec<V>,
    pub(super) outer_right: Vec<V>,
    pub(super) outer_hooks: Vec<V>,
    /// For each slot of a parent, the ways to fill it that have been found so far.
    filled: Vec<V>,
}

/// The row of a half whose slot may still have more.
pub(super) fn open(slot: usize) -> usize {
    2 * slot
}

/// The row of a half whose slot has all it gets.
pub(super) fn closed(slot: usize) -> usize {
    2 * slot + 1
}

/// The columns of a hook's two halves: `inner` counts from the dependant's, `own` from the parent's, both for `length` steps.
pub(super) struct Columns {
    pub(super) inner: usize,
    pub(super) own: usize,
    pub(super) length: usize,
}

impl Columns {
    fn new(side: Side, parent: usize, far: usize) -> Columns {
        match side {
            Side::Left => Columns { inner: far, own: far + 1, length: parent - far },
            Side::Right => Columns { inner: parent + 1, own: parent, length: far - parent },
        }
    }
}

/// Those of a parent's dependants, in order, that stand between it and the far end of its half.
fn between(dependants: &[usize], parent: usize, far: usize) -> &[usize] {
    let (from, to) = if far < parent { (far, parent) } else { (parent + 1, far + 1) };
    let [from, to] = [from, to].map(|end| dependants.partition_point(|&word| word < end));
    &dependants[from..to]
}

/// One semiring's pass over a sentence.
pub(super) struct Pass<'a, S: Semiring> {
    pub(super) scores: &'a SiteScores,
    semiring: S,
    pub(super) tables: &'a mut Tables<S::Value>,
    pub(super) spines: Vec<S::Value>,
    pub(super) edges: Vec<S::Value>,
    /// For each slot, the value of there being nothing at it on the left, and on the right.
    pub(super) empty: Vec<[S::Value; 2]>,
    /// For each parent the words that may hang from it, in order. They are few, once heads are pruned.
    dependants: Vec<Vec<usize>>,
    pub(super) words: usize,
    pub(super) width: usize,
    pub(super) slots: usize,
}

impl<'a, S: Semiring> Pass<'a, S> {
    pub(super) fn new(
        scores: &'a SiteScores,
        semiring: S,
        tables: &'a mut Tables<S::Value>,
        shifts: &[f32],
    ) -> Self {
        let (words, slots, width) = (scores.nodes.words(), scores.slots(), scores.nodes.words() + 1);
        let shift = |node: usize| shifts.get(scores.nodes.word(Node(node as u32))).copied().unwrap_or(0.0);
        let spines =
            scores.spines.iter().enumerate().map(|(node, &score)| semiring.part(score - shift(node)));
        let is_permitted = |word: usize, parent: usize| {
            let row = &scores.edges[word * slots..][..slots];
            word != parent && row[scores.slots_of_word(parent)].iter().any(|&score| score > f32::NEG_INFINITY)
        };
        let dependants =
            (0..width).map(|parent| (0..words).filter(|&word| is_permitted(word, parent)).collect());
        Pass {
            spines: spines.collect(),
            edges: scores.edges.iter().map(|&score| semiring.part(score)).collect(),
            empty: scores.empty.iter().map(|sides| sides.map(|score| semiring.part(score))).collect(),
            dependants: dependants.collect(),
            scores,
            semiring,
            tables,
            words,
            width,
            slots,
        }
    }

    /// The spans, shortest first: the far end of a half and the word it belongs to, on both sides.
    fn spans(words: usize) -> impl DoubleEndedIterator<Item = (Side, usize, usize)> {
        (1..=words)
            .flat_map(move |length| {
                (0..=words - length).flat_map(move |from| {
                    let to = from + length;
                    [(Side::Left, to, from), (Side::Right, from, to)]
                })
            })
            .filter(move |&(side, _, far)| side == Side::Left || far < words)
    }

    /// The words that may hang between a parent and the far end of its half, which may be one of them.
    pub(super) fn dependants(&self, parent: usize, far: usize) -> &[usize] {
        between(&self.dependants[parent], parent, far)
    }

    /// The columns of a hook. The hook of a single root holds all words, so that there is no second one.
    pub(super) fn columns(&self, side: Side, parent: usize, far: usize) -> Columns {
        let columns = Columns::new(side, parent, far);
        if parent < self.words || !self.scores.single_root {
            return columns;
        }
        let before = columns.length - 1;
        Columns { inner: columns.inner + before, own: columns.own + before, length: 1 }
    }

    pub(super) fn inside(&mut self) -> S::Value {
        let (semiring, zero, width) = (self.semiring, self.semiring.zero(), self.width);
        for table in [&mut self.tables.left, &mut self.tables.right] {
            table.clear();
            table.resize(2 * self.slots * width, zero);
        }
        self.tables.hooks.clear();
        self.tables.hooks.resize(self.scores.nodes.len() * self.slots, zero);
        for word in 0..width {
            let nodes = self.scores.nodes.of_word(word);
            for slot in self.scores.slots_of_word(word) {
                for (side, own) in [&mut self.tables.left, &mut self.tables.right].into_iter().enumerate() {
                    let is_lowest = self.scores.is_lowest(slot, &nodes);
                    let below = if is_lowest { semiring.one() } else { own[closed(slot - 1) * width + word] };
                    own[open(slot) * width + word] = below;
                    own[closed(slot) * width + word] = semiring.times(below, self.empty[slot][side]);
                }
            }
        }
        for (side, parent, far) in Self::spans(self.words) {
            self.grow(side, parent, far);
        }
        self.tables.left[closed(self.slots - 1) * width]
    }

    fn grow(&mut self, side: Side, parent: usize, far: usize) {
        let (semiring, width) = (self.semiring, self.width);
        let parents = self.scores.nodes.of_word(parent);
        let slots = self.scores.slots_of_word(parent);
        let dependants = between(&self.dependants[parent], parent, far);
        if dependants.is_empty() {
            // All halves of this length stay zero.
            return;
        }
        if dependants.contains(&far) {
            let columns = self.columns(side, parent, far);
            let (own, inner) = match side {
                Side::Left => (&self.tables.left, &self.tables.right),
                Side::Right => (&self.tables.right, &self.tables.left),
            };
            for node in self.scores.nodes.of_word(far) {
                let inner = &inner[closed(self.scores.top(node)) * width + columns.inner..][..columns.length];
                for slot in slots.clone() {
                    let edge = self.edges[far * self.slots + slot];
                    if edge == semiring.zero() {
                        continue;
                    }
                    let own = &own[open(slot) * width + columns.own..][..columns.length];
                    let sum = semiring.inner_product(inner, own);
                    let dependant = semiring.times(edge, self.spines[node]);
                    self.tables.hooks[node * self.slots + slot] = semiring.times(sum, dependant);
                }
            }
        }
        let Tables { left, right, hooks, filled, .. } = &mut *self.tables;
        let own = match side {
            Side::Left => left,
            Side::Right => right,
        };
        filled.clear();
        filled.resize(slots.len(), semiring.zero());
        for &word in dependants {
            for node in self.scores.nodes.of_word(word) {
                let outer = own[closed(self.scores.top(node)) * width + far];
                let hooks = &hooks[node * self.slots..][slots.clone()];
                for (filled, &hook) in filled.iter_mut().zip(hooks) {
                    *filled = semiring.plus(*filled, semiring.times(hook, outer));
                }
            }
        }
        for (slot, &filled) in slots.zip(&*filled) {
            let is_lowest = self.scores.is_lowest(slot, &parents);
            let below = if is_lowest { semiring.zero() } else { own[closed(slot - 1) * width + far] };
            own[open(slot) * width + far] = semiring.plus(filled, below);
            let unfilled = semiring.times(below, self.empty[slot][side as usize]);
            own[closed(slot) * width + far] = semiring.plus(filled, unfilled);
        }
    }

    /// The outside values of all items; the inside values must be there.
    pub(super) fn outside(&mut self) {
        let zero = self.semiring.zero();
        let Tables { left, hooks, outer_left, outer_right, outer_hooks, .. } = &mut *self.tables;
        for table in [&mut *outer_left, outer_right] {
            table.clear();
            table.resize(left.len(), zero);
        }
        outer_hooks.clear();
        outer_hooks.resize(hooks.len(), zero);
        outer_left[closed(self.slots - 1) * self.width] = self.semiring.one();
        for (side, parent, far) in Self::spans(self.words).rev() {
            self.shrink(side, parent, far);
        }
    }

    fn shrink(&mut self, side: Side, parent: usize, far: usize) {
        let (semiring, width, zero) = (self.semiring, self.width, self.semiring.zero());
        let parents = self.scores.nodes.of_word(parent);
        let slots = self.scores.slots_of_word(parent);
        let columns = self.columns(side, parent, far);
        let dependants = between(&self.dependants[parent], parent, far);
        let Tables { left, right, hooks, outer_left, outer_right, outer_hooks, .. } = &mut *self.tables;
        let (own, inner, outer_own, outer_inner) = match side {
            Side::Left => (&*left, &*right, outer_left, outer_right),
            Side::Right => (&*right, &*left, outer_right, outer_left),
        };
        let add = |place: &mut S::Value, value: S::Value| *place = semiring.plus(*place, value);
        for slot in slots.clone().rev() {
            let [to_open, to_closed] = [open(slot), closed(slot)].map(|row| outer_own[row * width + far]);
            if to_open == zero && to_closed == zero {
                continue;
            }
            if !self.scores.is_lowest(slot, &parents) {
                let unfilled = semiring.times(to_closed, self.empty[slot][side as usize]);
                add(&mut outer_own[closed(slot - 1) * width + far], semiring.plus(to_open, unfilled));
            }
            let outer = semiring.plus(to_open, to_closed);
            for &word in dependants {
                for node in self.scores.nodes.of_word(word) {
                    let (hook, half) =
                        (node * self.slots + slot, closed(self.scores.top(node)) * width + far);
                    if hooks[hook] != zero {
                        add(&mut outer_hooks[hook], semiring.times(outer, own[half]));
                        add(&mut outer_own[half], semiring.times(outer, hooks[hook]));
                    }
                }
            }
        }
        if !dependants.contains(&far) {
            return;
        }
        for node in self.scores.nodes.of_word(far) {
            for slot in slots.clone() {
                let outer = outer_hooks[node * self.slots + slot];
                if outer == zero {
                    continue;
                }
                let dependant = semiring.times(self.edges[far * self.slots + slot], self.spines[node]);
                let outer = semiring.times(outer, dependant);
                let inner_at = closed(self.scores.top(node)) * width + columns.inner;
                let own_at = open(slot) * width + columns.own;
                for step in 0..columns.length {
                    add(&mut outer_inner[inner_at + step], semiring.times(outer, own[own_at + step]));
                    add(&mut outer_own[own_at + step], semiring.times(outer, inner[inner_at + step]));
                }
            }
        }
    }

    pub(super) fn marginals(&self, total: f64, finish: impl Fn(S::Value) -> f32) -> SiteMarginals {
        let pairs = self.tables.hooks.iter().zip(&self.tables.outer_hooks);
        let values = pairs.map(|(&inside, &outside)| finish(self.semiring.times(inside, outside)));
        SiteMarginals { total, slots: self.slots, values: values.collect() }
    }
}
