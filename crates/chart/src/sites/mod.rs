//! Projective trees with attachment sites: inside–outside of Eisner (1996) over spine nodes, where each dependant hangs at a site of its
//! parent's spine, as in Carreras, Collins & Koo (2008).
//!
//! A spine is a chain of phrases, and its phrases are the *sites* at which dependants hang, counted from the bottom. On either side of a
//! word, a dependant that is farther away must not hang lower than one that is nearer: what hangs at a higher phrase stands outside all that
//! hangs at lower ones. So the state of a half knows the site it has reached. A pair of a node and one of its sites is a *slot*; all tables
//! here have a column for each slot.
//!
//! | item | covers | made of |
//! |---|---|---|
//! | open *half* `(slot, j)` | the word of the slot to `j`, on one side, no dependant above the slot's site | the closed half of the site below, or a *hook* and the closed outer half of its dependant |
//! | closed *half* `(slot, j)` | the same, and nothing more will hang at the slot's site | as above, but a site at which nothing hangs is paid for |
//! | *hook* `(dependant, slot)` | the dependant's word to the slot's | the closed inner half of the dependant, the open half of the slot, the edge and the dependant's spine |
//!
//! That a site stays empty on one side has a score of its own ([`SiteScores::empty_mut`]): a clause without a subject and a preposition without an
//! object are rare, and no edge can say so.
//!
//! Each tree has one derivation. Most heads are pruned, so only pairs of words with a permitted edge are looked at; with a bounded number of
//! heads a word, time grows with the square of the sentence.
//!
//! The root stands behind the last word, with one node and one slot.

mod pass;
mod search;

use crate::part::{Node, Nodes};
use crate::semiring::{Max, Sum};
use pass::{Pass, Tables};
pub use search::Trees;

/// The scores of a sentence's spines, and of its edges by site; -∞ forbids.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteScores {
    nodes: Nodes,
    /// The first slot of each node, then the number of slots.
    first: Vec<u32>,
    spines: Vec<f32>,
    edges: Vec<f32>,
    empty: Vec<[f32; 2]>,
    /// Whether the root has exactly one child.
    pub single_root: bool,
}

/// The side of a word on which its dependants hang.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Before the word.
    Left,
    /// After the word.
    Right,
}

/// A node and one of its sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

impl Slot {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SiteScores {
    /// A table for `nodes`, with a number of sites for each node but the root; all spines at 0, all edges forbidden.
    pub fn new(nodes: Nodes, sites: impl IntoIterator<Item = usize>) -> SiteScores {
        let mut first = vec![0];
        for count in sites.into_iter().chain([1]) {
            // A node without sites has one at which nothing may hang.
            first.push(first[first.len() - 1] + count.max(1) as u32);
        }
        assert_eq!(first.len(), nodes.len() + 1, "a number of sites for each node");
        let slots = first[nodes.len()] as usize;
        let edges = vec![f32::NEG_INFINITY; nodes.words() * slots];
        let empty = vec![[0.0; 2]; slots];
        SiteScores { spines: vec![0.0; nodes.len()], nodes, first, edges, empty, single_root: false }
    }

    /// The nodes.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.first[self.nodes.len()] as usize
    }

    /// The slots of a node, from the lowest site to the highest.
    pub fn slots_of(&self, node: Node) -> std::ops::Range<usize> {
        self.first[node.index()] as usize..self.first[node.index() + 1] as usize
    }

    /// The node of a slot.
    pub fn node_of(&self, slot: Slot) -> Node {
        Node(self.first.partition_point(|&first| first <= slot.0) as u32 - 1)
    }

    /// The score of a spine.
    pub fn spine(&self, node: Node) -> f32 {
        self.spines[node.index()]
    }

    /// The score of a spine, to be set.
    pub fn spine_mut(&mut self, node: Node) -> &mut f32 {
        &mut self.spines[node.index()]
    }

    /// The score of an edge from a slot to a word.
    pub fn edge(&self, word: usize, slot: Slot) -> f32 {
        self.edges[word * self.slots() + slot.index()]
    }

    /// The score of an edge from a slot to a word, to be set.
    pub fn edge_mut(&mut self, word: usize, slot: Slot) -> &mut f32 {
        let slots = self.slots();
        &mut self.edges[word * slots + slot.index()]
    }

    /// The score of there being nothing at a slot on one side.
    pub fn empty(&self, slot: Slot, side: Side) -> f32 {
        self.empty[slot.index()][side as usize]
    }

    /// The score of there being nothing at a slot on one side, to be set.
    pub fn empty_mut(&mut self, slot: Slot, side: Side) -> &mut f32 {
        &mut self.empty[slot.index()][side as usize]
    }

    /// Multiplies all scores.
    pub fn scale(&mut self, factor: f32) {
        let empty = self.empty.iter_mut().flatten();
        self.spines.iter_mut().chain(&mut self.edges).chain(empty).for_each(|score| *score *= factor);
    }

    /// The most that emptiness at a slot can add, on both sides.
    pub fn best_empty(&self, slot: Slot) -> f32 {
        self.empty[slot.index()].iter().map(|score| score.max(0.0)).sum()
    }

    /// The slots of a word, or of the root behind the last word.
    fn slots_of_word(&self, word: usize) -> std::ops::Range<usize> {
        let nodes = self.nodes.of_word(word);
        self.first[nodes.start] as usize..self.first[nodes.end] as usize
    }

    /// The topmost slot of a node.
    fn top(&self, node: usize) -> usize {
        self.first[node + 1] as usize - 1
    }

    fn is_lowest(&self, slot: usize, nodes: &std::ops::Range<usize>) -> bool {
        nodes.clone().any(|node| self.first[node] as usize == slot)
    }
}

/// A projective tree: a node for each word, and the slot it hangs at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SiteTree {
    /// The spines.
    pub nodes: Vec<Node>,
    /// The slot of the parent at which each word hangs.
    pub slots: Vec<Slot>,
    /// The sum of the scores of its parts.
    pub score: f32,
}

/// Marginals of spines and edges: a row for each node but the root, a column for each slot that its word may hang at.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteMarginals {
    /// The total over all trees: the best score, or the logarithm of the sum of exponentials.
    pub total: f64,
    slots: usize,
    values: Vec<f32>,
}

impl SiteMarginals {
    /// The marginals of a node by slot.
    pub fn row(&self, node: Node) -> &[f32] {
        &self.values[node.index() * self.slots..][..self.slots]
    }
}

/// The memory of one thread.
#[derive(Debug, Default)]
pub struct SiteWorker {
    max: Tables<f32>,
    sum: Tables<f64>,
}

impl SiteWorker {
    /// The best tree; none if every tree has a forbidden part.
    pub fn best(&mut self, scores: &SiteScores) -> Option<SiteTree> {
        self.trees(scores, 1).best()
    }

    /// The trees, best first and at most `limit` of them, each found when it is asked for.
    pub fn trees<'w>(&'w mut self, scores: &'w SiteScores, limit: usize) -> Trees<'w> {
        let mut pass = Pass::new(scores, Max, &mut self.max, &[]);
        pass.inside();
        Trees::new(pass, limit)
    }

    /// For each spine and edge, the score of the best tree that has it.
    pub fn max_marginals(&mut self, scores: &SiteScores) -> Option<SiteMarginals> {
        let mut pass = Pass::new(scores, Max, &mut self.max, &[]);
        let total = pass.inside();
        if total == f32::NEG_INFINITY {
            return None;
        }
        pass.outside();
        Some(pass.marginals(f64::from(total), |value| value))
    }

    /// For each spine and edge, its share of the sum over all trees of the exponential of their scores.
    pub fn marginals(&mut self, scores: &SiteScores) -> Option<SiteMarginals> {
        let shifts = self.shifts(scores)?;
        let mut pass = Pass::new(scores, Sum, &mut self.sum, &shifts.0);
        let sum = pass.inside();
        pass.outside();
        Some(pass.marginals(sum.ln() + shifts.total(), |value| (value / sum) as f32))
    }

    /// Numbers that keep sums over the trees of a sentence, or over some of them, in range; none if there is no tree.
    ///
    /// With the parts of the best tree at 0, the sums of the good subtrees are near 1 and none overflows.
    pub fn shifts(&mut self, scores: &SiteScores) -> Option<Shifts> {
        let best = self.best(scores)?;
        let part =
            |(word, (&node, &slot)): (usize, (&Node, &Slot))| scores.spine(node) + scores.edge(word, slot);
        Some(Shifts(best.nodes.iter().zip(&best.slots).enumerate().map(part).collect()))
    }

    /// The logarithm of the sum over all trees of the exponential of their scores; -∞ if there is none.
    pub fn log_total(&mut self, scores: &SiteScores, shifts: &Shifts) -> f64 {
        Pass::new(scores, Sum, &mut self.sum, &shifts.0).inside().ln() + shifts.total()
    }
}

/// A number for each word that its parts are made smaller by, in sums.
#[derive(Clone, PartialEq, Debug)]
pub struct Shifts(Vec<f32>);

impl Shifts {
    fn total(&self) -> f64 {
        self.0.iter().map(|&shift| f64::from(shift)).sum()
    }
}
