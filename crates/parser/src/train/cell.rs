//! The places of [`SentenceScores`], one by one, and how two analyses differ in them.

use crate::gold::{Analysis, Gold};
use crate::scores::SentenceScores;
use crate::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, Trace};

/// One number of a [`SentenceScores`]. Words are counted from 0; parents from 1, for the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// A tag of a word.
    Tag(u32, TagId),
    /// A spine of a word.
    Spine(u32, SpineId),
    /// The function tags of a word.
    Function(u32, FunctionId),
    /// A structural parent of a word.
    Head(u32, u32),
    /// A phrase of a parent of a word.
    Attachment(u32, u32, AttachmentId),
    /// A reference.
    Trace(Trace),
}

/// Cells and what goes to each; no cell occurs twice.
pub type Cells = Vec<(Cell, f32)>;

impl SentenceScores {
    /// The number in a cell.
    pub fn cell(&self, cell: Cell) -> f32 {
        match cell {
            Cell::Tag(word, tag) => self.tag(word as usize, tag),
            Cell::Spine(word, spine) => self.spine(word as usize, spine),
            Cell::Function(word, function) => self.function(word as usize, function),
            Cell::Head(word, head) => self.head(word as usize, head),
            Cell::Attachment(word, head, attachment) => self.attachment(word as usize, head, attachment),
            Cell::Trace(Trace { referrer, antecedent, label }) => {
                self.trace(referrer as usize - 1, antecedent as usize - 1, label)
            }
        }
    }

    /// The number in a cell, to be changed; none for references of a word that may not refer.
    pub fn cell_mut(&mut self, cell: Cell) -> Option<&mut f32> {
        let row = |head: u32, word: u32, words: usize| word as usize * (words + 1) + head as usize;
        let words = self.words();
        Some(match cell {
            Cell::Tag(word, tag) => &mut self.tags.row_mut(word as usize)[tag.index()],
            Cell::Spine(word, spine) => &mut self.spines.row_mut(word as usize)[spine.index()],
            Cell::Function(word, function) => &mut self.functions.row_mut(word as usize)[function.index()],
            Cell::Head(word, head) => &mut self.heads.row_mut(word as usize)[head as usize],
            Cell::Attachment(word, head, attachment) => {
                &mut self.attachments.row_mut(row(head, word, words))[attachment.index()]
            }
            Cell::Trace(Trace { referrer, antecedent, label }) => {
                let grid = self.traces[referrer as usize - 1].as_mut()?;
                &mut grid.row_mut(antecedent as usize - 1)[label.index()]
            }
        })
    }
}

/// The cells of an analysis: what is summed up to give what it is worth.
pub fn cells_of(analysis: &Analysis) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (index, word) in (0..).zip(&analysis.words) {
        cells.extend([
            Cell::Tag(index, word.tag),
            Cell::Spine(index, word.spine),
            Cell::Function(index, word.function),
            Cell::Head(index, word.head),
        ]);
        if word.head > 0 {
            cells.push(Cell::Attachment(index, word.head, word.attachment));
        }
    }
    cells.extend(analysis.traces.iter().copied().map(Cell::Trace));
    cells
}

/// The cells of what is right, as far as the vocabulary has it.
pub fn cells_of_gold(gold: &Gold) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (word, &head) in gold.heads.iter().enumerate() {
        let index = word as u32;
        cells.extend(gold.tags[word].map(|tag| Cell::Tag(index, tag)));
        cells.extend(gold.spines[word].map(|spine| Cell::Spine(index, spine)));
        cells.extend(gold.functions[word].map(|function| Cell::Function(index, function)));
        cells.push(Cell::Head(index, head));
        let attachment = gold.attachments[word].filter(|_| head > 0);
        cells.extend(attachment.map(|attachment| Cell::Attachment(index, head, attachment)));
    }
    cells.extend(gold.traces.iter().copied().map(Cell::Trace));
    cells
}

/// What tells a prediction from gold: 1 for each cell that it has too many, -1 for each that it lacks. Where gold is not in the
/// vocabulary, nothing is said against the prediction.
pub fn difference(predicted: &Analysis, gold: &Gold) -> Cells {
    let unknown = |cell: &Cell| match *cell {
        Cell::Tag(word, _) => gold.tags[word as usize].is_none(),
        Cell::Spine(word, _) => gold.spines[word as usize].is_none(),
        Cell::Function(word, _) => gold.functions[word as usize].is_none(),
        Cell::Attachment(word, head, _) => {
            gold.heads[word as usize] == head && gold.attachments[word as usize].is_none()
        }
        Cell::Head(..) | Cell::Trace(_) => false,
    };
    let signed = |cells: Vec<Cell>, sign: f32| cells.into_iter().map(move |cell| (cell, sign));
    let mut both: Cells = signed(cells_of(predicted), 1.0).chain(signed(cells_of_gold(gold), -1.0)).collect();
    both.retain(|(cell, _)| !unknown(cell));
    both.sort_unstable_by_key(|&(cell, _)| cell);
    let mut different: Cells = Vec::new();
    for (cell, sign) in both {
        // A cell that both have comes twice, once with each sign.
        match different.last() {
            Some(&(last, _)) if last == cell => drop(different.pop()),
            _ => different.push((cell, sign)),
        }
    }
    different
}
