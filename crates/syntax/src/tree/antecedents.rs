//! Antecedents: the nodes that the indices of null elements and gaps name.

use std::collections::BTreeMap;

use super::{NodeId, SlotKind, Tree};

/// The node with each index. Where several have it, it is the last one that was put in.
///
/// ```
/// use tracebank_syntax::tree::Tree;
/// let tree: Tree = "( (S (NP-1 (PRP We)) (VP (VBP like) (S (NP-2 (-NONE- *-1)) (VP (VBG running) (NP (-NONE- *-2)))))))".parse()?;
/// let antecedents = tree.antecedents();
/// assert_eq!(tree.label_text(antecedents.get(2).unwrap()), "NP-2");
/// let onward = |node| tree.leaves(node).find_map(|leaf| tree.null_element(leaf)?.index);
/// assert_eq!(tree.label_text(antecedents.end_of_chain(antecedents.get(2).unwrap(), onward)), "NP-1");
/// assert_eq!(antecedents.get(3), None);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Antecedents(BTreeMap<u32, NodeId>);

impl Antecedents {
    /// The node with this index.
    pub fn get(&self, index: u32) -> Option<NodeId> {
        self.0.get(&index).copied()
    }

    /// The last node of the chain that begins at `first` and goes on from each node to the antecedent of the index that `onward` finds there.
    pub fn end_of_chain(&self, first: NodeId, onward: impl Fn(NodeId) -> Option<u32>) -> NodeId {
        let next = |&node: &NodeId| self.get(onward(node)?);
        // indices can go round in a circle, but never through more nodes than there are indices
        std::iter::successors(Some(first), next).take(self.0.len()).last().unwrap_or(first)
    }
}

impl FromIterator<(u32, NodeId)> for Antecedents {
    fn from_iter<I: IntoIterator<Item = (u32, NodeId)>>(indexed: I) -> Antecedents {
        Antecedents(indexed.into_iter().collect())
    }
}

impl Tree {
    /// The nodes with a co-index (`-1`); of several with one index, the last in pre-order has it.
    pub fn antecedents(&self) -> Antecedents {
        let carriers = self.preorder(self.top()).filter(|&node| self.can_carry_index(node));
        let slots = carriers.flat_map(|node| self.label(node).slots().map(move |slot| (slot, node)));
        slots
            .filter(|(slot, _)| slot.kind == SlotKind::Index)
            .map(|(slot, node)| (slot.number, node))
            .collect()
    }
}
