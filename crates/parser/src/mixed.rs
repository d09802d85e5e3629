//! Two scorers together.
//!
//! The first decides what is possible. The second adds its opinion, times a share: how much worse than the best of its row a choice is, or
//! what a reference is worth, and never more than [`LOUDEST`] either way, for a scorer that was trained by margins has scores of any size.

use crate::pipeline::{Scorer, Sentence};
use crate::scores::{Grid, SentenceScores};

/// The most that the second scorer can say for or against anything, before its share is taken.
const LOUDEST: f32 = 8.0;

/// A scorer and another that is heard beside it. Both must know the same inventory.
#[derive(Clone, PartialEq, Debug)]
pub struct Mixed<A, B> {
    /// Decides what is possible.
    pub first: A,
    /// Adds its opinion.
    pub second: B,
    /// What the second counts.
    pub share: f32,
}

impl<A, B> Mixed<A, B> {
    /// The section of a model file that holds the share.
    pub const SECTION: &'static str = "share";
}

impl<A: Scorer, B: Scorer> Scorer for Mixed<A, B> {
    fn score(&self, sentences: &[&Sentence], convention: usize) -> Vec<SentenceScores> {
        let mut scores = self.first.score(sentences, convention);
        if self.share != 0.0 {
            let opinions = self.second.score(sentences, convention);
            scores.iter_mut().zip(&opinions).for_each(|(scores, opinion)| self.add(scores, opinion));
        }
        scores
    }
}

impl<A, B> Mixed<A, B> {
    fn add(&self, scores: &mut SentenceScores, opinion: &SentenceScores) {
        let n = scores.words();
        let choices = [
            (&mut scores.tags, &opinion.tags, n),
            (&mut scores.spines, &opinion.spines, n),
            (&mut scores.functions, &opinion.functions, n),
            (&mut scores.heads, &opinion.heads, n),
            (&mut scores.attachments, &opinion.attachments, n * (n + 1)),
        ];
        for (grid, opinion, rows) in choices {
            (0..rows).for_each(|row| self.add_choice(grid.row_mut(row), opinion.row(row)));
        }
        for (grid, opinion) in scores.traces.iter_mut().zip(&opinion.traces) {
            if let Some(grid) = grid {
                (0..n).for_each(|row| self.add_worth(grid.row_mut(row), opinion.as_ref(), row));
            }
        }
    }

    /// One of the row is chosen: only how they differ matters.
    fn add_choice(&self, row: &mut [f32], opinion: &[f32]) {
        let best = opinion.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if best.is_finite() {
            for (score, opinion) in row.iter_mut().zip(opinion) {
                *score += self.share * (opinion - best).max(-LOUDEST);
            }
        }
    }

    /// Each of the row is worth something by itself, or nothing.
    fn add_worth(&self, row: &mut [f32], opinion: Option<&Grid>, number: usize) {
        for (label, score) in row.iter_mut().enumerate() {
            let opinion = opinion.map_or(f32::NEG_INFINITY, |grid| grid.row(number)[label]);
            *score += self.share * opinion.clamp(-LOUDEST, LOUDEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(SentenceScores);

    impl Scorer for Fixed {
        fn score(&self, sentences: &[&Sentence], _convention: usize) -> Vec<SentenceScores> {
            sentences.iter().map(|_| self.0.clone()).collect()
        }
    }

    fn scores(spines: [f32; 2], trace: f32) -> SentenceScores {
        SentenceScores {
            tags: Grid::new(1, 1, 0.0),
            spines: Grid::from_values(2, spines.to_vec()),
            functions: Grid::new(1, 1, 0.0),
            heads: Grid::from_values(2, vec![0.0, f32::NEG_INFINITY]),
            attachments: Grid::new(2, 1, 0.0),
            traces: vec![Some(Grid::new(1, 1, trace))],
        }
    }

    #[test]
    fn the_second_is_heard_but_never_too_loud() {
        let mixed = Mixed {
            first: Fixed(scores([-1.0, -2.0], 0.5)),
            second: Fixed(scores([0.0, 100.0], f32::NEG_INFINITY)),
            share: 0.5,
        };
        let sentence = Sentence::new(vec!["word".to_owned()]);
        let found = &mixed.score(&[&sentence], 0)[0];
        assert_eq!(found.spines.row(0), [-5.0, -2.0]);
        assert_eq!(found.traces[0].as_ref().map(|grid| grid.row(0)[0]), Some(-3.5));
        assert_eq!(found.heads.row(0), [0.0, f32::NEG_INFINITY]);
    }
}
