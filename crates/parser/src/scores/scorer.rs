//! Scorers: whoever gives every part of a sentence its score.

use tracebank_text::Sentence;

use super::SentenceScores;
use crate::decode::Pruning;

/// A request for scores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreRequest {
    /// The number of the dialect to follow, among those of the model.
    pub dialect: usize,
    /// Whether traces are to be scored; trees have none.
    pub traces: bool,
    /// The margins beyond which a part need not be scored.
    pub pruning: Pruning,
}

/// A scorer of sentences.
pub trait Scorer: Send + Sync {
    /// The scores of sentences that are looked at together. None of them is empty.
    fn score(&self, sentences: &[&Sentence], request: &ScoreRequest) -> Vec<SentenceScores>;
}

impl<T: Scorer + ?Sized> Scorer for Box<T> {
    fn score(&self, sentences: &[&Sentence], request: &ScoreRequest) -> Vec<SentenceScores> {
        (**self).score(sentences, request)
    }
}
