//! The encoder that is trained from scratch: embeddings of words and their spelling, and layers of LSTM in both
//! directions.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Batch;
use crate::words::SHAPES;
use tracebank_nn::layer::{Linear, Norm};
use tracebank_nn::ops::{Packing, Spans};
use tracebank_nn::params::{Builder, Learning, ParamId};
use tracebank_nn::tape::{Tape, Var};

/// The sizes of the LSTM encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LstmConfig {
    /// Columns of the embeddings.
    pub embedding: usize,
    /// Columns of one direction of one layer.
    pub hidden: usize,
    /// The number of layers.
    pub layers: usize,
    /// Dropout between layers.
    pub dropout: f32,
    /// How often a word's own embedding is hidden, leaving its spelling.
    pub word_dropout: f32,
}

impl Default for LstmConfig {
    fn default() -> Self {
        Self { embedding: 200, hidden: 300, layers: 2, dropout: 0.33, word_dropout: 0.15 }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Lstm {
    words: ParamId,
    ngrams: ParamId,
    shapes: ParamId,
    dialects: ParamId,
    norm: Norm,
    layers: Vec<[Direction; 2]>,
    dropout: f32,
    word_dropout: f32,
}

#[derive(Clone, Debug)]
struct Direction {
    gates: Linear,
    recurrent: ParamId,
}

impl Direction {
    fn new(builder: &mut Builder<'_>, name: &str, inputs: usize, hidden: usize) -> Self {
        let gates = Linear::new(builder, &format!("{name}.gates"), inputs, 4 * hidden);
        // A cell that forgets nothing at first learns what to keep sooner.
        if builder.random.is_some() {
            builder.params.get_mut(gates.bias).value.values_mut()[hidden..2 * hidden].fill(1.0);
        }
        Self { gates, recurrent: builder.weights(&format!("{name}.recurrent"), 4 * hidden, hidden) }
    }
}

impl Lstm {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        config: &LstmConfig,
        vocabulary: usize,
        buckets: usize,
        dialects: usize,
    ) -> Self {
        builder.learning = Learning::Fresh;
        let cols = config.embedding;
        let layer = |builder: &mut Builder<'_>, layer: usize| {
            let inputs = if layer == 0 { cols } else { 2 * config.hidden };
            ["forwards", "backwards"].map(|direction| {
                Direction::new(builder, &format!("lstm.{layer}.{direction}"), inputs, config.hidden)
            })
        };
        Self {
            words: builder.table("embeddings.words", vocabulary, cols, 0.3),
            ngrams: builder.table("embeddings.ngrams", buckets, cols, 0.1),
            shapes: builder.table("embeddings.shapes", SHAPES, cols, 0.1),
            dialects: builder.table("embeddings.dialects", dialects, cols, 0.0),
            norm: Norm::new(builder, "embeddings.norm", cols),
            layers: (0..config.layers).map(|nth| layer(builder, nth)).collect(),
            dropout: config.dropout,
            word_dropout: config.word_dropout,
        }
    }

    pub(super) fn encode(&self, tape: &mut Tape<'_>, batch: &Batch) -> Var {
        let lengths = batch.words.windows(2).map(|span| span[1] - span[0]);
        let dialects =
            batch.dialects.iter().zip(lengths).flat_map(|(&id, n)| std::iter::repeat_n(id, n)).collect();
        let words = tape.embed(vec![(self.words, Rc::clone(&batch.word_ids))]);
        let words = tape.dropout_rows(words, self.word_dropout);
        let ngrams =
            tape.embed_bags(self.ngrams, Rc::clone(&batch.ngrams), Spans::clone(&batch.ngram_starts));
        let rest = tape.embed(vec![(self.shapes, Rc::clone(&batch.shapes)), (self.dialects, dialects)]);
        let sum = tape.add(&words, &ngrams);
        let mut x = self.norm.apply(tape, sum, Some(&rest));

        let packings = [false, true].map(|backwards| Rc::new(Packing::new(&batch.words, backwards)));
        for layer in &self.layers {
            x = tape.dropout(x, self.dropout);
            let mut run = |nth: usize| {
                let gates = layer[nth].gates.apply(tape, &x);
                tape.lstm(&gates, layer[nth].recurrent, Rc::clone(&packings[nth]))
            };
            let (forwards, backwards) = (run(0), run(1));
            x = tape.concat(&[&forwards, &backwards]);
        }
        x
    }
}
