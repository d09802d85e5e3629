//! The ways in which the dense engine's values came about, for the search from the top down ([`tracebank_chart::search`]).

use std::ops::ControlFlow;

use tracebank_chart::engine::{Part, Problem};
use tracebank_chart::merge::option_edge;
use tracebank_chart::search::{Open, Place, Rank, Ranked, Space, Way};
use tracebank_chart::semiring::Semiring;
use tracebank_chart::{Edge, EdgeKind, Node};

use super::Chart;
use super::view::LANES;
use crate::compile::terms::Terms;
use crate::compile::{Array, Program};

/// Something to be derived: an entry of an array at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// A finished interval: an entry of `SetI`.
    Interval(usize, usize, u16),
    /// An interval as combinations make it: an entry of `PreI`.
    Made(usize, usize, u16),
    /// A finished item with an external vertex, as a left item: an entry of `SetL` or `SetR`.
    Left(usize, usize, usize, u16),
    /// Such an item as a right item whose external vertex stays: an entry of `RightL` or `RightR`.
    Right(usize, usize, usize, u16),
    /// Such an item whose external vertex is a vertex of its neighbours: an entry of `Own`.
    Own(usize, usize, usize, u16),
    /// An item with an external vertex as combinations make it: an entry of `PreL` or `PreR`.
    MadeExternal(usize, usize, usize, u16),
    /// An entry of `Tail`, over two vertices.
    Tail(usize, usize, u16),
    /// An entry of `Head`, over two vertices.
    Head(usize, usize, u16),
    /// An entry of `Pairs`, over three vertices.
    Pairs(usize, usize, usize, u16),
    /// An entry of `Firsts`: an item with an external vertex.
    First(usize, usize, usize, u16),
    /// An entry of `Quads`, over three vertices.
    Quads(usize, usize, usize, u16),
}

/// A way whose rank is not known yet.
fn way(parts: [Option<Open<Goal>>; 2], edges: [Option<Edge>; 2]) -> Way<Goal> {
    Way { parts, edges, spine: None, rank: (0, f32::NEG_INFINITY) }
}

/// Sees ways with their values, until it has seen enough.
trait Visit<S: Semiring>: FnMut(Way<Goal>, S::Value) -> ControlFlow<()> {}
impl<S: Semiring, F: FnMut(Way<Goal>, S::Value) -> ControlFlow<()>> Visit<S> for F {}

/// Sees edges with their values, or that there is none, until it has seen enough.
trait VisitEdge<S: Semiring>: FnMut(Option<Edge>, S::Value) -> ControlFlow<()> {}
impl<S: Semiring, F: FnMut(Option<Edge>, S::Value) -> ControlFlow<()>> VisitEdge<S> for F {}

/// A search over a chart that holds inside values.
pub(crate) struct Search<'a, S: Semiring> {
    chart: &'a Chart<S>,
    program: &'a Program,
    problem: &'a Problem<'a>,
}

impl<S: Ranked> Space for Search<'_, S> {
    type Goal = Goal;

    fn rank(&self, goal: Goal) -> Rank {
        self.chart.semiring().rank(self.value(goal))
    }

    fn ways(&self, goal: Goal, visit: &mut impl FnMut(Way<Goal>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.ways_with_values(goal, &mut |way, value| {
            visit(Way { rank: self.chart.semiring().rank(value), ..way })
        })
    }

    fn place(&self, goal: Goal) -> Place {
        match goal {
            Goal::Made(i, j, _) => Place::Combined(i, j, None),
            Goal::Interval(i, j, _) => Place::Finished(i, j, None),
            Goal::MadeExternal(i, j, x, _) => Place::Combined(i, j, Some(x)),
            Goal::Left(i, j, x, _)
            | Goal::First(i, j, x, _)
            | Goal::Right(i, j, x, _)
            | Goal::Own(i, j, x, _) => Place::Finished(i, j, Some(x)),
            Goal::Tail(..) | Goal::Head(..) | Goal::Pairs(..) | Goal::Quads(..) => Place::Half,
        }
    }
}

impl<'a, S: Ranked> Search<'a, S> {
    pub(crate) fn new(chart: &'a Chart<S>, program: &'a Program, problem: &'a Problem<'a>) -> Self {
        Self { chart, program, problem }
    }

    /// The goals of the search: the complete structures.
    pub(crate) fn complete(&self) -> impl Iterator<Item = Goal> {
        let nodes = self.problem.scores.nodes();
        let (root, complete) = (nodes.root().index(), self.program.complete);
        nodes
            .of_word(0)
            .filter(move |&left| left != root)
            .map(move |left| Goal::Interval(left, root, complete))
    }

    /// The inside value of a goal.
    fn value(&self, goal: Goal) -> S::Value {
        match goal {
            Goal::Interval(i, j, entry) => self.row(Array::SetI, i, j, entry),
            Goal::Made(i, j, entry) => self.row(Array::PreI, i, j, entry),
            Goal::Tail(i, j, entry) => self.row(Array::Tail, i, j, entry),
            Goal::Head(i, j, entry) => self.row(Array::Head, i, j, entry),
            Goal::Right(i, j, x, entry) => self.external([Array::RightL, Array::RightR], i, j, x, entry),
            Goal::MadeExternal(i, j, x, entry) => self.external([Array::PreL, Array::PreR], i, j, x, entry),
            // Kept with the row of the external vertex.
            Goal::Own(i, j, x, entry) => self.external([Array::Own, Array::Own], x, i, j, entry),
            Goal::Quads(i, j, x, entry) => self.external([Array::Quads, Array::Quads], i, j, x, entry),
            Goal::Pairs(i, j, x, entry) => self.external([Array::Pairs, Array::Pairs], i, j, x, entry),
            Goal::First(i, j, x, entry) => self.external([Array::Firsts, Array::Firsts], i, j, x, entry),
            // Transient: made again.
            Goal::Left(..) => {
                let semiring = self.chart.semiring();
                let mut sum = semiring.zero();
                let _ = self.ways_with_values(goal, &mut |_, value| {
                    sum = semiring.plus(sum, value);
                    ControlFlow::Continue(())
                });
                sum
            }
        }
    }

    fn row(&self, array: Array, i: usize, j: usize, entry: u16) -> S::Value {
        let cell = self.chart.layout.cell(array, i, j);
        self.chart.arrays[array as usize][cell.base + entry as usize * LANES]
    }

    fn external(&self, arrays: [Array; 2], i: usize, j: usize, x: usize, entry: u16) -> S::Value {
        let array = arrays[usize::from(x > i)];
        self.chart.arrays[array as usize][self.chart.layout.place(array, (i, j, x), entry)]
    }

    /// A goal with its rank.
    fn open(&self, goal: Goal, value: S::Value) -> Open<Goal> {
        (goal, self.chart.semiring().rank(value))
    }

    fn ways_with_values(&self, goal: Goal, visit: &mut impl Visit<S>) -> ControlFlow<()> {
        let semiring = self.chart.semiring();
        let (program, layout) = (self.program, &self.chart.layout);
        match goal {
            Goal::Interval(i, j, entry) => {
                for &(pre, option) in program.intervals.forward.of(entry as usize) {
                    let part = Goal::Made(i, j, pre);
                    let value = self.value(part);
                    self.edges(i, j, option, &mut |edge, score| {
                        let made = way([Some(self.open(part, value)), None], [edge, None]);
                        visit(made, semiring.times(value, score))
                    })?;
                }
            }
            Goal::Made(i, j, entry) => self.ways_to_make(i, j, entry, visit)?,
            Goal::Left(i, j, x, entry) => {
                let side = usize::from(x > i);
                self.finished(&program.left, &program.sets[side].forward, side, (i, j, x), entry, visit)?;
            }
            Goal::First(i, j, x, entry) => {
                self.finished(&program.left, &program.firsts.forward, 1, (i, j, x), entry, visit)?;
            }
            Goal::Right(i, j, x, entry) => {
                let side = usize::from(x > i);
                self.finished(&program.right, &program.rights[side].forward, side, (i, j, x), entry, visit)?;
            }
            Goal::Own(i, j, x, entry) => {
                self.finished(&program.right, &program.owns.forward, 0, (i, j, x), entry, visit)?;
            }
            Goal::MadeExternal(i, j, x, entry) => {
                let side = usize::from(x > i);
                for k in layout.between(i, j) {
                    let left = |set| Goal::Left(i, k, x, set);
                    let right = |set| Goal::Right(k, j, x, set);
                    let mut two = |terms, left: &dyn Fn(u16) -> Goal, right: &dyn Fn(u16) -> Goal| {
                        self.products(terms, entry, left, right, visit)
                    };
                    two(&program.same[side].forward, &left, &right)?;
                    two(&program.own_right[side].forward, &left, &|set| Goal::Own(k, j, i, set))?;
                    two(&program.own_left[side].forward, &|set| Goal::Left(i, k, j, set), &right)?;
                    two(&program.beside_right[side].forward, &left, &|set| Goal::Interval(k, j, set))?;
                    two(&program.beside_left[side].forward, &|set| Goal::Interval(i, k, set), &right)?;
                }
            }
            Goal::Tail(a, c, entry) => {
                for b in layout.between(a, c) {
                    let (left, right) = (|set| Goal::Left(a, b, c, set), |set| Goal::Interval(b, c, set));
                    self.products(&program.make_tail.forward, entry, &left, &right, visit)?;
                }
            }
            Goal::Head(b, d, entry) => {
                for c in layout.between(b, d) {
                    let (left, right) = (|set| Goal::Interval(b, c, set), |set| Goal::Own(c, d, b, set));
                    self.products(&program.make_head.forward, entry, &left, &right, visit)?;
                }
            }
            Goal::Pairs(a, b, c, entry) => {
                let (left, right) = (|set| Goal::Left(a, b, c, set), |set| Goal::Interval(b, c, set));
                self.products(&program.make_pairs.forward, entry, &left, &right, visit)?;
                let (left, right) = (|set| Goal::Interval(a, b, set), |set| Goal::Own(b, c, a, set));
                self.products(&program.nest_pairs.forward, entry, &left, &right, visit)?;
            }
            Goal::Quads(b, c, d, entry) => {
                let (left, right) = (|set| Goal::Left(b, c, d, set), |set| Goal::Interval(c, d, set));
                self.products(&program.make_quads.forward, entry, &left, &right, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The ways to make an interval: initial, or by a combination of two items or of an auxiliary one.
    fn ways_to_make(&self, i: usize, j: usize, entry: u16, visit: &mut impl Visit<S>) -> ControlFlow<()> {
        let (program, layout) = (self.program, &self.chart.layout);
        if layout.adjacent(i, j) && entry == program.initial {
            let spine = Some(Node(i as u32));
            visit(Way { spine, ..way([None; 2], [None; 2]) }, self.chart.spines[i])?;
        }
        let mut two = |terms, left: &dyn Fn(u16) -> Goal, right: &dyn Fn(u16) -> Goal| {
            self.products(terms, entry, left, right, visit)
        };
        // First what is looked up, then what has to be made again, then what has a vertex more: often it is not needed.
        for k in layout.between(i, j) {
            let before = |set| Goal::Interval(i, k, set);
            let after = |set| Goal::Interval(k, j, set);
            if layout.adjacent(i, k) {
                two(&program.step.forward, &before, &after)?;
            }
            two(&program.pair.forward, &before, &after)?;
            two(&program.close_right.forward, &before, &|set| Goal::Own(k, j, i, set))?;
            two(&program.use_tail.forward, &|item| Goal::Tail(i, k, item), &after)?;
            two(&program.use_head.forward, &before, &|item| Goal::Head(k, j, item))?;
        }
        for k in layout.between(i, j) {
            let after = |set| Goal::Interval(k, j, set);
            two(&program.close_left.forward, &|set| Goal::Left(i, k, j, set), &after)?;
        }
        for k in layout.between(i, j) {
            for c in layout.between(k, j) {
                two(&program.use_pairs.forward, &|item| Goal::Pairs(i, k, c, item), &|set| {
                    Goal::Own(c, j, k, set)
                })?;
                two(&program.use_quads.forward, &|set| Goal::First(i, k, c, set), &|item| {
                    Goal::Quads(k, c, j, item)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn products(
        &self,
        terms: &Terms,
        entry: u16,
        left: &dyn Fn(u16) -> Goal,
        right: &dyn Fn(u16) -> Goal,
        visit: &mut impl Visit<S>,
    ) -> ControlFlow<()> {
        for &(l, r) in terms.of(entry as usize) {
            let (left, right) = (left(l), right(r));
            // The right factor is stored; if it is nothing, the left one, which may have to be made again, is not needed.
            let right_value = self.value(right);
            if right_value != self.chart.semiring().zero() {
                let left_value = self.value(left);
                let parts = [Some(self.open(left, left_value)), Some(self.open(right, right_value))];
                visit(way(parts, [None; 2]), self.chart.semiring().times(left_value, right_value))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The ways to make a finished item with an external vertex: an edge to it, and before that one between the ends.
    fn finished(
        &self,
        finish: &crate::compile::Finish,
        sets: &Terms,
        side: usize,
        (i, j, x): (usize, usize, usize),
        entry: u16,
        visit: &mut impl Visit<S>,
    ) -> ControlFlow<()> {
        let semiring = self.chart.semiring();
        for &(post, _) in sets.of(entry as usize) {
            for &(mid, external) in finish.post[side].forward.of(post as usize) {
                self.external_edges((i, j, x), external, &mut |outer, outer_score| {
                    if outer_score == semiring.zero() {
                        return ControlFlow::Continue(());
                    }
                    for &(interval, _) in finish.lift[side].forward.of(mid as usize) {
                        let part = Goal::Interval(i, j, interval);
                        let value = self.value(part);
                        let made = way([Some(self.open(part, value)), None], [None, outer]);
                        visit(made, semiring.times(value, outer_score))?;
                    }
                    for &(pre, option) in finish.mid[side].forward.of(mid as usize) {
                        let part = Goal::MadeExternal(i, j, x, pre);
                        let value = self.value(part);
                        // In the order of the engine, so that rounding is the same.
                        self.edges(i, j, option, &mut |edge, score| {
                            let made = way([Some(self.open(part, value)), None], [edge, outer]);
                            visit(made, semiring.times(semiring.times(value, score), outer_score))
                        })?;
                    }
                    ControlFlow::Continue(())
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The edges an option may mean, with their scores: a structural option may come with a trace beside it.
    fn edges(&self, end: usize, other: usize, option: u16, visit: &mut impl VisitEdge<S>) -> ControlFlow<()> {
        if option == 0 {
            return visit(None, self.chart.semiring().one());
        }
        let (from, to, trace) = option_edge(self.program.class, option as usize, end, other);
        let kinds: &[EdgeKind] = match (trace, self.program.class.structural) {
            (true, _) => &[EdgeKind::Trace],
            (false, true) => &[EdgeKind::Structural, EdgeKind::Both],
            (false, false) => &[EdgeKind::Structural],
        };
        for &kind in kinds {
            let edge = Edge { from, to, kind };
            visit(Some(edge), self.problem.value(self.chart.semiring(), Part::Edge(edge)))?;
        }
        ControlFlow::Continue(())
    }

    fn external_edges(
        &self,
        (i, j, x): (usize, usize, usize),
        option: u16,
        visit: &mut impl VisitEdge<S>,
    ) -> ControlFlow<()> {
        let (end, option) = if option <= 4 { (i, option) } else { (j, option - 4) };
        self.edges(end, x, option, visit)
    }
}
