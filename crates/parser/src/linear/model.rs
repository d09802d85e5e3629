//! The linear model: what it consists of, and its features cell by cell.

use serde::{Deserialize, Serialize};
use tracebank_syntax::project::LabelError;

use super::lexicon::Lexicon;
use super::sentence::Sentence;
use super::sets::{FeatureSet, FeatureSets};
use super::tagger::Tagger;
use super::weights::Weights;
use crate::decode::{Pruning, Settings};
use crate::gold::Gold;
use crate::train::cell::Cell;
use crate::train::random::Random;
use crate::vocabulary::{Names, SpineId, TagId, Trace, Vocabulary};

/// The size of a model, and what it looks at.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// 2 to this power weights.
    pub bits: u32,
    /// The most spines of a word that are scored.
    pub candidates: usize,
    /// The most parents of a word whose phrases are scored; what is beside the word, and the root, come on top.
    pub heads: usize,
    /// Rounds of training the tagger.
    pub tag_epochs: usize,
    /// In how many parts the training sentences are tagged by a tagger that has not seen them; with fewer than 2, by the one that has.
    pub folds: usize,
    /// Whether what a null may refer to is a matter of probabilities, so that having a null costs a spine what all its references
    /// share. Right for weights learnt by log-loss, which see references given their spine; wrong for those learnt by margin.
    pub is_normalised: bool,
    /// What a reference is worth before anything is learnt about it: references are rare, and decoding is slow where many are worth while.
    pub trace_prior: f32,
    /// The least probability of a [role](super::roles) for a word to play it.
    pub least_role: f32,
    /// How scores are decoded in training, and which spines of a word are looked at.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            bits: 22,
            candidates: 60,
            heads: 10,
            tag_epochs: 6,
            folds: 5,
            is_normalised: false,
            trace_prior: -3.0,
            least_role: 0.0,
            settings: Settings {
                trace: 1.0,
                unmet_penalty: 0.0,
                shared_penalty: 0.0,
                pruning: Pruning { spines: 5, spine_margin: 8.0, ..Pruning::default() },
                ..Settings::default()
            },
        }
    }
}

/// A sentence to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// Its words.
    pub words: Vec<String>,
    /// What is right.
    pub gold: Gold,
}

/// A sentence with its tags and the spines its words may have.
#[derive(Clone, PartialEq, Debug)]
pub struct Prepared {
    pub(super) sentence: Sentence,
    pub(super) tags: Vec<TagId>,
    pub(super) spines: Vec<Vec<SpineId>>,
}

/// The model.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearModel {
    /// What it chooses from.
    pub vocabulary: Vocabulary,
    /// What words were seen with.
    pub lexicon: Lexicon,
    /// Its tagger.
    pub tagger: Tagger,
    /// Its size.
    pub config: Config,
    /// Its weights.
    pub weights: Weights,
    pub(super) sets: FeatureSets,
}

impl LinearModel {
    /// A model that can tag, and has yet to learn the rest.
    pub fn new(names: Names, config: Config, examples: &[Example]) -> Result<LinearModel, LabelError> {
        let vocabulary = Vocabulary::new(names)?;
        let sentences = examples.iter().map(|example| (&example.words[..], &example.gold));
        let lexicon = Lexicon::learn(sentences, vocabulary.names().tags.len());
        let sentences: Vec<_> = examples.iter().map(tagged).collect();
        let tagger = Tagger::train(&vocabulary, &lexicon, &sentences, config.tag_epochs);
        Ok(LinearModel::assemble(vocabulary, lexicon, tagger, config, Weights::new(config.bits)))
    }

    pub(super) fn assemble(
        vocabulary: Vocabulary,
        lexicon: Lexicon,
        tagger: Tagger,
        config: Config,
        weights: Weights,
    ) -> LinearModel {
        let sets = FeatureSets::new(&vocabulary);
        LinearModel { vocabulary, lexicon, tagger, config, weights, sets }
    }

    /// How to decode the model's scores. Spines have been chosen already.
    pub fn settings(&self) -> Settings {
        let settings = self.config.settings;
        Settings { pruning: Pruning { spine_margin: WIDEST_MARGIN, ..settings.pruning }, ..settings }
    }

    /// Looks at a sentence; tags are found where they are not given.
    pub fn prepare(&self, words: &[String], tags: Option<&[Option<TagId>]>) -> Prepared {
        let (tags, _) = self.tagger.tag(&self.lexicon, words, tags);
        self.prepare_tagged(words, tags)
    }

    pub(super) fn prepare_tagged(&self, words: &[String], tags: Vec<TagId>) -> Prepared {
        let names: Vec<&str> =
            tags.iter().map(|tag| self.vocabulary.names().tags[tag.index()].as_str()).collect();
        let spines = words.iter().zip(&tags);
        let spines = spines.map(|(word, &tag)| self.lexicon.spines(word, tag, self.config.candidates));
        Prepared { sentence: Sentence::new(words, &names), spines: spines.collect(), tags }
    }

    /// Looks at sentences to learn from. Their tags are those of taggers that have not seen them, so that training meets the same
    /// mistakes as parsing.
    pub fn prepare_all(&self, examples: &[Example]) -> Vec<Prepared> {
        let folds = self.config.folds;
        if folds < 2 {
            return examples.iter().map(|example| self.prepare(&example.words, None)).collect();
        }
        let order = Random::new(0).order(examples.len());
        let mut prepared: Vec<Option<Prepared>> = vec![None; examples.len()];
        for fold in 0..folds {
            let is_inside = |place: usize| place % folds == fold;
            let others =
                (0..order.len()).filter(|&place| !is_inside(place)).map(|place| &examples[order[place]]);
            let others: Vec<&Example> = others.collect();
            let seen = others.iter().map(|example| (&example.words[..], &example.gold));
            let lexicon = Lexicon::learn(seen, self.vocabulary.names().tags.len());
            let sentences: Vec<_> = others.iter().copied().map(tagged).collect();
            let tagger = Tagger::train(&self.vocabulary, &lexicon, &sentences, self.config.tag_epochs);
            for place in (0..order.len()).filter(|&place| is_inside(place)) {
                let words = &examples[order[place]].words;
                let (tags, _) = tagger.tag(&lexicon, words, None);
                prepared[order[place]] = Some(self.prepare_tagged(words, tags));
            }
        }
        prepared.into_iter().flatten().collect()
    }

    /// The slots of all features that are summed up in a cell. Tags have their own model.
    pub fn slots(&self, prepared: &Prepared, cell: Cell, mut visit: impl FnMut(usize)) {
        let word = |word: u32| [word as usize + 1; 2];
        let pair = |first: u32, second: u32| [first as usize, second as usize];
        let (set, ends, label): (&FeatureSet, _, usize) = match cell {
            Cell::Tag(..) => return,
            Cell::Spine(at, spine) => (&self.sets.spine, word(at), spine.index()),
            Cell::Function(at, function) => (&self.sets.function, word(at), function.index()),
            Cell::Head(child, head) => (&self.sets.head, pair(head, child + 1), 0),
            Cell::Attachment(child, head, phrase) => {
                (&self.sets.attachment, pair(head, child + 1), phrase.index())
            }
            Cell::Trace(Trace { referrer, antecedent, label }) => {
                (&self.sets.trace, pair(referrer, antecedent), label.index())
            }
        };
        set.features(&prepared.sentence, ends, label, |feature| visit(self.weights.slot(feature)));
    }
}

/// Wider than any two scores are apart.
const WIDEST_MARGIN: f32 = 1e6;

fn tagged(example: &Example) -> (&[String], &[Option<TagId>]) {
    (&example.words, &example.gold.tags)
}
