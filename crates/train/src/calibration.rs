//! Calibration of a scorer: whether its probabilities can be trusted, and what it leaves for the decoder to choose from.

use serde::Serialize;
use tracebank_parser::gold::{Gold, TrainingExample};
use tracebank_parser::pipeline::{Pipeline, Request};
use tracebank_parser::scores::Scorer;
use tracebank_parser::scores::{SentenceScores, argmax};
use tracebank_parser::vocabulary::{SpineId, Vocabulary};
use tracebank_syntax::tree::Tree;

use crate::measure::Scored;
use crate::reliability::{Reliability, reliability};
use crate::trials::NEVER;

/// One operating point: the best spines of each word, so many at most and so much worse than the best at most.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OperatingPoint {
    /// The most spines of a word.
    pub spines: usize,
    /// How much worse than the best, in logarithms, a spine may be.
    pub margin: f32,
    /// How many spines a word has on average.
    pub per_word: f64,
    /// The share of words whose gold spine is among them, in per cent.
    pub words: f64,
    /// The share of sentences of which all are.
    pub sentences: f64,
}

/// A bin of first choices of which the scorer is about equally sure, and how many of them are right.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Bin {
    /// How many choices.
    pub count: usize,
    /// How sure it was of them, on average, in per cent.
    pub confidence: f64,
    /// How many of them were right, in per cent.
    pub right: f64,
}

/// The number of bins, of equal width.
const BINS: usize = 10;

/// The calibration of a scorer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Calibration {
    /// Candidates against survival.
    pub spines: Vec<OperatingPoint>,
    /// The share of words whose gold head is not out of the question, in per cent.
    pub heads: f64,
    /// The share of gold traces whose referrer is looked at, in per cent.
    pub referrers: f64,
    /// Calibration of the first spine of each word.
    pub spine_bins: Vec<Bin>,
    /// Calibration of the first head of each word.
    pub head_bins: Vec<Bin>,
    /// Reliability of the answers' probabilities, at the parser's temperature.
    pub answers: Reliability,
}

/// The operating points that are looked at.
const POINTS: [(usize, f32); 9] =
    [(1, 0.0), (2, 2.0), (2, 4.0), (3, 3.0), (4, 2.0), (4, 4.0), (4, 6.0), (8, 4.0), (8, 6.0)];

const UNSTOPPED: &str = "nobody stops it";

/// The calibration of a parser's scorer on the words of gold trees.
pub fn calibration<S: Scorer>(
    parser: &Pipeline<S>,
    gold: &[(Tree, TrainingExample)],
    request: &Request,
) -> Calibration {
    let vocabulary = &parser.metadata.vocabulary;
    let scored = Scored::new(parser, gold, request, &NEVER).expect(UNSTOPPED);
    let pairs: Vec<(&SentenceScores, Gold)> = scored.with_gold(vocabulary).collect();
    let words =
        || pairs.iter().flat_map(|(scores, gold)| (0..scores.words()).map(move |word| (*scores, gold, word)));
    let heads = share(words().map(|(scores, gold, word)| scores.head(word, gold.heads[word]).is_finite()));
    let referrers = pairs.iter().flat_map(|(scores, gold)| {
        gold.traces.iter().map(|trace| scores.traces[trace.referrer as usize - 1].is_some())
    });
    let spine_bins = bins(words().map(|(scores, gold, word)| {
        let row = scores.spines.row(word);
        (row, gold.spines[word].map(SpineId::index))
    }));
    let head_bins =
        bins(words().map(|(scores, gold, word)| (scores.heads.row(word), Some(gold.heads[word] as usize))));
    Calibration {
        spines: POINTS.iter().map(|&(spines, margin)| operating_point(&pairs, spines, margin)).collect(),
        heads,
        referrers: share(referrers),
        spine_bins,
        head_bins,
        answers: reliability(parser, &scored, parser.metadata.settings.temperature, &NEVER).expect(UNSTOPPED),
    }
}

fn operating_point(pairs: &[(&SentenceScores, Gold)], spines: usize, margin: f32) -> OperatingPoint {
    let (mut candidates, mut kept_words) = (0, Vec::new());
    let mut kept_sentences = Vec::new();
    for (scores, gold) in pairs {
        let before = kept_words.len();
        for word in 0..scores.words() {
            let row = scores.spines.row(word);
            let floor = row[argmax(row)] - margin;
            candidates += row.iter().filter(|&&score| score >= floor).count().min(spines);
            let better = |score: f32| row.iter().filter(|&&other| other > score).count();
            let kept = gold.spines[word].map(|id| row[id.index()]);
            kept_words.push(kept.is_some_and(|score| score >= floor && better(score) < spines));
        }
        kept_sentences.push(kept_words[before..].iter().all(|&kept| kept));
    }
    OperatingPoint {
        spines,
        margin,
        per_word: candidates as f64 / kept_words.len().max(1) as f64,
        words: share(kept_words.into_iter()),
        sentences: share(kept_sentences.into_iter()),
    }
}

fn share(verdicts: impl Iterator<Item = bool>) -> f64 {
    let (mut all, mut good) = (0_usize, 0_usize);
    for verdict in verdicts {
        all += 1;
        good += usize::from(verdict);
    }
    100.0 * good as f64 / all.max(1) as f64
}

/// Sorts first choices by how sure the scorer was.
fn bins<'s>(choices: impl Iterator<Item = (&'s [f32], Option<usize>)>) -> Vec<Bin> {
    sorted_into_bins(choices.map(|(row, gold)| {
        let first = argmax(row);
        (row[first].exp(), gold == Some(first))
    }))
}

/// Sorts what was said with a probability, and is right or not, by that probability.
pub(crate) fn sorted_into_bins(said: impl Iterator<Item = (f32, bool)>) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); BINS];
    for (probability, is_right) in said {
        let bin = &mut bins[((probability * BINS as f32) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.confidence += 100.0 * f64::from(probability);
        bin.right += if is_right { 100.0 } else { 0.0 };
    }
    for bin in &mut bins {
        bin.confidence /= bin.count.max(1) as f64;
        bin.right /= bin.count.max(1) as f64;
    }
    bins
}

impl Scored<'_> {
    fn with_gold<'s>(
        &'s self,
        vocabulary: &'s Vocabulary,
    ) -> impl Iterator<Item = (&'s SentenceScores, Gold)> {
        self.scores().zip(self.gold()).map(|(scores, (_, example))| (scores, example.gold(vocabulary)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_go_to_the_bin_of_their_confidence() {
        let (sure, unsure) = ([0.95_f32.ln(), 0.05_f32.ln()], [0.45_f32.ln(), 0.55_f32.ln()]);
        let bins = bins([(&sure[..], Some(0)), (&sure[..], Some(1)), (&unsure[..], Some(1))].into_iter());
        assert_eq!((bins[9].count, bins[5].count), (2, 1));
        assert!((bins[9].right - 50.0).abs() < 1e-9 && (bins[5].right - 100.0).abs() < 1e-9);
        assert!((bins[9].confidence - 95.0).abs() < 1e-3);
    }
}
