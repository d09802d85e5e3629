//! Log-loss of each choice by itself, the rest being right. Needs no decoding: fast, and a good place to start from.

use super::cell::Cell;
use super::objective::{LossGradient, Objective};
use crate::gold::Gold;
use crate::scores::SentenceScores;
use crate::vocabulary::{AttachmentId, FunctionId, SpineId, Trace, Vocabulary};

/// What a smaller share than this says is not worth passing on.
pub(super) const LEAST_SHARE: f32 = 1e-4;

/// -log of the probability of every gold spine among the spines of its word, of every gold parent among the parents, of every gold phrase
/// among those of the parent's gold spine, and of every reference among all that its null could make, and silence.
#[derive(Clone, Copy, Debug)]
pub struct Local<'m> {
    vocabulary: &'m Vocabulary,
    /// What a null that must refer pays when it does not.
    unmet_penalty: f32,
}

impl<'m> Local<'m> {
    /// The objective for a vocabulary; `unmet` as in [`Settings`](crate::decode::Settings::unmet_penalty).
    pub fn new(vocabulary: &'m Vocabulary, unmet_penalty: f32) -> Local<'m> {
        Local { vocabulary, unmet_penalty }
    }

    /// What each null refers to, given the gold spine it is in.
    pub(super) fn references(&self, scores: &SentenceScores, gold: &Gold, gradient: &mut LossGradient) {
        for (word, spine) in gold.spines.iter().enumerate() {
            let (Some(spine), Some(grid)) = (spine, &scores.traces[word]) else { continue };
            let referrer = word as u32 + 1;
            for place in &self.vocabulary.facts(*spine).referrers {
                let mut choices = Vec::new();
                for antecedent in (0..scores.words()).filter(|&antecedent| antecedent != word) {
                    for &label in &place.labels {
                        let trace = Trace { referrer, antecedent: antecedent as u32 + 1, label };
                        choices.push((Cell::Trace(trace), grid.row(antecedent)[label.index()]));
                    }
                }
                let here = |trace: &&Trace| trace.referrer == referrer && place.labels.contains(&trace.label);
                let right = gold.traces.iter().find(here).map(|&trace| Cell::Trace(trace));
                let silent = if place.is_obliged { -self.unmet_penalty } else { 0.0 };
                choose(&choices, Some(silent), right, gradient);
            }
        }
    }
}

impl Objective for Local<'_> {
    fn gradient(&mut self, scores: SentenceScores, gold: &Gold) -> LossGradient {
        let mut gradient = LossGradient::default();
        for (word, &head) in gold.heads.iter().enumerate() {
            let index = word as u32;
            let cell = |id: usize| Cell::Spine(index, SpineId(id as u16));
            let right = gold.spines[word].map(|spine| Cell::Spine(index, spine));
            choose(&row(scores.spines.row(word), cell), None, right, &mut gradient);
            let cell = |head: usize| Cell::Head(index, head as u32);
            choose(&row(scores.heads.row(word), cell), None, Some(Cell::Head(index, head)), &mut gradient);
            let parent = (head as usize).checked_sub(1).and_then(|parent| gold.spines[parent]);
            let Some(parent) = parent else { continue };
            let cell = |attachment: AttachmentId| Cell::Attachment(index, head, attachment);
            let phrases = self.vocabulary.facts(parent).phrases.iter().flatten();
            let phrases: Vec<(Cell, f32)> =
                phrases.map(|&phrase| (cell(phrase), scores.attachment(word, head, phrase))).collect();
            choose(&phrases, None, gold.attachments[word].map(cell), &mut gradient);
        }
        choose_functions(&scores, gold, &mut gradient);
        self.references(&scores, gold, &mut gradient);
        gradient
    }
}

/// Function tags, each word's by itself.
pub(super) fn choose_functions(scores: &SentenceScores, gold: &Gold, gradient: &mut LossGradient) {
    for (word, function) in gold.functions.iter().enumerate() {
        let cell = |id: usize| Cell::Function(word as u32, FunctionId(id as u16));
        let right = function.map(|function| Cell::Function(word as u32, function));
        choose(&row(scores.functions.row(word), cell), None, right, gradient);
    }
}

fn row(scores: &[f32], cell: impl Fn(usize) -> Cell) -> Vec<(Cell, f32)> {
    scores.iter().enumerate().map(|(id, &score)| (cell(id), score)).collect()
}

/// The logarithm of a sum of exponentials.
pub(crate) fn log_sum(scores: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = scores.clone().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        most
    } else {
        most + scores.map(|score| (score - most).exp()).sum::<f32>().ln()
    }
}

/// Adds the log-loss of one choice. Without a `right` one, silence is right; if that is impossible too, nothing is learnt.
fn choose(choices: &[(Cell, f32)], silent: Option<f32>, right: Option<Cell>, gradient: &mut LossGradient) {
    let score = match right {
        Some(right) => choices.iter().find(|(cell, _)| *cell == right).map(|&(_, score)| score),
        None => silent,
    };
    let Some(score) = score.filter(|score| score.is_finite()) else { return };
    let total = log_sum(choices.iter().map(|&(_, score)| score).chain(silent));
    gradient.loss += f64::from(total - score);
    for &(cell, score) in choices {
        let share = (score - total).exp() - f32::from(Some(cell) == right);
        if share.abs() > LEAST_SHARE {
            gradient.cells.push((cell, share));
        }
    }
}
