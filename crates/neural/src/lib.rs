#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "some results are exact"))]

pub mod batch_scores;
pub mod encoder;
pub mod list;
pub mod network;
pub mod prepare;
pub mod scorer;
pub mod store;
pub mod tensors;
pub mod wordpiece;
pub mod words;

pub use network::{Network, NetworkConfig};
pub use prepare::{Lexicon, Prepared};
pub use scorer::NeuralScorer;
