//! Adam with decoupled weight decay, and its schedule: the learning rate rises in a straight line, then falls in one to zero.
//!
//! Rows of tables move only in steps that touch them. Everything is elementwise or summed in a fixed order, so the
//! result does not depend on the number of threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::gradients::{Gradient, Gradients};
use crate::matrix::Matrix;
use crate::params::{Learning, Param, Params};
use crate::vector;

/// The rates of Adam, and how they change from step to step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OptimiserConfig {
    /// The highest learning rate of what starts from random values.
    pub rate: f32,
    /// The highest learning rate of the top pretrained layer.
    pub encoder_rate: f32,
    /// The rate of each pretrained layer below is this times that of the layer above.
    pub layer_decay: f32,
    /// The share of the mean gradient that is kept from step to step.
    pub beta1: f32,
    /// The share of the mean squared gradient that is kept from step to step.
    pub beta2: f32,
    /// Keeps the step finite where gradients vanish.
    pub epsilon: f32,
    /// Draws weights towards zero, times the learning rate.
    pub weight_decay: f32,
    /// Longer gradients are shortened to this.
    pub clip: f32,
    /// Steps in which the rate rises to its highest.
    pub warm_up: usize,
    /// Steps in all; at the end the rate is zero.
    pub steps: usize,
}

impl Default for OptimiserConfig {
    fn default() -> Self {
        Self {
            rate: 1e-3,
            encoder_rate: 1e-4,
            layer_decay: 0.9,
            beta1: 0.9,
            beta2: 0.98,
            epsilon: 1e-8,
            weight_decay: 0.01,
            clip: 1.0,
            warm_up: 100,
            steps: 1000,
        }
    }
}

impl OptimiserConfig {
    /// The share of the highest rate that is used in a step, counted from 0.
    pub fn schedule(&self, step: usize) -> f32 {
        if step < self.warm_up {
            return (step + 1) as f32 / self.warm_up as f32;
        }
        self.steps.saturating_sub(step) as f32 / self.steps.saturating_sub(self.warm_up).max(1) as f32
    }

    fn rate_of(&self, param: &Param) -> f32 {
        match param.learning {
            Learning::Fresh => self.rate,
            Learning::Pretrained { depth } => self.encoder_rate * self.layer_decay.powi(depth as i32),
        }
    }
}

/// The state of training beside the weights.
#[derive(Clone, Debug)]
pub struct Optimiser {
    config: OptimiserConfig,
    step: usize,
    moments: Vec<Moments>,
}

/// The running means for one parameter; empty until it has a gradient.
#[derive(Clone, Debug)]
struct Moments {
    first: Matrix,
    second: Matrix,
}

/// The size of a step.
#[derive(Clone, Copy, Debug)]
pub struct Stepped {
    /// The length of the gradient before it was shortened.
    pub norm: f32,
    /// The learning rate of fresh weights.
    pub rate: f32,
}

impl Optimiser {
    /// At the beginning of training.
    pub fn new(config: OptimiserConfig, params: &Params) -> Self {
        let empty = || Moments { first: Matrix::zeros(0, 0), second: Matrix::zeros(0, 0) };
        Self { config, step: 0, moments: params.iter().map(|_| empty()).collect() }
    }

    /// The rates.
    pub fn config(&self) -> &OptimiserConfig {
        &self.config
    }

    /// From now on the rate falls so that it is zero after this many steps in all.
    pub fn end_at(&mut self, steps: usize) {
        self.config.steps = steps;
    }

    /// The number of steps taken.
    pub fn steps_taken(&self) -> usize {
        self.step
    }

    /// Moves the weights along the gradients.
    pub fn update(&mut self, params: &mut Params, grads: &Gradients) -> Stepped {
        let squares: Vec<f32> = grads.entries().par_iter().map(|g| sum_of_squares(g.values())).collect();
        let norm = vector::sum(&squares).sqrt();
        let shrink = if norm > self.config.clip { self.config.clip / norm } else { 1.0 };
        let share = self.config.schedule(self.step);
        self.step += 1;
        let correction =
            [self.config.beta1, self.config.beta2].map(|beta| 1.0 - beta.powi(self.step.min(1 << 20) as i32));
        let config = &self.config;
        params.entries_mut().par_iter_mut().zip(&mut self.moments).zip(grads.entries()).for_each(
            |((param, moments), gradient)| {
                if param.frozen || matches!(gradient, Gradient::Absent) {
                    return;
                }
                let rate = share * config.rate_of(param);
                let step = AdamStep {
                    beta1: config.beta1,
                    beta2: config.beta2,
                    shrink,
                    rate: rate / correction[0],
                    root: 1.0 / correction[1].sqrt(),
                    epsilon: config.epsilon,
                    keep: if param.decays { 1.0 - rate * config.weight_decay } else { 1.0 },
                };
                move_param(&step, param, moments, gradient);
            },
        );
        Stepped { norm, rate: share * self.config.rate }
    }

    /// The state beside the configuration, with its names and in a fixed order: the two moments of each parameter, empty while it has had no gradient.
    pub fn moments<'o>(&'o self, params: &'o Params) -> impl Iterator<Item = (String, &'o Matrix)> {
        params.iter().zip(&self.moments).flat_map(|(param, moments)| {
            [
                (format!("first.{}", param.name), &moments.first),
                (format!("second.{}", param.name), &moments.second),
            ]
        })
    }

    /// An optimiser that has taken `step` steps, with the moments that `read` finds for a name and a parameter.
    pub fn restored<E>(
        config: OptimiserConfig,
        step: usize,
        params: &Params,
        mut read: impl FnMut(&str, &Param) -> Result<Matrix, E>,
    ) -> Result<Self, E> {
        let mut moments = |param: &Param| {
            Ok(Moments {
                first: read(&format!("first.{}", param.name), param)?,
                second: read(&format!("second.{}", param.name), param)?,
            })
        };
        let moments = params.iter().map(&mut moments).collect::<Result<_, E>>()?;
        Ok(Self { config, step, moments })
    }
}

fn move_param(step: &AdamStep, param: &mut Param, moments: &mut Moments, gradient: &Gradient) {
    let (rows, cols) = param.value.shape();
    if moments.first.shape() != (rows, cols) {
        moments.first = Matrix::zeros(rows, cols);
        moments.second = Matrix::zeros(rows, cols);
    }
    let Moments { first, second } = moments;
    match gradient {
        Gradient::Absent => {}
        Gradient::Dense(gradient) => {
            let gradient = gradient.values();
            adam(step, param.value.values_mut(), first.values_mut(), second.values_mut(), gradient);
        }
        Gradient::Rows(touched) => {
            for (row, gradient) in touched.iter() {
                let row = row as usize;
                adam(step, param.value.row_mut(row), first.row_mut(row), second.row_mut(row), gradient);
            }
        }
    }
}

/// The numbers of one step for one parameter.
struct AdamStep {
    beta1: f32,
    beta2: f32,
    shrink: f32,
    rate: f32,
    root: f32,
    epsilon: f32,
    keep: f32,
}

#[multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
fn adam(step: &AdamStep, weights: &mut [f32], first: &mut [f32], second: &mut [f32], gradient: &[f32]) {
    let &AdamStep { beta1, beta2, shrink, rate, root, epsilon, keep } = step;
    for (((w, m), v), g) in weights.iter_mut().zip(first).zip(second).zip(gradient) {
        let g = g * shrink;
        *m = beta1 * *m + (1.0 - beta1) * g;
        *v = beta2 * *v + (1.0 - beta2) * g * g;
        *w = keep * *w - rate * *m / (v.sqrt() * root + epsilon);
    }
}

/// Sums blocks first, so that many small squares are not lost against their sum.
fn sum_of_squares(values: &[f32]) -> f32 {
    let blocks: Vec<f32> = values.chunks(4096).map(|block| vector::dot(block, block)).collect();
    vector::sum(&blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let config = OptimiserConfig { warm_up: 10, steps: 110, ..OptimiserConfig::default() };
        assert!((config.schedule(0) - 0.1).abs() < 1e-6);
        assert!((config.schedule(9) - 1.0).abs() < 1e-6);
        assert!((config.schedule(60) - 0.5).abs() < 1e-6);
        assert_eq!(config.schedule(110), 0.0);
    }
}
