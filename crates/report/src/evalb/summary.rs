//! The table at the end of `evalb`'s output.

use super::{Mismatch, SentenceScore};
use crate::score::{Counts, percentage};

/// Sums over sentences. The methods give the lines of `evalb`'s table under the names it uses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// How many sentences there were.
    pub sentences: u64,
    /// How many of them have other words in the guess than in the gold.
    pub errors: u64,
    /// How many of them have a guess without words.
    pub skipped: u64,
    /// How many sentences the numbers below are made of: without errors and skipped ones, unless those count as missed.
    pub scored: u64,
    /// The brackets.
    pub brackets: Counts,
    /// How many sentences have all brackets right.
    pub complete: u64,
    /// Crossing brackets.
    pub crossing: u64,
    /// Sentences without crossing brackets.
    pub without_crossing: u64,
    /// Sentences with at most two crossing brackets.
    pub with_few_crossing: u64,
    /// Words that were compared.
    pub words: u64,
    /// Words with the right tag.
    pub correct_tags: u64,
}

impl Summary {
    /// Adds a sentence whose guess has the same words.
    pub fn add(&mut self, score: &SentenceScore) {
        self.sentences += 1;
        self.complete += u64::from(score.is_complete());
        self.crossing += score.crossing;
        self.without_crossing += u64::from(score.crossing == 0);
        self.with_few_crossing += u64::from(score.crossing <= 2);
        self.add_counts(score);
    }

    /// Adds a sentence whose guess cannot be compared; `missed`, when it is to count, is what the gold has.
    pub fn add_mismatch(&mut self, mismatch: Mismatch, missed: Option<&SentenceScore>) {
        self.sentences += 1;
        match mismatch {
            Mismatch::NoWords => self.skipped += 1,
            Mismatch::Length { .. } | Mismatch::Words => self.errors += 1,
        }
        if let Some(score) = missed {
            self.add_counts(score);
        }
    }

    fn add_counts(&mut self, score: &SentenceScore) {
        self.scored += 1;
        self.brackets += score.brackets;
        self.words += score.words;
        self.correct_tags += score.correct_tags;
    }

    /// Sentences that could be compared.
    pub fn valid(&self) -> u64 {
        self.sentences - self.errors - self.skipped
    }

    /// The percentage of sentences with all brackets right.
    pub fn complete_match(&self) -> f64 {
        percentage(self.complete, self.scored)
    }

    /// Crossing brackets per sentence that could be compared.
    pub fn average_crossing(&self) -> f64 {
        if self.valid() == 0 { 0.0 } else { self.crossing as f64 / self.valid() as f64 }
    }

    /// The percentage of sentences, of those that could be compared, without crossing brackets.
    pub fn no_crossing(&self) -> f64 {
        percentage(self.without_crossing, self.valid())
    }

    /// The percentage of sentences, of those that could be compared, with at most two crossing brackets.
    pub fn two_or_less_crossing(&self) -> f64 {
        percentage(self.with_few_crossing, self.valid())
    }

    /// The percentage of words with the right tag.
    pub fn tagging_accuracy(&self) -> f64 {
        percentage(self.correct_tags, self.words)
    }
}
