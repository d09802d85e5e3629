//! A training run, whatever it trains: what it can be asked, what it tells, and what is stored about it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_parser::corpus::CorpusError;
use tracebank_parser::model::ModelError;

use super::linear::LinearSession;
use super::measure::Figures;
use super::recipe::Recipe;
use super::session::Session;
use crate::network::Losses;

/// Why there is no model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The trees cannot be had.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The pretrained encoder cannot be had.
    #[error("the pretrained encoder cannot be read: {0}")]
    Pretrained(String),
    /// The model to go on from cannot be had.
    #[error("the model to start from cannot be read: {0}")]
    Start(String),
    /// There is nothing to learn from.
    #[error("there are no trees to learn from")]
    NoTrees,
    /// What was learnt cannot be named or stored.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A checkpoint is of another run.
    #[error("the checkpoint is of another recipe")]
    OtherRecipe,
}

/// What whoever watches a run is told.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event<'e> {
    /// A step was made.
    Step {
        /// Its number, from 1.
        step: usize,
        /// How much it lost.
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
        /// What the parser is worth there: brackets, nulls and co-indexation of all files summed.
        worth: f64,
    },
    /// What is lost by storing weights as eight bits was measured, with as many sentences as settings are tuned with.
    Rounded {
        /// The file.
        file: &'e str,
        /// With the weights in full.
        full: &'e Figures,
        /// With eight bits.
        rounded: &'e Figures,
    },
    /// The parser was measured.
    Measured {
        /// After which step.
        step: usize,
        /// The file.
        file: &'e str,
        /// How good it is.
        figures: &'e Figures,
    },
}

/// What is stored about a model in the model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// How it was made.
    pub recipe: Recipe,
    /// Steps learnt.
    pub steps: usize,
    /// Sentences learnt from.
    pub sentences: usize,
    /// The share of the weights that are those of the model it started from.
    #[serde(default)]
    pub kept: f32,
    /// How good it is on each file it was measured with.
    pub figures: BTreeMap<String, Figures>,
}

/// A training run, whatever it trains.
pub trait Training {
    /// How many steps (or rounds) there are in all.
    fn steps(&self) -> usize;

    /// Takes up a run where its checkpoint was made.
    fn resume(&mut self, checkpoint: &[u8]) -> Result<(), LearnError>;

    /// Learns until all steps are made or `stop` is set; gives whether all are made. `save` gets a checkpoint now and then.
    fn run(
        &mut self,
        stop: &AtomicBool,
        interval: Duration,
        watch: &mut dyn FnMut(Event<'_>),
        save: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, LearnError>;

    /// The model file of what has been learnt so far.
    fn model(&self) -> Result<Vec<u8>, LearnError>;
}

/// Begins what a recipe asks for: the linear model if it has an entry for it, else a network.
pub fn begin(recipe: Recipe) -> Result<Box<dyn Training>, LearnError> {
    Ok(match recipe.linear {
        Some(linear) => Box::new(LinearSession::begin(recipe, linear)?),
        None => Box::new(Session::begin(recipe)?),
    })
}
