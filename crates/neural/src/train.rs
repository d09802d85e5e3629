//! One step of training: the shards of a batch in parallel, and their gradients summed in order.
//!
//! The result depends on how a batch is cut into shards, but not on the number of threads that work on them.

use rayon::prelude::*;

use crate::grads::Grads;
use crate::network::{Losses, Network, PreparedExample, TaskWeights};
use crate::optimise::{Optimiser, Stepped};
use crate::prepare::Prepared;
use crate::random::mix64;
use crate::structured::Structured;
use crate::tape::{Mode, Tape};

/// Trains a network, keeping the memory of gradients from step to step.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// Moves the weights.
    pub optimiser: Optimiser,
    grads: Vec<Grads>,
}

impl Trainer {
    /// Goes on where the optimiser stands.
    pub fn new(optimiser: Optimiser) -> Self {
        Self { optimiser, grads: Vec::new() }
    }

    /// Learns the network's own tasks from a batch cut into shards, and an objective over whole sentences if there is one. `seed`
    /// decides about dropout.
    pub fn step(
        &mut self,
        network: &mut Network,
        shards: &[Vec<&PreparedExample>],
        weights: &TaskWeights,
        structured: Option<&Structured>,
        seed: u64,
    ) -> (Losses, Stepped) {
        let words: usize = shards.iter().flatten().map(|example| example.sentence.len()).sum();
        let factor = 1.0 / words.max(1) as f32;
        let (parts, stepped) = self.step_with(network, shards, seed, |network, tape, shard| {
            let sentences: Vec<&Prepared> = shard.iter().map(|example| &example.sentence).collect();
            let words = network.read(tape, &sentences);
            let mut losses = network.loss(tape, &words, shard, weights, factor);
            if let Some(structured) = structured {
                losses.structured = structured.loss(network, tape, &words, shard, factor);
            }
            losses
        });
        let mut losses = Losses::default();
        parts.into_iter().for_each(|part| losses += part);
        (losses, stepped)
    }

    /// Learns whatever `objective` adds to the tape for each shard; gives what it returned.
    pub fn step_with<S: Sync, L: Send>(
        &mut self,
        network: &mut Network,
        shards: &[S],
        seed: u64,
        objective: impl Fn(&Network, &mut Tape<'_>, &S) -> L + Sync,
    ) -> (Vec<L>, Stepped) {
        let found = self.gradients(network, shards, seed, objective);
        network.unquantise();
        let stepped = self.optimiser.update(&mut network.params, &self.grads[0]);
        (found, stepped)
    }

    /// The summed gradients of a step that is not taken; for tests and experiments.
    pub fn sum(&self) -> &Grads {
        &self.grads[0]
    }

    /// Computes and sums the gradients of all shards.
    pub fn gradients<S: Sync, L: Send>(
        &mut self,
        network: &Network,
        shards: &[S],
        seed: u64,
        objective: impl Fn(&Network, &mut Tape<'_>, &S) -> L + Sync,
    ) -> Vec<L> {
        if self.grads.len() < shards.len() {
            self.grads.resize_with(shards.len(), || Grads::new(&network.params));
        }
        let work = shards.par_iter().zip(&mut self.grads).enumerate().map(|(nth, (shard, grads))| {
            grads.clear();
            let mut tape = Tape::new(&network.params, Mode::Train { seed: mix64(seed) ^ nth as u64 });
            let found = objective(network, &mut tape, shard);
            tape.backward(grads);
            found
        });
        let found = work.collect();
        let (sum, others) = self.grads[..shards.len()].split_first_mut().expect("a batch has a shard");
        sum.entries_mut().par_iter_mut().enumerate().for_each(|(nth, sum)| {
            for other in &*others {
                sum.add(&other.entries()[nth]);
            }
        });
        found
    }
}
