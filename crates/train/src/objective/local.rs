//! Log-loss of each choice by itself, the rest being right. Needs no decoding: fast, and a good place to start from.

use super::{LossGradient, Objective};
use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Part, SentenceScores, log_sum};
use tracebank_parser::vocabulary::{AttachmentId, FunctionId, SpineId, Trace, Vocabulary};

/// The least share that is passed on.
pub(super) const LEAST_SHARE: f32 = 1e-4;

/// -log of the probability of every gold spine among the spines of its word, of every gold parent among the parents, of every gold phrase
/// among those of the parent's gold spine, and of every trace among all that its null could have, and none.
#[derive(Clone, Copy, Debug)]
pub struct Local<'m> {
    vocabulary: &'m Vocabulary,
    /// The cost of a null that must refer and does not.
    unmet_penalty: f32,
}

impl<'m> Local<'m> {
    /// The objective for a vocabulary; `unmet_penalty` as in [`Settings`](tracebank_parser::decode::Settings::unmet_penalty).
    pub fn new(vocabulary: &'m Vocabulary, unmet_penalty: f32) -> Local<'m> {
        Local { vocabulary, unmet_penalty }
    }

    /// The trace of each null, given the gold spine it is in.
    pub(super) fn traces(&self, scores: &SentenceScores, gold: &Gold, gradient: &mut LossGradient) {
        for (word, spine) in gold.spines.iter().enumerate() {
            let (Some(spine), Some(grid)) = (spine, &scores.traces[word]) else { continue };
            let referrer = word as u32 + 1;
            for place in &self.vocabulary.facts(*spine).referrers {
                let mut choices = Vec::new();
                for antecedent in (0..scores.words()).filter(|&antecedent| antecedent != word) {
                    for &label in &place.labels {
                        let trace = Trace { referrer, antecedent: antecedent as u32 + 1, label };
                        choices.push((Part::Trace(trace), grid.row(antecedent)[label.index()]));
                    }
                }
                let here = |trace: &&Trace| trace.referrer == referrer && place.labels.contains(&trace.label);
                let right = gold.traces.iter().find(here).map(|&trace| Part::Trace(trace));
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
            let part = |id: usize| Part::Spine(index, SpineId(id as u16));
            let right = gold.spines[word].map(|spine| Part::Spine(index, spine));
            choose(&row(scores.spines.row(word), part), None, right, &mut gradient);
            let part = |head: usize| Part::Head(index, head as u32);
            choose(&row(scores.heads.row(word), part), None, Some(Part::Head(index, head)), &mut gradient);
            let parent = (head as usize).checked_sub(1).and_then(|parent| gold.spines[parent]);
            let Some(parent) = parent else { continue };
            let part = |attachment: AttachmentId| Part::Attachment(index, head, attachment);
            let phrases = self.vocabulary.facts(parent).phrases.iter().flatten();
            let phrases: Vec<(Part, f32)> =
                phrases.map(|&phrase| (part(phrase), scores.attachment(word, head, phrase))).collect();
            choose(&phrases, None, gold.attachments[word].map(part), &mut gradient);
        }
        choose_functions(&scores, gold, &mut gradient);
        self.traces(&scores, gold, &mut gradient);
        gradient
    }
}

/// Function tags, each word's by itself.
pub(super) fn choose_functions(scores: &SentenceScores, gold: &Gold, gradient: &mut LossGradient) {
    for (word, function) in gold.functions.iter().enumerate() {
        let part = |id: usize| Part::Function(word as u32, FunctionId(id as u16));
        let right = function.map(|function| Part::Function(word as u32, function));
        choose(&row(scores.functions.row(word), part), None, right, gradient);
    }
}

fn row(scores: &[f32], part: impl Fn(usize) -> Part) -> Vec<(Part, f32)> {
    scores.iter().enumerate().map(|(id, &score)| (part(id), score)).collect()
}

/// Adds the log-loss of one choice. Without a `right` one, silence is right; if that is impossible too, nothing is learnt.
fn choose(choices: &[(Part, f32)], silent: Option<f32>, right: Option<Part>, gradient: &mut LossGradient) {
    let score = match right {
        Some(right) => choices.iter().find(|(part, _)| *part == right).map(|&(_, score)| score),
        None => silent,
    };
    let Some(score) = score.filter(|score| score.is_finite()) else { return };
    let total = log_sum(choices.iter().map(|&(_, score)| score).chain(silent));
    gradient.loss += f64::from(total - score);
    for &(part, score) in choices {
        let share = (score - total).exp() - f32::from(Some(part) == right);
        if share.abs() > LEAST_SHARE {
            gradient.parts.push((part, share));
        }
    }
}
