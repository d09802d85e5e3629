//! Parts, the keys of all tables about a sentence.
//!
//! Scores, gradients and marginals are numbers for the same things: a tag, a spine, an edge. [`Part`] names them one by one, so what comes out of an
//! objective has the keys that scores went in with.

use super::SentenceScores;
use crate::gold::{Analysis, Gold};
use crate::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, Trace};

/// A part of an analysis, and the key of its number in scores, gradients and marginals. Words are counted from 0; parents from 1, for the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
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
    /// A trace.
    Trace(Trace),
}

/// A table of numbers by part; no part occurs twice.
pub type Parts = Vec<(Part, f32)>;

impl SentenceScores {
    /// The number of a part.
    pub fn part(&self, part: Part) -> f32 {
        match part {
            Part::Tag(word, tag) => self.tag(word as usize, tag),
            Part::Spine(word, spine) => self.spine(word as usize, spine),
            Part::Function(word, function) => self.function(word as usize, function),
            Part::Head(word, head) => self.head(word as usize, head),
            Part::Attachment(word, head, attachment) => self.attachment(word as usize, head, attachment),
            Part::Trace(Trace { referrer, antecedent, label }) => {
                self.trace(referrer as usize - 1, antecedent as usize - 1, label)
            }
        }
    }

    /// The number of a part, to be changed; none for traces of a word that may not refer.
    pub fn part_mut(&mut self, part: Part) -> Option<&mut f32> {
        let row = |head: u32, word: u32, words: usize| word as usize * (words + 1) + head as usize;
        let words = self.words();
        Some(match part {
            Part::Tag(word, tag) => &mut self.tags.row_mut(word as usize)[tag.index()],
            Part::Spine(word, spine) => &mut self.spines.row_mut(word as usize)[spine.index()],
            Part::Function(word, function) => &mut self.functions.row_mut(word as usize)[function.index()],
            Part::Head(word, head) => &mut self.heads.row_mut(word as usize)[head as usize],
            Part::Attachment(word, head, attachment) => {
                &mut self.attachments.row_mut(row(head, word, words))[attachment.index()]
            }
            Part::Trace(Trace { referrer, antecedent, label }) => {
                let grid = self.traces[referrer as usize - 1].as_mut()?;
                &mut grid.row_mut(antecedent as usize - 1)[label.index()]
            }
        })
    }
}

/// The parts of an analysis. Its score is the sum of theirs.
pub fn parts_of(analysis: &Analysis) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, word) in (0..).zip(&analysis.words) {
        parts.extend([
            Part::Tag(index, word.tag),
            Part::Spine(index, word.spine),
            Part::Function(index, word.function),
            Part::Head(index, word.head),
        ]);
        if word.head > 0 {
            parts.push(Part::Attachment(index, word.head, word.attachment));
        }
    }
    parts.extend(analysis.traces.iter().copied().map(Part::Trace));
    parts
}

/// The parts of gold, as far as the vocabulary has them.
pub fn parts_of_gold(gold: &Gold) -> Vec<Part> {
    let mut parts = Vec::new();
    for (word, &head) in gold.heads.iter().enumerate() {
        let index = word as u32;
        parts.extend(gold.tags[word].map(|tag| Part::Tag(index, tag)));
        parts.extend(gold.spines[word].map(|spine| Part::Spine(index, spine)));
        parts.extend(gold.functions[word].map(|function| Part::Function(index, function)));
        parts.push(Part::Head(index, head));
        let attachment = gold.attachments[word].filter(|_| head > 0);
        parts.extend(attachment.map(|attachment| Part::Attachment(index, head, attachment)));
    }
    parts.extend(gold.traces.iter().copied().map(Part::Trace));
    parts
}

/// The difference between a prediction and gold: 1 for each part that it has too many, -1 for each that it lacks. Where gold is not in the
/// vocabulary, nothing is said against the prediction.
pub fn difference(predicted: &Analysis, gold: &Gold) -> Parts {
    let unknown = |part: &Part| match *part {
        Part::Tag(word, _) => gold.tags[word as usize].is_none(),
        Part::Spine(word, _) => gold.spines[word as usize].is_none(),
        Part::Function(word, _) => gold.functions[word as usize].is_none(),
        Part::Attachment(word, head, _) => {
            gold.heads[word as usize] == head && gold.attachments[word as usize].is_none()
        }
        Part::Head(..) | Part::Trace(_) => false,
    };
    let signed = |parts: Vec<Part>, sign: f32| parts.into_iter().map(move |part| (part, sign));
    let mut both: Parts = signed(parts_of(predicted), 1.0).chain(signed(parts_of_gold(gold), -1.0)).collect();
    both.retain(|(part, _)| !unknown(part));
    both.sort_unstable_by_key(|&(part, _)| part);
    let mut different: Parts = Vec::new();
    for (part, sign) in both {
        // A part that both have comes twice, once with each sign.
        match different.last() {
            Some(&(last, _)) if last == part => drop(different.pop()),
            _ => different.push((part, sign)),
        }
    }
    different
}
