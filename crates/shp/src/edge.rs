//! The edges of a tree.

use tracebank_syntax::tree::{NodeId, Tree};

use super::extent::Extents;
use super::index::{Indices, null_kind};
use super::spine::headed;

/// The type of an edge between a gap and the node whose role it shares.
pub(super) const GAP: &str = "=";

/// The parent of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parent {
    Root,
    Phrase { word: usize, node: NodeId },
}

/// The structural parent of each word, in order.
pub(super) fn parents(tree: &Tree, extents: &Extents) -> Vec<Parent> {
    tree.word_nodes()
        .map(|leaf| {
            let spine_top = headed(tree, extents, leaf).last().unwrap_or(leaf);
            let parent = tree.parent(spine_top).filter(|&node| node != tree.top());
            match parent.and_then(|node| Some((extents.head(node)?, node))) {
                Some((word, node)) => Parent::Phrase { word, node },
                None => Parent::Root,
            }
        })
        .collect()
}

/// A node of a word's spine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    /// The word, or for a null phrase the head of the lowest phrase above that holds one.
    pub(super) word: usize,
    pub(super) node: NodeId,
    pub(super) is_null: bool,
}

impl End {
    fn of(tree: &Tree, extents: &Extents, node: NodeId) -> Option<End> {
        let word = std::iter::once(node).chain(tree.ancestors(node)).find_map(|above| extents.head(above))?;
        Some(End { word, node, is_null: extents.is_null(node) })
    }
}

/// A trace: from a null element, or a gap, to the node with its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Trace<'a> {
    pub(super) antecedent: End,
    /// The phrase straight above the null element, or the gap.
    pub(super) referrer: End,
    pub(super) kind: &'a str,
}

/// One edge for each trace that does not dangle. Chains are not followed.
pub(super) fn traces<'a>(tree: &'a Tree, extents: &Extents, indices: &Indices) -> Vec<Trace<'a>> {
    let numbered = indices.gaps.iter().chain(indices.references.iter());
    let pairs = numbered.flat_map(|(number, nodes)| nodes.iter().map(move |&node| (number, node)));
    pairs
        .filter_map(|(number, node)| {
            let (referrer, kind) = match tree.word(node) {
                Some(word) if tree.is_null_element(node) => (tree.parent(node)?, null_kind(word)),
                _ => (node, GAP),
            };
            let antecedent = End::of(tree, extents, indices.antecedent(number)?)?;
            Some(Trace { antecedent, referrer: End::of(tree, extents, referrer)?, kind })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_belongs_to_the_word_above_it() {
        let text = "(ROOT (S (NP-1 (PRP we)) (VP (VB try) (S (NP-2 (-NONE- *-1)) (VP (-NONE- *?*))) (NP=1 (NN x)) (X (-NONE- *-9)))))";
        let tree: Tree = text.parse().unwrap();
        let (extents, indices) = (Extents::of(&tree), Indices::of(&tree));
        let end = |end: End| (end.word, tree.label_text(end.node), end.is_null);
        let found: Vec<_> = traces(&tree, &extents, &indices)
            .iter()
            .map(|trace| (end(trace.antecedent), end(trace.referrer), trace.kind))
            .collect();
        let antecedent = (1, "NP-1", false);
        assert_eq!(found, [(antecedent, (3, "NP=1", false), "="), (antecedent, (2, "NP-2", true), "*")]);
    }

    #[test]
    fn every_word_hangs_from_a_phrase_of_another_or_from_the_root() {
        let tree: Tree = "(ROOT (S (NP (DT a) (NN b)) (VP (VB c))))".parse().unwrap();
        let parents = parents(&tree, &Extents::of(&tree));
        let shown = parents.iter().map(|parent| match *parent {
            Parent::Root => (0, "ROOT"),
            Parent::Phrase { word, node } => (word, tree.label_text(node)),
        });
        assert!(shown.eq([(2, "NP"), (3, "S"), (0, "ROOT")]));
    }
}
