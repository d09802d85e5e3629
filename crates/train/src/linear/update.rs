//! The update rule: how a gradient moves weights.
//!
//! One rule for all objectives: a step against the gradient, adapted or not (`AdaGrad`, Duchi et al. 2011), shrunk or not (L1 and L2), averaged or not.
//! Only the slots that a step names are touched. What shrinking the others have missed is made up for when they are next named,
//! in closed form (Kummerfeld et al. 2015): while a slot is not named, its sum of squares stays the same, so *t* steps of L2 are a power, and *t*
//! of L1 a product. Between two visits a weight is therefore read as it was left; [`Learner::settle`] brings all up to date.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use tracebank_linear::weights::Weights;

/// The rule of updates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rule {
    /// The learning rate.
    pub rate: f32,
    /// Whether steps of a weight get shorter with the square root of the sum of its squared gradients.
    pub is_adaptive: bool,
    /// A number added to that root, so that no step is divided by 0.
    pub delta: f32,
    /// By how much each step draws weights to 0.
    pub l1: f32,
    /// In which proportion each step draws weights to 0.
    pub l2: f32,
    /// Whether the result is the average over all steps and not where the last one led.
    pub is_averaged: bool,
}

impl Default for Rule {
    fn default() -> Rule {
        Rule { rate: 0.1, is_adaptive: true, delta: 1e-6, l1: 0.0, l2: 0.0, is_averaged: true }
    }
}

impl Rule {
    /// The rule of the averaged perceptron (Collins 2002).
    pub const PERCEPTRON: Rule =
        Rule { rate: 1.0, is_adaptive: false, delta: 0.0, l1: 0.0, l2: 0.0, is_averaged: true };
}

/// The state of a rule: what it remembers of each weight.
#[derive(Debug)]
pub struct Learner {
    rule: Rule,
    squares: Weights,
    /// For each weight, the sum of each change times the number of the step that made it; what gives the average at the end.
    drift: Weights,
    /// The step that last named each weight, as a number's bits.
    seen: Vec<AtomicU32>,
    steps: AtomicU32,
}

impl Learner {
    /// Nothing learnt yet for 2^`bits` weights.
    pub fn new(rule: Rule, bits: u32) -> Learner {
        let table = |is_used: bool| if is_used { Weights::new(bits) } else { Weights::new(0) };
        let slots = if rule.l1 > 0.0 || rule.l2 > 0.0 { 1_usize << bits } else { 0 };
        Learner {
            rule,
            squares: table(rule.is_adaptive),
            drift: table(rule.is_averaged),
            seen: (0..slots).map(|_| AtomicU32::new(0)).collect(),
            steps: AtomicU32::new(0),
        }
    }

    /// The steps taken.
    pub fn steps(&self) -> u32 {
        self.steps.load(Relaxed)
    }

    /// One step against a gradient; no slot occurs twice in it.
    pub fn step(&self, weights: &Weights, gradient: &[(usize, f32)]) {
        let step = self.steps.fetch_add(1, Relaxed) + 1;
        for &(slot, gradient) in gradient {
            let before = weights.get(slot);
            let weight = self.shrink(slot, before, step);
            let length = if self.rule.is_adaptive {
                let squares = self.squares.get(slot) + gradient * gradient;
                self.squares.set(slot, squares);
                self.rule.rate / (self.rule.delta + squares.sqrt())
            } else {
                self.rule.rate
            };
            self.place(weights, slot, before, weight - length * gradient, step);
        }
    }

    /// Makes up for all shrinking that is still owed.
    pub fn settle(&self, weights: &Weights) {
        let step = self.steps();
        for slot in 0..self.seen.len() {
            let before = weights.get(slot);
            if before != 0.0 {
                self.place(weights, slot, before, self.shrink(slot, before, step), step);
            }
        }
    }

    /// The weights to parse with.
    pub fn result(&self, weights: &Weights) -> Weights {
        self.settle(weights);
        let result = weights.clone();
        if self.rule.is_averaged {
            let steps = self.steps() as f32 + 1.0;
            for slot in 0..result.slots() {
                result.set(slot, weights.get(slot) - self.drift.get(slot) / steps);
            }
        }
        result
    }

    fn place(&self, weights: &Weights, slot: usize, before: f32, after: f32, step: u32) {
        weights.set(slot, after);
        if self.rule.is_averaged {
            self.drift.set(slot, self.drift.get(slot) + step as f32 * (after - before));
        }
    }

    /// The rest of a weight after the shrinking of the steps since it was last named.
    fn shrink(&self, slot: usize, weight: f32, step: u32) -> f32 {
        let Some(seen) = self.seen.get(slot) else { return weight };
        let missed = step.saturating_sub(seen.swap(step, Relaxed)) as f32;
        let root = if self.rule.is_adaptive { self.rule.delta + self.squares.get(slot).sqrt() } else { 1.0 };
        let kept = weight * (root / (root + self.rule.rate * self.rule.l2)).powf(missed);
        let drawn = self.rule.rate * self.rule.l1 * missed / root;
        kept.signum() * (kept.abs() - drawn).max(0.0)
    }

    /// All that is remembered, beside the weights themselves, for training to go on from.
    pub fn to_bytes(&self, weights: &Weights) -> Vec<u8> {
        let mut bytes = self.steps().to_le_bytes().to_vec();
        let tables = [weights, &self.squares, &self.drift];
        for table in tables {
            bytes.extend((0..table.slots()).flat_map(|slot| table.get(slot).to_le_bytes()));
        }
        bytes.extend(self.seen.iter().flat_map(|seen| seen.load(Relaxed).to_le_bytes()));
        bytes
    }

    /// Goes back to where [`to_bytes`](Self::to_bytes) was, with the same rule and number of weights; `None` if the bytes do not fit.
    pub fn restore(&self, weights: &Weights, bytes: &[u8]) -> Option<()> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let tables = [weights, &self.squares, &self.drift];
        let count = 1 + tables.iter().map(|table| table.slots()).sum::<usize>() + self.seen.len();
        if !rest.is_empty() || numbers.len() != count {
            return None;
        }
        let mut numbers = numbers.iter().map(|number| u32::from_le_bytes(*number));
        self.steps.store(numbers.next()?, Relaxed);
        for table in tables {
            for (slot, number) in (0..table.slots()).zip(&mut numbers) {
                table.set(slot, f32::from_bits(number));
            }
        }
        for (seen, number) in self.seen.iter().zip(numbers) {
            seen.store(number, Relaxed);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shrinking when a weight is next named gives what shrinking at every step gives.
    #[test]
    fn lazy_shrinking_is_shrinking() {
        let rule = Rule { l1: 0.01, l2: 0.02, is_averaged: false, ..Rule::default() };
        let (weights, learner) = (Weights::new(1), Learner::new(rule, 1));
        for step in 0..10 {
            let gradient = [(0, 1.0), (1, -1.0)];
            learner.step(&weights, if step == 0 { &gradient } else { &gradient[1..] });
        }
        learner.settle(&weights);
        let (mut eager, root) = (-0.1_f32, 1.0 + rule.delta);
        for _ in 1..10 {
            eager *= root / (root + rule.rate * rule.l2);
        }
        let lazy = eager.signum() * (eager.abs() - 9.0 * rule.rate * rule.l1 / root);
        assert!((weights.get(0) - lazy).abs() < 1e-6, "{} {lazy}", weights.get(0));
    }

    #[test]
    fn the_average_is_over_all_steps() {
        let (weights, learner) = (Weights::new(0), Learner::new(Rule::PERCEPTRON, 0));
        for gradient in [-1.0, 0.0, -3.0] {
            learner.step(&weights, &[(0, gradient)]);
        }
        // 0 before the first step, then 1, 1, 4.
        assert!((learner.result(&weights).get(0) - 6.0 / 4.0).abs() < 1e-6);
    }
}
