//! Training of the tagger: an averaged perceptron (Collins 2002) that learns from its own mistakes. The tags it sees before a word are those it said
//! itself.

use tracebank_linear::lexicon::Lexicon;
use tracebank_linear::tagger::Tagger;
use tracebank_linear::weights::Weights;
use tracebank_nn::random::Random;
use tracebank_parser::scores::argmax;
use tracebank_parser::vocabulary::{TagId, Vocabulary};

use super::update::{Learner, Rule};
use crate::objective::merged;

/// A tagger that has learnt from words and their tags.
pub(super) fn train(
    vocabulary: &Vocabulary,
    lexicon: &Lexicon,
    sentences: &[(&[String], &[Option<TagId>])],
    epochs: usize,
) -> Tagger {
    let tagger = Tagger::new(vocabulary, Weights::new(Tagger::BITS));
    let learner = Learner::new(Rule::PERCEPTRON, Tagger::BITS);
    for epoch in 0..epochs {
        for index in Random::new(epoch as u64).order(sentences.len()) {
            let (words, gold) = sentences[index];
            learn(&tagger, lexicon, words, gold, &learner);
        }
    }
    let weights = learner.result(tagger.weights());
    weights.round();
    Tagger::new(vocabulary, weights)
}

fn learn(tagger: &Tagger, lexicon: &Lexicon, words: &[String], gold: &[Option<TagId>], learner: &Learner) {
    let weights = tagger.weights();
    tagger.run(lexicon, words, None, |sentence, word, row| {
        let (Some(right), guess) = (gold[word - 1], argmax(row)) else { return };
        let mut gradient = Vec::new();
        if guess != right.index() {
            for (label, sign) in [(guess, 1.0), (right.index(), -1.0)] {
                let add = |feature| gradient.push((weights.slot(feature), sign));
                tagger.features().features(sentence, [word; 2], label, add);
            }
        }
        learner.step(weights, &merged(gradient));
    });
}
