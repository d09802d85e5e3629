//! The traces of a tree: which nodes point to which.

use std::collections::BTreeMap;

use tracebank_syntax::tree::{NodeId, Tree};

/// A null element (or a phrase marked `=n`) and the node whose index it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trace {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// The number of the chain, from 0: traces to one index share it.
    pub(super) chain: usize,
    /// Whether it is that of a gap and not of a null element.
    pub(super) is_gap: bool,
}

/// The traces of `tree`, from left to right.
pub(super) fn traces(tree: &Tree) -> Vec<Trace> {
    let antecedents = tree.antecedents();
    let mut chains: BTreeMap<u32, usize> = BTreeMap::new();
    let referring = tree.preorder(tree.top()).filter_map(|node| match tree.null_element(node) {
        Some(null) => Some((null.index?, node, false)),
        None => Some((tree.label(node).gap().filter(|_| tree.can_carry_index(node))?, node, true)),
    });
    referring
        .filter_map(|(index, from, is_gap)| {
            let to = antecedents.get(index)?;
            let next = chains.len();
            let chain = *chains.entry(index).or_insert(next);
            Some(Trace { from, to, chain, is_gap })
        })
        .collect()
}

/// For each node, by its index in the arena, the chain it belongs to.
pub(super) fn chain_of_node(tree: &Tree, traces: &[Trace]) -> Vec<Option<usize>> {
    let mut chains = vec![None; tree.arena_len()];
    for trace in traces {
        chains[trace.to.index()] = Some(trace.chain);
    }
    for trace in traces {
        chains[trace.from.index()] = Some(trace.chain);
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_and_gaps_find_their_antecedents() {
        let tree: Tree =
            "( (S (NP-1 (N we)) (VP-2 (V go) (NP (-NONE- *-1)) (NP (-NONE- *-9))) (VP=2 (V on) (NP (-NONE- *-1)))))"
                .parse()
                .unwrap();
        let found: Vec<_> = traces(&tree)
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
