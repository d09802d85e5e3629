//! The loop: sentence by sentence, score, find the gradient, take a step.
//!
//! With one thread the same sentences give the same bytes every time. With more, threads read and write the same weights without waiting for
//! each other (Recht et al. 2011); sentences seldom have features in common, so little is lost but repeatability.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use tracebank_linear::{LinearModel, Prepared};
use tracebank_nn::random::{Random, substream};
use tracebank_parser::gold::Gold;

use super::update::{Learner, Rule};
use crate::objective::loss::Loss;
use crate::objective::{ClassKind, Objective, ObjectiveKind, merged};

/// Options of the online loop.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnlineOptions {
    /// The objective.
    #[serde(alias = "goal")]
    pub objective: ObjectiveKind,
    /// The class in which the hinge loss and the perceptron look for mistakes.
    pub class: ClassKind,
    /// The costs of mistakes, for [`ObjectiveKind::Hinge`].
    pub loss: Loss,
    /// The rule of updates.
    pub rule: Rule,
    /// Rounds over all sentences.
    pub epochs: usize,
    /// Sentences for each step.
    pub batch: usize,
    /// The most work for a chart, as in [`Pruning`](tracebank_parser::decode::Pruning::chart_work). Before much is learnt little can be left out
    /// of a chart, and any bad mistake teaches as well as the worst.
    pub chart_work: f64,
    /// Threads; results can be repeated with 1 only.
    pub threads: usize,
    /// The seed of the order of sentences.
    pub seed: u64,
}

impl Default for OnlineOptions {
    fn default() -> OnlineOptions {
        OnlineOptions {
            class: ClassKind::default(),
            objective: ObjectiveKind::Hinge,
            loss: Loss::default(),
            rule: Rule::default(),
            epochs: 8,
            batch: 1,
            chart_work: 2e5,
            threads: 1,
            seed: 1,
        }
    }
}

/// The progress of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The round, from 0.
    pub epoch: usize,
    /// The sentences of this round that are done.
    pub sentences: usize,
    /// The mean loss of a sentence in this round so far.
    pub loss: f64,
    /// The learning rate, before it is adapted.
    pub rate: f32,
}

/// The state of training beside the weights, which the model has.
#[derive(Debug)]
pub struct State {
    /// The rounds that are done.
    pub epoch: usize,
    learner: Learner,
}

impl State {
    /// Nothing learnt yet.
    pub fn new(model: &LinearModel, options: &OnlineOptions) -> State {
        State { epoch: 0, learner: Learner::new(options.rule, model.config.bits) }
    }

    /// The state and the model's weights as bytes, each number in full.
    pub fn to_bytes(&self, model: &LinearModel) -> Vec<u8> {
        let mut bytes = (self.epoch as u64).to_le_bytes().to_vec();
        bytes.extend(self.learner.to_bytes(&model.weights));
        bytes
    }

    /// Goes back to where [`to_bytes`](Self::to_bytes) was, with the same options; `None` if the bytes do not fit.
    pub fn restore(model: &LinearModel, options: &OnlineOptions, bytes: &[u8]) -> Option<State> {
        let (epoch, rest) = bytes.split_first_chunk::<8>()?;
        let state = State { epoch: u64::from_le_bytes(*epoch) as usize, ..State::new(model, options) };
        state.learner.restore(&model.weights, rest)?;
        Some(state)
    }

    /// Puts the weights to parse with into a model.
    pub fn finish(self, model: &mut LinearModel) {
        model.weights = self.learner.result(&model.weights);
        model.weights.round();
    }

    /// The weights to parse with if training ended here; training can go on.
    pub fn snapshot(&self, model: &LinearModel) -> LinearModel {
        let mut snapshot = model.clone();
        snapshot.weights = self.learner.result(&model.weights);
        snapshot.weights.round();
        snapshot
    }
}

/// Trains for one round. `progress` is told after each step, and may stop the round; then its sentences count as not seen.
pub fn train_epoch(
    model: &LinearModel,
    examples: &[(Prepared, Gold)],
    options: &OnlineOptions,
    state: &mut State,
    progress: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
) -> ControlFlow<()> {
    let order = Random::new(substream(options.seed, state.epoch as u64)).order(examples.len());
    let batches: Vec<&[usize]> = order.chunks(options.batch.max(1)).collect();
    let next = AtomicUsize::new(0);
    let is_stopped = AtomicBool::new(false);
    let told = Mutex::new((0_usize, 0.0_f64, progress));
    let run = || {
        let mut settings = model.config.settings;
        settings.pruning.chart_work = options.chart_work;
        let mut objective = options.objective.build(&model.vocabulary, settings, options.class, options.loss);
        while let Some(batch) = batches.get(next.fetch_add(1, Relaxed)).filter(|_| !is_stopped.load(Relaxed))
        {
            let loss = step(model, examples, batch, &mut *objective, &state.learner);
            let mut told = told.lock().expect("no thread panics while it reports");
            told.0 += batch.len();
            told.1 += loss;
            let (epoch, sentences, loss) = (state.epoch, told.0, told.1 / told.0 as f64);
            if (told.2)(Progress { epoch, sentences, loss, rate: options.rule.rate }).is_break() {
                is_stopped.store(true, Relaxed);
            }
        }
    };
    if options.threads <= 1 {
        run();
    } else {
        std::thread::scope(|scope| (0..options.threads).for_each(|_| drop(scope.spawn(run))));
    }
    if is_stopped.load(Relaxed) {
        return ControlFlow::Break(());
    }
    state.learner.settle(&model.weights);
    state.epoch += 1;
    ControlFlow::Continue(())
}

/// One step for a few sentences.
fn step(
    model: &LinearModel,
    examples: &[(Prepared, Gold)],
    batch: &[usize],
    objective: &mut dyn Objective,
    learner: &Learner,
) -> f64 {
    let (mut loss, mut moves) = (0.0, Vec::new());
    for &index in batch {
        let (prepared, gold) = &examples[index];
        let gradient = objective.gradient(model.score_prepared(prepared, Some(gold)), gold);
        loss += gradient.loss;
        for (part, share) in gradient.parts {
            model.slots(prepared, part, |slot| moves.push((slot, share)));
        }
    }
    learner.step(&model.weights, &merged(moves));
    loss
}
