//! Templates of gaps.
//!
//! Where the template has `=1` like the gaps that follow its pattern, it comes to have `-1`, as in the Penn Treebank.

use std::collections::BTreeMap;

use super::{FreshNumbers, relabel};
use crate::tree::{NodeId, Slot, SlotKind, Tree};

/// The first node with a gap number that no label has as its index is the template of the others.
pub(in crate::dialect) fn mark_templates(tree: &mut Tree) {
    let mut gaps: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    let mut fresh = FreshNumbers::of(tree);
    for node in tree.preorder(tree.top()) {
        if let Some(number) = tree.label(node).gap().filter(|_| tree.can_carry_index(node)) {
            gaps.entry(number).or_default().push(node);
        }
    }
    let indices: Vec<u32> = tree
        .preorder(tree.top())
        .flat_map(|node| [tree.label(node).index(), tree.null_element(node).and_then(|null| null.index)])
        .flatten()
        .collect();
    for (number, nodes) in gaps {
        // a number that chains use too would tie the gap to a chain that has nothing to do with it
        let own_number = if indices.contains(&number) { fresh.draw() } else { number };
        let [template, followers @ ..] = &nodes[..] else { continue };
        if followers.is_empty() {
            set_gap(tree, *template, own_number);
            continue;
        }
        let index = tree.label(*template).index().unwrap_or(own_number);
        relabel(tree, *template, &[Slot { kind: SlotKind::Index, number: index }]);
        followers.iter().for_each(|&follower| set_gap(tree, follower, index));
    }
}

fn set_gap(tree: &mut Tree, node: NodeId, number: u32) {
    let index = tree.label(node).index().map(|number| Slot { kind: SlotKind::Index, number });
    let slots: Vec<Slot> = index.into_iter().chain([Slot { kind: SlotKind::Gap, number }]).collect();
    relabel(tree, node, &slots);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_pattern_is_its_template() {
        let cases = [
            (
                "(S (NP=1 (N a)) (NP=2 (N b)) (NP=1 (N c)) (NP=2 (N d)))",
                "(S (NP-1 (N a)) (NP-2 (N b)) (NP=1 (N c)) (NP=2 (N d)))",
            ),
            // a template that is an antecedent too has one number for both
            (
                "(S (NP-3=1 (N a)) (NP (-NONE- *-3)) (NP=1 (N c)))",
                "(S (NP-3 (N a)) (NP (-NONE- *-3)) (NP=3 (N c)))",
            ),
            // gaps are counted apart from chains
            (
                "(S (X-1 (N x)) (NP (-NONE- *-1)) (NP=1 (N a)) (NP=1 (N c)))",
                "(S (X-1 (N x)) (NP (-NONE- *-1)) (NP-2 (N a)) (NP=2 (N c)))",
            ),
            ("(S (NP=1 (N a)))", "(S (NP=1 (N a)))"),
        ];
        for (released, wanted) in cases {
            let mut tree: Tree = released.parse().unwrap();
            mark_templates(&mut tree);
            assert_eq!(tree.to_string(), wanted);
        }
    }
}
