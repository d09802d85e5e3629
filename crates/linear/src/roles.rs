//! Roles of words in traces: a log-linear classifier with two outputs a word.
//!
//! A word *refers* if a trace to another word starts in its spine, and is *referred* to if one ends there. Whoever prunes by these probabilities wants
//! to know whether they mean what they say, and what a threshold keeps: `tracebank model calibration` shows both.

use crate::model::{LinearModel, Prepared};

/// The probabilities of both roles for each word.
#[derive(Clone, PartialEq, Debug)]
pub struct Roles(Vec<[f32; 2]>);

impl Roles {
    /// The probabilities by a model.
    pub fn of(model: &LinearModel, prepared: &Prepared) -> Roles {
        let mut reader = model.sets.role.reader(&model.weights);
        let word = |word: usize| {
            reader.look(&prepared.sentence, word + 1, word + 1);
            [0, 1].map(|role| probability(reader.score(role)))
        };
        Roles((0..prepared.sentence.words()).map(word).collect())
    }

    /// That a word (from 0) refers.
    pub fn refers(&self, word: usize) -> f32 {
        self.0[word][0]
    }

    /// That a word (from 0) is referred to.
    pub fn referred(&self, word: usize) -> f32 {
        self.0[word][1]
    }

    /// Both probabilities of each word: that it refers, and that it is referred to.
    pub fn iter(&self) -> impl Iterator<Item = &[f32; 2]> {
        self.0.iter()
    }
}

/// The probability of a role with this score.
pub fn probability(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}
