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
//! | *half* `(slot, j)` | the word of the slot to `j`, on one side, no dependant above the slot's site | the half of the site below, or that of a *hook* and the outer half of its dependant |
//! | *hook* `(dependant, slot)` | the dependant's word to the slot's | the inner half of the dependant, the half of the slot, the edge and the dependant's spine |
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

/// The scores of a sentence's spines, and of its edges by site; -∞ forbids.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteScores {
    nodes: Nodes,
    /// The first slot of each node, then the number of slots.
    first: Vec<u32>,
    spines: Vec<f32>,
    edges: Vec<f32>,
    /// Whether the root has exactly one child.
    pub single_root: bool,
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
        SiteScores { spines: vec![0.0; nodes.len()], nodes, first, edges, single_root: false }
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
        self.k_best(scores, 1).pop()
    }

    /// The `k` best trees, best first; fewer if there are fewer.
    pub fn k_best(&mut self, scores: &SiteScores, k: usize) -> Vec<SiteTree> {
        let mut pass = Pass::new(scores, Max, &mut self.max, &[]);
        if pass.inside() == f32::NEG_INFINITY { Vec::new() } else { pass.search(k) }
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
        // With the parts of the best tree at 0, the sums of the good subtrees are near 1 and none overflows.
        let best = self.best(scores)?;
        let part =
            |(word, (&node, &slot)): (usize, (&Node, &Slot))| scores.spine(node) + scores.edge(word, slot);
        let shifts: Vec<f32> = best.nodes.iter().zip(&best.slots).enumerate().map(part).collect();
        let mut pass = Pass::new(scores, Sum, &mut self.sum, &shifts);
        let sum = pass.inside();
        pass.outside();
        let total = sum.ln() + shifts.iter().map(|&shift| f64::from(shift)).sum::<f64>();
        Some(pass.marginals(total, |value| (value / sum) as f32))
    }
}
