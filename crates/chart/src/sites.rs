//! Projective trees with attachment sites: inside–outside of Eisner (1996) over spine nodes, where each dependant hangs at a site of its
//! parent's spine, as in Carreras, Collins & Koo (2008).
//!
//! A spine is a chain of phrases, and its phrases are the *sites* at which dependants hang, counted from the bottom. On either side of a
//! word, a dependant that is farther away must not hang lower than one that is nearer: what hangs at a higher phrase stands outside all that
//! hangs at lower ones. So the state of a half knows the site it has reached. A pair of a node and one of its sites is a *slot*; all tables
//! here have a column for each slot.
//!
//! | item | covers | made of |
//! |---|---|---|
//! | *half* `(slot, j)` | the word of the slot to `j`, on one side, no dependant above the slot's site | the half of the site below, or that of a *hook* and the outer half of its dependant |
//! | *hook* `(dependant, slot)` | the dependant's word to the slot's | the inner half of the dependant, the half of the slot, the edge and the dependant's spine |
//!
//! Each tree has one derivation. Most heads are pruned, so only pairs of words with a permitted edge are looked at; with a bounded number of
//! heads a word, time grows with the square of the sentence.
//!
//! The root stands behind the last word, with one node and one slot.

use crate::part::{Node, Nodes};
use crate::semiring::{Max, Semiring, Sum};

/// The scores of a sentence's spines, and of its edges by site; -∞ forbids.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteScores {
    nodes: Nodes,
    /// The first slot of each node, then the number of slots.
    first: Vec<u32>,
    spines: Vec<f32>,
    edges: Vec<f32>,
    /// Whether the root has exactly one child.
    pub single_root: bool,
}

/// A node and one of its sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

impl Slot {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SiteScores {
    /// A table for `nodes`, with a number of sites for each node but the root; all spines at 0, all edges forbidden.
    pub fn new(nodes: Nodes, sites: impl IntoIterator<Item = usize>) -> SiteScores {
        let mut first = vec![0];
        for count in sites.into_iter().chain([1]) {
            // A node without sites has one at which nothing may hang.
            first.push(first[first.len() - 1] + count.max(1) as u32);
        }
        assert_eq!(first.len(), nodes.len() + 1, "a number of sites for each node");
        let slots = first[nodes.len()] as usize;
        let edges = vec![f32::NEG_INFINITY; nodes.words() * slots];
        SiteScores { spines: vec![0.0; nodes.len()], nodes, first, edges, single_root: false }
    }

    /// The nodes.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.first[self.nodes.len()] as usize
    }

    /// The slots of a node, from the lowest site to the highest.
    pub fn slots_of(&self, node: Node) -> std::ops::Range<usize> {
        self.first[node.index()] as usize..self.first[node.index() + 1] as usize
    }

    /// The score of a spine.
    pub fn spine(&self, node: Node) -> f32 {
        self.spines[node.index()]
    }

    /// The score of a spine, to be set.
    pub fn spine_mut(&mut self, node: Node) -> &mut f32 {
        &mut self.spines[node.index()]
    }

    /// The score of an edge from a slot to a word.
    pub fn edge(&self, word: usize, slot: Slot) -> f32 {
        self.edges[word * self.slots() + slot.index()]
    }

    /// The score of an edge from a slot to a word, to be set.
    pub fn edge_mut(&mut self, word: usize, slot: Slot) -> &mut f32 {
        let slots = self.slots();
        &mut self.edges[word * slots + slot.index()]
    }

    /// The slots of a word, or of the root behind the last word.
    fn slots_of_word(&self, word: usize) -> std::ops::Range<usize> {
        let nodes = self.nodes.of_word(word);
        self.first[nodes.start] as usize..self.first[nodes.end] as usize
    }

    /// The topmost slot of a node.
    fn top(&self, node: usize) -> usize {
        self.first[node + 1] as usize - 1
    }

    fn is_lowest(&self, slot: usize, nodes: &std::ops::Range<usize>) -> bool {
        nodes.clone().any(|node| self.first[node] as usize == slot)
    }
}

/// A projective tree: a node for each word, and the slot it hangs at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SiteTree {
    /// The spines.
    pub nodes: Vec<Node>,
    /// The slot of the parent at which each word hangs.
    pub slots: Vec<Slot>,
    /// The sum of the scores of its parts.
    pub score: f32,
}

/// Marginals of spines and edges: a row for each node but the root, a column for each slot that its word may hang at.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteMarginals {
    /// The total over all trees: the best score, or the logarithm of the sum of exponentials.
    pub total: f64,
    slots: usize,
    values: Vec<f32>,
}

impl SiteMarginals {
    /// The marginals of a node by slot.
    pub fn row(&self, node: Node) -> &[f32] {
        &self.values[node.index() * self.slots..][..self.slots]
    }
}

/// The memory of one thread.
#[derive(Debug, Default)]
pub struct SiteWorker {
    max: Tables<f32>,
    sum: Tables<f64>,
}

/// The values of all items. Rows have a column for each word and one for the root.
#[derive(Debug, Default)]
struct Tables<V> {
    left: Vec<V>,
    right: Vec<V>,
    hooks: Vec<V>,
    outer_left: Vec<V>,
    outer_right: Vec<V>,
    outer_hooks: Vec<V>,
}

impl SiteWorker {
    /// The best tree; none if every tree has a forbidden part.
    pub fn best(&mut self, scores: &SiteScores) -> Option<SiteTree> {
        self.k_best(scores, 1).pop()
    }

    /// The `k` best trees, best first; fewer if there are fewer.
    pub fn k_best(&mut self, scores: &SiteScores, k: usize) -> Vec<SiteTree> {
        let mut pass = Pass::new(scores, Max, &mut self.max, &[]);
        if pass.inside() == f32::NEG_INFINITY { Vec::new() } else { pass.search(k) }
    }

    /// For each spine and edge, the score of the best tree that has it.
    pub fn max_marginals(&mut self, scores: &SiteScores) -> Option<SiteMarginals> {
        let mut pass = Pass::new(scores, Max, &mut self.max, &[]);
        let total = pass.inside();
        if total == f32::NEG_INFINITY {
            return None;
        }
        pass.outside();
        Some(pass.marginals(f64::from(total), |value| value))
    }

    /// For each spine and edge, its share of the sum over all trees of the exponential of their scores.
    pub fn marginals(&mut self, scores: &SiteScores) -> Option<SiteMarginals> {
        // With the parts of the best tree at 0, the sums of the good subtrees are near 1 and none overflows.
        let best = self.best(scores)?;
        let part =
            |(word, (&node, &slot)): (usize, (&Node, &Slot))| scores.spine(node) + scores.edge(word, slot);
        let shifts: Vec<f32> = best.nodes.iter().zip(&best.slots).enumerate().map(part).collect();
        let mut pass = Pass::new(scores, Sum, &mut self.sum, &shifts);
        let sum = pass.inside();
        pass.outside();
        let total = sum.ln() + shifts.iter().map(|&shift| f64::from(shift)).sum::<f64>();
        Some(pass.marginals(total, |value| (value / sum) as f32))
    }
}

/// The side of a parent on which a half grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The columns of a hook's two halves: `inner` counts from the dependant's, `own` from the parent's, both for `length` steps.
struct Columns {
    inner: usize,
    own: usize,
    length: usize,
}

impl Columns {
    fn new(side: Side, parent: usize, far: usize) -> Columns {
        match side {
            Side::Left => Columns { inner: far, own: far + 1, length: parent - far },
            Side::Right => Columns { inner: parent + 1, own: parent, length: far - parent },
        }
    }
}

/// One semiring's pass over a sentence.
struct Pass<'a, S: Semiring> {
    scores: &'a SiteScores,
    semiring: S,
    tables: &'a mut Tables<S::Value>,
    spines: Vec<S::Value>,
    edges: Vec<S::Value>,
    /// For each word and each parent, whether an edge is permitted.
    permitted: Vec<bool>,
    words: usize,
    width: usize,
    slots: usize,
}

impl<'a, S: Semiring> Pass<'a, S> {
    fn new(scores: &'a SiteScores, semiring: S, tables: &'a mut Tables<S::Value>, shifts: &[f32]) -> Self {
        let (words, slots, width) = (scores.nodes.words(), scores.slots(), scores.nodes.words() + 1);
        let shift = |node: usize| shifts.get(scores.nodes.word(Node(node as u32))).copied().unwrap_or(0.0);
        let spines =
            scores.spines.iter().enumerate().map(|(node, &score)| semiring.part(score - shift(node)));
        let permitted = (0..words * width).map(|pair| {
            let (word, parent) = (pair / width, pair % width);
            let row = &scores.edges[word * slots..][..slots];
            word != parent && row[scores.slots_of_word(parent)].iter().any(|&score| score > f32::NEG_INFINITY)
        });
        Pass {
            spines: spines.collect(),
            edges: scores.edges.iter().map(|&score| semiring.part(score)).collect(),
            permitted: permitted.collect(),
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

    /// The words that may hang between a parent and the far end of its half.
    fn dependants(&self, parent: usize, far: usize) -> impl Iterator<Item = usize> + use<'_, 'a, S> {
        let between = if far < parent { far..parent } else { parent + 1..far + 1 };
        between.filter(move |&word| self.permitted[word * self.width + parent])
    }

    /// The columns of a hook. The hook of a single root holds all words, so that there is no second one.
    fn columns(&self, side: Side, parent: usize, far: usize) -> Columns {
        let columns = Columns::new(side, parent, far);
        if parent < self.words || !self.scores.single_root {
            return columns;
        }
        let before = columns.length - 1;
        Columns { inner: columns.inner + before, own: columns.own + before, length: 1 }
    }

    fn inside(&mut self) -> S::Value {
        let (zero, one) = (self.semiring.zero(), self.semiring.one());
        let halves = self.slots * self.width;
        for table in [&mut self.tables.left, &mut self.tables.right] {
            table.clear();
            table.resize(halves, zero);
        }
        self.tables.hooks.clear();
        self.tables.hooks.resize(self.scores.nodes.len() * self.slots, zero);
        for word in 0..self.width {
            for slot in self.scores.slots_of_word(word) {
                self.tables.left[slot * self.width + word] = one;
                self.tables.right[slot * self.width + word] = one;
            }
        }
        for (side, parent, far) in Self::spans(self.words) {
            self.grow(side, parent, far);
        }
        if self.words == 0 { one } else { self.tables.left[(self.slots - 1) * self.width] }
    }

    fn grow(&mut self, side: Side, parent: usize, far: usize) {
        let (semiring, width) = (self.semiring, self.width);
        let parents = self.scores.nodes.of_word(parent);
        let slots = self.scores.slots_of_word(parent);
        if self.permitted[far * width + parent] {
            let columns = self.columns(side, parent, far);
            let (own, inner) = match side {
                Side::Left => (&self.tables.left, &self.tables.right),
                Side::Right => (&self.tables.right, &self.tables.left),
            };
            for node in self.scores.nodes.of_word(far) {
                let inner = &inner[self.scores.top(node) * width + columns.inner..][..columns.length];
                for slot in slots.clone() {
                    let edge = self.edges[far * self.slots + slot];
                    if edge == semiring.zero() {
                        continue;
                    }
                    let own = &own[slot * width + columns.own..][..columns.length];
                    let pairs = inner.iter().zip(own).map(|(&inner, &own)| semiring.times(inner, own));
                    let sum = pairs.fold(semiring.zero(), |sum, pair| semiring.plus(sum, pair));
                    let dependant = semiring.times(edge, self.spines[node]);
                    self.tables.hooks[node * self.slots + slot] = semiring.times(sum, dependant);
                }
            }
        }
        for slot in slots {
            let own = match side {
                Side::Left => &self.tables.left,
                Side::Right => &self.tables.right,
            };
            let below = !self.scores.is_lowest(slot, &parents);
            let mut value = if below { own[(slot - 1) * width + far] } else { semiring.zero() };
            for word in self.dependants(parent, far) {
                for node in self.scores.nodes.of_word(word) {
                    let hook = self.tables.hooks[node * self.slots + slot];
                    value =
                        semiring.plus(value, semiring.times(hook, own[self.scores.top(node) * width + far]));
                }
            }
            let own = match side {
                Side::Left => &mut self.tables.left,
                Side::Right => &mut self.tables.right,
            };
            own[slot * width + far] = value;
        }
    }

    /// The outside values of all items; the inside values must be there.
    fn outside(&mut self) {
        let zero = self.semiring.zero();
        let Tables { left, hooks, outer_left, outer_right, outer_hooks, .. } = &mut *self.tables;
        for table in [&mut *outer_left, outer_right] {
            table.clear();
            table.resize(left.len(), zero);
        }
        outer_hooks.clear();
        outer_hooks.resize(hooks.len(), zero);
        if self.words == 0 {
            return;
        }
        outer_left[(self.slots - 1) * self.width] = self.semiring.one();
        for (side, parent, far) in Self::spans(self.words).rev() {
            self.shrink(side, parent, far);
        }
    }

    fn shrink(&mut self, side: Side, parent: usize, far: usize) {
        let (semiring, width, zero) = (self.semiring, self.width, self.semiring.zero());
        let parents = self.scores.nodes.of_word(parent);
        let slots = self.scores.slots_of_word(parent);
        let dependants: Vec<usize> = self.dependants(parent, far).collect();
        let columns = self.columns(side, parent, far);
        let Tables { left, right, hooks, outer_left, outer_right, outer_hooks } = &mut *self.tables;
        let (own, inner, outer_own, outer_inner) = match side {
            Side::Left => (&*left, &*right, outer_left, outer_right),
            Side::Right => (&*right, &*left, outer_right, outer_left),
        };
        let add = |place: &mut S::Value, value: S::Value| *place = semiring.plus(*place, value);
        for slot in slots.clone().rev() {
            let outer = outer_own[slot * width + far];
            if outer == zero {
                continue;
            }
            if !self.scores.is_lowest(slot, &parents) {
                add(&mut outer_own[(slot - 1) * width + far], outer);
            }
            for &word in &dependants {
                for node in self.scores.nodes.of_word(word) {
                    let (hook, half) = (node * self.slots + slot, self.scores.top(node) * width + far);
                    if hooks[hook] != zero {
                        add(&mut outer_hooks[hook], semiring.times(outer, own[half]));
                        add(&mut outer_own[half], semiring.times(outer, hooks[hook]));
                    }
                }
            }
        }
        if !self.permitted[far * width + parent] {
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
                let inner_at = self.scores.top(node) * width + columns.inner;
                let own_at = slot * width + columns.own;
                for step in 0..columns.length {
                    add(&mut outer_inner[inner_at + step], semiring.times(outer, own[own_at + step]));
                    add(&mut outer_own[own_at + step], semiring.times(outer, inner[inner_at + step]));
                }
            }
        }
    }

    fn marginals(&self, total: f64, finish: impl Fn(S::Value) -> f32) -> SiteMarginals {
        let pairs = self.tables.hooks.iter().zip(&self.tables.outer_hooks);
        let values = pairs.map(|(&inside, &outside)| finish(self.semiring.times(inside, outside)));
        SiteMarginals { total, slots: self.slots, values: values.collect() }
    }
}

/// A half that is still to be taken apart: its side, its slot and its far end.
type Half = (Side, usize, usize);

/// One way to make a half: that of the site below alone, or a dependant with its two halves and the rest of the parent's.
struct Way {
    value: f32,
    dependant: Option<(usize, Node)>,
    halves: [Option<Half>; 3],
}

/// A partly expanded tree. Its value is the best that can become of it, exactly, so the `k` best of them lead to the `k` best trees.
#[derive(Clone)]
struct Partial {
    tree: SiteTree,
    open: Vec<Half>,
}

impl Pass<'_, Max> {
    /// The `k` best trees by the inside values, best first.
    fn search(&self, k: usize) -> Vec<SiteTree> {
        let tree = SiteTree {
            nodes: vec![Node(0); self.words],
            slots: vec![Slot(0); self.words],
            score: self.value((Side::Left, self.slots - 1, 0)),
        };
        let mut partials = vec![Partial { tree, open: vec![(Side::Left, self.slots - 1, 0)] }];
        let mut found = Vec::new();
        while found.len() < k {
            let wanted = k - found.len();
            partials.sort_by(|a, b| a.tree.score.total_cmp(&b.tree.score));
            partials.drain(..partials.len().saturating_sub(wanted));
            // The best is last.
            let Some(mut partial) = partials.pop() else { break };
            let Some(half) = partial.open.pop() else {
                found.push(partial.tree);
                continue;
            };
            for way in self.ways(half, wanted) {
                let Partial { mut tree, mut open } = partial.clone();
                tree.score += way.value - self.value(half);
                if let Some((word, node)) = way.dependant {
                    (tree.nodes[word], tree.slots[word]) = (node, Slot(half.1 as u32));
                }
                open.extend(way.halves.iter().flatten());
                partials.push(Partial { tree, open });
            }
        }
        found
    }

    fn value(&self, (side, slot, far): Half) -> f32 {
        match side {
            Side::Left => self.tables.left[slot * self.width + far],
            Side::Right => self.tables.right[slot * self.width + far],
        }
    }

    /// The ways to make a half; if only the best tree is wanted, the first that gives its value.
    fn ways(&self, half: Half, wanted: usize) -> Vec<Way> {
        let (side, slot, far) = half;
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        let parent = self.word_of(slot);
        let mut ways = Vec::new();
        if far == parent {
            return vec![Way { value: self.value(half), dependant: None, halves: [None; 3] }];
        }
        let best = self.value(half);
        let mut visit = |way: Way| {
            let is_enough = wanted == 1 && way.value == best;
            if way.value > f32::NEG_INFINITY && (wanted > 1 || is_enough) {
                ways.push(way);
            }
            is_enough
        };
        if !self.scores.is_lowest(slot, &self.scores.nodes.of_word(parent)) {
            let below = (side, slot - 1, far);
            if visit(Way { value: self.value(below), dependant: None, halves: [Some(below), None, None] }) {
                return ways;
            }
        }
        for word in self.dependants(parent, far) {
            let columns = self.columns(side, parent, word);
            for node in self.scores.nodes.of_word(word) {
                let top = self.scores.top(node);
                let dependant = self.edges[word * self.slots + slot] + self.spines[node];
                for step in 0..columns.length {
                    let inner = (other, top, columns.inner + step);
                    let own = (side, slot, columns.own + step);
                    let outer = (side, top, far);
                    // The sums are those of the inside pass, in its order, so that equal values are equal.
                    let hook = self.value(inner) + self.value(own) + dependant;
                    let way = Way {
                        value: hook + self.value(outer),
                        dependant: Some((word, Node(node as u32))),
                        halves: [Some(outer), Some(own), Some(inner)],
                    };
                    if visit(way) {
                        return ways;
                    }
                }
            }
        }
        ways.sort_by(|a, b| b.value.total_cmp(&a.value));
        ways.truncate(wanted);
        ways
    }

    fn word_of(&self, slot: usize) -> usize {
        let node = self.scores.first.partition_point(|&first| first as usize <= slot) - 1;
        self.scores.nodes.word(Node(node as u32))
    }
}
