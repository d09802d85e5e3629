//! A training run of the linear model, alone or beside a network that has been trained already.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use tracebank_linear::{LinearConfig, LinearModel, Mixed, Prepared};
use tracebank_neural::NeuralScorer;
use tracebank_neural::scorer::SECTION;
use tracebank_neural::store::Precision;
use tracebank_parser::decode::Settings;
use tracebank_parser::gold::{Gold, TrainingExample};
use tracebank_parser::model::ModelError;
use tracebank_parser::pipeline::Pipeline;
use tracebank_parser::scores::Scorer;

use super::examples::{Example, new_model, prepare};
use super::online::{OnlineOptions, Progress, State, train_epoch};
use super::roles::{self, RoleOptions};
use super::update::Rule;
use crate::corpus::Corpus;
use crate::network::Start;
use crate::objective::ObjectiveKind;
use crate::recipe::Recipe;
use crate::training::{Event, Run, Training, TrainingError, Watcher, if_not_stopped};
use crate::trials::{Trials, known_scores};
use crate::tune::{total_score, trials};

/// The table `[linear]` of a recipe. What is left out of a file has its default.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearRecipe {
    /// Rounds in which choices are learnt one by one, before trees are learnt as a whole.
    pub warm_up: usize,
    /// The rounds after that.
    pub training: OnlineOptions,
    /// The classifier of words that refer and words that are referred to.
    pub roles: RoleOptions,
    /// The size of the model, and what it looks at.
    pub model: LinearConfig,
}

/// The learning rate while choices are learnt one by one.
const WARM_UP_RATE: f32 = 0.1;
/// The weights that the linear model may have beside the network.
const SHARES: [f32; 6] = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8];

/// A training run of the linear model.
pub struct LinearSession {
    run: Run,
    linear: LinearRecipe,
    network: Option<NeuralScorer>,
    model: LinearModel,
    examples: Vec<(Prepared, Gold)>,
    state: State,
    /// The weight of the linear model beside the network.
    share: f32,
}

impl LinearSession {
    /// Reads the trees and trains the tagger.
    pub fn begin(recipe: Recipe, mut linear: LinearRecipe) -> Result<LinearSession, TrainingError> {
        linear.model.is_normalised =
            matches!(linear.training.objective, ObjectiveKind::Crf | ObjectiveKind::Local);
        if linear.training.objective == ObjectiveKind::Perceptron {
            linear.training.rule = Rule { rate: linear.training.rule.rate, ..Rule::PERCEPTRON };
        }
        let Corpus { metadata, examples } = Corpus::read(&recipe)?;
        let start = recipe.start.as_ref().map(Start::read).transpose()?;
        let (mut metadata, network) = if let Some(Start { network, metadata }) = start {
            let scorer = NeuralScorer::new(network, &metadata.vocabulary);
            (metadata, Some(scorer))
        } else {
            (metadata, None)
        };
        let example = |(_, _, example): &(usize, f64, TrainingExample)| Example {
            words: example.projection.words.iter().map(|word| word.form.clone()).collect(),
            gold: example.gold(&metadata.vocabulary),
        };
        let examples: Vec<Example> = examples.iter().map(example).collect();
        let model = new_model(&metadata.vocabulary, linear.model, &examples);
        if network.is_none() {
            metadata.settings = Settings { single_root: metadata.settings.single_root, ..model.settings() };
        }
        let prepared = prepare(&model, &examples);
        let examples = prepared.into_iter().zip(examples.into_iter().map(|example| example.gold)).collect();
        let state = State::new(&model, &linear.training);
        let run = Run::new(recipe, metadata)?;
        Ok(LinearSession { run, linear, network, model, examples, state, share: 0.0 })
    }

    fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        let mut writer = self.run.checkpoint()?;
        writer.bytes("state", self.state.to_bytes(&self.model));
        Ok(writer.finish())
    }

    /// The parser as it is now.
    fn parser(&self, share: f32) -> Pipeline<Box<dyn Scorer>> {
        let linear = self.state.snapshot(&self.model);
        let scorer: Box<dyn Scorer> = match &self.network {
            Some(network) => Box::new(Mixed { first: network.clone(), second: linear, share }),
            None => Box::new(linear),
        };
        Pipeline { metadata: self.run.metadata.clone(), scorer }
    }

    /// Chooses the weight of the linear model and the settings of the decoder, and measures with all trees.
    fn finish(&mut self, watcher: &mut Watcher<'_>) -> Result<(), TrainingError> {
        let known = std::mem::take(&mut self.run.trials);
        let of = trials() + if self.network.is_some() { SHARES.len() } else { 0 };
        let mut trials = Trials::new(watcher, self.checkpoint()?, known, of);
        let ended = self.decide(&mut trials);
        trials.save_if_due()?;
        ended
    }

    fn decide(&mut self, trials: &mut Trials<'_, '_>) -> Result<(), TrainingError> {
        if self.network.is_some() {
            let samples = self.run.dev_sets.samples(self.run.most_tuned());
            let mut best = f64::NEG_INFINITY;
            let mut chosen = SHARES[0];
            for share in SHARES {
                let parser = self.parser(share);
                let score = trials.score(|stop| total_score(&parser, &samples, stop))?;
                if score > best {
                    (best, chosen) = (score, share);
                }
            }
            self.share = chosen;
        }
        let mut parser = self.parser(self.share);
        self.run.tune(&mut parser, trials)?;
        let rounds = self.steps();
        self.run.dev_sets.measure(&parser, rounds, usize::MAX, trials.watcher())
    }
}

impl Training for LinearSession {
    fn steps(&self) -> usize {
        self.linear.warm_up + self.linear.training.epochs
    }

    fn resume(&mut self, bytes: &[u8]) -> Result<(), TrainingError> {
        let file = self.run.open(bytes, |_| ())?;
        let state = State::restore(&self.model, &self.linear.training, &file.section("state")?);
        self.state = state.ok_or_else(|| ModelError::section("state", "it does not fit the model"))?;
        self.run.trials = known_scores(&file)?;
        Ok(())
    }

    fn run(&mut self, mut watcher: Watcher<'_>) -> Result<bool, TrainingError> {
        let training = self.linear.training;
        let rule = Rule { rate: WARM_UP_RATE, ..training.rule };
        let warm_up = OnlineOptions { objective: ObjectiveKind::Local, rule, ..training };
        if self.state.epoch == 0 {
            roles::train(&mut self.model, &self.examples, &self.linear.roles);
        }
        while self.state.epoch < self.steps() {
            // What an interrupted round has changed is not kept.
            let before = self.checkpoint()?;
            let options = if self.state.epoch < self.linear.warm_up { &warm_up } else { &training };
            let (mut loss, stop) = (0.0, watcher.stop);
            let mut progress = |progress: Progress| {
                loss = progress.loss;
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            if train_epoch(&self.model, &self.examples, options, &mut self.state, &mut progress).is_break() {
                (watcher.save)(&before);
                return Ok(false);
            }
            let round = self.state.epoch;
            (watcher.watch)(Event::Round { round, loss });
            if round < self.steps() {
                let parser = self.parser(SHARES[SHARES.len() / 2]);
                let most = self.run.recipe.schedule.measure_sentences;
                if_not_stopped(self.run.dev_sets.measure(&parser, round, most, &mut watcher))?;
            }
            watcher.save_if_due(|| self.checkpoint())?;
        }
        if_not_stopped(self.finish(&mut watcher))
    }

    fn model(&self) -> Result<Vec<u8>, TrainingError> {
        let mut writer = self.run.model(self.state.epoch, self.examples.len(), 0.0)?;
        self.state.snapshot(&self.model).write(&mut writer)?;
        if let Some(network) = &self.network {
            writer.bytes(SECTION, network.network().to_bytes(Precision::Int8));
            writer.json(Mixed::<NeuralScorer, LinearModel>::SECTION, &self.share)?;
        }
        Ok(writer.finish())
    }
}
