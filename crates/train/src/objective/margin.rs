//! The two objectives that decode: the structured hinge loss, and the perceptron's.

use tracebank_syntax::class::Structure;

use super::loss::Loss;
use super::{LossGradient, Objective};
use tracebank_parser::decode::{Decoder, Settings};
use tracebank_parser::gold::{Analysis, Gold};
use tracebank_parser::scores::{Part, SentenceScores, difference, parts_of, parts_of_gold};
use tracebank_parser::vocabulary::Vocabulary;

/// The margin loss: how far gold is from being better than everything else: than everything else plus its loss (the hinge loss, Ratliff et al.
/// 2007), or just better (the perceptron).
#[derive(Debug)]
pub struct Margin<'m> {
    decoder: Decoder<'m>,
    structure: Structure,
    loss: Option<Loss>,
}

impl<'m> Margin<'m> {
    /// The structured hinge loss.
    pub fn hinge(
        vocabulary: &'m Vocabulary,
        settings: Settings,
        structure: Structure,
        loss: Loss,
    ) -> Margin<'m> {
        Margin { decoder: Decoder::new(vocabulary, settings), structure, loss: Some(loss) }
    }

    /// The loss of the perceptron.
    pub fn perceptron(vocabulary: &'m Vocabulary, settings: Settings, structure: Structure) -> Margin<'m> {
        Margin { decoder: Decoder::new(vocabulary, settings), structure, loss: None }
    }
}

impl Objective for Margin<'_> {
    fn gradient(&mut self, mut scores: SentenceScores, gold: &Gold) -> LossGradient {
        let score = |scores: &SentenceScores, parts: Vec<Part>| -> f64 {
            let scores = parts.into_iter().map(|part| f64::from(scores.part(part)));
            scores.filter(|score| score.is_finite()).sum()
        };
        let right = score(&scores, parts_of_gold(gold));
        let constant = self.loss.map_or(0.0, |loss| loss.augment(&mut scores, gold));
        let decoded = self.decoder.decode(&scores, self.structure, Some(&gold.tags), 1);
        let predicted: &Analysis = &decoded.best().analysis;
        let wrong = score(&scores, parts_of(predicted));
        let different = difference(predicted, gold);
        let loss = if different.is_empty() { 0.0 } else { (wrong + f64::from(constant) - right).max(0.0) };
        LossGradient { loss, parts: different }
    }
}
