//! A training run of a network, from treebanks to a model file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tracebank_parser::gold::TrainingExample;
use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
use tracebank_parser::pipeline::{Metadata, Parser};
use tracebank_parser::vocabulary::Vocabulary;

use super::examples::{order, shards, steps};
use super::material::{Material, Yardsticks};
use super::recipe::Recipe;
use super::start::Start;
use super::training::{About, Event, LearnError, Training};
use super::tune::{LEAST_TUNED, Sample, total_worth, tune};
use crate::encoder::EncoderConfig;
use crate::network::{Labels, Network, PreparedExample};
use crate::optimise::{Optimiser, OptimiserConfig};
use crate::params::Params;
use crate::prepare::{Input, Lexicon};
use crate::scorer::{NeuralScorer, SECTION};
use crate::store::Precision;
use crate::structured::Structured;
use crate::train::Trainer;
use crate::wordpiece::WordPiece;

/// How much may be kept of the weights that a run started from.
const KEPT: [f32; 4] = [0.0, 0.2, 0.35, 0.5];

/// A training run of a network.
pub struct Session {
    recipe: Recipe,
    metadata: Metadata,
    network: Network,
    /// The weights it goes on from, if another run had made them.
    origin: Option<Params>,
    /// The share of them that was kept in the end.
    kept: f32,
    trainer: Trainer,
    structured: Option<Structured>,
    examples: Vec<PreparedExample>,
    /// How often each example is seen in an epoch.
    weights: Vec<f64>,
    yardsticks: Yardsticks,
}

impl Session {
    /// Reads the trees and makes a network that has learnt nothing.
    pub fn begin(recipe: Recipe) -> Result<Session, LearnError> {
        let Material { names, restoration, dialects, examples } = Material::read(&recipe)?;
        let vocabulary = Vocabulary::new(names).map_err(|error| ModelError::section("names", error))?;
        let network = new_network(&recipe, &vocabulary, &dialects, &examples)?;
        let weights: Vec<f64> = examples.iter().map(|(_, weight, _)| *weight).collect();
        let prepare = |(dialect, _, example): &_| prepare(&network, &vocabulary, *dialect, example);
        let examples: Vec<PreparedExample> = examples.iter().map(prepare).collect();
        let yardsticks = Yardsticks::read(&recipe, &dialects)?;
        let trainer = Trainer::new(Optimiser::new(optimiser(&recipe, &examples, &weights), &network.params));
        let settings = recipe.settings;
        let structured = recipe.structured.map(|recipe| Structured::new(recipe, &vocabulary, settings));
        let metadata = Metadata { vocabulary, restoration, settings, dialects };
        let origin = recipe.start.as_ref().map(|_| network.params.clone());
        Ok(Session {
            recipe,
            metadata,
            network,
            origin,
            kept: 0.0,
            trainer,
            structured,
            examples,
            weights,
            yardsticks,
        })
    }

    /// Everything that a later [`Training::resume`] needs.
    pub fn checkpoint(&self) -> Result<Vec<u8>, LearnError> {
        let mut writer = ModelWriter::default();
        writer.json("recipe", &self.recipe)?;
        writer.bytes(SECTION, self.network.to_bytes(Precision::Full));
        writer.bytes("optimiser", self.trainer.optimiser.to_bytes(&self.network.params));
        Ok(writer.finish())
    }

    /// The parser that a network is for.
    fn parser(&self, network: &Network) -> Parser<NeuralScorer> {
        let stored = network.to_bytes(Precision::Eight);
        let network = Network::for_use(&stored).expect("what was just written can be read");
        let scorer = NeuralScorer::new(network, &self.metadata.vocabulary);
        Parser { metadata: self.metadata.clone(), scorer }
    }

    /// The network part of the way back to where the run started, if the parser is better there: between two good networks of one
    /// descent there is often a better one. Gives how much is kept of the start.
    fn settled(&self, samples: &[Sample<'_>], watch: &mut dyn FnMut(Event<'_>)) -> (f32, Network) {
        let mut best = (f64::NEG_INFINITY, 0.0, self.network.clone());
        for (origin, share) in self.origin.iter().flat_map(|origin| KEPT.map(|share| (origin, share))) {
            let mut network = self.network.clone();
            network.params.approach(origin, share);
            let worth = total_worth(&self.parser(&network), samples);
            watch(Event::Between { share, worth });
            if worth > best.0 {
                best = (worth, share, network);
            }
        }
        (best.1, best.2)
    }

    /// Chooses the weights and the settings of the decoder, and measures with all trees.
    fn finish(&mut self, watch: &mut dyn FnMut(Event<'_>)) {
        let most = self.recipe.schedule.measure_sentences.max(LEAST_TUNED);
        let samples = self.yardsticks.samples(most);
        if !samples.is_empty() {
            (self.kept, self.network) = self.settled(&samples, watch);
        }
        let mut parser = self.parser(&self.network);
        if !samples.is_empty() {
            tune(&mut parser, &samples);
            self.metadata.settings = parser.metadata.settings;
        }
        let full = NeuralScorer::as_it_is(self.network.clone(), &self.metadata.vocabulary);
        let full = Parser { metadata: self.metadata.clone(), scorer: full };
        self.yardsticks.compare(&full, &parser, most, watch);
        let steps = self.steps();
        self.yardsticks.measure(&parser, steps, usize::MAX, watch);
    }
}

impl Training for Session {
    fn steps(&self) -> usize {
        self.trainer.optimiser.config().steps
    }

    /// The number of epochs may be another: then the rate falls towards the new end from here on.
    fn resume(&mut self, bytes: &[u8]) -> Result<(), LearnError> {
        let file = ModelFile::open(bytes)?;
        let mut theirs: Recipe = file.json("recipe")?;
        theirs.schedule.epochs = self.recipe.schedule.epochs;
        if theirs != self.recipe {
            return Err(LearnError::OtherRecipe);
        }
        let steps = self.steps();
        let network = Network::from_bytes(&file.section(SECTION)?);
        let frozen: Vec<bool> = self.network.params.iter().map(|param| param.frozen).collect();
        self.network = network.map_err(|error| ModelError::section(SECTION, error))?;
        self.network.params.iter_mut().zip(frozen).for_each(|(param, frozen)| param.frozen = frozen);
        let optimiser = Optimiser::from_bytes(&file.section("optimiser")?, &self.network.params);
        let mut optimiser = optimiser.map_err(|error| ModelError::section("optimiser", error))?;
        optimiser.end_at(steps);
        self.trainer = Trainer::new(optimiser);
        Ok(())
    }

    fn run(
        &mut self,
        stop: &AtomicBool,
        interval: Duration,
        watch: &mut dyn FnMut(Event<'_>),
        save: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, LearnError> {
        let schedule = self.recipe.schedule.clone();
        let lengths: Vec<usize> = self.examples.iter().map(|example| example.sentence.len()).collect();
        let mut saved = Instant::now();
        let mut number = 0;
        for epoch in 0.. {
            for step in steps(&order(&self.weights, schedule.seed, epoch), &lengths, schedule.words_per_step)
            {
                let done = self.trainer.optimiser.steps_taken();
                if done == self.steps() {
                    self.finish(watch);
                    return Ok(true);
                }
                number += 1;
                if number <= done {
                    continue;
                }
                let shards: Vec<Vec<&PreparedExample>> = shards(&step, &lengths, schedule.shards)
                    .into_iter()
                    .map(|shard| shard.into_iter().map(|place| &self.examples[place]).collect())
                    .collect();
                let seed = schedule.seed.wrapping_add(number as u64);
                let (losses, _) = self.trainer.step(
                    &mut self.network,
                    &shards,
                    &self.recipe.tasks,
                    self.structured.as_ref(),
                    seed,
                );
                watch(Event::Step { step: number, losses: &losses });
                if number.is_multiple_of(schedule.measure_every) {
                    let parser = self.parser(&self.network);
                    self.yardsticks.measure(&parser, number, schedule.measure_sentences, watch);
                }
                let stopped = stop.load(Ordering::Relaxed);
                if stopped || saved.elapsed() > interval {
                    save(&self.checkpoint()?);
                    saved = Instant::now();
                }
                if stopped {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn model(&self) -> Result<Vec<u8>, LearnError> {
        let mut writer = ModelWriter::default();
        writer.json(
            "about",
            &About {
                recipe: self.recipe.clone(),
                steps: self.trainer.optimiser.steps_taken(),
                sentences: self.examples.len(),
                kept: self.kept,
                figures: self.yardsticks.figures.clone(),
            },
        )?;
        self.metadata.write(&mut writer)?;
        writer.bytes(SECTION, self.network.to_bytes(Precision::Eight));
        Ok(writer.finish())
    }
}

fn new_network(
    recipe: &Recipe,
    vocabulary: &Vocabulary,
    dialects: &[String],
    examples: &[(usize, f64, TrainingExample)],
) -> Result<Network, LearnError> {
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
    let pretrained = |error: &dyn std::fmt::Display| LearnError::Pretrained(error.to_string());
    let folder = recipe.pretrained.as_deref();
    let start = recipe.start.as_deref().map(Start::read).transpose()?;
    let lexicon = match (&config.encoder, folder, &start) {
        (EncoderConfig::Pretrained(_), Some(folder), _) => {
            Lexicon::Pieces(WordPiece::read(folder).map_err(|error| pretrained(&error))?)
        }
        (_, None, Some(start)) => start.network.lexicon().clone(),
        (EncoderConfig::Pretrained(_), None, None) => {
            return Err(LearnError::Pretrained(
                "the recipe has no entry `pretrained` and no entry `start`".to_owned(),
            ));
        }
        (EncoderConfig::Lstm(_), _, _) => {
            let words = examples.iter().flat_map(|(_, _, example)| &example.projection.words);
            Lexicon::from_words(words.map(|word| word.form.as_str()), recipe.least)
        }
    };
    let mut network = Network::new(config, lexicon, recipe.schedule.seed);
    if let Some(folder) = folder {
        network.load_pretrained(folder).map_err(|error| pretrained(&error))?;
    }
    if let Some(start) = start {
        start.fill(&mut network, names, dialects);
    }
    network.params.freeze(|param| recipe.schedule.frozen.contains(&param.name));
    Ok(network)
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
    let words = example.projection.words.iter().map(|word| word.form.clone()).collect();
    PreparedExample { sentence: network.prepare(&Input { words, dialect }), gold: example.gold(vocabulary) }
}
