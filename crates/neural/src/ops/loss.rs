//! The cross entropy of the right answers.

use crate::matrix::Matrix;
use crate::ops::Widths;
use crate::tape::{Tape, Var};
use crate::vector;

/// Stands where a row has no right answer to learn from.
pub const IGNORE: u32 = u32::MAX;

/// The right answers for the rows of a matrix of scores.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// The right column of each row, or [`IGNORE`].
    pub columns: &'a [u32],
    /// What each row counts; all 1 if none are given.
    pub weights: Option<&'a [f32]>,
    /// The share of probability that is spread evenly over all columns (that are not masked by minus infinity).
    pub smoothing: f32,
}

impl<'a> Targets<'a> {
    /// Plain answers.
    pub fn new(columns: &'a [u32]) -> Self {
        Self::smoothed(columns, 0.0)
    }

    /// Answers of which a share of probability is taken and spread over all columns.
    pub fn smoothed(columns: &'a [u32], smoothing: f32) -> Self {
        Self { columns, weights: None, smoothing }
    }
}

impl Tape<'_> {
    /// Adds `factor` times the summed cross entropy of the rows to the loss, and gives the sum (without the factor).
    pub fn cross_entropy(&mut self, scores: &Var, widths: &Widths, targets: Targets<'_>, factor: f32) -> f32 {
        let rows = widths.rows(scores);
        assert_eq!(rows, targets.columns.len(), "each row has an answer");
        let mut gradient = Matrix::clone(scores);
        let mut total = 0.0;
        for (row, &column) in targets.columns.iter().enumerate() {
            let range = widths.range(row, scores.cols());
            let gradient = &mut gradient.values_mut()[range.clone()];
            if column == IGNORE {
                gradient.fill(0.0);
                continue;
            }
            let weight = targets.weights.map_or(1.0, |weights| weights[row]);
            let scores = &scores.values()[range];
            let log = vector::softmax(gradient);
            let mut loss = (1.0 - targets.smoothing) * (log - scores[column as usize]);
            gradient[column as usize] -= 1.0 - targets.smoothing;
            if targets.smoothing > 0.0 {
                loss += smooth(gradient, scores, log, targets.smoothing);
            }
            vector::scale(gradient, weight * factor);
            total += weight * loss;
        }
        self.external_loss(scores, gradient);
        total
    }
}

/// The part of the loss that comes from spreading `smoothing` over all columns.
fn smooth(gradient: &mut [f32], scores: &[f32], log: f32, smoothing: f32) -> f32 {
    let open = scores.iter().filter(|score| score.is_finite()).count();
    let share = smoothing / open as f32;
    let mut loss = 0.0;
    for (gradient, score) in gradient.iter_mut().zip(scores) {
        if score.is_finite() {
            *gradient -= share;
            loss += share * (log - score);
        }
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grads::Grads;
    use crate::ops::spans;
    use crate::params::{Builder, Learning, Params};
    use crate::random::Random;
    use crate::tape::Mode;

    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let mut params = Params::default();
        let mut builder =
            Builder { params: &mut params, random: Some(Random::new(2)), learning: Learning::Fresh };
        let id = builder.random_row("scores", 9, 1.0);
        params.get_mut(id).value.values_mut()[6] = f32::NEG_INFINITY;
        let targets = Targets { columns: &[1, IGNORE, 0], weights: Some(&[1.0, 1.0, 0.5]), smoothing: 0.1 };
        let run = |params: &Params, grads: &mut Grads| {
            let mut tape = Tape::new(params, Mode::Train { seed: 0 });
            let scores = tape.param(id);
            let loss = tape.cross_entropy(&scores, &Widths::Ragged(spans([2, 3, 4])), targets, 2.0);
            tape.backward(grads);
            loss
        };
        let mut grads = Grads::new(&params);
        run(&params, &mut grads);
        for at in 0..9 {
            let moved = |by: f32| {
                let mut params = params.clone();
                params.get_mut(id).value.values_mut()[at] += by;
                run(&params, &mut Grads::new(&params))
            };
            let difference = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            let gradient = grads.get(id).at(0, at) / 2.0;
            assert!((difference - gradient).abs() < 1e-3, "{at}: {difference} {gradient}");
        }
    }
}
