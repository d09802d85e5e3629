//! The cost of mistakes, and how to make the decoder look for costly ones.
//!
//! The loss of an analysis is a weighted Hamming distance from gold, over spines and labelled edges:
//!
//! * a word with another spine costs [`Loss::spine`];
//! * a gold edge that is not there costs *missing*;
//! * an edge that gold does not have costs *different* if gold has one between the same two words with another label, else *extra*.
//!
//! Structural edges (word, parent, phrase) and traces have weights of their own. An edge with the wrong label is thus both
//! missing and different: with all weights 1 it costs 2, as in the authors' parser.
//!
//! All of it is a sum over [parts](tracebank_parser::scores::Part): a missing edge is paid for in advance, as a constant, and taken back by the part of
//! the gold edge. So the analysis that maximises score plus loss is the best one under the [augmented](Loss::augment) scores, and the one
//! decoder finds both.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use tracebank_parser::gold::{Analysis, Gold};
use tracebank_parser::scores::SentenceScores;
use tracebank_parser::vocabulary::Trace;

/// The costs of mistakes with edges of one sort.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EdgeLoss {
    /// An edge between two words that gold does not join.
    pub extra: f32,
    /// A gold edge that is not there.
    pub missing: f32,
    /// An edge between the right words with the wrong label.
    pub different: f32,
}

impl Default for EdgeLoss {
    fn default() -> EdgeLoss {
        EdgeLoss { extra: 1.0, missing: 1.0, different: 1.0 }
    }
}

/// The costs of mistakes. Weights are taken for scores that count once: [`Settings`](tracebank_parser::decode::Settings) with weights of 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Loss {
    /// A word with another spine.
    pub spine: f32,
    /// Structural edges.
    pub structural: EdgeLoss,
    /// Traces.
    pub trace: EdgeLoss,
}

impl Default for Loss {
    fn default() -> Loss {
        Loss { spine: 1.0, structural: EdgeLoss::default(), trace: EdgeLoss::default() }
    }
}

impl Loss {
    /// The loss of an analysis, counted straight from the definition.
    pub fn between(&self, predicted: &Analysis, gold: &Gold) -> f32 {
        let mut loss = 0.0;
        for (word, guess) in predicted.words.iter().enumerate() {
            if gold.spines[word].is_some_and(|spine| spine != guess.spine) {
                loss += self.spine;
            }
            let known = gold.attachments[word].filter(|_| guess.head > 0);
            if guess.head != gold.heads[word] {
                loss += self.structural.missing + self.structural.extra;
            } else if known.is_some_and(|attachment| attachment != guess.attachment) {
                loss += self.structural.missing + self.structural.different;
            }
        }
        let right: BTreeSet<Trace> = gold.traces.iter().copied().collect();
        let guesses: BTreeSet<Trace> = predicted.traces.iter().copied().collect();
        let joined = |guess: &Trace| right.iter().any(|trace| ends(trace) == ends(guess));
        for guess in guesses.difference(&right) {
            loss += if joined(guess) { self.trace.different } else { self.trace.extra };
        }
        loss + right.difference(&guesses).count() as f32 * self.trace.missing
    }

    /// Adds the loss to the scores. The constant that is returned must be added to the new score of an analysis to get its score plus its loss.
    pub fn augment(&self, scores: &mut SentenceScores, gold: &Gold) -> f32 {
        let mut constant = 0.0;
        for (word, &right) in gold.heads.iter().enumerate() {
            if let Some(spine) = gold.spines[word] {
                add_to_others(scores.spines.row_mut(word), spine.index(), self.spine);
            }
            let heads = scores.heads.row_mut(word);
            add_to_others(heads, right as usize, self.structural.extra);
            heads[right as usize] -= self.structural.missing;
            constant += self.structural.missing;
            if let Some(attachment) = gold.attachments[word].filter(|_| right > 0) {
                let row = word * (gold.heads.len() + 1) + right as usize;
                let cost = self.structural.missing + self.structural.different;
                add_to_others(scores.attachments.row_mut(row), attachment.index(), cost);
            }
        }
        for grid in scores.traces.iter_mut().flatten() {
            for antecedent in 0..gold.heads.len() {
                grid.row_mut(antecedent).iter_mut().for_each(|score| *score += self.trace.extra);
            }
        }
        constant + self.augment_gold_traces(scores, gold)
    }

    fn augment_gold_traces(&self, scores: &mut SentenceScores, gold: &Gold) -> f32 {
        let EdgeLoss { extra, missing, different } = self.trace;
        let joined: BTreeSet<(u32, u32)> = gold.traces.iter().map(ends).collect();
        for &(referrer, antecedent) in &joined {
            if let Some(grid) = &mut scores.traces[referrer as usize - 1] {
                let row = grid.row_mut(antecedent as usize - 1);
                row.iter_mut().for_each(|score| *score += different - extra);
            }
        }
        for trace in &gold.traces {
            if let Some(grid) = &mut scores.traces[trace.referrer as usize - 1] {
                grid.row_mut(trace.antecedent as usize - 1)[trace.label.index()] -= different + missing;
            }
        }
        missing * gold.traces.len() as f32
    }
}

fn ends(trace: &Trace) -> (u32, u32) {
    (trace.referrer, trace.antecedent)
}

fn add_to_others(row: &mut [f32], right: usize, cost: f32) {
    for (index, score) in row.iter_mut().enumerate() {
        if index != right {
            *score += cost;
        }
    }
}
