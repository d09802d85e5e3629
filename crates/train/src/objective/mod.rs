//! Objectives: from scores and gold to a loss, and its gradient in every score.
//!
//! ```text
//! scores, gold ── Objective ──> loss, and its gradient in every part
//!                                     │
//!              a linear scorer ───────┴──────── a neural scorer
//!              (gradient × features)            (back-propagation)
//! ```
//!
//! An [`Objective`] sees nothing but [`SentenceScores`] and [`Gold`], and answers in [parts](tracebank_parser::scores::Part). So all objectives serve all
//! scorers.

pub mod crf;
mod kind;
pub mod local;
pub mod loss;
pub mod margin;

use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Parts, SentenceScores};

pub use kind::{ClassKind, ObjectiveKind};

/// The loss of a sentence, and its gradient.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LossGradient {
    /// The loss.
    pub loss: f64,
    /// The derivative of the loss by the score of each part; parts that are not here change nothing.
    pub parts: Parts,
}

/// A loss of scores, given gold. One for each thread: an objective owns the memory it decodes with.
pub trait Objective {
    /// The loss of a sentence, and its gradient (or one of its sub-gradients). Parts of gold may be -∞: nothing can be learnt for them.
    fn gradient(&mut self, scores: SentenceScores, gold: &Gold) -> LossGradient;
}

/// Adds up the shares of each key; what comes to nothing is left out.
pub(crate) fn merged<K: Ord>(mut shares: Vec<(K, f32)>) -> Vec<(K, f32)> {
    shares.sort_by(|a, b| a.0.cmp(&b.0));
    shares.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    shares.retain(|&(_, share)| share != 0.0);
    shares
}
