//! The search for the best derivations, from the top down.
//!
//! Engines keep no pointers. They keep values, and a value is the best over the ways in which it can be made; so the
//! best derivation is found by asking, from the complete structure downwards, which way gives the value. This search also
//! gives the k best: a partly expanded derivation is worth what it has plus the inside values of what is left, exactly,
//! so the k best partial derivations at any time contain the way to the k best complete ones.

use std::ops::ControlFlow;

use crate::graph::Graph;
use crate::part::{Edge, Node, Scores};
use crate::semiring::{Graded, Max, Semiring};

/// How good a value is: the marks of required parts in it, then its score.
pub type Rank = (i32, f32);

/// A semiring whose sums choose, so that there is a best derivation.
pub trait Ranked: Semiring {
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

/// Inside values, and how they came about.
pub trait Space {
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
    /// Its place and its level.
    fn place(&self, goal: Self::Goal) -> Place;
}

/// A goal, and how good its inside value is.
pub type Open<G> = (G, Rank);

/// One way to make a goal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Way<G> {
    /// The goals it is made of, from left to right.
    pub parts: [Option<Open<G>>; 2],
    /// The edge between the ends that is added, then the edge to the external vertex.
    pub edges: [Option<Edge>; 2],
    /// The spine of its left end, if it is initial.
    pub spine: Option<Node>,
    /// How good its value is.
    pub rank: Rank,
}

/// The level of a goal, its ends and its external vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// An item as combinations make it.
    Combined(usize, usize, Option<usize>),
    /// An item to which edges may have been added.
    Finished(usize, usize, Option<usize>),
    /// Items that are part of a combination of three.
    Half,
}

/// The way chosen for a goal.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The goal.
    pub place: Place,
    /// How many goals it is made of.
    pub parts: usize,
    /// See [`Way::edges`].
    pub edges: [Option<Edge>; 2],
    /// See [`Way::spine`].
    pub spine: Option<Node>,
}

/// A derivation as the search finds it: the choice for each goal, each goal before its parts, from left to right.
pub type Skeleton = Vec<Chosen>;

/// The structure of a derivation.
pub fn graph(skeleton: &[Chosen]) -> Graph {
    let mut spines: Vec<Node> = skeleton.iter().filter_map(|chosen| chosen.spine).collect();
    let mut edges: Vec<Edge> = skeleton.iter().flat_map(|chosen| chosen.edges).flatten().collect();
    spines.sort_unstable();
    edges.sort_unstable();
    Graph { spines, edges }
}

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
pub fn best<S: Space>(
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
