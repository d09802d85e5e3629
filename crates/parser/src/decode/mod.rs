//! Decoding: scores → the best analysis. The crate's README teaches it.
//!
//! The best analysis of a sentence is one spine a word, one structural head a word and some traces, such that all labels fit the spines they
//! are between and the edges are of the [class](Structure) asked for. It is found in two steps, of which the second is rarely needed:
//!
//! 1. *Without the class* (`relaxed`): each null takes its best antecedent whatever crosses, so that the score of a spine with its traces is
//!    one number, and a projective parse over spines and attachment sites finds the rest. No analysis with the spines, heads and sites of a tree
//!    scores better than the tree does here. So trees are looked at from the best on, each is given its best traces of the class (`traces`), and
//!    as soon as the next tree is no better than what is at hand, nothing can be: the answer is exact. Mostly that is the first tree.
//! 2. *With the class* (`exact`): where too many trees come in between, the chart of one-endpoint-crossing graphs (O(n⁴)) bounds closer. Parts
//!    that step 1 can only have in analyses that score less than a known answer are left out first, which loses nothing. The chart's graphs are
//!    looked at in the same way. Beyond a budget more is left out, step by step; at last the known answer is given. Either is marked as approximate.
//!
//! Step 1 has a budget too: in very long sentences words keep fewer spines, down to one each, and the answer is approximate.

mod candidates;
mod contest;
mod distribution;
mod exact;
mod functions;
mod guidelines;
mod probabilities;
mod ranking;
mod relaxed;
mod settings;
mod shares;
mod traces;

use serde::{Deserialize, Serialize};
use tracebank_chart::sites::SiteWorker;
use tracebank_chart::{DecodeError, Grammar, Nodes, Request, Worker};
use tracebank_syntax::class::Structure;

use crate::gold::{Analysis, WordAnalysis};
use crate::rules::RuleSet;
use crate::scores::{SentenceScores, argmax};
use crate::valency::Valency;
use crate::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, Vocabulary};
use candidates::{Candidate, Candidates};
pub use candidates::{CandidateScope, likely};
use contest::{Contest, tolerance};
pub use distribution::{Marginals, marginals};
use exact::Kept;
use functions::Functions;
pub use probabilities::{AntecedentProbability, NullProbability, PhraseProbability, Probabilities};
use relaxed::Relaxed;
pub use settings::{Pruning, Settings};
pub use shares::Shares;

/// The proof that an answer is optimal: nothing of the class over the candidates kept scores better. The worst comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Optimality {
    /// The optimum without the class turned out to be of the class.
    ProvedByRelaxation,
    /// The chart of the class found the optimum.
    ProvedByChart,
    /// A budget was not enough: something else might score better.
    Unproved,
}

/// A decoded sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The best analyses, best first; one at least.
    pub ranking: Vec<Ranked>,
    /// The proof that they are the best, if there is one.
    pub optimality: Optimality,
    /// The candidates that they were chosen from.
    pub candidates: CandidateScope,
}

impl Decoded {
    /// The best analysis.
    pub fn best(&self) -> &Ranked {
        &self.ranking[0]
    }
}

/// An analysis and its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The analysis.
    pub analysis: Analysis,
    /// Its score under the [`Settings`], without the penalty.
    pub score: f32,
    /// The penalty for what breaks the guidelines. Analyses are ranked by the score less the penalty; probabilities do not know it.
    pub penalty: f32,
}

/// Decodes with one vocabulary; owns the memory of a thread.
#[derive(Debug)]
pub struct Decoder<'m> {
    vocabulary: &'m Vocabulary,
    valency: &'m Valency,
    rules: Option<&'m RuleSet>,
    functions: Functions,
    settings: Settings,
    solver: Solver,
}

impl<'m> Decoder<'m> {
    /// A decoder without memory yet.
    pub fn new(vocabulary: &'m Vocabulary, settings: Settings) -> Decoder<'m> {
        let chart = Worker::with_limit(Shares::of(&settings.pruning).chart);
        Decoder {
            vocabulary,
            valency: Valency::NONE,
            rules: None,
            functions: Functions::new(vocabulary),
            settings,
            solver: Solver { chart, sites: SiteWorker::default() },
        }
    }

    /// This decoder with a table of valency.
    #[must_use]
    pub fn with_valency(self, valency: &'m Valency) -> Decoder<'m> {
        Decoder { valency, ..self }
    }

    /// This decoder with rules that must derive its answers, if there are any.
    #[must_use]
    pub fn with_rules(self, rules: Option<&'m RuleSet>) -> Decoder<'m> {
        Decoder { rules, ..self }
    }

    /// Whether there is room for the tables of a sentence, with the best spine of each word alone.
    pub fn has_room(&self, scores: &SentenceScores) -> bool {
        let best = |word: usize| SpineId(argmax(scores.spines.row(word)) as u16);
        let sites = |word: usize| self.vocabulary.facts(best(word)).phrases.len().max(1);
        let words = scores.words();
        Shares::of(&self.settings.pruning).hold_tables(words, words, (0..words).map(sites).sum())
    }

    /// The `wanted` best analyses in `structure`; fewer if there are fewer. `tags` are given where the caller knows them.
    pub fn decode(
        &mut self,
        scores: &SentenceScores,
        structure: Structure,
        tags: Option<&[Option<TagId>]>,
        wanted: usize,
    ) -> Decoded {
        let candidates = Candidates::choose(scores, self.vocabulary, &self.settings, structure);
        let settings = self.settings;
        let of_words = &candidates.of_words;
        let mut relaxed =
            Relaxed::new(scores, self.vocabulary, self.valency, &settings, of_words, Candidate::best);
        let best_tag = |word: usize| TagId(argmax(scores.tags.row(word)) as u16);
        let tag = |word: usize| tags.and_then(|tags| tags[word]).unwrap_or_else(|| best_tag(word));
        let tags: Vec<TagId> = (0..scores.words()).map(tag).collect();
        let functions = self.functions.options(scores);
        let finish = |words: &mut [WordAnalysis]| {
            words.iter_mut().zip(&tags).for_each(|(word, tag)| word.tag = *tag);
            self.functions.choose(words, &functions, self.vocabulary);
            if settings.violation_penalty == 0.0 {
                return 0.0;
            }
            let violations = guidelines::violations(words, &self.functions, self.vocabulary);
            settings.violation_penalty * violations as f32
        };
        let rules = self.rules.filter(|_| structure.has_traces());
        let mut contest = Contest::new(wanted.max(1), structure, rules, &finish);
        let mut optimality = self.solver.solve(&relaxed, &mut contest);
        if contest.ranking.is_empty() && rules.is_some() {
            // No tree that was looked at can be derived by the rules that are left.
            contest = Contest::new(wanted.max(1), structure, None, &finish);
            self.solver.solve(&relaxed, &mut contest);
            optimality = Optimality::Unproved;
        }
        if contest.ranking.is_empty() && relaxed.sites.single_root {
            // The heads that were kept allow no tree with one child of the root.
            relaxed.sites.single_root = false;
            self.solver.solve(&relaxed, &mut contest);
            optimality = Optimality::Unproved;
        }
        if !candidates.are_complete {
            optimality = Optimality::Unproved;
        }
        let ranked = |(score, (penalty, analysis)): (f32, (f32, Analysis))| Ranked {
            analysis,
            score: score + penalty,
            penalty,
        };
        let mut ranking: Vec<Ranked> = contest.ranking.into_vec().into_iter().map(ranked).collect();
        if ranking.is_empty() {
            // Every word can hang from the root unless the scorer forbids it; then each does, and that proves nothing.
            optimality = Optimality::Unproved;
            let mut words = self.flat(&candidates);
            let penalty = finish(&mut words);
            let analysis = Analysis { words, traces: Vec::new() };
            ranking.push(Ranked { analysis, score: f32::NEG_INFINITY, penalty });
        }
        Decoded { ranking, optimality, candidates: candidates.scope }
    }

    fn flat(&self, candidates: &Candidates) -> Vec<WordAnalysis> {
        let attachment = self.vocabulary.root_attachment().unwrap_or(AttachmentId(0));
        let word = |of_word: &Vec<Candidate>| WordAnalysis {
            tag: TagId(0),
            spine: of_word[0].spine,
            function: FunctionId(0),
            head: 0,
            attachment,
        };
        candidates.of_words.iter().map(word).collect()
    }
}

/// The two searches, with the memory they use.
#[derive(Debug)]
struct Solver {
    sites: SiteWorker,
    chart: Worker,
}

impl Solver {
    /// Lets the trees of the relaxed problem compete, then the graphs of the chart, until it is certain that the best are there.
    fn solve(&mut self, relaxed: &Relaxed<'_>, contest: &mut Contest) -> Optimality {
        let pruning = &relaxed.settings.pruning;
        let limit = pruning.trees.max(2 * contest.wanted);
        let mut trees = self.sites.trees(&relaxed.sites, limit);
        // As a rule the first tree is enough, and it is found faster alone.
        if contest.wanted == 1 {
            let Some(tree) = trees.best() else { return Optimality::Unproved };
            contest.enter(relaxed, &mut self.chart, &tree);
            if contest.floor() >= tree.score {
                return Optimality::ProvedByRelaxation;
            }
        }
        let (mut seen, mut top, mut bound) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
        while let Some(tree) = trees.next_above(contest.floor()) {
            contest.enter(relaxed, &mut self.chart, &tree);
            (seen, top, bound) = (seen + 1, top.max(tree.score), tree.score);
        }
        if seen < limit {
            return contest.verdict(Optimality::ProvedByRelaxation);
        }
        // The chart knows no guidelines: where they alone keep the answer below the first tree, it would bound no closer, and where they keep it
        // below as many graphs as are looked at, those would all be better than it.
        let most = pruning.graphs.into_iter().max().unwrap_or(0);
        if contest.reached + tolerance(top) >= top || contest.has_above(relaxed, most) {
            return Optimality::Unproved;
        }
        self.graphs(relaxed, contest, bound).map_or(Optimality::Unproved, |proof| contest.verdict(proof))
    }

    /// Lets the graphs of the chart compete. `bound` is the most that an analysis can score that has not been seen.
    fn graphs(&mut self, relaxed: &Relaxed<'_>, contest: &mut Contest, bound: f32) -> Option<Optimality> {
        let class = exact::class_of(contest.structure)?;
        let pruning = &relaxed.settings.pruning;
        if exact::work(&Nodes::single(relaxed.sites.nodes().words())) > pruning.chart_work {
            return None;
        }
        let complete;
        let mut grammar = match contest.rules {
            Some(rules) if class == RuleSet::CLASS => rules.grammar(),
            _ => {
                complete = Grammar::of(class);
                &complete
            }
        };
        let single = relaxed.sites.single_root.then(|| grammar.with_single_root());
        grammar = single.as_ref().unwrap_or(grammar);
        let reach = self.sites.max_marginals(&relaxed.sites)?;
        let known = contest.floor();
        for share in pruning.chart_floors {
            let floor = known + share * (bound - known);
            let kept = Kept::new(relaxed, &reach, floor);
            if exact::work(&kept.nodes) > pruning.chart_work {
                continue;
            }
            let parts = kept.parts(relaxed, &reach, floor);
            for limit in pruning.graphs {
                let graphs = match self.chart.k_best_graphs(grammar, &Request::new(&parts), limit) {
                    Ok(graphs) => graphs,
                    // Nothing is left that could be better.
                    Err(DecodeError::NoStructure) => Vec::new(),
                    Err(_) => break,
                };
                let is_all = graphs.len() < limit;
                let last = graphs.last().map_or(f32::NEG_INFINITY, |(score, _)| *score as f32);
                for (score, graph) in graphs {
                    if score as f32 > contest.floor() {
                        let (chosen, heads) = kept.skeleton(&graph);
                        contest.enter_all(relaxed, self, &relaxed.only(&chosen, &heads));
                    }
                }
                if is_all || last <= contest.floor() {
                    // The chart leaves out traces that are worse than none; restricted rules may need one.
                    return (share == 0.0 && contest.rules.is_none()).then_some(Optimality::ProvedByChart);
                }
            }
        }
        None
    }
}
