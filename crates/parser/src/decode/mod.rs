//! Decoding: scores → the best analysis. The crate's README teaches it.
//!
//! The best analysis of a sentence is one spine a word, one structural head a word and some traces, such that all labels fit the spines they
//! are between and the edges are of the [class](Structure) asked for. It is found in two steps, of which the second is rarely needed:
//!
//! 1. *Without the class* (`relaxed`): each null takes its best antecedent whatever crosses, so that the score of a spine with its traces is
//!    one number, and a projective parse over spines (O(n³)) finds the rest. The result scores at least as well as the best analysis of the
//!    class. If it happens to *be* of the class, it is that analysis: the answer is exact.
//! 2. *With the class* (`exact`): the chart of one-endpoint-crossing graphs (O(n⁴)). Parts that step 1 can only have in analyses that score
//!    less than a known answer are left out first, which loses nothing. Beyond a budget more is left out, step by step; at last the known
//!    answer is given. Either is marked as approximate.
//!
//! Step 1 has a budget too: in very long sentences words keep fewer spines, down to one each, and the answer is approximate. Attachment sites,
//! the phrases under which dependants go, are chosen at the end for each word by itself (`sites`).

mod candidates;
mod exact;
mod relaxed;
mod settings;
mod sites;

use serde::{Deserialize, Serialize};
use tracebank_chart::Worker;
use tracebank_syntax::class::Structure;

use crate::gold::{Analysis, WordAnalysis};
use crate::scores::{SentenceScores, argmax};
use crate::vocabulary::{FunctionId, SpineId, TagId, Trace, Vocabulary};
use candidates::Candidates;
pub use candidates::likely;
pub use settings::{Pruning, Settings};

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
    /// The answer.
    pub analysis: Analysis,
    /// Its score under the [`Settings`].
    pub score: f32,
    /// The proof that it is optimal, if there is one.
    pub optimality: Optimality,
}

/// The result of a step: a spine and a head for each word, and traces that fit them.
#[derive(Clone, PartialEq, Debug)]
struct Skeleton {
    spines: Vec<SpineId>,
    heads: Vec<u32>,
    traces: Vec<Trace>,
    score: f32,
}

/// Decodes with one vocabulary; owns the memory of a thread.
#[derive(Debug)]
pub struct Decoder<'m> {
    vocabulary: &'m Vocabulary,
    settings: Settings,
    worker: Worker,
}

impl<'m> Decoder<'m> {
    /// A decoder without memory yet.
    pub fn new(vocabulary: &'m Vocabulary, settings: Settings) -> Decoder<'m> {
        Decoder { vocabulary, settings, worker: Worker::with_limit(settings.pruning.chart_bytes) }
    }

    /// The best analysis in `structure`. `tags` are given where the caller knows them.
    pub fn decode(
        &mut self,
        scores: &SentenceScores,
        structure: Structure,
        tags: Option<&[Option<TagId>]>,
    ) -> Decoded {
        let candidates = Candidates::choose(scores, self.vocabulary, &self.settings, structure);
        let (skeleton, optimality) = self.solve(scores, &candidates, structure, &mut Vec::new());
        let attachments = sites::settle(scores, self.vocabulary, &skeleton, self.settings.empty_penalty);
        let words = (0..scores.words()).map(|word| WordAnalysis {
            tag: tags
                .and_then(|tags| tags[word])
                .unwrap_or_else(|| TagId(argmax(scores.tags.row(word)) as u16)),
            spine: skeleton.spines[word],
            function: FunctionId(argmax(scores.functions.row(word)) as u16),
            head: skeleton.heads[word],
            attachment: attachments[word],
        });
        let words = words.collect();
        let mut traces = skeleton.traces;
        traces.sort_unstable();
        Decoded { analysis: Analysis { words, traces }, score: skeleton.score, optimality }
    }

    /// The best skeleton when phrases that were moved from two places cost something. If the best without that cost has two traces of one
    /// phrase, then in the best with it either the one or the other is paid for, or not there: so both are tried.
    fn solve(
        &mut self,
        scores: &SentenceScores,
        candidates: &Candidates,
        structure: Structure,
        paid: &mut Vec<Trace>,
    ) -> (Skeleton, Optimality) {
        let found = self.skeleton(scores, candidates, structure);
        let Some(pair) = self.shared(&found.0.traces, paid) else { return found };
        let work = candidates.work() * f64::from(1 << paid.len());
        if paid.len() == self.settings.pruning.shared_traces || work > self.settings.pruning.relaxed_work {
            return (found.0, Optimality::Unproved);
        }
        let cost = self.settings.shared_penalty;
        let [first, second] = pair.map(|trace| {
            paid.push(trace);
            let solved = self.solve(scores, &candidates.clone().lowered(trace, cost), structure, paid);
            paid.pop();
            solved
        });
        let optimality = first.1.max(second.1);
        (if first.0.score >= second.0.score { first.0 } else { second.0 }, optimality)
    }

    /// Two traces of movement that stand for the same phrase, neither paid for.
    fn shared(&self, traces: &[Trace], paid: &[Trace]) -> Option<[Trace; 2]> {
        let phrase = |trace: &Trace| {
            let kind = self.vocabulary.trace(trace.label);
            let moved = self.vocabulary.is_movement(trace.label) && !paid.contains(trace);
            moved.then_some((trace.antecedent, &kind.to))
        };
        traces.iter().enumerate().find_map(|(place, first)| {
            let same = |second: &&Trace| phrase(first).is_some() && phrase(first) == phrase(second);
            traces[place + 1..].iter().find(same).map(|second| [*first, *second])
        })
    }

    fn skeleton(
        &mut self,
        scores: &SentenceScores,
        candidates: &Candidates,
        structure: Structure,
    ) -> (Skeleton, Optimality) {
        let relaxed = relaxed::Relaxed::new(scores, self.vocabulary, &self.settings, candidates);
        let (bound, first) = relaxed.best(&mut self.worker);
        let known = relaxed.within(first, structure);
        let (skeleton, optimality) = if known.score >= bound - tolerance(bound) {
            (known, Optimality::ProvedByRelaxation)
        } else {
            exact::improve(&relaxed, &mut self.worker, structure, &known, bound)
                .unwrap_or((known, Optimality::Unproved))
        };
        (skeleton, if candidates.are_complete { optimality } else { Optimality::Unproved })
    }
}

/// The rounding error that sums of the same scores in another order may have.
fn tolerance(score: f32) -> f32 {
    1e-4 * (1.0 + score.abs())
}
