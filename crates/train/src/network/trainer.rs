//! One step of training: the shards of a batch in parallel, then the optimiser.

use tracebank_neural::batch_scores::{BatchScores, Scope};
use tracebank_neural::{Network, Prepared};
use tracebank_nn::optimiser::{Optimiser, Stepped};
use tracebank_nn::product::Products;
use tracebank_nn::shards::Shards;
use tracebank_nn::tape::Tape;
use tracebank_parser::decode::Pruning;
use tracebank_parser::gold::Gold;

use super::structured::Structured;
use super::tasks::{Losses, TaskWeights};

/// A sentence to learn from.
#[derive(Clone, Debug)]
pub struct PreparedExample {
    /// The sentence.
    pub sentence: Prepared,
    /// Its gold analysis, as far as the network can say it.
    pub gold: Gold,
}

/// The training objective of a network: its tasks, and an objective over whole sentences if there is one.
#[derive(Clone, Debug, Default)]
pub struct NetworkObjective {
    /// The weights of the tasks.
    pub tasks: TaskWeights,
    /// The objective over whole sentences.
    pub structured: Option<Structured>,
}

impl NetworkObjective {
    /// Adds the loss of a batch to the tape, times `factor`. Every task is evaluated once, whatever reads its scores.
    pub fn add_loss(
        &self,
        network: &Network,
        tape: &mut Tape<'_>,
        batch: &[&PreparedExample],
        factor: f32,
    ) -> Losses {
        let sentences: Vec<&Prepared> = batch.iter().map(|example| &example.sentence).collect();
        let gold: Vec<&Gold> = batch.iter().map(|example| &example.gold).collect();
        let words = network.read(tape, &sentences);
        let pruning = self.structured.as_ref().map_or_else(Pruning::default, Structured::pruning);
        let scope = Scope {
            likely_heads: self.structured.is_some(),
            referring: self.structured.as_ref().map(Structured::referring),
            gold: Some(&gold),
            all_traces: self.tasks.traces > 0.0,
            pruning: &pruning,
        };
        let scores = BatchScores::new(network, tape, &words, scope);
        let mut losses = self.tasks.add_losses(tape, &scores, &gold, factor);
        if let Some(structured) = &self.structured {
            losses.structured = structured.add_loss(tape, &scores, &gold, factor);
        }
        losses
    }
}

/// A network's optimiser, with the memory of gradients from step to step.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// The optimiser.
    pub optimiser: Optimiser,
    shards: Shards,
}

impl Trainer {
    /// Goes on where the optimiser stands, with products of these numbers.
    pub fn new(optimiser: Optimiser, products: Products) -> Self {
        Self { optimiser, shards: Shards::new(products) }
    }

    /// Learns from a batch cut into shards. `seed` decides about dropout.
    pub fn step(
        &mut self,
        network: &mut Network,
        shards: &[Vec<&PreparedExample>],
        objective: &NetworkObjective,
        seed: u64,
    ) -> (Losses, Stepped) {
        let words: usize = shards.iter().flatten().map(|example| example.sentence.len()).sum();
        let factor = 1.0 / words.max(1) as f32;
        let parts = self.shards.gradients(&network.params, shards, seed, |tape, shard| {
            objective.add_loss(network, tape, shard, factor)
        });
        network.unquantise();
        let stepped = self.optimiser.update(&mut network.params, self.shards.sum());
        let mut losses = Losses::default();
        parts.into_iter().for_each(|part| losses += part);
        (losses, stepped)
    }
}
