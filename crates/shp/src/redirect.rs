//! The authors' edit `g`: gaps point to the parent of the node whose role they share.

use tracebank_syntax::tree::{NodeId, SlotKind, Tree};

use super::index::{Indices, number};

/// Moves the `-1` that `=1` points to up to the parent.
///
/// DIVERGENCE: which child was meant is lost, and a number of several digits, being [reversed](number), is put on the parent without
/// being taken from the child, so that the gap goes on pointing to the child. [`Targets::Parent`](tracebank_syntax::graph::Targets) does neither.
pub(super) fn redirect_gaps(tree: &mut Tree) {
    let indices = Indices::of(tree);
    let highest = indices.antecedents.iter().filter_map(|(number, _)| number.parse::<u64>().ok()).max();
    let mut fresh = highest.unwrap_or(0);
    for (old, gaps) in indices.gaps.iter() {
        let Some(antecedent) = indices.antecedent(old) else { continue };
        // the root has no spine that an edge could point to
        let Some(parent) = tree.parent(antecedent).filter(|&parent| parent != tree.top()) else { continue };
        let has_traces = indices.references.get(old).is_some();
        if !has_traces {
            drop_number(tree, antecedent, SlotKind::Index, old);
        }
        let new = number(tree.label_text(parent), SlotKind::Index).unwrap_or_else(|| {
            let new = if has_traces {
                fresh = fresh.saturating_add(1);
                fresh.to_string()
            } else {
                old.to_owned()
            };
            add_number(tree, parent, SlotKind::Index, &new);
            new
        });
        if new != old {
            for &gap in gaps {
                drop_number(tree, gap, SlotKind::Gap, old);
                add_number(tree, gap, SlotKind::Gap, &new);
            }
        }
    }
}

fn drop_number(tree: &mut Tree, node: NodeId, kind: SlotKind, number: &str) {
    let label = tree.label_text(node).replace(&format!("{}{number}", kind.sign()), "");
    tree.set_label(node, &label);
}

fn add_number(tree: &mut Tree, node: NodeId, kind: SlotKind, number: &str) {
    let label = format!("{}{}{number}", tree.label_text(node), kind.sign());
    tree.set_label(node, &label);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_case_a_rule() {
        let cases = [
            // the number moves up
            (
                "(ROOT (S (VP (VB a) (NP-1 (NN b))) (CC c) (NP=1 (NN d))))",
                "(ROOT (S (VP-1 (VB a) (NP (NN b))) (CC c) (NP=1 (NN d))))",
            ),
            // both pairs of one pattern come to share the parent's number
            (
                "(ROOT (S (VP (NP-1 (NN b)) (PP-2 (IN c))) (NP=1 (NN d)) (PP=2 (IN e))))",
                "(ROOT (S (VP-1 (NP (NN b)) (PP (IN c))) (NP=1 (NN d)) (PP=1 (IN e))))",
            ),
            // a trace keeps the child's number, and the parent gets the next free one
            (
                "(ROOT (S (VP (NP-1 (NN b))) (NP (-NONE- *-1)) (NP=1-2 (NN d))))",
                "(ROOT (S (VP-3 (NP-1 (NN b))) (NP (-NONE- *-1)) (NP-2=3 (NN d))))",
            ),
            // several digits: the child keeps its number, the parent gets a reversed one
            (
                "(ROOT (S (VP (VB a) (NP-12 (NN b))) (NP=12 (NN d))))",
                "(ROOT (S (VP-21 (VB a) (NP-12 (NN b))) (NP=12 (NN d))))",
            ),
            // nothing to move, or nowhere to move it
            ("(ROOT (S (NP=1 (NN d))))", "(ROOT (S (NP=1 (NN d))))"),
            ("(ROOT (S-1 (NP=1 (NN d))))", "(ROOT (S-1 (NP=1 (NN d))))"),
        ];
        for (text, wanted) in cases {
            let mut tree: Tree = text.parse().unwrap();
            redirect_gaps(&mut tree);
            assert_eq!(tree.to_string(), wanted);
        }
    }
}
