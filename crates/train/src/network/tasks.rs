//! The losses of the network's tasks: the cross entropy of each choice by itself, the rest being right.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use tracebank_neural::batch_scores::{BatchScores, NO_TRACE};
use tracebank_nn::ops::{IGNORE, Targets, Widths};
use tracebank_nn::tape::Tape;
use tracebank_parser::gold::Gold;

/// The weight of each task in the loss; 0 leaves it out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskWeights {
    /// Tags.
    pub tags: f32,
    /// Spines.
    pub spines: f32,
    /// Function tags.
    pub functions: f32,
    /// Heads.
    pub arcs: f32,
    /// Labels of attachments.
    pub attachments: f32,
    /// Traces.
    pub traces: f32,
    /// Label smoothing of all tasks but traces.
    pub smoothing: f32,
}

impl Default for TaskWeights {
    fn default() -> Self {
        Self {
            tags: 1.0,
            spines: 1.0,
            functions: 0.3,
            arcs: 1.0,
            attachments: 1.0,
            traces: 1.0,
            smoothing: 0.0,
        }
    }
}

/// The loss of each task, summed over words (over pairs, for traces).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// Tags.
    pub tags: f32,
    /// Spines.
    pub spines: f32,
    /// Function tags.
    pub functions: f32,
    /// Heads.
    pub arcs: f32,
    /// Labels of attachments.
    pub attachments: f32,
    /// Traces.
    pub traces: f32,
    /// The objective over whole sentences.
    pub structured: f32,
    /// The number of words.
    pub words: usize,
}

impl Losses {
    /// All tasks together, for each word.
    pub fn per_word(&self, weights: &TaskWeights) -> f32 {
        let total = weights.tags * self.tags
            + weights.spines * self.spines
            + weights.functions * self.functions
            + weights.arcs * self.arcs
            + weights.attachments * self.attachments
            + weights.traces * self.traces
            + self.structured;
        total / self.words.max(1) as f32
    }
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.tags += other.tags;
        self.spines += other.spines;
        self.functions += other.functions;
        self.arcs += other.arcs;
        self.attachments += other.attachments;
        self.traces += other.traces;
        self.structured += other.structured;
        self.words += other.words;
    }
}

impl TaskWeights {
    /// These weights, all of them less.
    #[must_use]
    pub fn times(self, share: f32) -> TaskWeights {
        TaskWeights {
            tags: share * self.tags,
            spines: share * self.spines,
            functions: share * self.functions,
            arcs: share * self.arcs,
            attachments: share * self.attachments,
            traces: share * self.traces,
            smoothing: self.smoothing,
        }
    }

    /// Adds the losses of all tasks to the tape. Each is a sum over words times its weight and `factor`; with 1 over the number of words in all
    /// shards of a step as the factor, the step follows the mean loss of a word.
    pub fn add_losses(
        &self,
        tape: &mut Tape<'_>,
        scores: &BatchScores,
        gold: &[&Gold],
        factor: f32,
    ) -> Losses {
        let all =
            |part: fn(&Gold) -> Vec<u32>| -> Vec<u32> { gold.iter().flat_map(|gold| part(gold)).collect() };
        let mut losses = Losses { words: scores.words(), ..Losses::default() };
        let even = Widths::Even;
        let (tags, spines) =
            (all(|gold| targets(&gold.tags, |id| id.0)), all(|gold| targets(&gold.spines, |id| id.0)));
        let functions = all(|gold| targets(&gold.functions, |id| id.0));
        let heads = all(|gold| gold.heads.clone());
        let (attachments, traces) = (gold_attachments(scores, gold), gold_traces(scores, gold));
        // Nearly all pairs of words have no trace: what is spread over the others would outweigh those that have one.
        for (loss, weight, logs, widths, columns, smoothing) in [
            (&mut losses.tags, self.tags, &scores.tags, &even, &tags, self.smoothing),
            (&mut losses.spines, self.spines, &scores.spines, &even, &spines, self.smoothing),
            (&mut losses.functions, self.functions, &scores.functions, &even, &functions, self.smoothing),
            (&mut losses.arcs, self.arcs, &scores.heads, &scores.head_widths, &heads, self.smoothing),
            (
                &mut losses.attachments,
                self.attachments,
                &scores.attachments,
                &even,
                &attachments,
                self.smoothing,
            ),
            (&mut losses.traces, self.traces, &scores.traces, &even, &traces, 0.0),
        ] {
            if weight > 0.0 {
                *loss =
                    tape.cross_entropy(logs, widths, Targets::smoothed(columns, smoothing), factor * weight);
            }
        }
        losses
    }
}

/// The ids as columns. There is nothing to learn where the vocabulary lacks one.
fn targets<T: Copy>(ids: &[Option<T>], number: impl Fn(T) -> u16) -> Vec<u32> {
    ids.iter().map(|id| id.map_or(IGNORE, |id| u32::from(number(id)))).collect()
}

/// The label of each pair of a dependant and its right head; other pairs have none to learn.
fn gold_attachments(scores: &BatchScores, gold: &[&Gold]) -> Vec<u32> {
    let mut labels = vec![IGNORE; scores.attachments.rows()];
    for (sentence, gold) in gold.iter().enumerate() {
        for (word, (&head, label)) in (0..).zip(gold.heads.iter().zip(&gold.attachments)) {
            if let (Some(label), Some(row)) = (label, scores.attachment_row(sentence, word, head)) {
                labels[row] = u32::from(label.0);
            }
        }
    }
    labels
}

/// The class of each pair of words: mostly that there is no trace.
fn gold_traces(scores: &BatchScores, gold: &[&Gold]) -> Vec<u32> {
    let mut classes = vec![NO_TRACE as u32; scores.traces.rows()];
    for (sentence, gold) in gold.iter().enumerate() {
        for trace in &gold.traces {
            if let Some(row) = scores.trace_row(sentence, trace) {
                classes[row] = u32::from(trace.label.0) + 1;
            }
        }
    }
    classes
}
