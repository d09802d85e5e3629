//! Directed cycles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::graph::{Arc, Vertex};

/// A shortest cycle through the first edge that lies on one, in order.
pub(super) fn find(arcs: &[Arc]) -> Option<Vec<Arc>> {
    let arcs = without_sources(arcs);
    let mut outgoing: BTreeMap<Vertex, Vec<Arc>> = BTreeMap::new();
    for &arc in &arcs {
        outgoing.entry(arc.parent).or_default().push(arc);
    }
    arcs.iter().find_map(|&first| {
        let mut cycle = path(&outgoing, first.child, first.parent)?;
        cycle.insert(0, first);
        Some(cycle)
    })
}

/// The rest when vertices without parents are taken away with their edges until there are none: nothing, if there is no cycle.
fn without_sources(arcs: &[Arc]) -> Vec<Arc> {
    let mut outgoing: BTreeMap<Vertex, Vec<Vertex>> = BTreeMap::new();
    let mut parents: BTreeMap<Vertex, usize> = BTreeMap::new();
    for arc in arcs {
        outgoing.entry(arc.parent).or_default().push(arc.child);
        *parents.entry(arc.child).or_default() += 1;
    }
    let mut sources: Vec<Vertex> =
        outgoing.keys().copied().filter(|vertex| !parents.contains_key(vertex)).collect();
    let mut taken = BTreeSet::new();
    while let Some(source) = sources.pop() {
        taken.insert(source);
        for child in outgoing.remove(&source).unwrap_or_default() {
            let left = parents.get_mut(&child).expect("counted above");
            *left -= 1;
            if *left == 0 {
                sources.push(child);
            }
        }
    }
    arcs.iter().copied().filter(|arc| !taken.contains(&arc.parent)).collect()
}

/// A shortest path between two vertices.
fn path(outgoing: &BTreeMap<Vertex, Vec<Arc>>, from: Vertex, to: Vertex) -> Option<Vec<Arc>> {
    let mut reached_by: BTreeMap<Vertex, Arc> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(vertex) = queue.pop_front() {
        if vertex == to {
            let mut steps = Vec::new();
            let mut at = to;
            while at != from {
                let arc = reached_by[&at];
                steps.push(arc);
                at = arc.parent;
            }
            steps.reverse();
            return Some(steps);
        }
        for &arc in outgoing.get(&vertex).into_iter().flatten() {
            if arc.child != from && !reached_by.contains_key(&arc.child) {
                reached_by.insert(arc.child, arc);
                queue.push_back(arc.child);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::arcs;
    use super::*;

    fn cycle(pairs: &[(u32, u32)]) -> Option<Vec<(u32, u32)>> {
        find(&arcs(pairs)).map(|cycle| cycle.iter().map(|arc| (arc.parent.0, arc.child.0)).collect())
    }

    #[test]
    fn cycles_are_found_and_only_they() {
        assert_eq!(cycle(&[(0, 1), (1, 2), (1, 3), (3, 2)]), None);
        assert_eq!(cycle(&[(0, 1), (1, 2), (2, 1)]), Some(vec![(1, 2), (2, 1)]));
        assert_eq!(cycle(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 2)]), Some(vec![(2, 3), (3, 4), (4, 2)]));
    }
}
