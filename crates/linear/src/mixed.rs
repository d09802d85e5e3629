//! Two scorers together, each for what it does well.
//!
//! The first decides what is possible, and about tags, spines and traces. About structural edges the second is heard as well: how
//! much worse than the best of its row it finds a choice, times a share. That is never more than `LOUDEST`, for a scorer that was trained by
//! margins has scores of any size.

use tracebank_parser::scores::{ScoreRequest, Scorer, SentenceScores};
use tracebank_text::Sentence;

/// The most that the second scorer can say against anything, before its share is taken.
const LOUDEST: f32 = 8.0;

/// A scorer and another that is heard beside it. Both must know the same vocabulary.
#[derive(Clone, PartialEq, Debug)]
pub struct Mixed<A, B> {
    /// Decides what is possible.
    pub first: A,
    /// Adds its opinion.
    pub second: B,
    /// The weight of the second.
    pub share: f32,
}

impl<A, B> Mixed<A, B> {
    /// The section of a model file that holds the share.
    pub const SECTION: &'static str = "share";
}

impl<A: Scorer, B: Scorer> Scorer for Mixed<A, B> {
    fn score(&self, sentences: &[&Sentence], request: &ScoreRequest) -> Vec<SentenceScores> {
        let mut scores = self.first.score(sentences, request);
        if self.share != 0.0 {
            let opinions = self.second.score(sentences, &ScoreRequest { traces: false, ..*request });
            scores.iter_mut().zip(&opinions).for_each(|(scores, opinion)| self.add(scores, opinion));
        }
        scores
    }
}

impl<A, B> Mixed<A, B> {
    fn add(&self, scores: &mut SentenceScores, opinion: &SentenceScores) {
        let n = scores.words();
        (0..n).for_each(|row| self.add_row(scores.heads.row_mut(row), opinion.heads.row(row)));
        for row in 0..n * (n + 1) {
            if scores.attachments.holds(row) && opinion.attachments.holds(row) {
                self.add_row(scores.attachments.row_mut(row), opinion.attachments.row(row));
            }
        }
    }

    /// One of the row is chosen: only how they differ matters.
    fn add_row(&self, row: &mut [f32], opinion: &[f32]) {
        let best = opinion.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if best.is_finite() {
            for (score, opinion) in row.iter_mut().zip(opinion) {
                *score += self.share * (opinion - best).max(-LOUDEST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracebank_parser::decode::Pruning;
    use tracebank_parser::scores::Grid;

    struct Fixed(SentenceScores);

    impl Scorer for Fixed {
        fn score(&self, sentences: &[&Sentence], _: &ScoreRequest) -> Vec<SentenceScores> {
            sentences.iter().map(|_| self.0.clone()).collect()
        }
    }

    fn scores(heads: [f32; 3], spine: f32) -> SentenceScores {
        SentenceScores {
            tags: Grid::new(2, 1, 0.0),
            spines: Grid::new(2, 1, spine),
            functions: Grid::new(2, 1, 0.0),
            heads: Grid::from_values(3, [heads, heads].concat()),
            attachments: Grid::new(6, 1, 0.0),
            traces: vec![None, None],
            is_cut: false,
        }
    }

    #[test]
    fn the_second_is_heard_about_edges_but_never_too_loud() {
        let mixed = Mixed {
            first: Fixed(scores([-1.0, -2.0, f32::NEG_INFINITY], -3.0)),
            second: Fixed(scores([0.0, 100.0, 99.0], -4.0)),
            share: 0.5,
        };
        let sentence = Sentence::of_words(&["two", "words"]);
        let found = &mixed
            .score(&[&sentence], &ScoreRequest { dialect: 0, traces: true, pruning: Pruning::default() })[0];
        assert_eq!(found.heads.row(0), [-5.0, -2.0, f32::NEG_INFINITY]);
        assert_eq!(found.spines.row(0), [-3.0]);
    }
}
