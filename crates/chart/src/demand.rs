//! Demands on every structure, as marks on its edges.

use crate::part::{Edge, EdgeKind, Node};

/// Edges that must be there, and whether the root must have one structural child only.
///
/// A structure has one mark for each required edge and loses one for each structural child of the root. No structure can
/// have more than all the first and one of the second, and exactly those with that many are wanted. The
/// [`Graded`](crate::semiring::Graded) semirings keep what has the most marks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demands<'a> {
    /// The edges that must be there.
    pub required: &'a [Edge],
    /// The root, if it must have one structural child only.
    pub single: Option<Node>,
}

impl Demands<'_> {
    /// Is nothing demanded?
    pub fn is_empty(&self) -> bool {
        self.required.is_empty() && self.single.is_none()
    }

    /// How many marks a structure must have.
    pub fn total(&self) -> i32 {
        self.required.len() as i32 - i32::from(self.single.is_some())
    }

    /// How many marks an edge has. A required trace may also come beside a structural edge.
    pub fn marks(&self, edge: Edge) -> i32 {
        let meets = |wanted: &&Edge| {
            let beside = edge.kind == EdgeKind::Both && wanted.kind == EdgeKind::Trace;
            (wanted.from, wanted.to) == (edge.from, edge.to) && (wanted.kind == edge.kind || beside)
        };
        let required = self.required.iter().filter(meets).count() as i32;
        let of_root = self.single.is_some_and(|root| edge.from == root || edge.to == root);
        required - i32::from(of_root && edge.kind != EdgeKind::Trace)
    }
}
