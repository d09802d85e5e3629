//! The contest of trees: each is given its best traces of the class, and the best analyses stay.

use tracebank_chart::sites::{SiteScores, SiteTree};
use tracebank_chart::{Node, Worker};
use tracebank_syntax::class::Structure;

use super::candidates::Candidate;
use super::ranking::Ranking;
use super::relaxed::Relaxed;
use super::{Optimality, Solver, traces};
use crate::gold::{Analysis, WordAnalysis};
use crate::rules::RuleSet;

/// Gives the words of a tree their tags and function tags, and says what penalty the tree has.
pub(super) type Finish<'f> = dyn Fn(&mut [WordAnalysis]) -> f32 + 'f;

/// The best analyses so far.
pub(super) struct Contest<'c> {
    pub(super) structure: Structure,
    pub(super) wanted: usize,
    /// The rules that derive every answer, where they are restricted.
    pub(super) rules: Option<&'c RuleSet>,
    finish: &'c Finish<'c>,
    /// The best analyses by their score less their penalty, which stands beside them.
    pub(super) ranking: Ranking<(f32, Analysis)>,
    /// The best score of an analysis, penalty or not.
    pub(super) reached: f32,
    /// The trees that have been seen, where one could come twice.
    seen: Vec<SiteTree>,
    /// The most that an analysis can score whose traces a search did not come to.
    doubt: f32,
    /// The sets of traces that have been tried.
    trials: usize,
}

impl<'c> Contest<'c> {
    pub(super) fn new(
        wanted: usize,
        structure: Structure,
        rules: Option<&'c RuleSet>,
        finish: &'c Finish<'c>,
    ) -> Contest<'c> {
        Contest {
            structure,
            wanted,
            rules,
            finish,
            ranking: Ranking::new(wanted),
            reached: f32::NEG_INFINITY,
            seen: Vec::new(),
            doubt: f32::NEG_INFINITY,
            trials: 0,
        }
    }

    /// The score that a newcomer must beat, by more than rounding.
    pub(super) fn floor(&self) -> f32 {
        let floor = self.ranking.floor();
        if floor == f32::NEG_INFINITY { floor } else { floor + tolerance(floor) }
    }

    /// Enters a tree with its best traces of the class.
    pub(super) fn enter(&mut self, relaxed: &Relaxed<'_>, chart: &mut Worker, tree: &SiteTree) {
        if self.seen.iter().any(|seen| (&seen.nodes, &seen.slots) == (&tree.nodes, &tree.slots)) {
            return;
        }
        let heads = relaxed.heads(tree);
        let Relaxed { vocabulary, settings, .. } = *relaxed;
        let left = settings.pruning.trace_sets.saturating_sub(self.trials);
        let (search, untraced) = self.search(relaxed, tree, &heads, self.wanted);
        let mut words = relaxed.words(tree);
        let penalty = (self.finish)(&mut words);
        let without = untraced - penalty;
        let rules = self.rules;
        let sets = search.run(self.ranking.floor() - without, left, &mut |traces| {
            rules.is_none_or(|rules| rules.derive(chart, vocabulary, &heads, traces))
        });
        self.trials += sets.trials;
        if !sets.is_complete {
            self.doubt = self.doubt.max(tree.score);
        }
        for (gained, mut traces) in sets.best.into_vec() {
            traces.sort_unstable();
            self.reached = self.reached.max(without + gained + penalty);
            self.ranking.offer(without + gained, || (penalty, Analysis { words: words.clone(), traces }));
        }
        self.seen.push(tree.clone());
    }

    /// The search for the best traces of a tree, and what the tree scores without any.
    fn search<'s>(
        &self,
        relaxed: &Relaxed<'s>,
        tree: &SiteTree,
        heads: &[u32],
        wanted: usize,
    ) -> (traces::Search<'s>, f32) {
        let Relaxed { vocabulary, settings, .. } = *relaxed;
        let chosen: Vec<&Candidate> = tree.nodes.iter().map(|&node| relaxed.candidate(node)).collect();
        let granted: f32 = chosen.iter().map(|candidate| candidate.best() - candidate.score).sum();
        let is_restricted = self.rules.is_some();
        let structure = self.structure;
        let search =
            traces::Search::new(vocabulary, settings, structure, &chosen, heads, wanted, is_restricted);
        (search, tree.score - granted)
    }

    /// Whether trees that have been seen, with so many different spines and heads, have traces of the class with which they would be better than what is
    /// at hand if it were not for their penalty.
    pub(super) fn has_above(&self, relaxed: &Relaxed<'_>, count: usize) -> bool {
        let mut skeletons: Vec<(&[Node], Vec<u32>)> = Vec::new();
        for tree in &self.seen {
            let skeleton = (&tree.nodes[..], relaxed.heads(tree));
            if skeletons.contains(&skeleton) {
                continue;
            }
            let (search, without) = self.search(relaxed, tree, &skeleton.1, 1);
            let left = relaxed.settings.pruning.trace_sets.saturating_sub(self.trials);
            let sets = search.run(self.floor() - without, left, &mut |_| true);
            if !sets.best.is_empty() {
                skeletons.push(skeleton);
            }
        }
        skeletons.len() >= count
    }

    /// Enters the trees of `sites` from the best on, while one can be better than what is at hand: the guidelines may prefer other sites than the best.
    pub(super) fn enter_all(&mut self, relaxed: &Relaxed<'_>, solver: &mut Solver, sites: &SiteScores) {
        let limit = relaxed.settings.pruning.graph_sites.max(self.wanted);
        let mut trees = solver.sites.trees(sites, limit);
        for seen in 1.. {
            let Some(tree) = trees.next_above(self.floor()) else { break };
            self.enter(relaxed, &mut solver.chart, &tree);
            if seen == limit {
                self.doubt = self.doubt.max(tree.score);
            }
        }
    }

    /// A proof, if no search was broken off that might have found something better.
    pub(super) fn verdict(&self, proof: Optimality) -> Optimality {
        if self.doubt <= self.floor() { proof } else { Optimality::Unproved }
    }
}

/// The rounding error that sums of the same scores in another order may have.
pub(super) fn tolerance(score: f32) -> f32 {
    1e-4 * (1.0 + score.abs())
}
