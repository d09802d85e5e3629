//! Tags, from left to right: each word's is chosen when those before it are known. An averaged perceptron (Collins 2002) that learns from
//! its own mistakes: what it sees of the tags before a word is what it said itself.

use super::features::TAG;
use super::lexicon::Lexicon;
use super::sentence::Sentence;
use super::sets::FeatureSet;
use super::weights::Weights;
use crate::scores::{Grid, argmax};
use crate::train::random::Random;
use crate::train::update::{Learner, Rule, merged};
use crate::vocabulary::{TagId, Vocabulary};

/// A tagger.
#[derive(Clone, PartialEq, Debug)]
pub struct Tagger {
    set: FeatureSet,
    names: Vec<String>,
    weights: Weights,
}

/// 2 to this power weights.
const BITS: u32 = 20;

impl Tagger {
    /// The tagger of a vocabulary with these weights.
    pub fn new(vocabulary: &Vocabulary, weights: Weights) -> Tagger {
        let names = vocabulary.names().tags.clone();
        Tagger { set: FeatureSet::plain("tag", TAG, names.iter().map(String::as_str)), names, weights }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Learns from words and their tags.
    pub fn train(
        vocabulary: &Vocabulary,
        lexicon: &Lexicon,
        sentences: &[(&[String], &[Option<TagId>])],
        epochs: usize,
    ) -> Tagger {
        let mut tagger = Tagger::new(vocabulary, Weights::new(BITS));
        let learner = Learner::new(Rule::PERCEPTRON, BITS);
        for epoch in 0..epochs {
            for index in Random::new(epoch as u64).order(sentences.len()) {
                let (words, gold) = sentences[index];
                tagger.learn(lexicon, words, gold, &learner);
            }
        }
        tagger.weights = learner.result(&tagger.weights);
        tagger.weights.round();
        tagger
    }

    fn learn(&self, lexicon: &Lexicon, words: &[String], gold: &[Option<TagId>], learner: &Learner) {
        self.run(lexicon, words, None, |sentence, word, row| {
            let (Some(right), guess) = (gold[word - 1], argmax(row)) else { return };
            let mut gradient = Vec::new();
            if guess != right.index() {
                for (label, sign) in [(guess, 1.0), (right.index(), -1.0)] {
                    let add = |feature| gradient.push((self.weights.slot(feature), sign));
                    self.set.features(sentence, [word; 2], label, add);
                }
            }
            learner.step(&self.weights, &merged(gradient));
        });
    }

    /// The tags of a sentence, where they are not given, and what each would be worth.
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

    fn run(
        &self,
        lexicon: &Lexicon,
        words: &[String],
        given: Option<&[Option<TagId>]>,
        mut visit: impl FnMut(&Sentence, usize, &[f32]),
    ) -> Vec<TagId> {
        let mut sentence = Sentence::new(words, &[]);
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
