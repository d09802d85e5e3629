//! The cross entropy of the right answers.

use crate::matrix::Matrix;
use crate::ops::Widths;
use crate::tape::{Tape, Var};
use crate::vector;

/// Stands where a row has no right answer to learn from.
pub const IGNORE: u32 = u32::MAX;

/// The right answers for the rows of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// The right column of each row, or [`IGNORE`].
    pub columns: &'a [u32],
    /// The weight of each row; all 1 if none are given.
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
    /// Adds `factor` times the summed cross entropy of the rows to the loss, and gives the sum (without the factor). The rows are logarithms of
    /// probabilities, as [`Tape::log_softmax`] gives them.
    pub fn cross_entropy(&mut self, logs: &Var, widths: &Widths, targets: Targets<'_>, factor: f32) -> f32 {
        let rows = widths.rows(logs);
        assert_eq!(rows, targets.columns.len(), "each row has an answer");
        let mut gradient = Matrix::zeros(logs.rows(), logs.cols());
        let mut total = 0.0;
        for (row, &column) in targets.columns.iter().enumerate().filter(|&(_, &column)| column != IGNORE) {
            let range = widths.range(row, logs.cols());
            let (gradient, logs) = (&mut gradient.values_mut()[range.clone()], &logs.values()[range]);
            let right = 1.0 - targets.smoothing;
            gradient[column as usize] -= right;
            let mut loss = -right * logs[column as usize];
            if targets.smoothing > 0.0 {
                loss += smooth(gradient, logs, targets.smoothing);
            }
            let weight = targets.weights.map_or(1.0, |weights| weights[row]);
            vector::scale(gradient, weight * factor);
            total += weight * loss;
        }
        self.external_loss(logs, gradient);
        total
    }
}

/// The part of the loss that comes from spreading `smoothing` over all columns.
fn smooth(gradient: &mut [f32], logs: &[f32], smoothing: f32) -> f32 {
    let open = logs.iter().filter(|log| log.is_finite()).count();
    let share = smoothing / open as f32;
    let mut loss = 0.0;
    for (gradient, log) in gradient.iter_mut().zip(logs).filter(|(_, log)| log.is_finite()) {
        *gradient -= share;
        loss -= share * log;
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradients::Gradients;
    use crate::ops::spans;
    use crate::params::{Builder, Learning, Params};
    use crate::random::Random;
    use crate::tape::Mode;

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let mut params = Params::default();
        let mut builder =
            Builder { params: &mut params, random: Some(Random::new(2)), learning: Learning::Fresh };
        let id = builder.random_row("scores", 9, 1.0);
        params.get_mut(id).value.values_mut()[6] = f32::NEG_INFINITY;
        let targets = Targets { columns: &[1, IGNORE, 0], weights: Some(&[1.0, 1.0, 0.5]), smoothing: 0.1 };
        let run = |params: &Params, grads: &mut Gradients| {
            let mut tape = Tape::new(params, Mode::Train { seed: 0 });
            let scores = tape.param(id);
            let widths = Widths::Ragged(spans([2, 3, 4]));
            let logs = tape.log_softmax(scores, widths.clone());
            let loss = tape.cross_entropy(&logs, &widths, targets, 2.0);
            tape.backward(grads);
            loss
        };
        let mut grads = Gradients::new(&params);
        run(&params, &mut grads);
        for at in 0..9 {
            let moved = |by: f32| {
                let mut params = params.clone();
                params.get_mut(id).value.values_mut()[at] += by;
                run(&params, &mut Gradients::new(&params))
            };
            let difference = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            let gradient = grads.get(id).at(0, at) / 2.0;
            assert!((difference - gradient).abs() < 1e-3, "{at}: {difference} {gradient}");
        }
    }
}
