//! What the network learns from.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{Network, Words};
use crate::ops::{IGNORE, Targets, Widths, each};
use crate::prepare::Prepared;
use crate::tape::Tape;

/// The right answers for a sentence. [`IGNORE`] stands where there is none to learn from.
#[derive(Clone, Debug, Default)]
pub struct Gold {
    /// The tag of each word.
    pub tags: Vec<u32>,
    /// The spine of each word.
    pub spines: Vec<u32>,
    /// The function tags of each word's topmost phrase.
    pub functions: Vec<u32>,
    /// The head of each word: 0 for the root, else one more than the word's index.
    pub heads: Vec<u32>,
    /// The label of each word's attachment to its head.
    pub attachments: Vec<u32>,
    /// Parent, child (indices of words from 0) and label (from 1; [`IGNORE`] leaves the pair out) of each trace. All
    /// other pairs are learnt as having none.
    pub traces: Vec<(u32, u32, u32)>,
}

/// A sentence to learn from.
#[derive(Clone, Debug)]
pub struct Example {
    /// The sentence.
    pub sentence: Prepared,
    /// Its answers.
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
            + weights.traces * self.traces;
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
        self.words += other.words;
    }
}

impl Network {
    /// Adds the losses of all tasks to the tape. Each is a sum over words times its weight and `factor`; with 1 over
    /// the number of words in all shards of a step as the factor, the step follows the mean loss of a word.
    pub fn loss(
        &self,
        tape: &mut Tape<'_>,
        batch: &[&Example],
        weights: &TaskWeights,
        factor: f32,
    ) -> Losses {
        let sentences: Vec<&Prepared> = batch.iter().map(|example| &example.sentence).collect();
        let words = self.read(tape, &sentences);
        let mut losses = Losses { words: words.vectors.rows(), ..Losses::default() };
        let all = |part: fn(&Gold) -> &Vec<u32>| -> Vec<u32> {
            batch.iter().flat_map(|example| part(&example.gold)).copied().collect()
        };
        let smoothing = weights.smoothing;
        if weights.tags > 0.0 {
            let scores = self.tags(tape, &words);
            let gold = all(|gold| &gold.tags);
            losses.tags = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.tags,
            );
        }
        if weights.spines > 0.0 {
            let scores = self.spines(tape, &words);
            let gold = all(|gold| &gold.spines);
            losses.spines = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.spines,
            );
        }
        if weights.functions > 0.0 {
            let scores = self.functions(tape, &words);
            let gold = all(|gold| &gold.functions);
            losses.functions = tape.cross_entropy(
                &scores,
                &Widths::Even,
                Targets::smoothed(&gold, smoothing),
                factor * weights.functions,
            );
        }
        if weights.arcs > 0.0 {
            let (scores, widths) = self.arcs(tape, &words);
            let gold = all(|gold| &gold.heads);
            losses.arcs = tape.cross_entropy(
                &scores,
                &widths,
                Targets::smoothed(&gold, smoothing),
                factor * weights.arcs,
            );
        }
        if weights.attachments > 0.0 {
            let (pairs, gold) = gold_attachments(batch, &words);
            let scores = self.attachments(tape, &words, pairs.into());
            let factor = factor * weights.attachments;
            losses.attachments =
                tape.cross_entropy(&scores, &Widths::Even, Targets::smoothed(&gold, smoothing), factor);
        }
        if weights.traces > 0.0 {
            let (pairs, gold) = gold_traces(batch, &words);
            let scores = self.traces(tape, &words, pairs.into());
            let factor = factor * weights.traces;
            losses.traces = tape.cross_entropy(&scores, &Widths::Even, Targets::new(&gold), factor);
        }
        losses
    }
}

/// The pairs of dependent and right head, and the labels of those attachments.
fn gold_attachments(batch: &[&Example], words: &Words) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut answers = (Vec::new(), Vec::new());
    for (sentence, ((from, _), example)) in each(&words.spans).zip(batch).enumerate() {
        for (word, (&head, &label)) in example.gold.heads.iter().zip(&example.gold.attachments).enumerate() {
            if head != IGNORE && label != IGNORE {
                answers.0.push(((from + word) as u32, (from + sentence) as u32 + head));
                answers.1.push(label);
            }
        }
    }
    answers
}

/// All ordered pairs of two words, and the label of the trace between them, mostly 0.
fn gold_traces(batch: &[&Example], words: &Words) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut answers = (Vec::new(), Vec::new());
    for ((from, to), example) in each(&words.spans).zip(batch) {
        let (from, length, start) = (from as u32, (to - from) as u32, answers.1.len());
        for parent in 0..length {
            let children = (0..length).filter(|&child| child != parent);
            answers.0.extend(children.map(|child| (from + parent, from + child)));
        }
        answers.1.resize(answers.0.len(), 0);
        for &(parent, child, label) in &example.gold.traces {
            if parent != child {
                let place = parent * (length - 1) + child - u32::from(child > parent);
                answers.1[start + place as usize] = label;
            }
        }
    }
    answers
}
