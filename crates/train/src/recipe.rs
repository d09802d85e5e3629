//! The recipe of a model: a file in TOML. An entry that is misspelt is an error, in every table.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_neural::NetworkConfig;
use tracebank_nn::product::Products;
use tracebank_parser::decode::Settings;
use tracebank_parser::model::check_settings;

use crate::corpus::Treebank;
use crate::linear::LinearRecipe;
use crate::network::{StructuredRecipe, TaskWeights};
use crate::recipe_path::RecipePath;
use crate::representation::Representation;

/// The recipe of a training run.
///
/// ```
/// use tracebank_train::Recipe;
/// let recipe = Recipe::parse(r#"
///     name = "a small model"
///     [[train]]
///     file = "trees.mrg"
///     dialect = "penn"
///     [schedule]
///     epochs = 3.0
/// "#)?;
/// assert_eq!(recipe.train[0].weight, 1.0);
/// assert!(Recipe::parse("name = 'x'\ntrain = []\n[schedule]\nepochs = nan").is_err());
/// # Ok::<(), tracebank_train::RecipeError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The name of the model.
    pub name: String,
    /// Who is to be thanked for the data, and under which terms it came.
    #[serde(default)]
    pub attribution: Vec<String>,
    /// The trees to learn from.
    pub train: Vec<Treebank>,
    /// The trees to measure with, each file by itself. Without any, one training tree in twenty is kept for it.
    #[serde(default)]
    pub dev: Vec<Treebank>,
    /// The folder of the pretrained encoder, for networks that have one.
    #[serde(default)]
    pub pretrained: Option<RecipePath>,
    /// A model to go on from: what both networks have is taken over, the rest begins as usual. Without `pretrained`, its words
    /// or pieces are taken over as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<RecipePath>,
    /// The graphs that trees are learnt as.
    #[serde(default, skip_serializing_if = "Representation::is_usual")]
    pub representation: Representation,
    /// Spines, traces and function tags that occur less often are left out.
    #[serde(default = "twice")]
    pub least: usize,
    /// Trains the linear model instead of a network; with `start`, beside the network of that model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<LinearRecipe>,
    /// The network.
    #[serde(default)]
    pub network: NetworkConfig,
    /// The weight of each task.
    #[serde(default)]
    pub tasks: TaskWeights,
    /// The objective over whole sentences, beside the tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<StructuredRecipe>,
    /// The length of training, and its learning rates.
    #[serde(default)]
    pub schedule: Schedule,
    /// The weights of scores in decoding.
    #[serde(default)]
    pub settings: Settings,
}

/// Text that is no recipe.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// It is not TOML, or not that of a recipe.
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    /// A number is one that nothing could be trained with.
    #[error("{0}")]
    Number(String),
}

impl Recipe {
    /// Whether a tree of a training file, by its place there, is measured with and not learnt from.
    pub(crate) fn is_held_out(&self, place: usize) -> bool {
        self.dev.is_empty() && place % HELD_OUT == HELD_OUT - 1
    }

    /// The recipe in `text`, its numbers within their ranges.
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let recipe: Recipe = toml::from_str(text)?;
        recipe.check().map_err(RecipeError::Number)?;
        Ok(recipe)
    }

    fn check(&self) -> Result<(), String> {
        check_settings(&self.settings).map_err(|reason| format!("settings: {reason}"))?;
        if let Some(linear) = &self.linear {
            linear.model.check().map_err(|reason| format!("linear.model: {reason}"))?;
        }
        let Schedule {
            epochs,
            words_per_step,
            rate,
            encoder_rate,
            warm_up,
            decay,
            shards,
            measure_every,
            ref bits,
            ..
        } = self.schedule;
        let weights =
            self.train.iter().chain(&self.dev).map(|treebank| ("weight", treebank.weight, 0.0..=1e6));
        let numbers = [
            ("schedule.epochs", epochs, 0.0..=1e6),
            ("schedule.rate", f64::from(rate), 0.0..=1e3),
            ("schedule.encoder_rate", f64::from(encoder_rate), 0.0..=1e3),
            ("schedule.warm_up", f64::from(warm_up), 0.0..=1.0),
            ("schedule.decay", f64::from(decay), 0.0..=1e3),
            ("schedule.words_per_step", words_per_step as f64, 1.0..=1e9),
            ("schedule.shards", shards as f64, 1.0..=1024.0),
            ("schedule.measure_every", measure_every as f64, 1.0..=1e18),
        ];
        let bits = bits.values().map(|&bits| ("schedule.bits", f64::from(bits), 2.0..=8.0));
        let outside =
            numbers.into_iter().chain(weights).chain(bits).find(|(_, value, range)| !range.contains(value));
        outside.map_or(Ok(()), |(name, value, range)| {
            Err(format!("{name} is {value}, and must be from {} to {}", range.start(), range.end()))
        })
    }

    /// This recipe as it is read in a folder, which its paths are relative to.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Recipe {
        let files = self.train.iter_mut().chain(&mut self.dev).map(|treebank| &mut treebank.file);
        let paths =
            files.chain(&mut self.pretrained).chain(&mut self.start).chain(&mut self.representation.rules);
        paths.for_each(|path| path.set_folder(folder));
        self
    }
}

/// Without dev files, one tree in so many is measured with.
const HELD_OUT: usize = 20;

fn twice() -> usize {
    2
}

/// The length of training, and its learning rates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// How often the trees are gone through.
    pub epochs: f64,
    /// How many words a step learns from.
    pub words_per_step: usize,
    /// The highest learning rate of what starts from random values.
    pub rate: f32,
    /// The highest learning rate of the pretrained encoder.
    pub encoder_rate: f32,
    /// The parameters that are left as they are.
    pub frozen: Vec<String>,
    /// The bits that parameters are rounded to when all is learnt; frozen ones before, so that the others learn with them. With fewer than eight they
    /// take less room in a package.
    pub bits: BTreeMap<String, u32>,
    /// Parameters of four bits, which older models name here; nothing reads it any more.
    #[serde(skip_serializing)]
    pub coarse: Vec<String>,
    /// The share of the steps in which the rate rises.
    pub warm_up: f32,
    /// Weight decay.
    pub decay: f32,
    /// Sentences with more words are not learnt from.
    pub max_words: usize,
    /// Decides everything that is random.
    pub seed: u64,
    /// In how many parts a step is computed, each on one thread. More or fewer threads do not change the result; other parts would.
    pub shards: usize,
    /// The numbers that are multiplied: `f32`, or `bf16` on machines that multiply them, where a step takes two thirds of the time.
    pub products: Products,
    /// How many steps lie between two measurements.
    pub measure_every: usize,
    /// How many sentences of each file are measured with on the way; all at the end.
    pub measure_sentences: usize,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            epochs: 4.0,
            words_per_step: 800,
            rate: 1e-3,
            encoder_rate: 1e-4,
            frozen: vec!["embeddings.words".to_owned(), "embeddings.positions".to_owned()],
            bits: BTreeMap::new(),
            coarse: Vec::new(),
            warm_up: 0.05,
            decay: 0.01,
            max_words: 120,
            seed: 1,
            shards: 2,
            products: Products::F32,
            measure_every: 500,
            measure_sentences: 150,
        }
    }
}
