//! The shape of a network.

use serde::{Deserialize, Serialize};

use crate::encoder::{EncoderConfig, PretrainedConfig, SpellingConfig};

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
