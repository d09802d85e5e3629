//! The whole network: an encoder, and the tasks over its word vectors.
//!
//! [`Network::read`] computes the vectors of a batch on a tape; [`BatchScores`](crate::batch_scores::BatchScores) computes the scores of all tasks
//! from them, for parsing and for training alike.

use std::path::Path;
use std::rc::Rc;

use crate::encoder::{self, Batch, Encoder, EncoderConfig, PretrainedError};
use crate::prepare::{Lexicon, Prepared};
use tracebank_nn::int8::Int8Weights;
use tracebank_nn::ops::{Spans, Widths, each, spans};
use tracebank_nn::params::{Builder, Learning, Params};
use tracebank_nn::random::Random;
use tracebank_nn::tape::{Tape, Var};

mod config;
mod heads;

pub use config::{Hidden, Labels, NetworkConfig};

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    config: NetworkConfig,
    lexicon: Lexicon,
    /// The weights.
    pub params: Params,
    int8: Option<Int8Weights>,
    encoder: Encoder,
    heads: heads::Heads,
}

/// The vectors of the words of a batch.
#[derive(Clone, Debug)]
pub struct Words {
    /// A row for each word.
    pub vectors: Var,
    /// The rows of each sentence.
    pub spans: Spans,
}

impl Network {
    /// A network with random weights.
    pub fn new(config: NetworkConfig, lexicon: Lexicon, seed: u64) -> Self {
        Self::built(config, lexicon, Some(Random::new(seed)))
    }

    /// A network that has the shapes of its weights alone, to be filled.
    pub(crate) fn blank(config: NetworkConfig, lexicon: Lexicon) -> Self {
        Self::built(config, lexicon, None)
    }

    fn built(config: NetworkConfig, lexicon: Lexicon, random: Option<Random>) -> Self {
        let mut params = Params::default();
        let mut builder = Builder { params: &mut params, random, learning: Learning::Fresh };
        let plan = encoder::Plan {
            encoder: &config.encoder,
            spelling: &config.spelling,
            vocabulary: lexicon.size(),
            dialects: config.dialects,
            width: config.width,
            dropout: config.dropout,
        };
        let encoder = Encoder::new(&mut builder, &plan);
        let heads = heads::Heads::new(&mut builder, &config);
        Self { config, lexicon, params, int8: None, encoder, heads }
    }

    /// Fills in the weights of a pretrained model's folder (`model.safetensors`); nothing to do for an LSTM.
    pub fn load_pretrained(&mut self, folder: &Path) -> Result<(), PretrainedError> {
        match (&self.config.encoder, &self.lexicon) {
            (EncoderConfig::Pretrained(config), Lexicon::Pieces(pieces)) => {
                encoder::load_pretrained(&mut self.params, config, pieces, folder)
            }
            _ => Ok(()),
        }
    }

    /// A computation with its weights, as they are to be used.
    pub fn inference(&self) -> Tape<'_> {
        Tape::infer(&self.params, self.int8.as_ref())
    }

    /// From now on [`Network::inference`] uses big matrices as int8, as they are at this moment. Training ends it.
    pub fn quantise(&mut self) {
        self.int8 = Some(Int8Weights::new(&self.params));
    }

    pub(crate) fn use_int8(&mut self, weights: Int8Weights) {
        self.int8 = Some(weights);
    }

    /// Whether [`Network::inference`] uses big matrices as int8.
    pub fn is_quantised(&self) -> bool {
        self.int8.is_some()
    }

    /// From now on [`Network::inference`] uses the weights in full.
    pub fn unquantise(&mut self) {
        self.int8 = None;
    }

    /// Its shape.
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// The words or pieces it knows.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Looks up the ids of a sentence.
    pub fn prepare<W: AsRef<str>>(&self, words: &[W], dialect: usize) -> Prepared {
        let longest = match &self.config.encoder {
            EncoderConfig::Pretrained(config) => config.positions,
            EncoderConfig::Lstm(_) => usize::MAX,
        };
        self.lexicon.prepare(words, dialect, self.config.spelling.buckets, longest)
    }

    /// Computes the vectors of all words of a batch.
    pub fn read(&self, tape: &mut Tape<'_>, sentences: &[&Prepared]) -> Words {
        let batch = Batch::new(sentences);
        let vectors = self.encoder.encode(tape, &batch);
        Words { vectors, spans: batch.words }
    }

    /// Scores of tags, `[words, tags]`.
    pub(crate) fn tags(&self, tape: &mut Tape<'_>, words: &Words) -> Var {
        self.heads.tags.apply(tape, &words.vectors)
    }

    /// Scores of spines, `[words, spines]`.
    pub(crate) fn spines(&self, tape: &mut Tape<'_>, words: &Words) -> Var {
        self.heads.spines.apply(tape, &words.vectors)
    }

    /// Scores of function tags, `[words, functions]`.
    pub(crate) fn functions(&self, tape: &mut Tape<'_>, words: &Words) -> Var {
        self.heads.functions.apply(tape, &words.vectors)
    }

    /// Scores of heads: for each word a ragged row over the root and the words of its sentence, with minus infinity
    /// for the word itself.
    pub(crate) fn arcs(&self, tape: &mut Tape<'_>, words: &Words) -> (Var, Widths) {
        let widths = each(&words.spans).flat_map(|(from, to)| std::iter::repeat_n(to - from + 1, to - from));
        (self.heads.arcs.apply(tape, &words.vectors, &words.spans), Widths::Ragged(spans(widths)))
    }

    /// Scores of attachment labels, `[pairs, attachments]`, for pairs of a dependent and a head. Both are rows of the
    /// batch; among heads, each sentence begins with a row for the root.
    pub(crate) fn attachments(&self, tape: &mut Tape<'_>, words: &Words, pairs: Rc<[(u32, u32)]>) -> Var {
        self.heads.attachments.apply(tape, &words.vectors, &words.spans, pairs)
    }

    /// Scores of traces, `[pairs, 1 + traces]`, for pairs of a word with a null and an antecedent, rows of the batch.
    pub(crate) fn traces(&self, tape: &mut Tape<'_>, words: &Words, pairs: Rc<[(u32, u32)]>) -> Var {
        self.heads.traces.apply(tape, &words.vectors, &words.spans, pairs)
    }
}
