//! Small layers: parameters that belong together.

use crate::params::{Builder, ParamId};
use crate::tape::{Tape, Var};

/// Weights and a bias.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) weights: ParamId,
    pub(crate) bias: ParamId,
}

impl Linear {
    pub(crate) fn new(builder: &mut Builder<'_>, name: &str, inputs: usize, outputs: usize) -> Self {
        Self {
            weights: builder.weights(&format!("{name}.weight"), outputs, inputs),
            bias: builder.row(&format!("{name}.bias"), outputs, 0.0),
        }
    }

    pub(crate) fn apply(self, tape: &mut Tape<'_>, x: &Var) -> Var {
        tape.linear(x, self.weights, self.bias)
    }
}

/// Weight and bias of a layer norm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Norm {
    weight: ParamId,
    bias: ParamId,
}

impl Norm {
    pub(crate) fn new(builder: &mut Builder<'_>, name: &str, cols: usize) -> Self {
        Self {
            weight: builder.row(&format!("{name}.weight"), cols, 1.0),
            bias: builder.row(&format!("{name}.bias"), cols, 0.0),
        }
    }

    pub(crate) fn apply(self, tape: &mut Tape<'_>, x: Var, residual: Option<&Var>) -> Var {
        tape.layer_norm(x, residual, self.weight, self.bias)
    }
}

/// A hidden layer with relu and dropout, and scores over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classifier {
    hidden: Linear,
    scores: Linear,
    dropout: f32,
}

impl Classifier {
    pub(crate) fn new(builder: &mut Builder<'_>, name: &str, sizes: [usize; 3], dropout: f32) -> Self {
        Self {
            hidden: Linear::new(builder, &format!("{name}.hidden"), sizes[0], sizes[1]),
            scores: Linear::new(builder, &format!("{name}.scores"), sizes[1], sizes[2]),
            dropout,
        }
    }

    pub(crate) fn apply(&self, tape: &mut Tape<'_>, x: &Var) -> Var {
        let hidden = self.hidden.apply(tape, x);
        let hidden = tape.relu(hidden);
        let hidden = tape.dropout(hidden, self.dropout);
        self.scores.apply(tape, &hidden)
    }
}
