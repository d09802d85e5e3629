//! Classes of structures: the one a graph is in, and the edges that keep it out of the others.
//!
//! The vertices stand on a line, the words in order and the root behind the last of them, as in the chart. Two edges *cross* when exactly one
//! end of each is strictly between the ends of the other. A graph is
//!
//! * a *projective tree* when it has no trace edges, a *projective graph* when no two edges cross;
//! * *one-endpoint-crossing* (1EC) when for every edge, all edges that cross it share a vertex;
//! * *lock-free* when it has no *locked chain*: vertices `0 < 1 < … < N` (N > 3) with edges `(i, i+2)`, `(0, N-1)` and `(1, N)`;
//! * *acyclic* when following edges from parent to child never comes back.
//!
//! [`Class::of`] answers for one graph, and [`thin()`] finds the fewest trace edges without which it would be such a structure.

mod chain;
mod crossing;
mod cycle;
mod thin;

pub use thin::{Thinned, thin};

use self::crossing::Crossings;
use crate::graph::{Arc, ArcKind, Vertex};

/// The structures that a parser can be asked for, each with all before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Structure {
    /// Structural edges alone.
    ProjectiveTree,
    /// Trace edges too, but no two edges cross, and there is no cycle.
    ProjectiveGraph,
    /// The paper's class: acyclic, one-endpoint-crossing and lock-free.
    OneEndpointCrossing,
}

impl Structure {
    /// Every class, the smallest first.
    pub const ALL: [Structure; 3] =
        [Structure::ProjectiveTree, Structure::ProjectiveGraph, Structure::OneEndpointCrossing];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Structure::ProjectiveTree => "projective-tree",
            Structure::ProjectiveGraph => "projective-graph",
            Structure::OneEndpointCrossing => "1ec-graph",
        }
    }

    /// The class in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Structure::ProjectiveTree => "structural edges alone: null elements without antecedents",
            Structure::ProjectiveGraph => "traces, but no two edges cross",
            Structure::OneEndpointCrossing => {
                "the paper's class: traces, each edge crossed at one endpoint only"
            }
        }
    }

    /// Whether there can be trace edges.
    pub fn has_traces(self) -> bool {
        self != Structure::ProjectiveTree
    }
}

/// An edge and two edges that cross it and have no vertex in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneEndpointViolation {
    /// The edge that is crossed.
    pub crossed: Arc,
    /// The edges that cross it.
    pub by: [Arc; 2],
}

/// The properties of the edges of a graph.
///
/// ```
/// use tracebank_syntax::class::{Class, Structure};
/// use tracebank_syntax::graph::{Arc, ArcKind, Vertex};
/// let arc = |parent, child, kind| Arc { parent: Vertex(parent), child: Vertex(child), kind };
/// // We like running: "like" is the head of both others, and "running" has an understood subject, "We"
/// let arcs = [
///     arc(0, 2, ArcKind::Structural),
///     arc(2, 1, ArcKind::Structural),
///     arc(2, 3, ArcKind::Structural),
///     arc(3, 1, ArcKind::Trace(0)),
/// ];
/// let class = Class::of(&arcs);
/// assert!(class.is(Structure::OneEndpointCrossing) && !class.is_projective());
/// assert_eq!(class.crossing, Some((arcs[0], arcs[3])));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// The trace edges between different words: a tree has none. Some may repeat another between the same two words in the same direction.
    /// The paper gives such sentences up. DIVERGENCE: here they share one edge, whose label names them all, so they do not count against
    /// the class.
    pub traces: Vec<Arc>,
    /// The first two edges that cross, if any do.
    pub crossing: Option<(Arc, Arc)>,
    /// The first edge that is crossed at more than one endpoint, and what shows it.
    pub one_endpoint_violation: Option<OneEndpointViolation>,
    /// A cycle, in order, if there is one.
    pub cycle: Option<Vec<Arc>>,
    /// A locked chain, if there is one. It is looked for only in a 1EC graph.
    pub locked_chain: Option<Vec<Arc>>,
}

impl Class {
    /// The class of the graph with these edges.
    pub fn of(arcs: &[Arc]) -> Class {
        // Few edges are crossed, and only they can be crossed too often or be part of a locked chain.
        let crossings = Crossings::of(arcs);
        let one_endpoint_violation = one_endpoint_violation(&crossings);
        Class {
            traces: arcs.iter().copied().filter(|arc| arc.kind != ArcKind::Structural).collect(),
            crossing: first_crossing(&crossings),
            cycle: cycle::find(arcs),
            locked_chain: if one_endpoint_violation.is_none() { chain::find(&crossings) } else { None },
            one_endpoint_violation,
        }
    }

    /// No trace edges: with the structural edges alone, which never cross, a projective tree.
    pub fn is_tree(&self) -> bool {
        self.traces.is_empty()
    }

    /// No two edges cross.
    pub fn is_projective(&self) -> bool {
        self.crossing.is_none()
    }

    /// Every edge is crossed at one endpoint only.
    pub fn is_one_endpoint_crossing(&self) -> bool {
        self.one_endpoint_violation.is_none()
    }

    /// No path leads back to where it began.
    pub fn is_acyclic(&self) -> bool {
        self.cycle.is_none()
    }

    /// No locked chain.
    pub fn is_lock_free(&self) -> bool {
        self.locked_chain.is_none()
    }

    /// Whether the graph is such a structure.
    pub fn is(&self, structure: Structure) -> bool {
        match structure {
            Structure::ProjectiveTree => self.is_tree(),
            Structure::ProjectiveGraph => self.is_projective() && self.is_acyclic(),
            Structure::OneEndpointCrossing => {
                self.is_one_endpoint_crossing() && self.is_acyclic() && self.is_lock_free()
            }
        }
    }
}

/// Where a vertex stands on the line: the root is behind all words.
fn position(vertex: Vertex) -> u32 {
    if vertex == Vertex::ROOT { u32::MAX - 1 } else { vertex.0 }
}

/// The two ends of an edge, left one first.
fn span(arc: Arc) -> (u32, u32) {
    let (a, b) = (position(arc.parent), position(arc.child));
    (a.min(b), a.max(b))
}

/// Whether exactly one end of each edge is strictly between the ends of the other.
pub fn cross(a: Arc, b: Arc) -> bool {
    let ((a0, a1), (b0, b1)) = (span(a), span(b));
    (a0 < b0 && b0 < a1 && a1 < b1) || (b0 < a0 && a0 < b1 && b1 < a1)
}

fn share_vertex(a: Arc, b: Arc) -> bool {
    let ((a0, a1), (b0, b1)) = (span(a), span(b));
    a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1
}

/// The first two edges that cross.
fn first_crossing(crossings: &Crossings) -> Option<(Arc, Arc)> {
    let (&first, rest) = crossings.crossed.split_first()?;
    rest.iter().find(|&&other| cross(first, other)).map(|&other| (first, other))
}

fn one_endpoint_violation(crossings: &Crossings) -> Option<OneEndpointViolation> {
    let crossed = crossings.first_violation()?;
    Some(OneEndpointViolation { crossed, by: two_without_common_vertex(&crossings.crossed, crossed)? })
}

/// All edges across `crossed` have one end inside it and one outside. If any two of them share a vertex then all share one, for
/// three edges that share pairwise and not together would be a triangle, which has two ends on one side.
fn two_without_common_vertex(arcs: &[Arc], crossed: Arc) -> Option<[Arc; 2]> {
    let across: Vec<Arc> = arcs.iter().copied().filter(|&arc| cross(arc, crossed)).collect();
    across
        .iter()
        .enumerate()
        .find_map(|(i, &a)| across[i + 1..].iter().find(|&&b| !share_vertex(a, b)).map(|&b| [a, b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arcs from pairs (parent, child); trace edges all, for the questions here do not depend on it.
    pub(super) fn arcs(pairs: &[(u32, u32)]) -> Vec<Arc> {
        let arc = |(index, &(parent, child))| Arc {
            parent: Vertex(parent),
            child: Vertex(child),
            kind: ArcKind::Trace(index),
        };
        pairs.iter().enumerate().map(arc).collect()
    }

    #[test]
    fn edges_that_only_touch_do_not_cross() {
        assert!(Class::of(&arcs(&[(1, 3), (3, 5), (1, 5), (2, 3), (1, 2)])).is_projective());
        assert!(!Class::of(&arcs(&[(1, 3), (2, 4)])).is_projective());
        // the root stands behind the last word
        assert!(Class::of(&arcs(&[(0, 3), (3, 1)])).is_projective());
        assert!(!Class::of(&arcs(&[(0, 2), (3, 1)])).is_projective());
    }

    #[test]
    fn crossing_edges_must_share_a_vertex() {
        assert!(Class::of(&arcs(&[(1, 4), (2, 5), (2, 6)])).is_one_endpoint_crossing());
        assert!(Class::of(&arcs(&[(1, 4), (2, 6), (3, 6)])).is_one_endpoint_crossing());
        let class = Class::of(&arcs(&[(1, 4), (2, 5), (3, 6)]));
        let violation = class.one_endpoint_violation.unwrap();
        assert_eq!(violation.crossed, class.traces[0]);
        assert_eq!(violation.by, [class.traces[1], class.traces[2]]);
    }

    #[test]
    fn a_second_trace_between_the_same_words_does_not_count_against_the_class() {
        assert!(Class::of(&arcs(&[(1, 2), (1, 2), (1, 3)])).is(Structure::ProjectiveGraph));
    }

    /// Looking at all pairs would take minutes here.
    #[test]
    fn a_large_graph_is_classified_at_once() {
        let words = 50_000;
        // a hub, and edges from one vertex that cross all of the hub's
        let hub = (2..words).map(|word| (1, word));
        let far: Vec<(u32, u32)> = hub.chain([(3, words), (3, words + 1), (3, 0)]).collect();
        let class = Class::of(&arcs(&far));
        assert!(class.is(Structure::OneEndpointCrossing) && !class.is_projective());
        // two hubs side by side, whose edges cross each other in all pairs
        let hubs: Vec<(u32, u32)> = (3..words).flat_map(|word| [(1, word), (2, word)]).collect();
        assert!(Class::of(&arcs(&hubs)).is_one_endpoint_crossing());
        let star: Vec<(u32, u32)> = (3..words)
            .map(|word| if word % 2 == 0 { (1, word) } else { (2, word) })
            .chain([(2, 0)])
            .collect();
        Class::of(&arcs(&star));
        let tangled: Vec<(u32, u32)> = (1..words).map(|word| (word, word + 1000)).collect();
        assert!(!Class::of(&arcs(&tangled)).is_one_endpoint_crossing());
        for structure in [Structure::ProjectiveGraph, Structure::OneEndpointCrossing] {
            let thinned = thin(&arcs(&tangled), structure);
            assert!(Class::of(&thinned.kept).is(structure));
        }
    }
}
