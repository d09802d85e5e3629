//! Arcs: the graph between words without its labels, which is all that classes of structures and the chart look at.

use super::{Anchor, End, Graph, SlotName, SymbolKind, Vertex};

/// The direction of trace edges. An edge between a null element and an overt phrase names both ends, so that turning it round loses
/// nothing: the side with the null element is the side that refers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Orientation {
    /// The word with the null element is the parent, the word with its antecedent the child. The side of a gap (`=1`) is the child.
    NullIsParent,
    /// As above, but turned round where the antecedent is null too (the paper's "null reversal").
    NullReversal,
    /// As above, and turned round also where the parent would be below the child in the structural tree, which would be a cycle.
    /// DIVERGENCE from the paper, which gives such sentences up: "S, he said, S" and the like.
    AcyclicByTree,
}

/// The edge that an arc stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArcKind {
    /// A structural edge.
    Structural,
    /// The trace edge with this place in [`Graph::traces`].
    Trace(usize),
}

/// A directed edge between two vertices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Arc {
    /// Where it starts.
    pub parent: Vertex,
    /// Where it ends.
    pub child: Vertex,
    /// Its edge.
    pub kind: ArcKind,
}

impl Graph {
    /// The structural edges and the trace edges between different words. Trace edges inside one spine are part of the spine.
    pub fn arcs(&self, orientation: Orientation) -> Vec<Arc> {
        let structural = self.words.iter().zip(self.vertices()).map(|(word, child)| Arc {
            parent: word.head,
            child,
            kind: ArcKind::Structural,
        });
        let traces =
            self.traces.iter().enumerate().filter(|(_, edge)| edge.from.vertex != edge.to.vertex).map(
                |(index, edge)| {
                    let (parent, child) = self.orient(edge.from, edge.to, orientation);
                    Arc { parent, child, kind: ArcKind::Trace(index) }
                },
            );
        structural.chain(traces).collect()
    }

    fn orient(&self, from: End, to: End, orientation: Orientation) -> (Vertex, Vertex) {
        let to_null = self.symbol(to).is_some_and(|symbol| !symbol.is_headed());
        let reversed = match from.slot {
            SlotName::Null | SlotName::NullBelow(_) => to_null && orientation >= Orientation::NullReversal,
            _ => true,
        };
        let (parent, child) = if reversed { (to.vertex, from.vertex) } else { (from.vertex, to.vertex) };
        if orientation == Orientation::AcyclicByTree && self.dominates(child, parent) {
            (child, parent)
        } else {
            (parent, child)
        }
    }

    /// Whether `above` is `below` or one of its structural ancestors.
    pub fn dominates(&self, above: Vertex, below: Vertex) -> bool {
        let mut vertex = below;
        // a graph that was not made by `encode` may go round in circles
        for _ in 0..=self.words.len() {
            if vertex == above {
                return true;
            }
            match self.word(vertex) {
                Some(word) => vertex = word.head,
                None => return false,
            }
        }
        false
    }

    /// How many null elements the spines hold.
    pub fn null_count(&self) -> usize {
        let spines = std::iter::once(&self.root).chain(self.words.iter().map(|word| &word.spine));
        spines
            .flat_map(|spine| &spine.symbols)
            .filter(|symbol| matches!(symbol.kind, SymbolKind::Null(_)))
            .count()
    }

    /// Whether `end` is on a phrase that holds no word.
    pub fn is_null(&self, end: End) -> bool {
        matches!(end.anchor, Anchor::Symbol(_)) && self.symbol(end).is_some_and(|symbol| !symbol.is_headed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Targets, encode};
    use crate::heads::HeadTable;

    #[test]
    fn traces_are_turned_round_between_nulls_and_where_they_close_a_circle() {
        let orientations = [Orientation::NullIsParent, Orientation::NullReversal, Orientation::AcyclicByTree];
        for (text, ends, nulls) in [
            (
                "( (S (NP-1 (-NONE- *)) (VP (VB try) (S (NP (-NONE- *-1)) (VP (VBG going))))))",
                [(2, 1), (1, 2), (1, 2)],
                2,
            ),
            ("( (S-1 (VP (VB go) (S (VP (VBD said) (S (-NONE- *T*-1)))))))", [(2, 1), (2, 1), (1, 2)], 1),
            ("( (S (NP-1 (PRP we)) (VP (VBP try) (S (NP (-NONE- *-1)) (VP (VBG going))))))", [(3, 1); 3], 1),
        ] {
            let graph = encode(&text.parse().unwrap(), &HeadTable::named("penn").unwrap(), Targets::Referent);
            let trace = |orientation| {
                let arc =
                    graph.arcs(orientation).into_iter().find(|arc| arc.kind == ArcKind::Trace(0)).unwrap();
                (arc.parent.0, arc.child.0)
            };
            assert_eq!((orientations.map(trace), graph.null_count()), (ends, nulls), "{text}");
        }
    }
}
