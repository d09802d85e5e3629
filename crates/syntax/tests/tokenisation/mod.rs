//! An evaluation of tokenisation: how well the words and sentences of a treebank are found again in its text.

pub(crate) mod detokenise;

use std::collections::BTreeSet;
use std::path::Path;

use detokenise::{Gold, Layout, Word};
use tracebank_syntax::penn::{Input, Reader};
use tracebank_text::{Sentence, TokenStyle, Tokeniser};

/// Counts of what was to be found, what was found, and what was both.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) gold: usize,
    pub(crate) found: usize,
    pub(crate) both: usize,
}

impl Counts {
    fn of<T: Ord>(gold: &BTreeSet<T>, found: &BTreeSet<T>) -> Counts {
        Counts { gold: gold.len(), found: found.len(), both: gold.intersection(found).count() }
    }

    /// In per cent.
    pub(crate) fn f1(&self) -> f64 {
        200.0 * self.both as f64 / (self.gold + self.found).max(1) as f64
    }
}

/// The counts of an evaluation.
pub(crate) struct Outcome {
    pub(crate) tokens: Counts,
    /// All ends of sentences.
    pub(crate) ends: Counts,
    /// Those that no blank line gives away.
    pub(crate) inner_ends: Counts,
}

/// The text of a treebank.
pub(crate) fn gold(path: &Path, layout: Layout) -> Gold {
    let mut gold = Gold::default();
    for tree in Reader::new(Input::open(path).unwrap().stream) {
        let tree = tree.unwrap();
        let word = |leaf| Word {
            tag: tree.label_text(leaf).to_owned(),
            text: tree.word(leaf).unwrap_or_default().replace(['\u{200a}', '\u{2009}', '\u{a0}'], "_"),
        };
        let sentence: Vec<Word> = tree.word_nodes().map(word).collect();
        gold.add(&sentence, layout);
    }
    gold
}

pub(crate) fn evaluate(gold: &Gold, style: TokenStyle) -> Outcome {
    let sentences = Tokeniser::new(style).sentences(&gold.text);
    let gold_tokens: BTreeSet<_> = gold.tokens.iter().map(|range| (range.start, range.end)).collect();
    let found_tokens: BTreeSet<_> = sentences.iter().flat_map(token_ranges).collect();
    let gold_ends: BTreeSet<usize> = gold.ends.iter().copied().collect();
    let found_ends: BTreeSet<usize> = sentences.iter().map(|sentence| sentence.range().end).collect();
    let paragraphs: BTreeSet<usize> = gold.paragraph_ends.iter().copied().chain([gold.text.len()]).collect();
    let inner = |ends: &BTreeSet<usize>| ends.difference(&paragraphs).copied().collect::<BTreeSet<_>>();
    Outcome {
        tokens: Counts::of(&gold_tokens, &found_tokens),
        ends: Counts::of(&gold_ends, &found_ends),
        inner_ends: Counts::of(&inner(&gold_ends), &inner(&found_ends)),
    }
}

/// The first byte of each token in the whole text, and the byte behind it.
pub(crate) fn token_ranges(sentence: &Sentence) -> impl Iterator<Item = (usize, usize)> {
    sentence.tokens.iter().map(|token| (sentence.start + token.start, sentence.start + token.end))
}
