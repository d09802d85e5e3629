//! What training makes small.

use crate::gold::Gold;
use crate::scores::SentenceScores;
use crate::train::cell::Cells;

/// What a sentence costs, and how that changes with its scores.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LossGradient {
    /// What it costs.
    pub loss: f64,
    /// By how much the cost grows with the score of each cell; cells that are not here change nothing.
    pub cells: Cells,
}

/// A cost of scores, given what is right. One for each thread: an objective owns the memory it decodes with.
pub trait Objective {
    /// The cost of a sentence, and its gradient (or one of its sub-gradients). Cells of gold may be -∞: nothing can be learnt for them.
    fn gradient(&mut self, scores: SentenceScores, gold: &Gold) -> LossGradient;
}
