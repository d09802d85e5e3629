//! Structural edges: spines → one tree.

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::ROOT;
use super::row::{Fault, NodeName, Row};
use super::sprout::Sprouts;

/// Hangs every spine where its word says, the nearest first, and the root's on the top of the tree.
pub(super) fn join(tree: &mut Tree, sprouts: &Sprouts<'_>, rows: &[Row<'_>]) -> Result<(), Fault> {
    tree.set_label(tree.top(), ROOT);
    let mut roots = (0..rows.len()).filter(|&row| rows[row].parent.is_none());
    match (roots.next(), roots.next()) {
        (Some(root), None) => tree.append(tree.top(), sprouts.tops[root]),
        (_, Some(second)) => return Err(rows[second].form.fault("a second word hangs from the root")),
        (None, None) => return Err(rows[0].form.fault("no word of the sentence hangs from the root")),
    }
    let length = |(row, parent): &(usize, NodeName<'_>)| parent.word.abs_diff(row + 1);
    let mut edges: Vec<(usize, NodeName<'_>)> =
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
        parent: NodeName<'_>,
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

#[cfg(test)]
mod tests {
    use crate::Reader;

    /// A sentence of the words a, b, c, …, given as spine, parent and parent's node.
    fn read(rows: &[&str]) -> String {
        let line = |(row, text): (usize, &&str)| {
            let (spine, edge) = text.split_once(' ').unwrap();
            format!("{} {} X {spine} {edge}\n", row + 1, char::from(b'a' + row as u8))
        };
        let text: String = rows.iter().enumerate().map(line).collect();
        let tree = Reader::new(text.as_bytes()).next().unwrap();
        tree.map_or_else(|error| error.to_string(), |tree| tree.to_string())
    }

    #[test]
    fn what_is_near_hangs_inside() {
        assert_eq!(
            read(&["_ 3 S_0", "_ 3 S_0", "S 0 ROOT_0", "_ 3 S_0"]),
            "(ROOT (S (X a) (X b) (X c) (X d)))"
        );
        assert_eq!(read(&["A 2 S_1", "S_S 0 ROOT_0", "_ 2 S_0"]), "(ROOT (S (A (X a)) (S (X b) (X c))))");
    }

    #[test]
    fn what_would_cross_is_raised() {
        // b hangs from the upper S, so a cannot hang from the lower one
        assert_eq!(read(&["_ 3 S_0", "_ 3 S_1", "S_S 0 ROOT_0"]), "(ROOT (S (X a) (X b) (S (X c))))");
        // c hangs from the root's spine, so d cannot hang from b
        assert_eq!(
            read(&["S 0 ROOT_0", "B 1 S_0", "_ 1 S_0", "_ 2 B_0"]),
            "(ROOT (S (X a) (B (X b)) (X c) (X d)))"
        );
    }

    #[test]
    fn what_is_no_tree_is_told() {
        let cases: [(&[&str], &str); 8] = [
            (&["S 0 ROOT_0", "S 0 ROOT_0"], "2:3: a second word hangs from the root"),
            (&["S 2 S_0", "S 1 S_0"], "1:3: no word of the sentence hangs from the root"),
            (&["S 0 ROOT_0", "S 3 S_0", "S 2 S_0"], "3:11: the structural edges go round in a circle"),
            (&["S 0 ROOT_0", "S 2 S_0"], "2:11: the structural edges go round in a circle"),
            (&["S 0 ROOT_0", "S 9 S_0"], "2:11: the spine of word 9 has no node S_0"),
            (&["S 0 ROOT_0", "S 1 S_1"], "2:11: the spine of word 1 has no node S_1"),
            (&["S 0 ROOT_0", "S 1 X_0"], "2:11: nothing can hang from a word's tag"),
            (
                &["_ 3 S_0", "_ 4 S_0", "S 4 S_0", "S 0 ROOT_0"],
                "1:3: the structural edges around this word are not nested",
            ),
        ];
        for (rows, wanted) in cases {
            assert_eq!(read(rows), wanted, "{rows:?}");
        }
    }
}
