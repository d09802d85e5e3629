//! Scores of a sentence: a number for every part that an analysis could be made of.
//!
//! This is the one meeting point of scorers and decoding. All numbers are logarithms of something like a probability; what is out of the
//! question is -∞. A scorer may leave out whatever cannot matter: an attachment whose edge is out of the question, the traces of a word none of
//! whose likely spines has anything that refers.

mod part;
mod scorer;

pub use part::{Part, Parts, difference, parts_of, parts_of_gold};
pub use scorer::{ScoreRequest, Scorer};

use std::ops::Range;

use crate::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, TraceId};

/// A table with rows of equal length. A [sparse](Grid::sparse) one holds those rows alone that somebody has written to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grid {
    columns: usize,
    values: Vec<f32>,
    /// In a sparse table the place of each row among those that are held, of which the first is all -∞; empty in others.
    places: Vec<u32>,
}

impl Grid {
    /// `rows` rows of `columns` times the same value.
    pub fn new(rows: usize, columns: usize, value: f32) -> Grid {
        Grid { columns, values: vec![value; rows * columns], places: Vec::new() }
    }

    /// `rows` rows of `columns` times -∞, which take memory when they are written to. Most pairs of words are out of the question, so a
    /// table of pairs has few rows that say anything.
    pub fn sparse(rows: usize, columns: usize) -> Grid {
        Grid::sparse_for(0, rows, columns)
    }

    /// A sparse table with memory for as many rows as are going to be written to, which it need not look for again and again.
    pub fn sparse_for(written: usize, rows: usize, columns: usize) -> Grid {
        let mut values = Vec::with_capacity((written + 1) * columns);
        values.resize(columns, f32::NEG_INFINITY);
        Grid { columns, values, places: vec![0; rows] }
    }

    /// A table of values, row by row.
    pub fn from_values(columns: usize, values: Vec<f32>) -> Grid {
        assert!(columns > 0 && values.len().is_multiple_of(columns), "rows of equal length");
        Grid { columns, values, places: Vec::new() }
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[self.range(row)]
    }

    /// A row, to be filled.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        if !self.holds(row) {
            self.places[row] = (self.values.len() / self.columns) as u32;
            self.values.resize(self.values.len() + self.columns, f32::NEG_INFINITY);
        }
        let range = self.range(row);
        &mut self.values[range]
    }

    /// Whether a row takes memory; all rows of a table that is not sparse do. Others are -∞.
    pub fn holds(&self, row: usize) -> bool {
        self.places.is_empty() || self.places[row] > 0
    }

    fn is_sound(&self) -> bool {
        // Without a way out of the loop, many are compared at once.
        let is_sound = |score: f32| score == f32::NEG_INFINITY || score.abs() <= GREATEST;
        self.values.iter().fold(true, |all, &score| all & is_sound(score))
    }

    fn range(&self, row: usize) -> Range<usize> {
        let place = if self.places.is_empty() { row } else { self.places[row] as usize };
        place * self.columns..(place + 1) * self.columns
    }
}

/// The greatest score that is added up: sums of scores that are not -∞ stay finite.
const GREATEST: f32 = 1e9;

/// The scores of a sentence. Words are counted from 1 where they are parents, for the root is 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SentenceScores {
    /// Tags by word.
    pub tags: Grid,
    /// Spines by word.
    pub spines: Grid,
    /// Function tags by word.
    pub functions: Grid,
    /// Structural parents by word; column 0 is the root.
    pub heads: Grid,
    /// Phrases of the parent, by word and parent: the row of word `w` (from 0) under parent `h` is `w * (n + 1) + h`.
    pub attachments: Grid,
    /// For each word that may refer, the traces by antecedent (from 0): the score of each over that of none.
    pub traces: Vec<Option<Grid>>,
    /// Whether a budget left out pairs of words that are within the margins.
    pub is_cut: bool,
}

impl SentenceScores {
    /// The number of words.
    pub fn words(&self) -> usize {
        self.traces.len()
    }

    /// Whether all scores are numbers that can be added and compared. Those of a model with wild weights need not be.
    pub fn is_sound(&self) -> bool {
        let grids = [&self.tags, &self.spines, &self.functions, &self.heads, &self.attachments];
        grids.into_iter().chain(self.traces.iter().flatten()).all(Grid::is_sound)
    }

    /// The score of a tag.
    pub fn tag(&self, word: usize, tag: TagId) -> f32 {
        self.tags.row(word)[tag.index()]
    }

    /// The score of a spine.
    pub fn spine(&self, word: usize, spine: SpineId) -> f32 {
        self.spines.row(word)[spine.index()]
    }

    /// The score of function tags.
    pub fn function(&self, word: usize, function: FunctionId) -> f32 {
        self.functions.row(word)[function.index()]
    }

    /// The score of a structural parent.
    pub fn head(&self, word: usize, head: u32) -> f32 {
        self.heads.row(word)[head as usize]
    }

    /// The scores of the phrases of a parent.
    pub fn attachments(&self, word: usize, head: u32) -> &[f32] {
        self.attachments.row(word * (self.words() + 1) + head as usize)
    }

    /// The score of a phrase of a parent.
    pub fn attachment(&self, word: usize, head: u32, attachment: AttachmentId) -> f32 {
        self.attachments(word, head)[attachment.index()]
    }

    /// The scores of the traces from a word to an antecedent, by label; none if all are -∞.
    pub fn trace_row(&self, referrer: usize, antecedent: usize) -> Option<&[f32]> {
        self.traces[referrer].as_ref().map(|grid| grid.row(antecedent))
    }

    /// The score of a trace.
    pub fn trace(&self, referrer: usize, antecedent: usize, label: TraceId) -> f32 {
        self.trace_row(referrer, antecedent).map_or(f32::NEG_INFINITY, |row| row[label.index()])
    }
}

/// Leaves each word its best heads, so many of them, and the root; the others are out of the question from then on.
pub fn keep_best_heads(heads: &mut Grid, words: usize, most: usize) {
    for word in 0..words {
        let row = heads.row_mut(word);
        let mut order: Vec<usize> = (1..row.len()).filter(|&head| row[head] > f32::NEG_INFINITY).collect();
        order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
        order.into_iter().skip(most).for_each(|head| row[head] = f32::NEG_INFINITY);
    }
}

/// The index of the greatest value, the first of several.
pub fn argmax(values: &[f32]) -> usize {
    let best = maximum(values);
    values.iter().position(|&value| value >= best).unwrap_or(0)
}

/// The greatest value; -∞ if there is none.
pub fn maximum(values: &[f32]) -> f32 {
    // Eight are compared side by side, each with the best of its own column.
    let (rows, rest) = values.as_chunks::<8>();
    let mut best = [f32::NEG_INFINITY; 8];
    for row in rows {
        for (best, &value) in best.iter_mut().zip(row) {
            *best = if value > *best { value } else { *best };
        }
    }
    best.iter().chain(rest).fold(f32::NEG_INFINITY, |best, &value| best.max(value))
}

/// The logarithm of a sum of exponentials.
pub fn log_sum(scores: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = scores.clone().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        most
    } else {
        most + scores.map(|score| (score - most).exp()).sum::<f32>().ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_heads_stay_and_so_does_the_root() {
        let mut heads =
            Grid::from_values(4, vec![-9.0, -1.0, -3.0, -2.0, -9.0, -1.0, -1.0, f32::NEG_INFINITY]);
        keep_best_heads(&mut heads, 2, 1);
        let no = f32::NEG_INFINITY;
        assert_eq!((heads.row(0), heads.row(1)), (&[-9.0, -1.0, no, no][..], &[-9.0, -1.0, no, no][..]));
    }

    #[test]
    fn a_sparse_table_says_what_a_full_one_does() {
        let (mut sparse, mut full) = (Grid::sparse(5, 2), Grid::new(5, 2, f32::NEG_INFINITY));
        for (row, value) in [(3, 1.0), (0, 2.0), (3, 4.0)] {
            sparse.row_mut(row)[1] = value;
            full.row_mut(row)[1] = value;
        }
        (0..5).for_each(|row| assert_eq!(sparse.row(row), full.row(row), "row {row}"));
        assert_eq!(
            (0..5).map(|row| sparse.holds(row)).collect::<Vec<_>>(),
            [true, false, false, true, false]
        );
        assert_eq!((sparse.values.len(), full.holds(1)), (6, true));
    }

    #[test]
    #[allow(clippy::float_cmp)] // a maximum is one of the values, to the bit
    fn the_greatest_may_stand_anywhere_and_the_first_of_several_counts() {
        for length in 1..40 {
            for best in 0..length {
                let mut values = vec![-3.0; length];
                values[best] = -1.0;
                assert_eq!((argmax(&values), maximum(&values)), (best, -1.0));
                values[best..].fill(-1.0);
                assert_eq!(argmax(&values), best);
            }
        }
        assert_eq!((argmax(&[]), maximum(&[])), (0, f32::NEG_INFINITY));
        assert_eq!(argmax(&[f32::NEG_INFINITY; 9]), 0);
    }
}
