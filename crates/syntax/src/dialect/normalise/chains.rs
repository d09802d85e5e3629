//! Chains: from one number for a whole chain, on labels, to one index for each link, on the nulls.
//!
//! In CRAFT all nodes of a chain have the same number: `NP-1 … (NP-1 *) … (NP-1 *)`. Here each null refers to one node: the nearest
//! node of its chain that c-commands it. (A node c-commands what is below its parent and not below itself.) Nulls that nothing
//! c-commands refer to the overt node of the chain (as `*EXP*` and half of `*ICH*` do), else to its first null, which refers to nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{FreshNumbers, relabel};
use crate::tree::{NodeId, NullElement, Slot, SlotKind, Tree};

/// A node with the number of its chain.
#[derive(Clone, Copy)]
struct Member {
    node: NodeId,
    /// The null element that the node is over, if it is over nothing else.
    null: Option<NodeId>,
    /// Its place in the tree, parents first.
    order: usize,
    depth: usize,
}

pub(in crate::dialect) fn resolve(tree: &mut Tree) {
    let mut chains: BTreeMap<u32, Vec<Member>> = BTreeMap::new();
    for (order, node) in tree.preorder(tree.top()).enumerate() {
        if let Some(number) = tree.label(node).index().filter(|_| tree.can_carry_index(node)) {
            let null = tree
                .first_child(node)
                .filter(|&child| tree.is_null_element(child) && tree.next_sibling(child).is_none());
            chains.entry(number).or_default().push(Member {
                node,
                null,
                order,
                depth: tree.ancestors(node).count(),
            });
        }
    }
    let mut fresh = FreshNumbers::of(tree);
    for (number, chain) in chains {
        resolve_chain(tree, number, &chain, &mut fresh);
    }
}

fn resolve_chain(tree: &mut Tree, number: u32, chain: &[Member], fresh: &mut FreshNumbers) {
    let referents: Vec<Option<usize>> = (0..chain.len()).map(|at| referent(tree, chain, at)).collect();
    let referred: BTreeSet<usize> = referents.iter().copied().flatten().collect();
    // the chain's number stays with the first node that is referred to or is overt; the others get their own
    let mut numbers = BTreeMap::new();
    for (at, member) in chain.iter().enumerate() {
        let keeps_label = referred.contains(&at) || member.null.is_none();
        if keeps_label {
            let own = if numbers.is_empty() { number } else { fresh.draw() };
            numbers.insert(at, own);
        }
    }
    for (at, member) in chain.iter().enumerate() {
        let Some(leaf) = member.null else {
            set_index(tree, member.node, numbers.get(&at).copied());
            continue;
        };
        let alone = chain.len() == 1;
        if alone && tree.null_element(leaf).is_some_and(|null| null.kind == "0") {
            continue;
        }
        set_index(tree, member.node, numbers.get(&at).copied());
        // an index that nothing shares dangles, but it is not lost
        let refers_to = referents[at].map(|referent| numbers[&referent]).or(alone.then_some(number));
        if let (Some(index), Some(null)) = (refers_to, tree.null_element(leaf)) {
            let word = NullElement { index: Some(index), ..null }.text();
            tree.set_word(leaf, &word);
        }
    }
}

/// The member that the null at place `at` refers to.
fn referent(tree: &Tree, chain: &[Member], at: usize) -> Option<usize> {
    let own = chain[at];
    own.null?;
    // two nulls side by side c-command each other: the left one is the nearer to the antecedent
    let comes_first = |other: &Member| other.null.is_none() || other.order < own.order;
    let others = || chain.iter().enumerate().filter(|&(other, _)| other != at);
    let commanding =
        others().filter(|(_, other)| comes_first(other) && c_commands(tree, other.node, own.node));
    let nearest = commanding.max_by_key(|(_, other)| (other.depth, other.order < own.order, other.order));
    let overt = || others().find(|(_, other)| other.null.is_none());
    let first_null = || others().next().filter(|(_, first)| first.order < own.order);
    nearest.or_else(overt).or_else(first_null).map(|(place, _)| place)
}

fn c_commands(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    let Some(parent) = tree.parent(a) else { return false };
    tree.ancestors(b).take_while(|&above| above != a).any(|above| above == parent)
        && !tree.ancestors(b).any(|above| above == a)
}

/// Replaces the co-index of a label and keeps its gap index.
fn set_index(tree: &mut Tree, node: NodeId, number: Option<u32>) {
    let label = tree.label(node);
    let index = number.map(|number| Slot { kind: SlotKind::Index, number });
    let gap = label.gap().map(|number| Slot { kind: SlotKind::Gap, number });
    let slots: Vec<Slot> = index.into_iter().chain(gap).collect();
    relabel(tree, node, &slots);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_case_a_rule() {
        let cases = [
            // each null in the middle of a chain gets an index of its own
            (
                "(S (NP-1 (N a)) (VP (V b) (S (NP-SBJ-1 (-NONE- *)) (VP (V c) (NP-1 (-NONE- *))))))",
                "(S (NP-1 (N a)) (VP (V b) (S (NP-SBJ-2 (-NONE- *-1)) (VP (V c) (NP (-NONE- *-2))))))",
            ),
            // nothing c-commands the null: it refers to the overt node
            (
                "(S (NP (NP (PRP it)) (SBAR-1 (-NONE- *EXP*))) (VP (V b) (SBAR-1 (V c))))",
                "(S (NP (NP (PRP it)) (SBAR (-NONE- *EXP*-1))) (VP (V b) (SBAR-1 (V c))))",
            ),
            // a null antecedent keeps its label
            (
                "(SBAR (WHNP-1 (-NONE- 0)) (S (NP-1 (-NONE- *T*)) (VP (V b))))",
                "(SBAR (WHNP-1 (-NONE- 0)) (S (NP (-NONE- *T*-1)) (VP (V b))))",
            ),
            // two nulls side by side: from left to right
            (
                "(S (NP-1 (N a)) (VP (V b) (NP-1 (-NONE- *)) (V c) (NP-1 (-NONE- *))))",
                "(S (NP-1 (N a)) (VP (V b) (NP-2 (-NONE- *-1)) (V c) (NP (-NONE- *-2))))",
            ),
            // an index that nothing shares
            ("(S (NP-1 (-NONE- *)) (V b))", "(S (NP (-NONE- *-1)) (V b))"),
            ("(S (WHNP-1 (-NONE- 0)) (V b))", "(S (WHNP-1 (-NONE- 0)) (V b))"),
            ("(S (NP-1 (N a)) (V b))", "(S (NP-1 (N a)) (V b))"),
            // a number used for two things
            (
                "(S (NP-1 (N a)) (VP (V b) (S (NP-1 (N c)) (VP (V d) (NP-1 (-NONE- *))))))",
                "(S (NP-1 (N a)) (VP (V b) (S (NP-2 (N c)) (VP (V d) (NP (-NONE- *-2))))))",
            ),
        ];
        for (released, wanted) in cases {
            let mut tree: Tree = released.parse().unwrap();
            resolve(&mut tree);
            assert_eq!(tree.to_string(), wanted);
        }
    }
}
