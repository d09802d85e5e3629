//! Scores → the best analysis.
//!
//! The best analysis of a sentence is one spine a word, one structural parent a word and some references, such that all labels fit the
//! spines they are between and the edges are of the [class](Structure) asked for. It is found in two steps, of which the second is rarely needed:
//!
//! 1. *Without the class* (`relaxed`): each referrer takes its best antecedent whatever crosses, so that what its spine is worth with its
//!    references is a number of its own, and a projective parse over spines (O(n³)) finds the rest. What comes out is worth at least as
//!    much as the best analysis of the class. If it happens to *be* of the class, it is that analysis: the answer is exact.
//! 2. *With the class* (`exact`): the chart of one-endpoint-crossing graphs (O(n⁴)). What step 1 could only have with less than a
//!    known answer is worth is left out first, which loses nothing. Beyond a budget more is left out, step by step; at last the known
//!    answer is given. Either is marked as approximate.
//!
//! Step 1 has a budget too: in very long sentences words keep fewer spines, down to one each, and the answer is approximate.
//!
//! Where dependants go on their parent's spine is settled at the end for each word by itself (`heights`).

mod candidates;
mod exact;
mod heights;
mod relaxed;

use serde::{Deserialize, Serialize};
use tracebank_chart::Worker;
use tracebank_syntax::class::Structure;

use crate::gold::{Analysis, WordAnalysis};
use crate::scores::{SentenceScores, argmax};
use crate::vocabulary::{FunctionId, SpineId, TagId, Trace, Vocabulary};
use candidates::Candidates;
pub use candidates::likely;

/// What the parts of an analysis count for, and which are looked at.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The weight of spine scores.
    pub spine: f32,
    /// The weight of attachment scores, beside a weight of 1 for the structural edge itself.
    pub attachment: f32,
    /// The weight of reference scores.
    pub trace: f32,
    /// What is added to every reference.
    pub trace_bonus: f32,
    /// What is added to a trace of movement of a wh-phrase: without one, such a phrase waits for something that does not come.
    #[serde(alias = "awaited")]
    pub awaited_bonus: f32,
    /// What a null that must refer pays when it does not.
    #[serde(alias = "unmet")]
    pub unmet_penalty: f32,
    /// What it costs when two traces of movement (`*T*`) stand for the same phrase: it was moved from one place, as a rule.
    #[serde(alias = "shared")]
    pub shared_penalty: f32,
    /// What a phrase above another of the same name costs when nothing else is attached to it.
    #[serde(alias = "empty")]
    pub empty_penalty: f32,
    /// The most spines of a word that are looked at.
    pub spines: usize,
    /// How much worse than the best spine of the word, in logarithms, another may be and still be looked at.
    pub spine_margin: f32,
    /// The most work for step 1: the third power of the spines of all words. In long sentences fewer are looked at.
    pub relaxed_work: f64,
    /// The most memory for a chart, in bytes.
    pub chart_bytes: usize,
    /// The most work for a chart: the fourth power of its nodes.
    pub chart_work: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            spine: 1.0,
            attachment: 1.0,
            trace: 0.5,
            trace_bonus: 0.0,
            awaited_bonus: 0.0,
            unmet_penalty: 4.0,
            shared_penalty: 3.0,
            empty_penalty: 2.0,
            spines: 4,
            spine_margin: 4.0,
            relaxed_work: 1e8,
            chart_bytes: 1 << 30,
            chart_work: 1e8,
        }
    }
}

impl Settings {
    /// What a reference is worth whose score is this.
    pub fn trace_score(&self, score: f32, is_awaited: bool) -> f32 {
        self.trace * score + self.trace_bonus + if is_awaited { self.awaited_bonus } else { 0.0 }
    }
}

/// Whether an answer is the best there is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// Nothing of the class is worth more: step 1 found it.
    Relaxed,
    /// Nothing of the class is worth more: the chart found it.
    Charted,
    /// Something else might be worth more.
    Approximate,
}

/// A decoded sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The answer.
    pub analysis: Analysis,
    /// What it is worth, by the [`Settings`].
    pub score: f32,
    /// How sure it is.
    pub certainty: Certainty,
}

/// What the steps hand each other: a spine and a parent for each word, and references that fit them.
#[derive(Clone, PartialEq, Debug)]
struct Skeleton {
    spines: Vec<SpineId>,
    heads: Vec<u32>,
    traces: Vec<Trace>,
    score: f32,
}

/// How many traces of movement are paid for, one after another, before what has been found is taken.
const MOST_PAID: usize = 3;

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
        Decoder { vocabulary, settings, worker: Worker::with_limit(settings.chart_bytes) }
    }

    /// The best analysis in `structure`. `tags` are given where the caller knows them.
    pub fn decode(
        &mut self,
        scores: &SentenceScores,
        structure: Structure,
        tags: Option<&[Option<TagId>]>,
    ) -> Decoded {
        let candidates = Candidates::choose(scores, self.vocabulary, &self.settings, structure);
        let (skeleton, certainty) = self.solve(scores, &candidates, structure, &mut Vec::new());
        let attachments = heights::settle(scores, self.vocabulary, &skeleton, self.settings.empty_penalty);
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
        Decoded { analysis: Analysis { words, traces }, score: skeleton.score, certainty }
    }

    /// The best skeleton when phrases that were moved from two places cost something. If the best without that cost has two traces of one
    /// phrase, then in the best with it either the one or the other is paid for, or not there: so both are tried.
    fn solve(
        &mut self,
        scores: &SentenceScores,
        candidates: &Candidates,
        structure: Structure,
        paid: &mut Vec<Trace>,
    ) -> (Skeleton, Certainty) {
        let found = self.skeleton(scores, candidates, structure);
        let Some(pair) = self.shared(&found.0.traces, paid) else { return found };
        let work = candidates.work() * f64::from(1 << paid.len());
        if paid.len() == MOST_PAID || work > self.settings.relaxed_work {
            return (found.0, Certainty::Approximate);
        }
        let cost = self.settings.shared_penalty;
        let [first, second] = pair.map(|trace| {
            paid.push(trace);
            let solved = self.solve(scores, &candidates.clone().lowered(trace, cost), structure, paid);
            paid.pop();
            solved
        });
        let certainty = first.1.max(second.1);
        (if first.0.score >= second.0.score { first.0 } else { second.0 }, certainty)
    }

    /// Two traces of movement that stand for the same phrase, neither paid for.
    fn shared(&self, traces: &[Trace], paid: &[Trace]) -> Option<[Trace; 2]> {
        let phrase = |trace: &Trace| {
            let reference = self.vocabulary.trace(trace.label);
            let moved = self.vocabulary.is_movement(trace.label) && !paid.contains(trace);
            moved.then_some((trace.antecedent, &reference.to))
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
    ) -> (Skeleton, Certainty) {
        let relaxed = relaxed::Relaxed::new(scores, self.vocabulary, &self.settings, candidates);
        let (bound, first) = relaxed.best(&mut self.worker);
        let known = relaxed.within(first, structure);
        let (skeleton, certainty) = if known.score >= bound - tolerance(bound) {
            (known, Certainty::Relaxed)
        } else {
            exact::improve(&relaxed, &mut self.worker, structure, &known, bound)
                .unwrap_or((known, Certainty::Approximate))
        };
        (skeleton, if candidates.are_complete { certainty } else { Certainty::Approximate })
    }
}

/// What sums of the same scores in another order may differ by.
fn tolerance(score: f32) -> f32 {
    1e-4 * (1.0 + score.abs())
}
