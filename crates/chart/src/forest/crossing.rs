//! Which edges may be crossed, and by what.
//!
//! In the one derivation of a structure, an edge is added as an edge *to an external vertex* only if another edge of the
//! structure crosses it; all others are edges between the ends of a span. (A test looks at every derivation up to five
//! words.) With a structural tree, one of the two that cross is a trace. And what crosses it comes later, between vertices
//! that are still visible: none of its ends lies inside the span. So where pruning leaves few traces, few edges can be external,
//! each at few spans, and most cells with an external vertex need never be looked at.

use crate::part::{Edge, EdgeKind, Nodes};

/// Where the edges that may cross a given one have their ends: the first and the last word under the edge, and beyond it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crossers {
    edge: (u32, u32),
    under: (u32, u32),
    beyond: (u32, u32),
}

/// No word comes so late, or so early.
const NONE: (u32, u32) = (u32::MAX, 0);

impl Crossers {
    pub(super) fn new(edge: Edge, nodes: &Nodes) -> Self {
        let (from, to) = (nodes.word(edge.from) as u32, nodes.word(edge.to) as u32);
        Self { edge: (from.min(to), from.max(to)), under: NONE, beyond: NONE }
    }

    /// Notes that there may be another edge, which crosses this one or does not.
    fn meet(&mut self, (first, last): (u32, u32)) {
        let under = |word: u32| self.edge.0 < word && word < self.edge.1;
        let beyond = |word: u32| word < self.edge.0 || self.edge.1 < word;
        for (a, b) in [(first, last), (last, first)] {
            if under(a) && beyond(b) {
                self.under = (self.under.0.min(a), self.under.1.max(a));
                self.beyond = (self.beyond.0.min(b), self.beyond.1.max(b));
            }
        }
    }

    /// May it be crossed at all?
    pub(super) fn any(&self) -> bool {
        self.under != NONE
    }

    /// May it be crossed by an edge without an end inside the span from word `i` to word `j`? One of its own ends is `i` or
    /// `j`, and neither is inside.
    pub(super) fn any_outside(&self, (i, j): (u32, u32)) -> bool {
        let spanned = self.edge.0 <= i && j <= self.edge.1;
        let (first, last) = if spanned { self.under } else { self.beyond };
        first <= i || j <= last
    }
}

/// Finds what may cross what. Says no, and gives up, if there are more than `limit` pairs to look at.
pub(super) fn cross_all(edges: &mut [(EdgeKind, Crossers)], structural: bool, limit: usize) -> bool {
    let may_cross_all = |kind: EdgeKind| !structural || kind == EdgeKind::Trace;
    let count = edges.iter().filter(|(kind, _)| may_cross_all(*kind)).count();
    if count * edges.len() > limit {
        return false;
    }
    for index in 0..edges.len() {
        let (kind, mut one) = edges[index];
        if !may_cross_all(kind) {
            continue;
        }
        for (_, other) in edges.iter_mut() {
            other.meet(one.edge);
            one.meet(other.edge);
        }
        edges[index].1 = one;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Node;

    #[test]
    fn an_edge_is_crossed_from_under_it_to_beyond_it() {
        let edge = |from, to, kind| Edge { from: Node(from), to: Node(to), kind };
        let (structural, trace) = (EdgeKind::Structural, EdgeKind::Trace);
        let edges =
            [edge(4, 1, structural), edge(2, 0, trace), edge(2, 5, structural), edge(1, 3, structural)];
        let nodes = Nodes::single(6);
        let mut all = edges.map(|edge| (edge.kind, Crossers::new(edge, &nodes)));
        assert!(cross_all(&mut all, true, 100));
        assert_eq!(all.map(|(_, crossers)| crossers.any()), [true, true, false, true]);
        // 2→0 crosses 4→1 from 2 to 0: from outside the span of 2 and 4, not from outside that of 1 and 3.
        let crossers = all[0].1;
        assert!(crossers.any_outside((2, 4)));
        assert!(!crossers.any_outside((1, 3)));
        assert!(!cross_all(&mut all, false, 15));
    }
}
