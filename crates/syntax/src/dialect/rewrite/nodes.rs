//! Nodes of a graph's tree, as the rewrites ask for them.

use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph};
use crate::tree::Label;

/// The nodes right before and behind a node, in the phrase above it.
pub(super) fn sisters(outline: &Outline<'_>, node: Node) -> Option<[Option<Node>; 2]> {
    let children = outline.children(outline.graph.parent(node)?);
    let at = children.iter().position(|&child| child == node)?;
    Some([at.checked_sub(1), Some(at + 1)].map(|at| children.get(at?).copied()))
}

/// All phrases that words head.
pub(super) fn phrases(graph: &Graph) -> impl Iterator<Item = Node> {
    graph
        .vertices()
        .zip(&graph.words)
        .flat_map(|(vertex, word)| word.spine.headed().map(move |phrase| (vertex, Anchor::Symbol(phrase))))
}

/// The category of a phrase, or the tag of a word.
pub(super) fn category<'g>(outline: &Outline<'g>, node: Node) -> &'g str {
    Label::parse(outline.label(node)).category()
}
