//! Directed cycles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::graph::{Arc, Vertex};

/// A shortest cycle through the first edge that lies on one, in order.
pub(super) fn find(arcs: &[Arc]) -> Option<Vec<Arc>> {
    let component = components(arcs);
    let inside: Vec<Arc> =
        arcs.iter().copied().filter(|arc| component[&arc.parent] == component[&arc.child]).collect();
    let &first = inside.first()?;
    let mut outgoing: BTreeMap<Vertex, Vec<Arc>> = BTreeMap::new();
    for &arc in &inside {
        outgoing.entry(arc.parent).or_default().push(arc);
    }
    let mut cycle = path(&outgoing, first.child, first.parent)?;
    cycle.insert(0, first);
    Some(cycle)
}

/// The strong component of each vertex, by Kosaraju's two passes: vertices of one component reach each other, so an edge lies on a cycle
/// exactly when both its ends are in one.
fn components(arcs: &[Arc]) -> BTreeMap<Vertex, usize> {
    let mut forward: BTreeMap<Vertex, Vec<Vertex>> = BTreeMap::new();
    let mut back: BTreeMap<Vertex, Vec<Vertex>> = BTreeMap::new();
    for arc in arcs {
        forward.entry(arc.parent).or_default().push(arc.child);
        back.entry(arc.child).or_default().push(arc.parent);
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    for &start in forward.keys().chain(back.keys()) {
        visit(&forward, start, &mut seen, |vertex| order.push(vertex));
    }
    let (mut seen, mut component) = (BTreeSet::new(), BTreeMap::new());
    for (number, &start) in order.iter().rev().enumerate() {
        visit(&back, start, &mut seen, |vertex| {
            component.insert(vertex, number);
        });
    }
    component
}

/// Visits all that can be reached from `start` and was not seen, and hands each vertex to `leave` after those behind it.
fn visit(
    edges: &BTreeMap<Vertex, Vec<Vertex>>,
    start: Vertex,
    seen: &mut BTreeSet<Vertex>,
    mut leave: impl FnMut(Vertex),
) {
    let next = |vertex: Vertex| edges.get(&vertex).map_or(&[][..], Vec::as_slice).iter();
    let mut open = Vec::new();
    if seen.insert(start) {
        open.push((start, next(start)));
    }
    while let Some((vertex, rest)) = open.last_mut() {
        match rest.next() {
            Some(&child) if seen.insert(child) => open.push((child, next(child))),
            Some(_) => {}
            None => {
                leave(*vertex);
                open.pop();
            }
        }
    }
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
        // behind a cycle, and between two, are edges that lie on none
        assert_eq!(cycle(&[(2, 3), (3, 4), (1, 2), (2, 1), (4, 5), (5, 4)]), Some(vec![(1, 2), (2, 1)]));
    }
}
