//! Normalisation: a tree as its treebank writes it → the same tree as the Penn Treebank would write it.

mod chains;
mod gaps;
mod nulls;

pub(super) use chains::resolve as resolve_chains;
pub(super) use gaps::mark_templates;
pub(super) use nulls::{rename as rename_nulls, wrap as wrap_nulls};

use crate::tree::{Label, NodeId, Slot, Tree};

/// Writes new slots on a label that may have had others.
fn relabel(tree: &mut Tree, node: NodeId, slots: &[Slot]) {
    let label = Label::fill(&tree.label(node).stem(), slots);
    tree.set_label(node, &label);
}

/// Index numbers that the tree does not use yet.
struct FreshNumbers(u32);

impl FreshNumbers {
    fn of(tree: &Tree) -> FreshNumbers {
        let used = |node| match tree.null_element(node) {
            Some(null) => null.index,
            None => tree.label(node).slots().map(|slot| slot.number).max(),
        };
        FreshNumbers(tree.preorder(tree.top()).filter_map(used).max().unwrap_or(0))
    }

    fn draw(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }
}
