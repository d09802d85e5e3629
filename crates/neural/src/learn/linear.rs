//! Training the linear model of `tracebank-parser`, alone or beside a network that has been trained already.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tracebank_parser::gold::{Gold, TrainingExample};
use tracebank_parser::linear::model::{Config, Example, LinearModel, Prepared};
use tracebank_parser::linear::roles::{self, RoleOptions};
use tracebank_parser::mixed::Mixed;
use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
use tracebank_parser::pipeline::{Metadata, Parser, Scorer};
use tracebank_parser::train::kind::ObjectiveKind;
use tracebank_parser::train::online::{Options, Progress, State, train_epoch};
use tracebank_parser::train::update::Rule;
use tracebank_parser::vocabulary::Vocabulary;

use super::material::{Material, Yardsticks};
use super::recipe::Recipe;
use super::start::Start;
use super::training::{About, Event, LearnError, Training};
use super::tune::{LEAST_TUNED, total_worth, tune};
use crate::scorer::{NeuralScorer, SECTION};
use crate::store::Precision;

/// How the linear model is trained. What is left out of a file has its default.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearRecipe {
    /// Rounds in which choices are learnt one by one, before trees are learnt as a whole.
    pub warm_up: usize,
    /// The rounds after that.
    pub training: Options,
    /// The classifier of words that refer and words that are referred to.
    pub roles: RoleOptions,
    /// The size of the model, and what it looks at.
    pub model: Config,
}

/// How fast choices are learnt one by one.
const WARM_UP_RATE: f32 = 0.1;
/// What the linear model may count beside the network.
const SHARES: [f32; 6] = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8];

/// A training run of the linear model.
pub struct LinearSession {
    recipe: Recipe,
    linear: LinearRecipe,
    metadata: Metadata,
    network: Option<NeuralScorer>,
    model: LinearModel,
    examples: Vec<(Prepared, Gold)>,
    state: State,
    /// What the linear model counts beside the network.
    share: f32,
    yardsticks: Yardsticks,
}

impl LinearSession {
    /// Reads the trees and trains the tagger.
    pub fn begin(recipe: Recipe, mut linear: LinearRecipe) -> Result<LinearSession, LearnError> {
        linear.model.is_normalised =
            matches!(linear.training.objective, ObjectiveKind::Crf | ObjectiveKind::Local);
        if linear.training.objective == ObjectiveKind::Perceptron {
            linear.training.rule = Rule { rate: linear.training.rule.rate, ..Rule::PERCEPTRON };
        }
        let Material { names, restoration, dialects, examples } = Material::read(&recipe)?;
        let start = recipe.start.as_deref().map(Start::read).transpose()?;
        let (mut metadata, network) = if let Some(Start { network, metadata }) = start {
            let scorer = NeuralScorer::new(network, &metadata.vocabulary);
            (metadata, Some(scorer))
        } else {
            let vocabulary = Vocabulary::new(names).map_err(|error| ModelError::section("names", error))?;
            (Metadata { vocabulary, restoration, settings: recipe.settings, dialects }, None)
        };
        let example = |(_, _, example): &(usize, f64, TrainingExample)| Example {
            words: example.projection.words.iter().map(|word| word.form.clone()).collect(),
            gold: example.gold(&metadata.vocabulary),
        };
        let examples: Vec<Example> = examples.iter().map(example).collect();
        let model = LinearModel::new(metadata.vocabulary.names().clone(), linear.model, &examples)
            .map_err(|error| ModelError::section("names", error))?;
        if network.is_none() {
            metadata.settings = model.settings();
        }
        let prepared = model.prepare_all(&examples);
        let examples = prepared.into_iter().zip(examples.into_iter().map(|example| example.gold)).collect();
        let yardsticks = Yardsticks::read(&recipe, &metadata.dialects)?;
        let state = State::new(&model, &linear.training);
        Ok(LinearSession {
            recipe,
            linear,
            metadata,
            network,
            model,
            examples,
            state,
            share: 0.0,
            yardsticks,
        })
    }

    fn checkpoint(&self) -> Result<Vec<u8>, LearnError> {
        let mut writer = ModelWriter::default();
        writer.json("recipe", &self.recipe)?;
        writer.bytes("state", self.state.to_bytes(&self.model));
        Ok(writer.finish())
    }

    /// The parser as it is now.
    fn parser(&self, share: f32) -> Parser<Box<dyn Scorer>> {
        let linear = self.state.snapshot(&self.model);
        let scorer: Box<dyn Scorer> = match &self.network {
            Some(network) => Box::new(Mixed { first: network.clone(), second: linear, share }),
            None => Box::new(linear),
        };
        Parser { metadata: self.metadata.clone(), scorer }
    }

    /// Chooses what the linear model counts and the settings of the decoder, and measures with all trees.
    fn finish(&mut self, watch: &mut dyn FnMut(Event<'_>)) {
        let samples = self.yardsticks.samples(self.recipe.schedule.measure_sentences.max(LEAST_TUNED));
        if self.network.is_some() {
            let worth = |share: &f32| total_worth(&self.parser(*share), &samples);
            let worths: Vec<f64> = SHARES.iter().map(worth).collect();
            let best =
                (0..SHARES.len()).fold(0, |best, nth| if worths[nth] > worths[best] { nth } else { best });
            self.share = SHARES[best];
        }
        let mut parser = self.parser(self.share);
        if !samples.is_empty() {
            tune(&mut parser, &samples);
            self.metadata.settings = parser.metadata.settings;
        }
        let rounds = self.steps();
        self.yardsticks.measure(&parser, rounds, usize::MAX, watch);
    }
}

impl Training for LinearSession {
    fn steps(&self) -> usize {
        self.linear.warm_up + self.linear.training.epochs
    }

    fn resume(&mut self, bytes: &[u8]) -> Result<(), LearnError> {
        let file = ModelFile::open(bytes)?;
        if file.json::<Recipe>("recipe")? != self.recipe {
            return Err(LearnError::OtherRecipe);
        }
        let state = State::restore(&self.model, &self.linear.training, &file.section("state")?);
        self.state = state.ok_or_else(|| ModelError::section("state", "it does not fit the model"))?;
        Ok(())
    }

    fn run(
        &mut self,
        stop: &AtomicBool,
        interval: Duration,
        watch: &mut dyn FnMut(Event<'_>),
        save: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, LearnError> {
        let training = self.linear.training;
        let rule = Rule { rate: WARM_UP_RATE, ..training.rule };
        let warm_up = Options { objective: ObjectiveKind::Local, rule, ..training };
        if self.state.epoch == 0 {
            roles::train(&mut self.model, &self.examples, &self.linear.roles);
        }
        let mut saved = Instant::now();
        while self.state.epoch < self.steps() {
            // What an interrupted round has changed is not kept.
            let before = self.checkpoint()?;
            let options = if self.state.epoch < self.linear.warm_up { &warm_up } else { &training };
            let mut loss = 0.0;
            let mut progress = |progress: Progress| {
                loss = progress.loss;
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            if train_epoch(&self.model, &self.examples, options, &mut self.state, &mut progress).is_break() {
                save(&before);
                return Ok(false);
            }
            let round = self.state.epoch;
            watch(Event::Round { round, loss });
            if round < self.steps() {
                let parser = self.parser(SHARES[SHARES.len() / 2]);
                self.yardsticks.measure(&parser, round, self.recipe.schedule.measure_sentences, watch);
            }
            if saved.elapsed() > interval {
                save(&self.checkpoint()?);
                saved = Instant::now();
            }
        }
        self.finish(watch);
        Ok(true)
    }

    fn model(&self) -> Result<Vec<u8>, LearnError> {
        let mut writer = ModelWriter::default();
        writer.json(
            "about",
            &About {
                recipe: self.recipe.clone(),
                steps: self.state.epoch,
                sentences: self.examples.len(),
                kept: 0.0,
                figures: self.yardsticks.figures.clone(),
            },
        )?;
        self.metadata.write(&mut writer)?;
        self.state.snapshot(&self.model).write(&mut writer)?;
        if let Some(network) = &self.network {
            writer.bytes(SECTION, network.network().to_bytes(Precision::Eight));
            writer.json(Mixed::<NeuralScorer, LinearModel>::SECTION, &self.share)?;
        }
        Ok(writer.finish())
    }
}
