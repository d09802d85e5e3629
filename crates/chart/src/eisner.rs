//! Projective trees: the inside–outside algorithm of Eisner (1996) over spine nodes, O(n³).
//!
//! The four kinds of item are those that the templates make of the class of projective trees, over a span from a node `i` to a
//! node `j`. Every word between them has its parent inside the span.
//!
//! | item | paper | says | made of |
//! |---|---|---|---|
//! | *open* | `I[nn]` | no edge between `i` and `j` | the spine of `i`, if `j` is the next word; that and *reached* `[k j]`, if `k` is the next word; *down* `[i k]` and *open* `[k j]` |
//! | *down* | `I[nd]` | the edge `i→j` | *open* and that edge |
//! | *up* | `I[dn]` | the edge `j→i` | *open* and that edge |
//! | *path* | `I[pn]` | a path from `j` to `i` | *reached* `[i k]` and *up* `[k j]` |
//! | *reached* | | *up* or *path* | |
//!
//! A tree is *reached* from the first word to the root. As an open item takes the right dependants of `i` one by one and hangs
//! the left dependants of `j` as a chain of *up* items, each tree has one derivation, the one of the general rules.
//!
//! Rows of right ends lie together, so a combination at `k` is one multiplication of a row by a number, added to another row.
//! Where pruning forbids the edge `i→k` there is no row to add.

use std::ops::{ControlFlow, Range};

use crate::engine::{Part, Problem};
use crate::part::{Edge, EdgeKind, Node, Nodes};
use crate::search::{self, Open, Place, Rank, Ranked, Skeleton, Space, Way};
use crate::semiring::Semiring;

/// The bytes of the inside values of a span in `f32`.
pub(crate) const BYTES_PER_SPAN: usize = 4 * size_of::<f32>();

/// The values of all items that are kept, each a square of left and right ends. *Down* is made again where it is needed.
#[derive(Clone, Debug)]
struct Items<V> {
    open: Vec<V>,
    up: Vec<V>,
    path: Vec<V>,
    reached: Vec<V>,
}

impl<V> Default for Items<V> {
    fn default() -> Self {
        Self { open: Vec::new(), up: Vec::new(), path: Vec::new(), reached: Vec::new() }
    }
}

impl<V: Copy> Items<V> {
    fn clear(&mut self, nodes: usize, zero: V) {
        for values in [&mut self.open, &mut self.up, &mut self.path, &mut self.reached] {
            values.clear();
            values.resize(nodes * nodes, zero);
        }
    }

    fn bytes(&self) -> usize {
        4 * self.open.capacity() * size_of::<V>()
    }
}

/// The inside and outside values of a sentence in one semiring.
#[derive(Clone, Debug)]
pub(crate) struct Chart<V> {
    inside: Items<V>,
    outside: Items<V>,
}

impl<V> Default for Chart<V> {
    fn default() -> Self {
        Self { inside: Items::default(), outside: Items::default() }
    }
}

/// Row `i` of a square, to be written, and the rows after it.
fn rows<V>(values: &mut [V], i: usize, nodes: usize) -> (&mut [V], &mut [V]) {
    values[i * nodes..].split_at_mut(nodes)
}

/// The place in the rows after row `i` of a part of row `k`.
fn after(i: usize, k: usize, nodes: usize, part: &Range<usize>) -> Range<usize> {
    let start = (k - i - 1) * nodes;
    start + part.start..start + part.end
}

/// `target ⊕= factor ⊗ row`.
#[inline(always)]
fn add<S: Semiring>(semiring: S, target: &mut [S::Value], factor: S::Value, row: &[S::Value]) {
    if factor != semiring.zero() {
        for (sum, &value) in target.iter_mut().zip(row) {
            *sum = semiring.plus(*sum, semiring.times(factor, value));
        }
    }
}

/// The sum of the products of two rows, eight at a time so that the machine may take them together.
#[inline(always)]
fn dot<S: Semiring>(semiring: S, a: &[S::Value], b: &[S::Value]) -> S::Value {
    let mut sums = [semiring.zero(); 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = a.remainder().iter().zip(b.remainder());
    for (a, b) in a.zip(b) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum = semiring.plus(*sum, semiring.times(a, b));
        }
    }
    let rest = rest.fold(semiring.zero(), |sum, (&a, &b)| semiring.plus(sum, semiring.times(a, b)));
    sums.into_iter().fold(rest, |sum, value| semiring.plus(sum, value))
}

fn edge(from: usize, to: usize) -> Edge {
    Edge { from: Node(from as u32), to: Node(to as u32), kind: EdgeKind::Structural }
}

/// The nodes of the word after that of `i`.
fn next(nodes: &Nodes, i: usize) -> Range<usize> {
    nodes.of_word(nodes.word(Node(i as u32)) + 1)
}

impl<V: Copy + PartialEq> Chart<V> {
    pub(crate) fn bytes(&self) -> usize {
        self.inside.bytes() + self.outside.bytes()
    }

    /// Computes all inside values; gives the value of all trees together.
    pub(crate) fn inside<S: Semiring<Value = V>>(&mut self, semiring: S, problem: &Problem<'_>) -> V {
        let nodes = problem.scores.nodes();
        let (count, root) = (nodes.len(), nodes.root().index());
        self.inside.clear(count, semiring.zero());
        if nodes.words() == 0 {
            return semiring.one();
        }
        for i in (0..root).rev() {
            let Items { open, up, path, reached } = &mut self.inside;
            let [(open, open_after), (up, up_after), (path, _), (reached, reached_after)] =
                [open, up, path, reached].map(|values| rows(values, i, count));
            let spine = problem.value(semiring, Part::Spine(Node(i as u32)));
            let next = next(nodes, i);
            open[next.clone()].fill(spine);
            for k in nodes.after(i) {
                let [down, upward] = [edge(i, k), edge(k, i)]
                    .map(|edge| semiring.times(open[k], problem.value(semiring, Part::Edge(edge))));
                up[k] = upward;
                reached[k] = semiring.plus(upward, path[k]);
                let ends = nodes.after(k);
                let row = after(i, k, count, &ends);
                if next.contains(&k) {
                    add(semiring, &mut open[ends.clone()], spine, &reached_after[row.clone()]);
                }
                add(semiring, &mut open[ends.clone()], down, &open_after[row.clone()]);
                add(semiring, &mut path[ends], reached[k], &up_after[row]);
            }
        }
        let trees = nodes.of_word(0).map(|left| self.inside.reached[left * count + root]);
        trees.fold(semiring.zero(), |sum, value| semiring.plus(sum, value))
    }

    /// Computes all outside values: the combinations of the inside pass backwards, the outside value of each factor being that of
    /// what it makes times the inside value of the other.
    pub(crate) fn outside<S: Semiring<Value = V>>(
        &mut self,
        semiring: S,
        problem: &Problem<'_>,
        mut visit: impl FnMut(Part, V),
    ) {
        let nodes = problem.scores.nodes();
        let (count, root) = (nodes.len(), nodes.root().index());
        self.outside.clear(count, semiring.zero());
        if nodes.words() == 0 {
            return;
        }
        for left in nodes.of_word(0) {
            self.outside.reached[left * count + root] = semiring.one();
        }
        let plus = |a, b| semiring.plus(a, b);
        let inside = &self.inside;
        for i in 0..root {
            let Items { open, up, path, reached } = &mut self.outside;
            let [(open, open_after), (up, up_after), (path, _), (reached, reached_after)] =
                [open, up, path, reached].map(|values| rows(values, i, count));
            let next = next(nodes, i);
            let mut of_spine = semiring.zero();
            for k in nodes.after(i).rev() {
                let (made, reached_inside) = (inside.open[i * count + k], inside.reached[i * count + k]);
                let [down, upward] =
                    [edge(i, k), edge(k, i)].map(|edge| problem.value(semiring, Part::Edge(edge)));
                let ends = nodes.after(k);
                let (row, square) = (after(i, k, count, &ends), k * count + ends.start..k * count + ends.end);

                let of_down = if down == semiring.zero() {
                    down
                } else {
                    let factor = semiring.times(made, down);
                    add(semiring, &mut open_after[row.clone()], factor, &open[ends.clone()]);
                    dot(semiring, &open[ends.clone()], &inside.open[square.clone()])
                };
                let of_path = dot(semiring, &path[ends.clone()], &inside.up[square.clone()]);
                add(semiring, &mut up_after[row.clone()], reached_inside, &path[ends.clone()]);
                reached[k] = plus(reached[k], of_path);
                path[k] = plus(path[k], reached[k]);
                up[k] = plus(up[k], reached[k]);
                let edges = plus(semiring.times(of_down, down), semiring.times(up[k], upward));
                open[k] = plus(open[k], edges);
                if next.contains(&k) {
                    let of_made = dot(semiring, &open[ends.clone()], &inside.reached[square]);
                    add(semiring, &mut reached_after[row], made, &open[ends]);
                    open[k] = plus(open[k], of_made);
                    of_spine = plus(of_spine, open[k]);
                }
                visit(Part::Edge(edge(i, k)), semiring.times(of_down, made));
                visit(Part::Edge(edge(k, i)), semiring.times(up[k], made));
            }
            visit(Part::Spine(Node(i as u32)), of_spine);
        }
    }

    /// The `k` best derivations by the inside values, best first.
    pub(crate) fn search<S: Ranked<Value = V>>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        k: usize,
    ) -> Vec<(f64, Skeleton)> {
        let nodes = problem.scores.nodes();
        let root = nodes.root().index();
        let trees = nodes.of_word(0).map(|left| Goal::Finished(left, root, Item::Reached));
        let space = Trees { items: &self.inside, semiring, problem };
        search::best(&space, problem.scores, trees, problem.demands.total(), k)
    }
}

/// A kind of item; see the table above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Open,
    Down,
    Up,
    Reached,
}

/// Something to be derived, over a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    /// An item to which an edge may have been added.
    Finished(usize, usize, Item),
    /// *Open* as combinations make it.
    Open(usize, usize),
    /// *Path* as combinations make it.
    Path(usize, usize),
}

/// Inside values, and how they came about.
struct Trees<'a, S: Semiring> {
    items: &'a Items<S::Value>,
    semiring: S,
    problem: &'a Problem<'a>,
}

impl<S: Ranked> Trees<'_, S> {
    fn value(&self, goal: Goal) -> S::Value {
        let (Goal::Finished(i, j, _) | Goal::Open(i, j) | Goal::Path(i, j)) = goal;
        let at = i * self.problem.scores.nodes().len() + j;
        match goal {
            Goal::Path(..) => self.items.path[at],
            Goal::Open(..) | Goal::Finished(_, _, Item::Open) => self.items.open[at],
            Goal::Finished(_, _, Item::Up) => self.items.up[at],
            Goal::Finished(_, _, Item::Reached) => self.items.reached[at],
            Goal::Finished(_, _, Item::Down) => {
                let edge = self.problem.value(self.semiring, Part::Edge(edge(i, j)));
                self.semiring.times(self.items.open[at], edge)
            }
        }
    }

    fn open(&self, goal: Goal) -> Open<Goal> {
        (goal, self.rank(goal))
    }

    /// The way by adding an edge, or none.
    fn added(&self, goal: Goal, edge: Option<Edge>) -> Way<Goal> {
        let one = self.semiring.one();
        let value = edge.map_or(one, |edge| self.problem.value(self.semiring, Part::Edge(edge)));
        let rank = self.semiring.rank(self.semiring.times(self.value(goal), value));
        Way { parts: [Some(self.open(goal)), None], edges: [edge, None], spine: None, rank }
    }

    /// The way by combining two items.
    fn combined(&self, left: Goal, right: Goal) -> Way<Goal> {
        let rank = self.semiring.rank(self.semiring.times(self.value(left), self.value(right)));
        let parts = [left, right].map(|goal| Some(self.open(goal)));
        Way { parts, edges: [None; 2], spine: None, rank }
    }
}

impl<S: Ranked> Space for Trees<'_, S> {
    type Goal = Goal;

    fn rank(&self, goal: Goal) -> Rank {
        self.semiring.rank(self.value(goal))
    }

    fn ways(&self, goal: Goal, visit: &mut impl FnMut(Way<Goal>) -> ControlFlow<()>) -> ControlFlow<()> {
        use Goal::Finished;
        let nodes = self.problem.scores.nodes();
        match goal {
            Finished(i, j, item) => {
                let edge = match item {
                    Item::Open => None,
                    Item::Down => Some(edge(i, j)),
                    Item::Up | Item::Reached => Some(edge(j, i)),
                };
                visit(self.added(Goal::Open(i, j), edge))?;
                if item == Item::Reached {
                    visit(self.added(Goal::Path(i, j), None))?;
                }
            }
            Goal::Open(i, j) => {
                let next = next(nodes, i);
                if next.contains(&j) {
                    let spine = Node(i as u32);
                    let rank = self.semiring.rank(self.problem.value(self.semiring, Part::Spine(spine)));
                    visit(Way { parts: [None; 2], edges: [None; 2], spine: Some(spine), rank })?;
                }
                for k in nodes.between(i, j) {
                    if next.contains(&k) {
                        visit(self.combined(Finished(i, k, Item::Open), Finished(k, j, Item::Reached)))?;
                    }
                    visit(self.combined(Finished(i, k, Item::Down), Finished(k, j, Item::Open)))?;
                }
            }
            Goal::Path(i, j) => {
                for k in nodes.between(i, j) {
                    visit(self.combined(Finished(i, k, Item::Reached), Finished(k, j, Item::Up)))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn place(&self, goal: Goal) -> Place {
        match goal {
            Goal::Finished(i, j, _) => Place::Finished(i, j, None),
            Goal::Open(i, j) | Goal::Path(i, j) => Place::Combined(i, j, None),
        }
    }
}
