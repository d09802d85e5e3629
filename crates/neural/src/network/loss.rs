//! What the network learns from.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use tracebank_parser::gold::Gold;

use super::{Network, Words};
use crate::ops::{IGNORE, Targets, Widths, each};
use crate::prepare::Prepared;
use crate::tape::Tape;

/// A sentence to learn from.
#[derive(Clone, Debug)]
pub struct PreparedExample {
    /// The sentence.
    pub sentence: Prepared,
    /// What is right about it, as far as the network can say it.
    pub gold: Gold,
}

/// What each task counts in the loss; 0 leaves it out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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

impl Network {
    /// Adds the losses of all tasks to the tape. Each is a sum over words times its weight and `factor`; with 1 over
    /// the number of words in all shards of a step as the factor, the step follows the mean loss of a word.
    pub fn loss(
        &self,
        tape: &mut Tape<'_>,
        words: &Words,
        batch: &[&PreparedExample],
        weights: &TaskWeights,
        factor: f32,
    ) -> Losses {
        let mut losses = Losses { words: words.vectors.rows(), ..Losses::default() };
        let all = |part: fn(&Gold) -> Vec<u32>| -> Vec<u32> {
            batch.iter().flat_map(|example| part(&example.gold)).collect()
        };
        let smoothing = weights.smoothing;
        if weights.tags > 0.0 {
            let scores = self.tags(tape, words);
            let gold = all(|gold| targets(&gold.tags, |id| id.0));
            losses.tags = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.tags,
            );
        }
        if weights.spines > 0.0 {
            let scores = self.spines(tape, words);
            let gold = all(|gold| targets(&gold.spines, |id| id.0));
            losses.spines = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.spines,
            );
        }
        if weights.functions > 0.0 {
            let scores = self.functions(tape, words);
            let gold = all(|gold| targets(&gold.functions, |id| id.0));
            losses.functions = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.functions,
            );
        }
        if weights.arcs > 0.0 {
            let (scores, widths) = self.arcs(tape, words);
            let gold = all(|gold| gold.heads.clone());
            losses.arcs = tape.cross_entropy(
                &scores,
                &widths,
                Targets::smoothed(&gold, smoothing),
                factor * weights.arcs,
            );
        }
        if weights.attachments > 0.0 {
            let (pairs, gold) = gold_attachments(batch, words);
            let scores = self.attachments(tape, words, pairs.into());
            let factor = factor * weights.attachments;
            losses.attachments =
                tape.cross_entropy(&scores, &Widths::Even, Targets::smoothed(&gold, smoothing), factor);
        }
        if weights.traces > 0.0 {
            let (pairs, gold) = gold_traces(batch, words);
            let scores = self.traces(tape, words, pairs.into());
            let factor = factor * weights.traces;
            losses.traces = tape.cross_entropy(&scores, &Widths::Even, Targets::new(&gold), factor);
        }
        losses
    }
}

/// What the vocabulary does not have cannot be learnt.
fn targets<T: Copy>(ids: &[Option<T>], number: impl Fn(T) -> u16) -> Vec<u32> {
    ids.iter().map(|id| id.map_or(IGNORE, |id| u32::from(number(id)))).collect()
}

/// The pairs of dependent and right head, and the labels of those attachments.
fn gold_attachments(batch: &[&PreparedExample], words: &Words) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut answers = (Vec::new(), Vec::new());
    for (sentence, ((from, _), example)) in each(&words.spans).zip(batch).enumerate() {
        for (word, (&head, label)) in example.gold.heads.iter().zip(&example.gold.attachments).enumerate() {
            if let Some(label) = label {
                answers.0.push(((from + word) as u32, (from + sentence) as u32 + head));
                answers.1.push(u32::from(label.0));
            }
        }
    }
    answers
}

/// All ordered pairs of two words, and the label of the trace between them, mostly 0.
fn gold_traces(batch: &[&PreparedExample], words: &Words) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut answers = (Vec::new(), Vec::new());
    for ((from, to), example) in each(&words.spans).zip(batch) {
        let (from, length, start) = (from as u32, (to - from) as u32, answers.1.len());
        for parent in 0..length {
            let children = (0..length).filter(|&child| child != parent);
            answers.0.extend(children.map(|child| (from + parent, from + child)));
        }
        answers.1.resize(answers.0.len(), 0);
        for trace in &example.gold.traces {
            let (parent, child) = (trace.referrer - 1, trace.antecedent - 1);
            if parent != child {
                let place = parent * (length - 1) + child - u32::from(child > parent);
                answers.1[start + place as usize] = u32::from(trace.label.0) + 1;
            }
        }
    }
    answers
}
