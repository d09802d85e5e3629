//! The tasks over the vectors of words.
//!
//! Tags, spines and function tags are classified word by word. A word's head is chosen by a biaffine score, `d·W·h + u·h`, over the
//! root and all words. Labels of attachments and traces are scored by a small network over pairs.

use std::rc::Rc;

use super::NetworkConfig;
use tracebank_nn::layer::{Classifier, Linear};
use tracebank_nn::matrix::Matrix;
use tracebank_nn::ops::Spans;
use tracebank_nn::params::{Builder, ParamId};
use tracebank_nn::tape::{Tape, Var};

#[derive(Clone, Debug)]
pub(super) struct Heads {
    pub(super) tags: Classifier,
    pub(super) spines: Classifier,
    pub(super) functions: Classifier,
    pub(super) arcs: Arcs,
    pub(super) attachments: Pairs,
    pub(super) traces: Pairs,
}

impl Heads {
    pub(super) fn new(builder: &mut Builder<'_>, config: &NetworkConfig) -> Self {
        let NetworkConfig { width, hidden, labels, dropout, .. } = *config;
        Self {
            tags: Classifier::new(builder, "tags", [width, hidden.tags, labels.tags], dropout),
            spines: Classifier::new(builder, "spines", [width, hidden.spines, labels.spines], dropout),
            functions: Classifier::new(
                builder,
                "functions",
                [width, hidden.functions, labels.functions],
                dropout,
            ),
            arcs: Arcs::new(builder, width, hidden.arcs, dropout),
            attachments: Pairs::new(
                builder,
                "attachments",
                [width, hidden.attachments, labels.attachments],
                true,
                dropout,
            ),
            traces: Pairs::new(builder, "traces", [width, hidden.traces, labels.traces + 1], false, dropout),
        }
    }
}

/// Scores each word as the head of each other.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    dependent: Linear,
    head: Linear,
    root: ParamId,
    /// `W`, and `u` as its bias, since `(d·W + u)·h` is `d·W·h + u·h`.
    between: Linear,
    dropout: f32,
}

impl Arcs {
    fn new(builder: &mut Builder<'_>, width: usize, hidden: usize, dropout: f32) -> Self {
        Self {
            dependent: Linear::new(builder, "arcs.dependent", width, hidden),
            head: Linear::new(builder, "arcs.head", width, hidden),
            root: builder.random_row("arcs.root", hidden, 0.1),
            between: Linear::new(builder, "arcs.between", hidden, hidden),
            dropout,
        }
    }

    pub(super) fn apply(&self, tape: &mut Tape<'_>, words: &Var, spans: &Spans) -> Var {
        let mut hidden = |layer: &Linear| {
            let x = layer.apply(tape, words);
            let x = tape.relu(x);
            tape.dropout(x, self.dropout)
        };
        let (dependents, heads) = (hidden(&self.dependent), hidden(&self.head));
        let dependents = self.between.apply(tape, &dependents);
        let heads = tape.prepend_row(&heads, self.root, spans);
        tape.head_scores(&dependents, &heads, spans)
    }
}

/// Scores labels of pairs of words.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    left: Linear,
    right: Linear,
    /// Stands before the words on the right side of each sentence, if the root can be there.
    root: Option<ParamId>,
    labels: Linear,
    dropout: f32,
}

impl Pairs {
    fn new(builder: &mut Builder<'_>, name: &str, sizes: [usize; 3], rooted: bool, dropout: f32) -> Self {
        Self {
            left: Linear::new(builder, &format!("{name}.left"), sizes[0], sizes[1]),
            right: Linear::new(builder, &format!("{name}.right"), sizes[0], sizes[1]),
            root: rooted.then(|| builder.random_row(&format!("{name}.root"), sizes[1], 0.1)),
            labels: Linear::new(builder, &format!("{name}.labels"), sizes[1], sizes[2]),
            dropout,
        }
    }

    /// A row of scores for each pair of rows; on the right side, rows count the roots if there are any.
    pub(super) fn apply(
        &self,
        tape: &mut Tape<'_>,
        words: &Var,
        spans: &Spans,
        pairs: Rc<[(u32, u32)]>,
    ) -> Var {
        if pairs.is_empty() {
            let labels = tape.params().value(self.labels.weights).rows();
            return tape.constant(Matrix::zeros(0, labels));
        }
        let left = self.left.apply(tape, words);
        let left = tape.dropout(left, self.dropout);
        let right = self.right.apply(tape, words);
        let mut right = tape.dropout(right, self.dropout);
        if let Some(root) = self.root {
            right = tape.prepend_row(&right, root, spans);
        }
        tape.pairs(&left, &right, pairs, self.labels.weights, self.labels.bias)
    }
}
