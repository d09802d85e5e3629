//! From the top down: finding the best derivations again.
//!
//! The engines keep no pointers. They keep values, and a value is the best over the ways in which it can be made; so the
//! best derivation is found by asking, from the complete structure downwards, which way gives the value. The same search
//! gives the k best: a partly expanded derivation is worth what it has plus the inside values of what is left, exactly,
//! so the k best partial derivations at any time contain the way to the k best complete ones.

use std::ops::ControlFlow;

use crate::part::{Edge, Node, Scores};
use crate::semiring::{Graded, Max, Semiring};

/// How good a value is: the marks of required parts in it, then its score.
pub(crate) type Rank = (i32, f32);

/// A semiring whose sums choose, so that there is a best derivation.
pub(crate) trait Ranked: Semiring {
    /// How good a value is.
    fn rank(self, value: Self::Value) -> Rank;
}

impl Ranked for Max {
    fn rank(self, value: f32) -> Rank {
        (0, value)
    }
}

impl Ranked for Graded<Max> {
    fn rank(self, value: Self::Value) -> Rank {
        (value.marks, value.value)
    }
}

/// What inside values an engine has, and how they came about.
pub(crate) trait Space {
    /// Something to be derived.
    type Goal: Copy;

    /// How good its inside value is.
    fn rank(&self, goal: Self::Goal) -> Rank;
    /// The ways to make it, until the visitor has seen enough.
    fn ways(
        &self,
        goal: Self::Goal,
        visit: &mut impl FnMut(Way<Self::Goal>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// What it is.
    fn place(&self, goal: Self::Goal) -> Place;
}

/// A goal, and how good its inside value is.
pub(crate) type Open<G> = (G, Rank);

/// One way to make a goal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Way<G> {
    /// What it is made of, from left to right.
    pub(crate) parts: [Option<Open<G>>; 2],
    /// The edge between the ends that is added, then the edge to the external vertex.
    pub(crate) edges: [Option<Edge>; 2],
    /// It is initial: the spine of its left end.
    pub(crate) spine: Option<Node>,
    pub(crate) rank: Rank,
}

impl<G> Way<G> {
    pub(crate) fn new(parts: [Option<Open<G>>; 2], edges: [Option<Edge>; 2]) -> Self {
        Self { parts, edges, spine: None, rank: (0, f32::NEG_INFINITY) }
    }
}

/// What a goal is, and its ends and external vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// An item as combinations make it.
    Combined(usize, usize, Option<usize>),
    /// An item to which edges may have been added.
    Finished(usize, usize, Option<usize>),
    /// Items that are part of a combination of three.
    Half,
}

/// The way chosen for a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    pub(crate) place: Place,
    /// How many goals it is made of.
    pub(crate) parts: usize,
    /// See [`Way::edges`].
    pub(crate) edges: [Option<Edge>; 2],
    /// See [`Way::spine`].
    pub(crate) spine: Option<Node>,
}

/// The choice for each goal, each goal before its parts, from left to right.
pub(crate) type Skeleton = Vec<Chosen>;

/// A partly expanded derivation.
#[derive(Clone)]
struct Partial<G> {
    /// The marks and the score that completing it in the best way gives.
    marks: i32,
    value: f64,
    /// The score of what is done.
    done: f64,
    skeleton: Skeleton,
    open: Vec<Open<G>>,
}

/// The `k` best derivations of any of the goals that have the wanted marks, or fewer if there are fewer, best first, each
/// with its score.
pub(crate) fn best<S: Space>(
    space: &S,
    scores: &Scores,
    goals: impl Iterator<Item = S::Goal>,
    wanted: i32,
    k: usize,
) -> Vec<(f64, Skeleton)> {
    let start = |goal| {
        let rank @ (marks, value) = space.rank(goal);
        Partial { marks, value: f64::from(value), done: 0.0, skeleton: Vec::new(), open: vec![(goal, rank)] }
    };
    let mut partials: Vec<Partial<S::Goal>> =
        goals.map(start).filter(|partial| partial.value > f64::NEG_INFINITY).collect();
    let mut found = Vec::new();
    while found.len() < k {
        partials.retain(|partial| partial.marks == wanted);
        keep_best(&mut partials, k - found.len());
        // The best is last.
        let Some(mut partial) = partials.pop() else { break };
        match partial.open.pop() {
            None => found.push((partial.done, partial.skeleton)),
            Some(goal) => expand(space, scores, partial, goal, k - found.len(), &mut partials),
        }
    }
    found
}

/// Replaces a goal by the best ways to make it.
fn expand<S: Space>(
    space: &S,
    scores: &Scores,
    partial: Partial<S::Goal>,
    (goal, rank): Open<S::Goal>,
    most: usize,
    partials: &mut Vec<Partial<S::Goal>>,
) {
    let mut ways: Vec<Way<S::Goal>> = Vec::new();
    let _ = space.ways(goal, &mut |way| {
        match ways.first_mut() {
            _ if way.rank.1 == f32::NEG_INFINITY => {}
            Some(best) if most == 1 && way.rank <= best.rank => {}
            Some(best) if most == 1 => *best = way,
            _ => ways.push(way),
        }
        // In the common case, the best derivation only, the first way that gives the value will do.
        if most == 1 && way.rank == rank { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ways.sort_by(|a, b| b.rank.0.cmp(&a.rank.0).then(b.rank.1.total_cmp(&a.rank.1)));
    ways.truncate(most);
    let marks = partial.marks - rank.0;
    // The last way takes the partial derivation over; only others need copies.
    let mut original = Some(partial);
    while let Some(way) = ways.pop() {
        let last = ways.is_empty();
        let Some(mut partial) = (if last { original.take() } else { original.clone() }) else { break };
        let Way { parts, edges, spine, rank } = way;
        let place = space.place(goal);
        partial.skeleton.push(Chosen { place, parts: parts.iter().flatten().count(), edges, spine });
        partial.open.extend(parts.iter().rev().flatten());
        partial.done += edges.iter().flatten().map(|&edge| f64::from(scores[edge])).sum::<f64>();
        partial.done += spine.map_or(0.0, |spine| f64::from(scores[spine]));
        partial.marks = marks + rank.0;
        if most > 1 {
            let open = partial.open.iter().map(|&(_, (_, value))| f64::from(value));
            partial.value = partial.done + open.sum::<f64>();
        }
        partials.push(partial);
    }
}

/// Sorts the best last and drops all but the best `most`.
fn keep_best<G>(partials: &mut Vec<Partial<G>>, most: usize) {
    partials.sort_by(|a, b| a.marks.cmp(&b.marks).then(a.value.total_cmp(&b.value)));
    let extra = partials.len().saturating_sub(most);
    partials.drain(..extra);
}
