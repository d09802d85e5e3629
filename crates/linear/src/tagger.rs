//! The tagger: from left to right, each word's tag is chosen when those before it are known.

use crate::features::TAG;
use crate::lexicon::Lexicon;
use crate::observed::Observed;
use crate::sets::FeatureSet;
use crate::weights::Weights;
use tracebank_parser::scores::{Grid, argmax};
use tracebank_parser::vocabulary::{TagId, Vocabulary};

/// A tagger.
#[derive(Clone, PartialEq, Debug)]
pub struct Tagger {
    set: FeatureSet,
    names: Vec<String>,
    weights: Weights,
}

impl Tagger {
    /// 2 to this power is the number of its weights.
    pub const BITS: u32 = 20;
}

impl Tagger {
    /// The tagger of a vocabulary with these weights.
    pub fn new(vocabulary: &Vocabulary, weights: Weights) -> Tagger {
        let names = vocabulary.names().tags.clone();
        Tagger { set: FeatureSet::plain("tag", TAG, names.iter().map(String::as_str)), names, weights }
    }

    /// The features of its tags.
    pub fn features(&self) -> &FeatureSet {
        &self.set
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The tags of a sentence, where they are not given, and the scores of all.
    pub fn tag(
        &self,
        lexicon: &Lexicon,
        words: &[String],
        given: Option<&[Option<TagId>]>,
    ) -> (Vec<TagId>, Grid) {
        let mut grid = Grid::new(words.len(), self.names.len(), f32::NEG_INFINITY);
        let tags =
            self.run(lexicon, words, given, |_, word, row| grid.row_mut(word - 1).copy_from_slice(row));
        (tags, grid)
    }

    /// The tags of a sentence, where they are not given. `visit` sees each word (from 1) with the scores of its tags, while the sentence has the tags
    /// of the words before it.
    pub fn run(
        &self,
        lexicon: &Lexicon,
        words: &[String],
        given: Option<&[Option<TagId>]>,
        mut visit: impl FnMut(&Observed, usize, &[f32]),
    ) -> Vec<TagId> {
        let mut sentence = Observed::new(words, &[]);
        let mut reader = self.set.reader(&self.weights);
        let mut tags = Vec::with_capacity(words.len());
        for (word, form) in (1..).zip(words) {
            let mut row = vec![f32::NEG_INFINITY; self.names.len()];
            reader.look(&sentence, word, word);
            match (given.and_then(|given| given[word - 1]), lexicon.tags(form)) {
                (Some(tag), _) => row[tag.index()] = 0.0,
                (None, []) => (0..row.len()).for_each(|tag| row[tag] = reader.score(tag)),
                (None, known) => known.iter().for_each(|&tag| row[tag as usize] = reader.score(tag as usize)),
            }
            visit(&sentence, word, &row);
            let tag = argmax(&row);
            sentence.set_tag(word, &self.names[tag]);
            tags.push(TagId(tag as u16));
        }
        tags
    }
}
