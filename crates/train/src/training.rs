//! A training run, whatever it trains: what it can be asked, what it tells, and what is stored about it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_parser::model::Metadata;
use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
use tracebank_parser::pipeline::Pipeline;
use tracebank_parser::scores::Scorer;

use crate::corpus::{CorpusError, DevSets};
use crate::linear::LinearSession;
use crate::measure::Figures;
use crate::network::{Losses, NetworkSession};
use crate::recipe::Recipe;
use crate::trials::Trials;
use crate::tune::{LEAST_TUNED, tune};

/// A reason why there is no model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The trees cannot be had.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The pretrained encoder cannot be had.
    #[error("the pretrained encoder cannot be read: {0}")]
    Pretrained(String),
    /// The model to go on from cannot be had.
    #[error("the model to start from cannot be read: {0}")]
    Start(String),
    /// The recipe asks for what no model has.
    #[error("there can be no such model: {0}")]
    Recipe(String),
    /// There is nothing to learn from.
    #[error("there are no trees to learn from")]
    NoTrees,
    /// The result cannot be named or stored.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A checkpoint is of another run.
    #[error("the checkpoint is of another recipe")]
    OtherRecipe,
    /// It was stopped.
    #[error("the run was stopped")]
    Stopped,
}

/// News of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event<'e> {
    /// A step was made.
    Step {
        /// Its number, from 1.
        step: usize,
        /// Its losses.
        losses: &'e Losses,
    },
    /// All trees were gone through once.
    Round {
        /// Its number, from 1.
        round: usize,
        /// The mean loss of a tree.
        loss: f64,
    },
    /// Weights between those that a run started from and those it came to were tried.
    Between {
        /// The share of those it started from.
        share: f32,
        /// The parser's score there: brackets, nulls and co-indexation of all files summed.
        score: f64,
    },
    /// Weights, settings or a temperature were tried at the end of a run.
    Tried {
        /// The number of the trial, from 1.
        trial: usize,
        /// The number of all trials.
        of: usize,
        /// The parser's score with them, or the log-loss at a temperature.
        score: f64,
    },
    /// The loss by storing weights as int8 was measured, with as many sentences as settings are tuned with.
    Rounded {
        /// The file.
        file: &'e str,
        /// With the weights in full.
        full: &'e Figures,
        /// With int8.
        rounded: &'e Figures,
    },
    /// The parser was measured.
    Measured {
        /// After which step.
        step: usize,
        /// The file.
        file: &'e str,
        /// Its figures.
        figures: &'e Figures,
    },
}

/// The record of a training run that is stored in its model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The recipe it was made by.
    pub recipe: Recipe,
    /// Steps learnt.
    pub steps: usize,
    /// Sentences learnt from.
    pub sentences: usize,
    /// The share of the weights that are those of the model it started from.
    #[serde(default)]
    pub kept: f32,
    /// The figures of each file it was measured with.
    pub figures: BTreeMap<String, Figures>,
}

impl TrainingRecord {
    /// The section of a model file that holds it.
    pub const SECTION: &'static str = "about";
}

/// The outside of a run: when it is to stop, and who is told what.
pub struct Watcher<'w> {
    /// Set when the run is to stop.
    pub stop: &'w AtomicBool,
    /// The time between two checkpoints.
    pub interval: Duration,
    /// Is told what happens.
    pub watch: &'w mut dyn FnMut(Event<'_>),
    /// Gets checkpoints.
    pub save: &'w mut dyn FnMut(&[u8]),
    /// When the last checkpoint was made.
    pub saved: Instant,
}

impl<'w> Watcher<'w> {
    /// Whoever watches a run that begins now.
    pub fn new(
        stop: &'w AtomicBool,
        interval: Duration,
        watch: &'w mut dyn FnMut(Event<'_>),
        save: &'w mut dyn FnMut(&[u8]),
    ) -> Watcher<'w> {
        Watcher { stop, interval, watch, save, saved: Instant::now() }
    }

    /// Whether the run is to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Saves a checkpoint if it is time for one, or the last moment for it.
    pub(crate) fn save_if_due(
        &mut self,
        checkpoint: impl FnOnce() -> Result<Vec<u8>, TrainingError>,
    ) -> Result<(), TrainingError> {
        if self.is_stopped() || self.saved.elapsed() > self.interval {
            (self.save)(&checkpoint()?);
            self.saved = Instant::now();
        }
        Ok(())
    }
}

/// Whether something went to its end: to have been stopped is no error of the run.
pub(crate) fn if_not_stopped(ended: Result<(), TrainingError>) -> Result<bool, TrainingError> {
    match ended {
        Err(TrainingError::Stopped) => Ok(false),
        ended => ended.map(|()| true),
    }
}

/// A training run, whatever it trains.
pub trait Training {
    /// The number of steps (or rounds) in all.
    fn steps(&self) -> usize;

    /// Takes up a run where its checkpoint was made.
    fn resume(&mut self, checkpoint: &[u8]) -> Result<(), TrainingError>;

    /// Learns until all steps are made, then tunes and measures, unless the watcher stops it before; gives whether all is done.
    fn run(&mut self, watcher: Watcher<'_>) -> Result<bool, TrainingError>;

    /// The model file of what has been learnt so far.
    fn model(&self) -> Result<Vec<u8>, TrainingError>;
}

/// Begins what a recipe asks for: the linear model if it has an entry for it, else a network.
pub fn begin(recipe: Recipe) -> Result<Box<dyn Training>, TrainingError> {
    Ok(match recipe.linear {
        Some(linear) => Box::new(LinearSession::begin(recipe, linear)?),
        None => Box::new(NetworkSession::begin(recipe)?),
    })
}

/// The parts of a run that do not depend on what it trains.
pub(crate) struct Run {
    pub(crate) recipe: Recipe,
    pub(crate) metadata: Metadata,
    pub(crate) dev_sets: DevSets,
    /// The scores of the trials that a checkpoint knew of.
    pub(crate) trials: Vec<f64>,
}

impl Run {
    pub(crate) fn new(recipe: Recipe, metadata: Metadata) -> Result<Run, TrainingError> {
        let dev_sets = DevSets::read(&recipe, &metadata.dialects)?;
        Ok(Run { recipe, metadata, dev_sets, trials: Vec::new() })
    }

    /// A checkpoint that has the recipe, and has yet to get the state.
    pub(crate) fn checkpoint(&self) -> Result<ModelWriter, TrainingError> {
        let mut writer = ModelWriter::default();
        writer.json("recipe", &self.recipe)?;
        Ok(writer)
    }

    /// Opens a checkpoint of this recipe; what `adapt` makes of the recipe in it is compared.
    pub(crate) fn open<'b>(
        &self,
        checkpoint: &'b [u8],
        adapt: impl FnOnce(&mut Recipe),
    ) -> Result<ModelFile<'b>, TrainingError> {
        let file = ModelFile::open(checkpoint)?;
        let mut theirs: Recipe = file.json("recipe")?;
        adapt(&mut theirs);
        if theirs == self.recipe { Ok(file) } else { Err(TrainingError::OtherRecipe) }
    }

    /// The most sentences of each dev set that the end of a run is decided with.
    pub(crate) fn most_tuned(&self) -> usize {
        self.recipe.schedule.measure_sentences.max(LEAST_TUNED)
    }

    /// Chooses the settings of the decoder.
    pub(crate) fn tune<S: Scorer>(
        &mut self,
        parser: &mut Pipeline<S>,
        trials: &mut Trials<'_, '_>,
    ) -> Result<(), TrainingError> {
        let samples = self.dev_sets.samples(self.most_tuned());
        if !samples.is_empty() {
            tune(parser, &samples, trials)?;
            self.metadata.settings = parser.metadata.settings;
        }
        Ok(())
    }

    /// A model file that has the record and the metadata, and has yet to get the scorer.
    pub(crate) fn model(
        &self,
        steps: usize,
        sentences: usize,
        kept: f32,
    ) -> Result<ModelWriter, TrainingError> {
        let (recipe, figures) = (self.recipe.clone(), self.dev_sets.figures.clone());
        let mut writer = ModelWriter::default();
        writer.json(TrainingRecord::SECTION, &TrainingRecord { recipe, steps, sentences, kept, figures })?;
        self.metadata.write(&mut writer)?;
        Ok(writer)
    }
}
