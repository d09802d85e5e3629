//! From the ids of words to a vector for each word.
//!
//! Two encoders share what stands around them: `Batch` lines up the ids of all sentences, and each word's vector is
//! joined by a small embedding of its spelling (n-grams and shape: the pretrained encoder sees no case) and projected
//! to the network's width.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::prepare::Prepared;
use crate::words::SHAPES;
use tracebank_nn::layer::Linear;
use tracebank_nn::ops::{Spans, spans};
use tracebank_nn::params::{Builder, Learning, ParamId};
use tracebank_nn::tape::{Tape, Var};

mod lstm;
mod pretrained;

pub use lstm::LstmConfig;
pub(crate) use pretrained::load as load_pretrained;
pub use pretrained::{PretrainedConfig, PretrainedError};

/// Which encoder, and how large.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EncoderConfig {
    /// The first layers of a pretrained BERT.
    Pretrained(PretrainedConfig),
    /// Layers of a bidirectional LSTM, trained from scratch.
    Lstm(LstmConfig),
}

/// The spelling of words beside the encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpellingConfig {
    /// Buckets for hashed n-grams.
    pub buckets: usize,
    /// Columns for the bag of n-grams.
    pub ngrams: usize,
    /// Columns for the shape.
    pub shape: usize,
}

impl Default for SpellingConfig {
    fn default() -> Self {
        Self { buckets: 1 << 15, ngrams: 64, shape: 16 }
    }
}

/// The ids of all sentences of a batch, one after the other.
pub(crate) struct Batch {
    /// Rows of words.
    pub(crate) words: Spans,
    pub(crate) word_ids: Rc<[u32]>,
    pub(crate) shapes: Rc<[u32]>,
    pub(crate) ngrams: Rc<[u32]>,
    pub(crate) ngram_starts: Spans,
    pub(crate) dialects: Vec<u32>,
    /// Rows of pieces, a span for each window.
    pub(crate) windows: Spans,
    /// The number of windows of each sentence.
    pub(crate) windows_of: Vec<usize>,
    pub(crate) pieces: Rc<[u32]>,
    pub(crate) segments: Rc<[(u32, u32)]>,
}

impl Batch {
    pub(crate) fn new(sentences: &[&Prepared]) -> Self {
        let join =
            |part: fn(&Prepared) -> &Vec<u32>| sentences.iter().flat_map(|s| part(s)).copied().collect();
        let mut before = 0;
        let segments = sentences.iter().flat_map(|s| {
            let shift = before;
            before += s.pieces.len() as u32;
            s.segments.iter().map(move |(from, to)| (from + shift, to + shift))
        });
        Self {
            segments: segments.collect(),
            words: spans(sentences.iter().map(|s| s.length)),
            word_ids: join(|s| &s.words),
            shapes: join(|s| &s.shapes),
            ngrams: join(|s| &s.ngrams),
            ngram_starts: spans(sentences.iter().flat_map(|s| s.ngram_counts.iter().copied())),
            dialects: sentences.iter().map(|s| s.dialect).collect(),
            windows: spans(sentences.iter().flat_map(|s| s.windows.iter().copied())),
            windows_of: sentences.iter().map(|s| s.windows.len()).collect(),
            pieces: join(|s| &s.pieces),
        }
    }
}

/// Gives each word a vector.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    kind: Kind,
    ngrams: ParamId,
    shapes: ParamId,
    project: Linear,
    dropout: f32,
}

#[derive(Clone, Debug)]
enum Kind {
    Pretrained(pretrained::Pretrained),
    Lstm(lstm::Lstm),
}

/// The sizes that an encoder is built from.
pub(crate) struct Plan<'a> {
    pub(crate) encoder: &'a EncoderConfig,
    pub(crate) spelling: &'a SpellingConfig,
    pub(crate) vocabulary: usize,
    pub(crate) dialects: usize,
    pub(crate) width: usize,
    pub(crate) dropout: f32,
}

impl Encoder {
    pub(crate) fn new(builder: &mut Builder<'_>, plan: &Plan<'_>) -> Self {
        let (kind, cols) = match plan.encoder {
            EncoderConfig::Pretrained(config) => {
                let encoder = pretrained::Pretrained::new(builder, config, plan.vocabulary, plan.dialects);
                (Kind::Pretrained(encoder), config.hidden)
            }
            EncoderConfig::Lstm(config) => {
                let encoder =
                    lstm::Lstm::new(builder, config, plan.vocabulary, plan.spelling.buckets, plan.dialects);
                (Kind::Lstm(encoder), 2 * config.hidden)
            }
        };
        builder.learning = Learning::Fresh;
        let spelling = plan.spelling;
        Self {
            kind,
            ngrams: builder.table("spelling.ngrams", spelling.buckets, spelling.ngrams, 0.1),
            shapes: builder.table("spelling.shapes", SHAPES, spelling.shape, 0.3),
            project: Linear::new(builder, "project", cols + spelling.ngrams + spelling.shape, plan.width),
            dropout: plan.dropout,
        }
    }

    /// The vectors of all words, `[words, width]`.
    pub(crate) fn encode(&self, tape: &mut Tape<'_>, batch: &Batch) -> Var {
        let words = match &self.kind {
            Kind::Pretrained(encoder) => encoder.encode(tape, batch),
            Kind::Lstm(encoder) => encoder.encode(tape, batch),
        };
        let ngrams =
            tape.embed_bags(self.ngrams, Rc::clone(&batch.ngrams), Spans::clone(&batch.ngram_starts));
        let shapes = tape.embed(vec![(self.shapes, Rc::clone(&batch.shapes))]);
        let all = tape.concat(&[&words, &ngrams, &shapes]);
        let all = tape.dropout(all, self.dropout);
        let projected = self.project.apply(tape, &all);
        let activated = tape.gelu(&projected);
        tape.dropout(activated, self.dropout)
    }
}
