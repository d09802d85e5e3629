//! The shape of a network.

use serde::{Deserialize, Serialize};
use tracebank_parser::vocabulary::Names;

use crate::encoder::{EncoderConfig, PretrainedConfig, SpellingConfig};
use crate::prepare::Lexicon;
use crate::wordpiece::MOST_PIECES;

/// The shape of a network. What is left out of a file has the default written here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// The encoder of sentences.
    pub encoder: EncoderConfig,
    /// The spelling of words beside the encoder.
    pub spelling: SpellingConfig,
    /// Columns of a word's vector.
    pub width: usize,
    /// Dropout around the word vectors and in the heads.
    pub dropout: f32,
    /// The number of dialects.
    pub dialects: usize,
    /// The number of labels of each task.
    pub labels: Labels,
    /// Columns of the hidden layer of each task.
    pub hidden: Hidden,
}

/// The number of labels of each task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Labels {
    /// Tags.
    pub tags: usize,
    /// Spines.
    pub spines: usize,
    /// Function tags.
    pub functions: usize,
    /// Labels of attachments.
    pub attachments: usize,
    /// Labels of traces, without the class 0, which says that there is none.
    pub traces: usize,
}

/// The width of each task's hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hidden {
    /// Tags.
    pub tags: usize,
    /// Spines.
    pub spines: usize,
    /// Function tags.
    pub functions: usize,
    /// Scores of heads.
    pub arcs: usize,
    /// Labels of attachments.
    pub attachments: usize,
    /// Labels of traces.
    pub traces: usize,
}

/// The most columns of a matrix: with more, sums of int8 products would not fit into 32 bits.
const MOST_COLUMNS: usize = 1 << 16;
/// The most rows of a table, and names of a list.
const MOST_ROWS: usize = 1 << 24;
/// The most layers of an encoder.
const MOST_LAYERS: usize = 256;

impl NetworkConfig {
    /// Whether a network has a row for each of the names of a model, and for each of its dialects.
    pub fn fits(&self, names: &Names, dialects: usize) -> bool {
        let Labels { tags, spines, functions, attachments, traces } = self.labels;
        let rows = [tags, spines, functions, attachments, traces];
        let lists = [&names.tags, &names.spines, &names.functions, &names.attachments, &names.traces];
        rows == lists.map(Vec::len) && dialects <= self.dialects
    }

    /// Whether there can be such a network, over such words; otherwise, why not. Within these bounds no product of sizes wraps.
    pub fn check(&self, lexicon: &Lexicon) -> Result<(), String> {
        let Hidden { tags, spines, functions, arcs, attachments, traces } = self.hidden;
        let mut sizes = vec![
            ("width", self.width, 1..=MOST_COLUMNS),
            ("spelling.buckets", self.spelling.buckets, 1..=MOST_ROWS),
            ("spelling.ngrams", self.spelling.ngrams, 1..=MOST_COLUMNS),
            ("spelling.shape", self.spelling.shape, 1..=MOST_COLUMNS),
            ("dialects", self.dialects, 1..=MOST_ROWS),
            ("labels.tags", self.labels.tags, 1..=MOST_COLUMNS),
            ("labels.spines", self.labels.spines, 1..=MOST_COLUMNS),
            ("labels.functions", self.labels.functions, 1..=MOST_COLUMNS),
            ("labels.attachments", self.labels.attachments, 1..=MOST_COLUMNS),
            ("labels.traces", self.labels.traces, 0..=MOST_COLUMNS),
            ("hidden.tags", tags, 1..=MOST_COLUMNS),
            ("hidden.spines", spines, 1..=MOST_COLUMNS),
            ("hidden.functions", functions, 1..=MOST_COLUMNS),
            ("hidden.arcs", arcs, 1..=MOST_COLUMNS),
            ("hidden.attachments", attachments, 1..=MOST_COLUMNS),
            ("hidden.traces", traces, 1..=MOST_COLUMNS),
        ];
        let shares = match &self.encoder {
            EncoderConfig::Pretrained(config) => {
                sizes.extend([
                    ("encoder.layers", config.layers, 0..=MOST_LAYERS),
                    ("encoder.hidden", config.hidden, 1..=MOST_COLUMNS),
                    ("encoder.heads", config.heads, 1..=config.hidden),
                    ("encoder.intermediate", config.intermediate, 1..=MOST_COLUMNS),
                    // A word with its pieces and the two marks must fit into a window.
                    ("encoder.positions", config.positions, MOST_PIECES + 2..=MOST_ROWS),
                ]);
                [config.dropout, config.hidden_pieces]
            }
            EncoderConfig::Lstm(config) => {
                sizes.extend([
                    ("encoder.layers", config.layers, 1..=MOST_LAYERS),
                    ("encoder.hidden", config.hidden, 1..=MOST_COLUMNS),
                    ("encoder.embedding", config.embedding, 1..=MOST_COLUMNS),
                ]);
                [config.dropout, config.word_dropout]
            }
        };
        if let Some((name, size, range)) = sizes.iter().find(|(_, size, range)| !range.contains(size)) {
            return Err(format!("{name} is {size}, and must be from {} to {}", range.start(), range.end()));
        }
        if let Some(share) = shares.iter().chain([&self.dropout]).find(|share| !(0.0..1.0).contains(*share)) {
            return Err(format!("{share} is no share of dropout"));
        }
        match (&self.encoder, lexicon) {
            (EncoderConfig::Pretrained(config), Lexicon::Pieces(_)) if config.hidden % config.heads == 0 => {
                Ok(())
            }
            (EncoderConfig::Pretrained(_), Lexicon::Pieces(_)) => {
                Err("heads do not share the columns evenly".to_owned())
            }
            (EncoderConfig::Lstm(_), Lexicon::Words(_)) => Ok(()),
            _ => Err("the encoder and its words are not of the same kind".to_owned()),
        }
    }
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            encoder: EncoderConfig::Pretrained(PretrainedConfig::default()),
            spelling: SpellingConfig::default(),
            width: 400,
            dropout: 0.2,
            dialects: 1,
            labels: Labels::default(),
            hidden: Hidden::default(),
        }
    }
}

impl Default for Hidden {
    fn default() -> Self {
        Self { tags: 200, spines: 300, functions: 100, arcs: 300, attachments: 128, traces: 128 }
    }
}
