//! Small layers: parameters that belong together.

use crate::params::{Builder, ParamId};
use crate::tape::{Tape, Var};

/// Weights and a bias.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// The weights, `[outputs, inputs]`.
    pub weights: ParamId,
    /// The bias, one row.
    pub bias: ParamId,
}

impl Linear {
    /// A layer whose parameters are `name.weight` and `name.bias`.
    pub fn new(builder: &mut Builder<'_>, name: &str, inputs: usize, outputs: usize) -> Self {
        Self {
            weights: builder.weights(&format!("{name}.weight"), outputs, inputs),
            bias: builder.row(&format!("{name}.bias"), outputs, 0.0),
        }
    }

    /// `x · weightsᵀ + bias`.
    pub fn apply(self, tape: &mut Tape<'_>, x: &Var) -> Var {
        tape.linear(x, self.weights, self.bias)
    }
}

/// Weight and bias of a layer norm.
#[derive(Clone, Copy, Debug)]
pub struct Norm {
    weight: ParamId,
    bias: ParamId,
}

impl Norm {
    /// A layer whose parameters are `name.weight` and `name.bias`.
    pub fn new(builder: &mut Builder<'_>, name: &str, cols: usize) -> Self {
        Self {
            weight: builder.row(&format!("{name}.weight"), cols, 1.0),
            bias: builder.row(&format!("{name}.bias"), cols, 0.0),
        }
    }

    /// The norm of `x`, or of its sum with `residual`.
    pub fn apply(self, tape: &mut Tape<'_>, x: Var, residual: Option<&Var>) -> Var {
        tape.layer_norm(x, residual, self.weight, self.bias)
    }
}

/// A hidden layer with relu and dropout, and scores over it.
#[derive(Clone, Copy, Debug)]
pub struct Classifier {
    hidden: Linear,
    scores: Linear,
    dropout: f32,
}

impl Classifier {
    /// A layer with `sizes` of its input, its hidden layer and its output, and parameters `name.hidden` and `name.scores`.
    pub fn new(builder: &mut Builder<'_>, name: &str, sizes: [usize; 3], dropout: f32) -> Self {
        Self {
            hidden: Linear::new(builder, &format!("{name}.hidden"), sizes[0], sizes[1]),
            scores: Linear::new(builder, &format!("{name}.scores"), sizes[1], sizes[2]),
            dropout,
        }
    }

    /// The scores of each row of `x`.
    pub fn apply(&self, tape: &mut Tape<'_>, x: &Var) -> Var {
        let hidden = self.hidden.apply(tape, x);
        let hidden = tape.relu(hidden);
        let hidden = tape.dropout(hidden, self.dropout);
        self.scores.apply(tape, &hidden)
    }
}
