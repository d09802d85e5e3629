//! The two objectives that decode: the structured hinge loss, and the perceptron's.

use tracebank_syntax::class::Structure;

use super::cell::{cells_of, cells_of_gold, difference};
use super::loss::Loss;
use super::objective::{LossGradient, Objective};
use crate::decode::{Decoder, Settings};
use crate::gold::{Analysis, Gold};
use crate::scores::SentenceScores;
use crate::vocabulary::Vocabulary;

/// How far gold is from being better than everything else: than everything else plus its loss (the hinge loss, Ratliff et al.
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
        let worth = |scores: &SentenceScores, gold: &Gold| -> f64 {
            let cells = cells_of_gold(gold).into_iter().map(|cell| f64::from(scores.cell(cell)));
            cells.filter(|score| score.is_finite()).sum()
        };
        let right = worth(&scores, gold);
        let constant = self.loss.map_or(0.0, |loss| loss.augment(&mut scores, gold));
        let predicted: Analysis = self.decoder.decode(&scores, self.structure, Some(&gold.tags)).analysis;
        let cells = cells_of(&predicted).into_iter().map(|cell| f64::from(scores.cell(cell)));
        let wrong: f64 = cells.filter(|score| score.is_finite()).sum();
        let different = difference(&predicted, gold);
        let loss = if different.is_empty() { 0.0 } else { (wrong + f64::from(constant) - right).max(0.0) };
        LossGradient { loss, cells: different }
    }
}
