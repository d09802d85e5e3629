//! The words that a node holds, and the one that heads it.

use std::sync::LazyLock;

use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Kind, NodeId, Tree};

static TABLE: LazyLock<HeadTable> =
    LazyLock::new(|| HeadTable::named("authors").expect("a table that comes with the crate"));

/// The words of each node. Words are counted from 1.
pub(super) struct Extents {
    spans: Vec<(usize, usize)>,
    heads: Vec<Option<usize>>,
}

impl Extents {
    /// The extents of all nodes, with heads by the authors' table.
    pub(super) fn of(tree: &Tree) -> Extents {
        let mut extents =
            Extents { spans: vec![(0, 0); tree.arena_len()], heads: vec![None; tree.arena_len()] };
        let mut words = 0;
        let mut overt = Vec::new();
        for node in tree.postorder(tree.top()) {
            let mut start = words;
            if tree.kind(node) == Kind::Phrase {
                overt.clear();
                overt.extend(tree.children(node).filter(|&child| !extents.is_null(child)));
                if let Some(&first) = overt.first() {
                    start = extents.span(first).0;
                    let head = overt[TABLE.head(tree, node, &overt)];
                    extents.heads[node.index()] = extents.heads[head.index()];
                }
            } else if tree.is_word(node) {
                words += 1;
                extents.heads[node.index()] = Some(words);
            }
            extents.spans[node.index()] = (start, words);
        }
        extents
    }

    /// How many words stand before the node, and before its end.
    pub(super) fn span(&self, node: NodeId) -> (usize, usize) {
        self.spans[node.index()]
    }

    /// The head word; `None` for a node that holds no word.
    pub(super) fn head(&self, node: NodeId) -> Option<usize> {
        self.heads[node.index()]
    }

    /// Whether the node holds no word.
    pub(super) fn is_null(&self, node: NodeId) -> bool {
        self.head(node).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_have_a_place_and_no_extent() {
        let tree: Tree =
            "(ROOT (S (NP (-NONE- *)) (NP (DT a) (NN b)) (NP (-NONE- 0)) (VP (VB c))))".parse().unwrap();
        let extents = Extents::of(&tree);
        let s = tree.first_child(tree.top()).unwrap();
        let rows: Vec<_> = tree.children(s).map(|child| (extents.span(child), extents.head(child))).collect();
        assert_eq!(rows, [((0, 0), None), ((0, 2), Some(2)), ((2, 2), None), ((2, 3), Some(3))]);
        assert_eq!((extents.span(s), extents.head(s)), ((0, 3), Some(3)));
    }
}
