//! The fewest trace edges to leave out.
//!
//! Each obstacle (an edge crossed at two endpoints, a cycle, a locked chain) goes away only
//! when one of its trace edges does. So the search takes the first obstacle, tries each of its trace edges in turn, and looks for
//! the next, with one more edge allowed each time it comes to nothing. Obstacles that have no edge in common need one edge each, which
//! tells early when too few are allowed.

use std::collections::BTreeSet;

use super::crossing::Crossings;
use super::{Structure, chain, cycle, first_crossing, one_endpoint_violation};
use crate::graph::{Arc, ArcKind};

/// How many edges the exact search leaves out at most; a graph that needs more is thinned greedily from there on.
const EXACT_LIMIT: usize = 6;

/// More crossed trace edges than this are not chosen among: the greedy choice takes the square of their number.
const TANGLE: usize = 100;

/// A graph with some trace edges left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thinned {
    /// The edges that stay.
    pub kept: Vec<Arc>,
    /// The edges that go.
    pub dropped: Vec<Arc>,
}

/// Leaves out the fewest trace edges such that the rest is a `structure`. Structural edges stay. (Beyond six edges left
/// out, what goes is chosen greedily, and might then be more than the fewest. Of more than 100 trace edges that are crossed, which no
/// sentence of a treebank has, all go. Where structural edges cross each other, as in a graph that was read they may, no choice makes the
/// rest one; then the fewest are meant beside those.)
pub fn thin(arcs: &[Arc], structure: Structure) -> Thinned {
    if !structure.has_traces() {
        let (kept, dropped) = arcs.iter().partition(|arc| arc.kind == ArcKind::Structural);
        return Thinned { kept, dropped };
    }
    let (structural, _): (Vec<Arc>, Vec<Arc>) = arcs.iter().partition(|arc| arc.kind == ArcKind::Structural);
    let crossed: BTreeSet<Arc> = Crossings::of(&structural).crossed.into_iter().collect();
    let (aside, rest): (Vec<Arc>, Vec<Arc>) = arcs.iter().partition(|arc| crossed.contains(arc));
    let (mut kept, mut dropped) = without_tangle(&rest);
    while let Some(obstacle) = obstacle(&kept, structure).filter(|obstacle| !obstacle.is_empty()) {
        let least = disjoint_obstacles(&kept, structure, EXACT_LIMIT + 1);
        if let Some(fewest) = (least..=EXACT_LIMIT).find_map(|allowed| search(&kept, structure, allowed)) {
            kept.retain(|arc| !fewest.contains(arc));
            dropped.extend(fewest);
        } else {
            let worst = most_obstructive(&kept, structure, &obstacle);
            kept.retain(|&arc| arc != worst);
            dropped.push(worst);
        }
    }
    kept.extend(aside);
    Thinned { kept, dropped }
}

/// The edges that stay, and those that go, where so many are crossed that there is no point in choosing.
fn without_tangle(arcs: &[Arc]) -> (Vec<Arc>, Vec<Arc>) {
    let mut crossed = Crossings::of(arcs).crossed;
    crossed.retain(|arc| arc.kind != ArcKind::Structural);
    if crossed.len() <= TANGLE {
        return (arcs.to_vec(), Vec::new());
    }
    let crossed: BTreeSet<Arc> = crossed.into_iter().collect();
    arcs.iter().partition(|arc| !crossed.contains(arc))
}

fn search(arcs: &[Arc], structure: Structure, allowed: usize) -> Option<Vec<Arc>> {
    let Some(obstacle) = obstacle(arcs, structure) else { return Some(Vec::new()) };
    if disjoint_obstacles(arcs, structure, allowed + 1) > allowed {
        return None;
    }
    obstacle.iter().find_map(|&candidate| {
        let rest: Vec<Arc> = arcs.iter().copied().filter(|&arc| arc != candidate).collect();
        let mut dropped = search(&rest, structure, allowed - 1)?;
        dropped.push(candidate);
        Some(dropped)
    })
}

/// Trace edges of which one must go, if any must; none in a circle of structural edges.
fn obstacle(arcs: &[Arc], structure: Structure) -> Option<Vec<Arc>> {
    let crossings = Crossings::of(arcs);
    let crossing = match structure {
        Structure::ProjectiveTree | Structure::ProjectiveGraph => {
            first_crossing(&crossings).map(|(a, b)| vec![a, b])
        }
        Structure::OneEndpointCrossing => {
            let violation = one_endpoint_violation(&crossings).map(|v| vec![v.crossed, v.by[0], v.by[1]]);
            violation.or_else(|| chain::find(&crossings))
        }
    };
    let edges = crossing.or_else(|| cycle::find(arcs))?;
    Some(edges.into_iter().filter(|arc| arc.kind != ArcKind::Structural).collect())
}

/// How many obstacles can be found, up to `most`, of which no two have a trace edge in common.
fn disjoint_obstacles(arcs: &[Arc], structure: Structure, most: usize) -> usize {
    let mut rest = arcs.to_vec();
    let found = (0..most).take_while(|_| match obstacle(&rest, structure) {
        Some(found) => {
            rest.retain(|arc| !found.contains(arc));
            true
        }
        None => false,
    });
    found.count()
}

/// The candidate without which the fewest crossings are left that should not be there.
fn most_obstructive(arcs: &[Arc], structure: Structure, candidates: &[Arc]) -> Arc {
    let left_over = |candidate: Arc| {
        let rest: Vec<Arc> = arcs.iter().copied().filter(|&arc| arc != candidate).collect();
        match structure {
            Structure::ProjectiveTree | Structure::ProjectiveGraph => Crossings::of(&rest).pairs(),
            Structure::OneEndpointCrossing => Crossings::of(&rest).violations(),
        }
    };
    candidates.iter().copied().min_by_key(|&candidate| left_over(candidate)).expect("there are candidates")
}

#[cfg(test)]
mod tests {
    use super::super::Class;
    use super::super::tests::arcs;
    use super::*;

    #[test]
    fn as_few_as_possible_are_left_out() {
        // 1-4 is crossed by 2-5 and 3-6, and so on around; without 2-5 all is well
        let three = arcs(&[(1, 4), (2, 5), (3, 6)]);
        assert_eq!(thin(&three, Structure::OneEndpointCrossing).dropped.len(), 1);
        assert_eq!(thin(&three, Structure::ProjectiveGraph).dropped.len(), 2);
        assert_eq!(thin(&three, Structure::ProjectiveTree).dropped.len(), 3);
        let two_cycles = arcs(&[(1, 2), (2, 1), (3, 4), (4, 3), (5, 6)]);
        let thinned = thin(&two_cycles, Structure::OneEndpointCrossing);
        assert_eq!((thinned.dropped.len(), thinned.kept.len()), (2, 3));
        assert!(Class::of(&thinned.kept).is(Structure::OneEndpointCrossing));
    }

    /// A graph that was read, as the authors' form has them, may have structural edges that cross or go round in a circle.
    #[test]
    fn structural_edges_in_each_others_way_stay() {
        let structural = |pairs: &[(u32, u32)]| {
            arcs(pairs).into_iter().map(|arc| Arc { kind: ArcKind::Structural, ..arc }).collect::<Vec<_>>()
        };
        for pairs in [&[(1, 3), (2, 4)][..], &[(1, 4), (2, 5), (3, 6)], &[(1, 2), (2, 1)]] {
            let mut graph = structural(pairs);
            let kept = graph.clone();
            graph.extend(arcs(&[(7, 9), (8, 10)]));
            let fewest = |structure| match structure {
                Structure::ProjectiveTree => 2,
                Structure::ProjectiveGraph => 1,
                Structure::OneEndpointCrossing => 0,
            };
            for structure in Structure::ALL {
                let thinned = thin(&graph, structure);
                assert!(kept.iter().all(|arc| thinned.kept.contains(arc)));
                assert_eq!(thinned.dropped.len(), fewest(structure), "{pairs:?} {structure:?}");
                assert_eq!(thinned.kept.len() + thinned.dropped.len(), graph.len());
            }
        }
    }

    #[test]
    fn many_obstacles_are_thinned_too() {
        let pairs: Vec<(u32, u32)> = (1..12).flat_map(|i| (i + 2..12).map(move |j| (i, j))).collect();
        for structure in [Structure::ProjectiveGraph, Structure::OneEndpointCrossing] {
            assert!(Class::of(&thin(&arcs(&pairs), structure).kept).is(structure));
        }
    }
}
