//! Which nodes of a tree refer to which.

use std::collections::BTreeMap;

use tracebank_syntax::tree::{NodeId, SlotKind, Tree};

/// A null element (or a phrase marked `=n`) and the node whose index it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reference {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// The number of the chain, from 0: references to one index share it.
    pub(super) chain: usize,
    /// Whether it is a gap and not a trace.
    pub(super) is_gap: bool,
}

/// The references of `tree`, from left to right.
pub(super) fn references(tree: &Tree) -> Vec<Reference> {
    let mut antecedents: BTreeMap<u32, NodeId> = BTreeMap::new();
    let mut referring = Vec::new();
    for node in tree.preorder(tree.top()) {
        if let Some(null) = tree.null_element(node) {
            referring.extend(null.index.map(|index| (index, node, false)));
        } else if tree.can_carry_index(node) {
            for slot in tree.label(node).slots() {
                match slot.kind {
                    SlotKind::Index => {
                        antecedents.insert(slot.number, node);
                    }
                    SlotKind::Gap => referring.push((slot.number, node, true)),
                }
            }
        }
    }
    let mut chains: BTreeMap<u32, usize> = BTreeMap::new();
    referring
        .into_iter()
        .filter_map(|(index, from, is_gap)| {
            let to = *antecedents.get(&index)?;
            let next = chains.len();
            let chain = *chains.entry(index).or_insert(next);
            Some(Reference { from, to, chain, is_gap })
        })
        .collect()
}

/// For each node, by its index in the arena, the chain it belongs to.
pub(super) fn chain_of_node(tree: &Tree, references: &[Reference]) -> Vec<Option<usize>> {
    let mut chains = vec![None; tree.arena_len()];
    for reference in references {
        chains[reference.to.index()] = Some(reference.chain);
    }
    for reference in references {
        chains[reference.from.index()] = Some(reference.chain);
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_and_gaps_find_what_they_name() {
        let tree: Tree =
            "( (S (NP-1 (N we)) (VP-2 (V go) (NP (-NONE- *-1)) (NP (-NONE- *-9))) (VP=2 (V on) (NP (-NONE- *-1)))))"
                .parse()
                .unwrap();
        let found: Vec<_> = references(&tree)
            .into_iter()
            .map(|r| {
                (tree.label_text(r.from).to_owned(), tree.label_text(r.to).to_owned(), r.chain, r.is_gap)
            })
            .collect();
        let row = |from: &str, to: &str, chain, is_gap| (from.to_owned(), to.to_owned(), chain, is_gap);
        assert_eq!(
            found,
            [row("-NONE-", "NP-1", 0, false), row("VP=2", "VP-2", 1, true), row("-NONE-", "NP-1", 0, false)]
        );
    }
}
