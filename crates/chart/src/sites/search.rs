//! The search for the best trees, from the top down by the inside values.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::pass::{Pass, closed, open};
use super::{Side, SiteTree, Slot};
use crate::part::Node;
use crate::semiring::Max;

/// A half that is still to be taken apart: its side, its row and its far end.
type Half = (Side, usize, usize);

/// The slot that a half belongs to.
fn half_slot((_, row, _): Half) -> Slot {
    Slot(row as u32 / 2)
}

/// One way to make a half: that of the site below alone, or a dependant with its two halves and the rest of the parent's.
struct Way {
    value: f32,
    dependant: Option<(usize, Node)>,
    halves: [Option<Half>; 3],
}

/// A partly expanded tree. Its score is the best that can become of it, exactly, so the best of them leads to the best tree.
#[derive(Clone, Copy)]
struct Partial {
    score: f32,
    /// The place of its last decision in the list of all, if there is one.
    last: Option<u32>,
    /// The place of its next open half in the list of all.
    next: Option<u32>,
    /// The number of partial trees that were made before. Of those with the same score the latest goes first: it is nearest to its end.
    age: u32,
}

impl Ord for Partial {
    fn cmp(&self, other: &Partial) -> Ordering {
        self.score.total_cmp(&other.score).then(self.age.cmp(&other.age))
    }
}

impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Partial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Partial {
    fn eq(&self, other: &Partial) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Partial {}

/// The trees of a sentence, best first, each found when it is asked for.
///
/// Partial trees share their beginnings: decisions and open halves are lists in which each entry points to the one before it.
pub struct Trees<'w> {
    pass: Pass<'w, Max>,
    partials: BinaryHeap<Partial>,
    decisions: Vec<(Option<u32>, usize, Node, Slot)>,
    halves: Vec<(Option<u32>, Half)>,
    /// The number of trees that may still be asked for.
    wanted: usize,
    /// The score below which no partial tree can be among them.
    cutoff: f32,
    made: u32,
}

impl std::fmt::Debug for Trees<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trees").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

impl Iterator for Trees<'_> {
    type Item = SiteTree;

    fn next(&mut self) -> Option<SiteTree> {
        self.next_above(f32::NEG_INFINITY)
    }
}

impl<'w> Trees<'w> {
    pub(super) fn new(pass: Pass<'w, Max>, limit: usize) -> Trees<'w> {
        let mut trees = Trees {
            partials: BinaryHeap::new(),
            decisions: Vec::new(),
            halves: Vec::new(),
            wanted: limit,
            cutoff: f32::NEG_INFINITY,
            made: 0,
            pass,
        };
        let whole = trees.pass.whole();
        let score = trees.pass.value(whole);
        if score > f32::NEG_INFINITY {
            trees.halves.push((None, whole));
            trees.push(score, None, Some(0));
        }
        trees
    }

    /// The best tree, whatever has been asked for before: half by half the best way, with nothing to be remembered for those that come after it.
    pub fn best(&self) -> Option<SiteTree> {
        let whole = self.pass.whole();
        let score = self.pass.value(whole);
        let mut tree = self.pass.blank_tree(score);
        let mut halves = vec![whole];
        while let Some(half) = halves.pop() {
            let way = self.pass.ways(half, f32::NEG_INFINITY, true).pop()?;
            if let Some((word, node)) = way.dependant {
                (tree.nodes[word], tree.slots[word]) = (node, half_slot(half));
            }
            halves.extend(way.halves.into_iter().flatten());
        }
        Some(tree)
    }

    /// The next tree, if it scores more than `floor`. Floors may rise from call to call; they save the search what lies below.
    pub fn next_above(&mut self, floor: f32) -> Option<SiteTree> {
        self.cutoff = self.cutoff.max(floor);
        while self.wanted > 0 {
            let partial = self.partials.pop().filter(|partial| partial.score > floor)?;
            let Some(next) = partial.next else {
                self.wanted -= 1;
                return Some(self.tree(partial));
            };
            self.expand(partial, next);
        }
        None
    }

    fn push(&mut self, score: f32, last: Option<u32>, next: Option<u32>) {
        self.made += 1;
        self.partials.push(Partial { score, last, next, age: self.made });
        if self.partials.len() > 2 * self.wanted + 64 {
            let mut kept = std::mem::take(&mut self.partials).into_sorted_vec();
            kept.drain(..kept.len() - self.wanted);
            self.cutoff = self.cutoff.max(kept[0].score);
            self.partials = kept.into();
        }
    }

    fn expand(&mut self, partial: Partial, next: u32) {
        let (rest, half) = self.halves[next as usize];
        let value = self.pass.value(half);
        // A partial tree of exactly the cut-off may be one of those that set it.
        let least = value - (partial.score - self.cutoff);
        for way in self.pass.ways(half, least, false) {
            let mut last = partial.last;
            if let Some((word, node)) = way.dependant {
                self.decisions.push((last, word, node, half_slot(half)));
                last = Some(self.decisions.len() as u32 - 1);
            }
            let mut next = rest;
            for half in way.halves.into_iter().flatten() {
                self.halves.push((next, half));
                next = Some(self.halves.len() as u32 - 1);
            }
            self.push(partial.score + (way.value - value), last, next);
        }
    }

    fn tree(&self, partial: Partial) -> SiteTree {
        let mut tree = self.pass.blank_tree(partial.score);
        let mut at = partial.last;
        while let Some(place) = at {
            let (before, word, node, slot) = self.decisions[place as usize];
            (tree.nodes[word], tree.slots[word]) = (node, slot);
            at = before;
        }
        tree
    }
}

impl Pass<'_, Max> {
    /// The half that holds the whole sentence: the root's.
    fn whole(&self) -> Half {
        (Side::Left, closed(self.slots - 1), 0)
    }

    fn blank_tree(&self, score: f32) -> SiteTree {
        SiteTree { nodes: vec![Node(0); self.words], slots: vec![Slot(0); self.words], score }
    }

    fn value(&self, (side, row, far): Half) -> f32 {
        match side {
            Side::Left => self.tables.left[row * self.width + far],
            Side::Right => self.tables.right[row * self.width + far],
        }
    }

    /// The ways to make a half that are worth at least `least`; if one is enough, the first of the best.
    fn ways(&self, half: Half, least: f32, one_is_enough: bool) -> Vec<Way> {
        let (side, row, far) = half;
        let slot = row / 2;
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        let parent = self.scores.nodes.word(self.scores.node_of(Slot(slot as u32)));
        let least = if one_is_enough { self.value(half) } else { least };
        let mut ways = Vec::new();
        let empty = if row == closed(slot) { self.empty[slot][side as usize] } else { 0.0 };
        if !self.scores.is_lowest(slot, &self.scores.nodes.of_word(parent)) {
            let below = (side, closed(slot - 1), far);
            let value = self.value(below) + empty;
            if value >= least && value > f32::NEG_INFINITY {
                ways.push(Way { value, dependant: None, halves: [Some(below), None, None] });
            }
        } else if far == parent {
            ways.push(Way { value: empty, dependant: None, halves: [None; 3] });
        }
        for &word in self.dependants(parent, far) {
            let columns = self.columns(side, parent, word);
            for node in self.scores.nodes.of_word(word) {
                let top = closed(self.scores.top(node));
                let outer = (side, top, far);
                let best = self.tables.hooks[node * self.slots + slot] + self.value(outer);
                if best < least || best == f32::NEG_INFINITY || one_is_enough && !ways.is_empty() {
                    continue;
                }
                let dependant = self.edges[word * self.slots + slot] + self.spines[node];
                for step in 0..columns.length {
                    let inner = (other, top, columns.inner + step);
                    let own = (side, open(slot), columns.own + step);
                    // The sums are those of the inside pass, in its order, so that equal values are equal.
                    let value = self.value(inner) + self.value(own) + dependant + self.value(outer);
                    if value >= least && value > f32::NEG_INFINITY {
                        let halves = [Some(outer), Some(own), Some(inner)];
                        ways.push(Way { value, dependant: Some((word, Node(node as u32))), halves });
                    }
                    if one_is_enough && !ways.is_empty() {
                        break;
                    }
                }
            }
        }
        ways
    }
}
