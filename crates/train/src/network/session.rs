//! A training run of a network, from treebanks to a model file.

use std::collections::BTreeMap;

use tracebank_neural::encoder::EncoderConfig;
use tracebank_neural::network::Labels;
use tracebank_neural::scorer::SECTION;
use tracebank_neural::store::Precision;
use tracebank_neural::wordpiece::WordPiece;
use tracebank_neural::{Lexicon, Network, NeuralScorer};
use tracebank_nn::int8::coarsen;
use tracebank_nn::optimiser::{Optimiser, OptimiserConfig};
use tracebank_nn::params::{Param, Params};
use tracebank_parser::decode::Settings;
use tracebank_parser::gold::TrainingExample;
use tracebank_parser::model::Metadata;
use tracebank_parser::model::ModelError;
use tracebank_parser::pipeline::Pipeline;
use tracebank_parser::vocabulary::Vocabulary;

use super::checkpoint::{optimiser_from_bytes, optimiser_to_bytes};
use super::epoch::{order, shards, steps};
use super::start::Start;
use super::structured::Structured;
use super::trainer::{NetworkObjective, PreparedExample, Trainer};
use crate::corpus::Corpus;
use crate::recipe::{Recipe, Schedule};
use crate::recipe_path::RecipePath;
use crate::training::{Event, Run, Training, TrainingError, Watcher, if_not_stopped};
use crate::trials::{Trials, known_scores};
use crate::tune::{Sample, total_score, trials};

/// The shares that may be kept of the weights that a run started from.
const KEPT: [f32; 4] = [0.0, 0.2, 0.35, 0.5];

/// A training run of a network.
pub struct NetworkSession {
    run: Run,
    network: Network,
    /// The weights it goes on from, if another run had made them.
    origin: Option<Params>,
    /// The share of them that was kept in the end.
    kept: f32,
    trainer: Trainer,
    stages: Stages,
    examples: Vec<PreparedExample>,
    /// How often each example is seen in an epoch.
    weights: Vec<f64>,
}

impl NetworkSession {
    /// Reads the trees and makes a network that has learnt nothing.
    pub fn begin(recipe: Recipe) -> Result<NetworkSession, TrainingError> {
        let Corpus { metadata, examples } = Corpus::read(&recipe)?;
        let Metadata { vocabulary, dialects, settings, .. } = &metadata;
        let network = new_network(&recipe, vocabulary, dialects, &examples)?;
        let weights: Vec<f64> = examples.iter().map(|(_, weight, _)| *weight).collect();
        let prepare = |(dialect, _, example): &_| prepare(&network, vocabulary, *dialect, example);
        let examples: Vec<PreparedExample> = examples.iter().map(prepare).collect();
        let optimiser = Optimiser::new(optimiser(&recipe, &examples, &weights), &network.params);
        let trainer = Trainer::new(optimiser, recipe.schedule.products);
        let stages = Stages::new(&recipe, vocabulary, *settings);
        let origin = recipe.start.as_ref().map(|_| network.params.clone());
        let run = Run::new(recipe, metadata)?;
        Ok(NetworkSession { run, network, origin, kept: 0.0, trainer, stages, examples, weights })
    }

    /// Everything that a later [`Training::resume`] needs.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        let mut writer = self.run.checkpoint()?;
        writer.bytes(SECTION, self.network.to_bytes(Precision::Full));
        writer.bytes("optimiser", optimiser_to_bytes(&self.trainer.optimiser, &self.network.params));
        Ok(writer.finish())
    }

    /// The parser that a network is for.
    fn parser(&self, network: &Network) -> Result<Pipeline<NeuralScorer>, TrainingError> {
        let stored = network.to_bytes(Precision::Int8);
        // Weights that have left all bounds are no network any more.
        let network = Network::for_use(&stored).map_err(|error| ModelError::section(SECTION, error))?;
        let scorer = NeuralScorer::new(network, &self.run.metadata.vocabulary);
        Ok(Pipeline { metadata: self.run.metadata.clone(), scorer })
    }

    /// The network part of the way back to where the run started, if the parser is better there: between two good networks of one
    /// descent there is often a better one. Gives how much is kept of the start.
    fn settled(
        &self,
        samples: &[Sample<'_>],
        trials: &mut Trials<'_, '_>,
    ) -> Result<(f32, Network), TrainingError> {
        let mut best = (f64::NEG_INFINITY, 0.0, self.network.clone());
        for (origin, share) in self.origin.iter().flat_map(|origin| KEPT.map(|share| (origin, share))) {
            let mut network = self.network.clone();
            network.params.approach(origin, share);
            let parser = self.parser(&network)?;
            let score = trials.score(|stop| total_score(&parser, samples, stop))?;
            (trials.watcher().watch)(Event::Between { share, score });
            if score > best.0 {
                best = (score, share, network);
            }
        }
        Ok((best.1, best.2))
    }

    /// Chooses the weights and the settings of the decoder, and measures with all trees.
    fn finish(&mut self, watcher: &mut Watcher<'_>) -> Result<(), TrainingError> {
        let most = self.run.most_tuned();
        let known = std::mem::take(&mut self.run.trials);
        let of = trials() + if self.origin.is_some() { KEPT.len() } else { 0 };
        let mut trials = Trials::new(watcher, self.checkpoint()?, known, of);
        let ended = self.decide(most, &mut trials);
        // A run that was stopped while it measured has no more to try.
        trials.save_if_due()?;
        ended
    }

    fn decide(&mut self, most: usize, trials: &mut Trials<'_, '_>) -> Result<(), TrainingError> {
        let samples = self.run.dev_sets.samples(most);
        if !samples.is_empty() {
            (self.kept, self.network) = self.settled(&samples, trials)?;
        }
        round(self.network.params.iter_mut(), &self.run.recipe.schedule.bits);
        let mut parser = self.parser(&self.network)?;
        self.run.tune(&mut parser, trials)?;
        let full = NeuralScorer::as_it_is(self.network.clone(), &self.run.metadata.vocabulary);
        let full = Pipeline { metadata: self.run.metadata.clone(), scorer: full };
        self.run.dev_sets.compare(&full, &parser, most, trials.watcher())?;
        let steps = self.steps();
        self.run.dev_sets.measure(&parser, steps, usize::MAX, trials.watcher())
    }

    /// Learns from the examples of one step.
    fn step(
        &mut self,
        number: usize,
        step: &[usize],
        lengths: &[usize],
        watcher: &mut Watcher<'_>,
    ) -> Result<(), TrainingError> {
        let schedule = &self.run.recipe.schedule;
        let shards: Vec<Vec<&PreparedExample>> = shards(step, lengths, schedule.shards)
            .into_iter()
            .map(|shard| shard.into_iter().map(|place| &self.examples[place]).collect())
            .collect();
        let seed = schedule.seed.wrapping_add(number as u64);
        let objective = self.stages.at(number as f32 / self.steps() as f32);
        let (losses, _) = self.trainer.step(&mut self.network, &shards, objective, seed);
        (watcher.watch)(Event::Step { step: number, losses: &losses });
        if number.is_multiple_of(schedule.measure_every) {
            let most = schedule.measure_sentences;
            let parser = self.parser(&self.network)?;
            self.run.dev_sets.measure(&parser, number, most, watcher)?;
        }
        Ok(())
    }
}

impl Training for NetworkSession {
    fn steps(&self) -> usize {
        self.trainer.optimiser.config().steps
    }

    /// The number of epochs may be another: then the learning rate falls towards the new end from here on.
    fn resume(&mut self, bytes: &[u8]) -> Result<(), TrainingError> {
        let epochs = self.run.recipe.schedule.epochs;
        let file = self.run.open(bytes, |theirs| theirs.schedule.epochs = epochs)?;
        let steps = self.steps();
        let network = Network::from_bytes(&file.section(SECTION)?);
        let frozen: Vec<bool> = self.network.params.iter().map(|param| param.frozen).collect();
        self.network = network.map_err(|error| ModelError::section(SECTION, error))?;
        self.network.params.iter_mut().zip(frozen).for_each(|(param, frozen)| param.frozen = frozen);
        let optimiser = optimiser_from_bytes(&file.section("optimiser")?, &self.network.params);
        let mut optimiser = optimiser.map_err(|error| ModelError::section("optimiser", error))?;
        optimiser.end_at(steps);
        self.trainer = Trainer::new(optimiser, self.run.recipe.schedule.products);
        let is_learnt = self.trainer.optimiser.steps_taken() >= steps;
        self.run.trials = if is_learnt { known_scores(&file)? } else { Vec::new() };
        Ok(())
    }

    fn run(&mut self, mut watcher: Watcher<'_>) -> Result<bool, TrainingError> {
        let (seed, words_per_step) = (self.run.recipe.schedule.seed, self.run.recipe.schedule.words_per_step);
        let lengths: Vec<usize> = self.examples.iter().map(|example| example.sentence.len()).collect();
        let weights = self.weights.clone();
        let all = (0..).flat_map(|epoch| steps(&order(&weights, seed, epoch), &lengths, words_per_step));
        let done = self.trainer.optimiser.steps_taken();
        for (number, step) in (1..=self.steps()).zip(all).skip(done) {
            if_not_stopped(self.step(number, &step, &lengths, &mut watcher))?;
            watcher.save_if_due(|| self.checkpoint())?;
            if watcher.is_stopped() {
                return Ok(false);
            }
        }
        if_not_stopped(self.finish(&mut watcher))
    }

    fn model(&self) -> Result<Vec<u8>, TrainingError> {
        let steps = self.trainer.optimiser.steps_taken();
        let mut writer = self.run.model(steps, self.examples.len(), self.kept)?;
        writer.bytes(SECTION, self.network.to_bytes(Precision::Int8));
        Ok(writer.finish())
    }
}

/// The objectives of a run: the tasks alone, and with them, from some step on, whole sentences.
struct Stages {
    tasks: NetworkObjective,
    whole: Option<(f32, NetworkObjective)>,
}

impl Stages {
    fn new(recipe: &Recipe, vocabulary: &Vocabulary, settings: Settings) -> Stages {
        let whole = recipe.structured.map(|structured| {
            let tasks = recipe.tasks.times(structured.tasks);
            let objective = Structured::new(structured, vocabulary, settings);
            (structured.begin, NetworkObjective { tasks, structured: Some(objective) })
        });
        Stages { tasks: NetworkObjective { tasks: recipe.tasks, structured: None }, whole }
    }

    /// The objective of a step, by the share of all steps that it comes after.
    fn at(&self, progress: f32) -> &NetworkObjective {
        match &self.whole {
            Some((begin, objective)) if progress > *begin => objective,
            _ => &self.tasks,
        }
    }
}

fn new_network(
    recipe: &Recipe,
    vocabulary: &Vocabulary,
    dialects: &[String],
    examples: &[(usize, f64, TrainingExample)],
) -> Result<Network, TrainingError> {
    let names = vocabulary.names();
    let mut config = recipe.network.clone();
    config.dialects = dialects.len();
    config.labels = Labels {
        tags: names.tags.len(),
        spines: names.spines.len(),
        functions: names.functions.len(),
        attachments: names.attachments.len(),
        traces: names.traces.len(),
    };
    let pretrained = |error: &dyn std::fmt::Display| TrainingError::Pretrained(error.to_string());
    let folder = recipe.pretrained.as_ref().map(RecipePath::resolved).transpose();
    let folder = folder.map_err(|error| pretrained(&error))?;
    let folder = folder.as_deref();
    let start = recipe.start.as_ref().map(Start::read).transpose()?;
    let lexicon = match (&config.encoder, folder, &start) {
        (EncoderConfig::Pretrained(_), Some(folder), _) => {
            Lexicon::Pieces(WordPiece::read(folder).map_err(|error| pretrained(&error))?)
        }
        (_, None, Some(start)) => start.network.lexicon().clone(),
        (EncoderConfig::Pretrained(_), None, None) => {
            return Err(TrainingError::Pretrained(
                "the recipe has no entry `pretrained` and no entry `start`".to_owned(),
            ));
        }
        (EncoderConfig::Lstm(_), _, _) => {
            let words = examples.iter().flat_map(|(_, _, example)| &example.projection.words);
            Lexicon::from_words(words.map(|word| word.form.as_str()), recipe.least)
        }
    };
    config.check(&lexicon).map_err(TrainingError::Recipe)?;
    let mut network = Network::new(config, lexicon, recipe.schedule.seed);
    if let Some(folder) = folder {
        network.load_pretrained(folder).map_err(|error| pretrained(&error))?;
    }
    if let Some(start) = start {
        start.fill(&mut network, names, dialects);
    }
    let Schedule { frozen, bits, .. } = &recipe.schedule;
    network.params.freeze(|param| frozen.contains(&param.name));
    round(network.params.iter_mut().filter(|param| param.frozen), bits);
    Ok(network)
}

/// Rounds parameters to the bits that their names have.
fn round<'p>(params: impl Iterator<Item = &'p mut Param>, bits: &BTreeMap<String, u32>) {
    for param in params {
        let Some(&bits) = bits.get(&param.name) else { continue };
        let cols = param.value.cols().max(1);
        param.value.values_mut().chunks_mut(cols).for_each(|row| coarsen(row, bits));
    }
}

fn optimiser(recipe: &Recipe, examples: &[PreparedExample], weights: &[f64]) -> OptimiserConfig {
    let schedule = &recipe.schedule;
    let words: f64 =
        examples.iter().zip(weights).map(|(example, weight)| example.sentence.len() as f64 * weight).sum();
    let steps = (schedule.epochs * words / schedule.words_per_step as f64).ceil().max(1.0);
    OptimiserConfig {
        rate: schedule.rate,
        encoder_rate: schedule.encoder_rate,
        weight_decay: schedule.decay,
        warm_up: (f64::from(schedule.warm_up) * steps) as usize,
        steps: steps as usize,
        ..OptimiserConfig::default()
    }
}

fn prepare(
    network: &Network,
    vocabulary: &Vocabulary,
    dialect: usize,
    example: &TrainingExample,
) -> PreparedExample {
    let words: Vec<String> = example.projection.words.iter().map(|word| word.form.clone()).collect();
    PreparedExample { sentence: network.prepare(&words, dialect), gold: example.gold(vocabulary) }
}
