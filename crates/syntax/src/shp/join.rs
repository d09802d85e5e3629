//! Structural edges: spines → one tree.

use super::ROOT;
use super::row::{Fault, Reference, Row};
use super::sprout::Sprouts;
use crate::tree::{Kind, NodeId, Tree};

/// Hangs every spine where its word says, the nearest first, and the root's on the top of the tree.
pub(super) fn join(tree: &mut Tree, sprouts: &Sprouts<'_>, rows: &[Row<'_>]) -> Result<(), Fault> {
    tree.set_label(tree.top(), ROOT);
    let mut roots = (0..rows.len()).filter(|&row| rows[row].parent.is_none());
    match (roots.next(), roots.next()) {
        (Some(root), None) => tree.append(tree.top(), sprouts.tops[root]),
        (_, Some(second)) => return Err(rows[second].form.fault("a second word hangs from the root")),
        (None, None) => return Err(rows[0].form.fault("no word of the sentence hangs from the root")),
    }
    let length = |(row, parent): &(usize, Reference<'_>)| parent.word.abs_diff(row + 1);
    let mut edges: Vec<(usize, Reference<'_>)> =
        rows.iter().enumerate().filter_map(|(row, line)| Some((row, line.parent?))).collect();
    edges.sort_by_key(length);
    let mut joints = Joints { hung_from: vec![None; rows.len()], height: vec![None; tree.arena_len()] };
    for (row, parent) in edges {
        joints.hang(tree, sprouts, row, parent)?;
    }
    // DIVERGENCE: where edges cross in spite of all, the authors' program changes the order of the words
    let strayed = tree.leaves(tree.top()).zip(&sprouts.leaves).position(|(leaf, &word)| leaf != word);
    match strayed {
        Some(row) => Err(rows[row].form.fault("the structural edges around this word are not nested")),
        None => Ok(()),
    }
}

struct Joints {
    /// The phrase that each word's spine hangs from, as far as it hangs.
    hung_from: Vec<Option<NodeId>>,
    /// For the nodes at and above the place to hang from, how far above; `None` for all others, and between edges for all.
    height: Vec<Option<usize>>,
}

impl Joints {
    fn hang(
        &mut self,
        tree: &mut Tree,
        sprouts: &Sprouts<'_>,
        row: usize,
        parent: Reference<'_>,
    ) -> Result<(), Fault> {
        let named = sprouts.find(parent)?;
        if tree.kind(named) != Kind::Phrase {
            return Err(parent.field.fault("nothing can hang from a word's tag"));
        }
        let path: Vec<NodeId> = std::iter::once(named).chain(tree.ancestors(named)).collect();
        if path.contains(&sprouts.tops[row]) {
            return Err(parent.field.fault("the structural edges go round in a circle"));
        }
        let phrase = self.lowest_place(&path, row, parent.word - 1);
        let first = if row < parent.word - 1 { tree.first_child(phrase) } else { None };
        tree.insert_before(phrase, first, sprouts.tops[row]);
        self.hung_from[row] = Some(phrase);
        Ok(())
    }

    /// The lowest node of `path` that can be hung from without crossing the edge of a word in between: what such a word hangs from
    /// must not be above it.
    fn lowest_place(&mut self, path: &[NodeId], row: usize, parent: usize) -> NodeId {
        for (height, &node) in path.iter().enumerate() {
            self.height[node.index()] = Some(height);
        }
        let between = row.min(parent) + 1..row.max(parent);
        let heights = self.hung_from[between].iter().flatten().filter_map(|node| self.height[node.index()]);
        let lowest = heights.max().unwrap_or(0);
        for &node in path {
            self.height[node.index()] = None;
        }
        path[lowest]
    }
}
