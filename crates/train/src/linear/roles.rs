//! Training and calibration of the classifier of [roles](tracebank_linear::roles).

use serde::{Deserialize, Serialize};
use tracebank_linear::roles::{Roles, probability};
use tracebank_linear::weights::Weights;
use tracebank_linear::{LinearModel, Prepared};
use tracebank_nn::random::Random;
use tracebank_parser::gold::Gold;

use super::update::{Learner, Rule};
use crate::objective::merged;

/// Options of the training of the classifier of roles.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoleOptions {
    /// Rounds.
    pub epochs: usize,
    /// The rule of updates.
    pub rule: Rule,
}

impl Default for RoleOptions {
    fn default() -> RoleOptions {
        RoleOptions { epochs: 4, rule: Rule { rate: 0.2, l2: 1e-5, ..Rule::default() } }
    }
}

/// Learns the two roles by log-loss, into the model's weights. To be done before anything else is learnt, for what it learns is an average.
pub fn train(model: &mut LinearModel, examples: &[(Prepared, Gold)], options: &RoleOptions) {
    let weights = Weights::new(model.config.bits);
    let learner = Learner::new(options.rule, model.config.bits);
    for epoch in 0..options.epochs {
        for index in Random::new(epoch as u64).order(examples.len()) {
            let (prepared, gold) = &examples[index];
            let mut reader = model.features().role.reader(&weights);
            let mut gradient = Vec::new();
            for (word, truth) in (1..).zip(truth(gold)) {
                reader.look(&prepared.sentence, word, word);
                for (role, is_true) in truth.into_iter().enumerate() {
                    let share = probability(reader.score(role)) - f32::from(is_true);
                    let add = |feature| gradient.push((weights.slot(feature), share));
                    model.features().role.features(&prepared.sentence, [word; 2], role, add);
                }
            }
            learner.step(&weights, &merged(gradient));
        }
    }
    let learnt = learner.result(&weights);
    for slot in 0..learnt.slots() {
        model.weights.set(slot, model.weights.get(slot) + learnt.get(slot));
    }
}

/// A bin of probabilities of about the same size, and what came true of them.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// How many.
    pub count: usize,
    /// Their mean.
    pub expected: f64,
    /// How often it was so.
    pub observed: f64,
}

/// Ten bins of equal width: a calibrated classifier has `expected` ≈ `observed` in each.
pub fn reliability(guesses: &[(Roles, &Gold)]) -> [Bin; 10] {
    let mut bins = [Bin::default(); 10];
    for (guess, is_true) in guesses.iter().flat_map(|(roles, gold)| against(roles, gold)) {
        let bin = &mut bins[((guess * 10.0) as usize).min(9)];
        bin.count += 1;
        bin.expected += f64::from(guess);
        bin.observed += f64::from(u8::from(is_true));
    }
    for bin in &mut bins {
        bin.expected /= bin.count.max(1) as f64;
        bin.observed /= bin.count.max(1) as f64;
    }
    bins
}

/// The effect of a threshold.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct OperatingPoint {
    /// The least probability that is kept.
    pub threshold: f32,
    /// The share of all (word, role) pairs that are kept.
    pub kept: f64,
    /// The share of the true ones among them that are.
    pub survived: f64,
}

/// The effect of each threshold.
pub fn operating_points(guesses: &[(Roles, &Gold)], thresholds: &[f32]) -> Vec<OperatingPoint> {
    let pairs: Vec<(f32, bool)> = guesses.iter().flat_map(|(roles, gold)| against(roles, gold)).collect();
    let share = |threshold: f32, of_true: bool| {
        let all = pairs.iter().filter(|&&(_, is_true)| is_true || !of_true);
        let kept = all.clone().filter(|&&(guess, _)| guess >= threshold).count();
        kept as f64 / all.count().max(1) as f64
    };
    let point = |&threshold: &f32| OperatingPoint {
        threshold,
        kept: share(threshold, false),
        survived: share(threshold, true),
    };
    thresholds.iter().map(point).collect()
}

/// The thresholds that a calibration looks at.
const THRESHOLDS: [f32; 8] = [0.3, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002];

/// The calibration of the classifier of roles, and the effect of thresholds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoleCalibration {
    /// Probabilities against what came true.
    pub reliability: [Bin; 10],
    /// The share that is kept, and the share of gold that survives.
    pub points: Vec<OperatingPoint>,
}

impl RoleCalibration {
    /// The calibration on sentences whose gold is known.
    pub fn of<'g>(
        model: &LinearModel,
        sentences: impl IntoIterator<Item = (&'g [String], &'g Gold)>,
    ) -> RoleCalibration {
        let roles = |words: &[String]| Roles::of(model, &model.prepare(words, None));
        let guesses: Vec<(Roles, &Gold)> =
            sentences.into_iter().map(|(words, gold)| (roles(words), gold)).collect();
        RoleCalibration {
            reliability: reliability(&guesses),
            points: operating_points(&guesses, &THRESHOLDS),
        }
    }
}

/// Each probability with whether it came true.
fn against<'a>(roles: &'a Roles, gold: &'a Gold) -> impl Iterator<Item = (f32, bool)> + 'a {
    roles.iter().zip(truth(gold)).flat_map(|(guess, truth)| guess.iter().copied().zip(truth))
}

fn truth(gold: &Gold) -> Vec<[bool; 2]> {
    let mut truth = vec![[false; 2]; gold.heads.len()];
    for trace in &gold.traces {
        truth[trace.referrer as usize - 1][0] = true;
        truth[trace.antecedent as usize - 1][1] = true;
    }
    truth
}
