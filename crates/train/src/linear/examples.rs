//! Sentences to learn from, and the model that has yet to learn from them.

use tracebank_linear::weights::Weights;
use tracebank_linear::{LinearConfig, LinearModel, Prepared};
use tracebank_nn::random::Random;
use tracebank_parser::gold::Gold;
use tracebank_parser::vocabulary::{TagId, Vocabulary};

use super::{lexicon, tagger};

/// A sentence to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// Its words.
    pub words: Vec<String>,
    /// Its gold analysis.
    pub gold: Gold,
}

/// A model that can tag, and has yet to learn the rest.
pub fn new_model(vocabulary: &Vocabulary, config: LinearConfig, examples: &[Example]) -> LinearModel {
    let sentences = examples.iter().map(|example| (&example.words[..], &example.gold));
    let lexicon = lexicon::count(sentences, vocabulary.names().tags.len());
    let sentences: Vec<_> = examples.iter().map(tagged).collect();
    let tagger = tagger::train(vocabulary, &lexicon, &sentences, config.tag_epochs);
    LinearModel::new(vocabulary.clone(), lexicon, tagger, config, Weights::new(config.bits))
}

/// Looks at sentences to learn from. Their tags are those of taggers that have not seen them, so that training meets the same mistakes as parsing.
pub fn prepare(model: &LinearModel, examples: &[Example]) -> Vec<Prepared> {
    let folds = model.config.folds;
    if folds < 2 {
        return examples.iter().map(|example| model.prepare(&example.words, None)).collect();
    }
    let order = Random::new(0).order(examples.len());
    let mut prepared: Vec<Option<Prepared>> = vec![None; examples.len()];
    for fold in 0..folds {
        let is_inside = |place: usize| place % folds == fold;
        let others = (0..order.len()).filter(|&place| !is_inside(place)).map(|place| &examples[order[place]]);
        let others: Vec<&Example> = others.collect();
        let seen = others.iter().map(|example| (&example.words[..], &example.gold));
        let lexicon = lexicon::count(seen, model.vocabulary.names().tags.len());
        let sentences: Vec<_> = others.iter().copied().map(tagged).collect();
        let tagger = tagger::train(&model.vocabulary, &lexicon, &sentences, model.config.tag_epochs);
        for place in (0..order.len()).filter(|&place| is_inside(place)) {
            let words = &examples[order[place]].words;
            let (tags, _) = tagger.tag(&lexicon, words, None);
            prepared[order[place]] = Some(model.prepare_tagged(words, tags));
        }
    }
    prepared.into_iter().flatten().collect()
}

fn tagged(example: &Example) -> (&[String], &[Option<TagId>]) {
    (&example.words, &example.gold.tags)
}
