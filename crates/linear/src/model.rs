//! The linear model: what it consists of, and its features part by part.

use serde::{Deserialize, Serialize};

use crate::lexicon::Lexicon;
use crate::observed::Observed;
use crate::sets::{FeatureSet, FeatureSets};
use crate::tagger::Tagger;
use crate::weights::{MOST_BITS, Weights};
use tracebank_parser::decode::{Pruning, Settings};
use tracebank_parser::model::check_settings;
use tracebank_parser::scores::Part;
use tracebank_parser::vocabulary::{SpineId, TagId, Trace, Vocabulary};

/// The size of a model, and what it looks at.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearConfig {
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
    /// Whether the traces of a null are a matter of probabilities, so that having a null costs a spine what all its traces share. Right for
    /// weights learnt by log-loss, which see traces given their spine; wrong for those learnt by margin.
    pub is_normalised: bool,
    /// The score of a trace before anything is learnt about it: traces are rare, and decoding is slow where many have good scores.
    pub trace_prior: f32,
    /// The least probability of a [role](crate::roles) for a word to play it.
    pub least_role: f32,
    /// The settings of decoding in training, and which spines of a word are looked at.
    pub settings: Settings,
}

impl Default for LinearConfig {
    fn default() -> LinearConfig {
        LinearConfig {
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

impl LinearConfig {
    /// Whether its numbers are such that a model can work with them; otherwise, which are not.
    pub fn check(&self) -> Result<(), String> {
        check_settings(&self.settings)?;
        let whole = [("candidates", self.candidates), ("heads", self.heads)];
        if let Some((name, value)) = whole.iter().find(|(_, value)| !(1..=MOST_CHOICES).contains(value)) {
            return Err(format!("{name} is {value}, and must be from 1 to {MOST_CHOICES}"));
        }
        if self.bits > u32::from(MOST_BITS) {
            return Err(format!("bits is {}, and must be at most {MOST_BITS}", self.bits));
        }
        if !(self.trace_prior.abs() <= 100.0 && (0.0..=1.0).contains(&self.least_role)) {
            return Err("trace_prior or least_role is out of range".to_owned());
        }
        Ok(())
    }
}

/// The most spines or parents of a word that are looked at.
const MOST_CHOICES: usize = 1 << 16;

/// A sentence with its tags and the spines its words may have.
#[derive(Clone, PartialEq, Debug)]
pub struct Prepared {
    /// The words as features see them.
    pub sentence: Observed,
    pub(crate) tags: Vec<TagId>,
    pub(crate) spines: Vec<Vec<SpineId>>,
}

/// The model.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearModel {
    /// The labels it chooses from.
    pub vocabulary: Vocabulary,
    /// The lexicon of words and tags.
    pub lexicon: Lexicon,
    /// Its tagger.
    pub tagger: Tagger,
    /// Its size.
    pub config: LinearConfig,
    /// Its weights.
    pub weights: Weights,
    pub(crate) sets: FeatureSets,
}

impl LinearModel {
    /// The model of its pieces.
    pub fn new(
        vocabulary: Vocabulary,
        lexicon: Lexicon,
        tagger: Tagger,
        config: LinearConfig,
        weights: Weights,
    ) -> LinearModel {
        let sets = FeatureSets::new(&vocabulary);
        LinearModel { vocabulary, lexicon, tagger, config, weights, sets }
    }

    /// Its features.
    pub fn features(&self) -> &FeatureSets {
        &self.sets
    }

    /// The settings for decoding the model's scores. Spines have been chosen already.
    pub fn settings(&self) -> Settings {
        let settings = self.config.settings;
        Settings { pruning: Pruning { spine_margin: WIDEST_MARGIN, ..settings.pruning }, ..settings }
    }

    /// Looks at a sentence; tags are found where they are not given.
    pub fn prepare(&self, words: &[String], tags: Option<&[Option<TagId>]>) -> Prepared {
        let (tags, _) = self.tagger.tag(&self.lexicon, words, tags);
        self.prepare_tagged(words, tags)
    }

    /// Looks at a sentence whose tags are known.
    pub fn prepare_tagged(&self, words: &[String], tags: Vec<TagId>) -> Prepared {
        let names: Vec<&str> =
            tags.iter().map(|tag| self.vocabulary.names().tags[tag.index()].as_str()).collect();
        let spines = words.iter().zip(&tags);
        let spines = spines.map(|(word, &tag)| self.lexicon.spines(word, tag, self.config.candidates));
        Prepared { sentence: Observed::new(words, &names), spines: spines.collect(), tags }
    }

    /// The slots of all features that are summed up in a part. Tags have their own model.
    pub fn slots(&self, prepared: &Prepared, part: Part, mut visit: impl FnMut(usize)) {
        let word = |word: u32| [word as usize + 1; 2];
        let pair = |first: u32, second: u32| [first as usize, second as usize];
        let (set, ends, label): (&FeatureSet, _, usize) = match part {
            Part::Tag(..) => return,
            Part::Spine(at, spine) => (&self.sets.spine, word(at), spine.index()),
            Part::Function(at, function) => (&self.sets.function, word(at), function.index()),
            Part::Head(child, head) => (&self.sets.head, pair(head, child + 1), 0),
            Part::Attachment(child, head, phrase) => {
                (&self.sets.attachment, pair(head, child + 1), phrase.index())
            }
            Part::Trace(Trace { referrer, antecedent, label }) => {
                (&self.sets.trace, pair(referrer, antecedent), label.index())
            }
        };
        set.features(&prepared.sentence, ends, label, |feature| visit(self.weights.slot(feature)));
    }
}

/// Wider than any two scores are apart.
const WIDEST_MARGIN: f32 = 1e6;
