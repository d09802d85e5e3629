//! The search for the best trees, from the top down by the inside values.

use super::pass::{Pass, Side};
use super::{SiteTree, Slot};
use crate::part::Node;
use crate::semiring::Max;

/// A half that is still to be taken apart: its side, its slot and its far end.
type Half = (Side, usize, usize);

/// One way to make a half: that of the site below alone, or a dependant with its two halves and the rest of the parent's.
struct Way {
    value: f32,
    dependant: Option<(usize, Node)>,
    halves: [Option<Half>; 3],
}

/// A partly expanded tree. Its value is the best that can become of it, exactly, so the `k` best of them lead to the `k` best trees.
#[derive(Clone)]
struct Partial {
    tree: SiteTree,
    open: Vec<Half>,
}

impl Pass<'_, Max> {
    /// The `k` best trees by the inside values, best first.
    pub(super) fn search(&self, k: usize) -> Vec<SiteTree> {
        let tree = SiteTree {
            nodes: vec![Node(0); self.words],
            slots: vec![Slot(0); self.words],
            score: self.value((Side::Left, self.slots - 1, 0)),
        };
        let mut partials = vec![Partial { tree, open: vec![(Side::Left, self.slots - 1, 0)] }];
        let mut found = Vec::new();
        while found.len() < k {
            let wanted = k - found.len();
            partials.sort_by(|a, b| a.tree.score.total_cmp(&b.tree.score));
            partials.drain(..partials.len().saturating_sub(wanted));
            // The best is last.
            let Some(mut partial) = partials.pop() else { break };
            let Some(half) = partial.open.pop() else {
                found.push(partial.tree);
                continue;
            };
            for way in self.ways(half, wanted) {
                let Partial { mut tree, mut open } = partial.clone();
                tree.score += way.value - self.value(half);
                if let Some((word, node)) = way.dependant {
                    (tree.nodes[word], tree.slots[word]) = (node, Slot(half.1 as u32));
                }
                open.extend(way.halves.iter().flatten());
                partials.push(Partial { tree, open });
            }
        }
        found
    }

    fn value(&self, (side, slot, far): Half) -> f32 {
        match side {
            Side::Left => self.tables.left[slot * self.width + far],
            Side::Right => self.tables.right[slot * self.width + far],
        }
    }

    /// The ways to make a half; if only the best tree is wanted, the first that gives its value.
    fn ways(&self, half: Half, wanted: usize) -> Vec<Way> {
        let (side, slot, far) = half;
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        let parent = self.word_of(slot);
        let mut ways = Vec::new();
        if far == parent {
            return vec![Way { value: self.value(half), dependant: None, halves: [None; 3] }];
        }
        let best = self.value(half);
        let mut visit = |way: Way| {
            let is_enough = wanted == 1 && way.value >= best;
            if way.value > f32::NEG_INFINITY && (wanted > 1 || is_enough) {
                ways.push(way);
            }
            is_enough
        };
        if !self.scores.is_lowest(slot, &self.scores.nodes.of_word(parent)) {
            let below = (side, slot - 1, far);
            if visit(Way { value: self.value(below), dependant: None, halves: [Some(below), None, None] }) {
                return ways;
            }
        }
        for word in self.dependants(parent, far) {
            let columns = self.columns(side, parent, word);
            for node in self.scores.nodes.of_word(word) {
                let top = self.scores.top(node);
                let dependant = self.edges[word * self.slots + slot] + self.spines[node];
                for step in 0..columns.length {
                    let inner = (other, top, columns.inner + step);
                    let own = (side, slot, columns.own + step);
                    let outer = (side, top, far);
                    // The sums are those of the inside pass, in its order, so that equal values are equal.
                    let hook = self.value(inner) + self.value(own) + dependant;
                    let way = Way {
                        value: hook + self.value(outer),
                        dependant: Some((word, Node(node as u32))),
                        halves: [Some(outer), Some(own), Some(inner)],
                    };
                    if visit(way) {
                        return ways;
                    }
                }
            }
        }
        ways.sort_by(|a, b| b.value.total_cmp(&a.value));
        ways.truncate(wanted);
        ways
    }

    fn word_of(&self, slot: usize) -> usize {
        let node = self.scores.first.partition_point(|&first| first as usize <= slot) - 1;
        self.scores.nodes.word(Node(node as u32))
    }
}
