//! The network behind the parser, trained and run on the CPU.
//!
//! It reads a sentence and gives probabilities of tags, spines, heads, attachment labels and traces ([`Network`]).
//! From the bottom up: [`matrix`] (products by the `gemm-f32` crate), [`tape`] and [`ops`] (what can be computed, and its
//! derivatives), [`encoder`] (words to vectors), [`network`] (the tasks), [`optimise`] and [`train`] (learning), and
//! [`store`] (bytes). The same forward code serves training and use.
//!
//! Batches are ragged: rows of all sentences stand one after the other, and nothing is padded. Products run on one
//! thread each; training uses the cores by cutting batches into shards.

#![cfg_attr(test, allow(clippy::float_cmp, reason = "some results are exact"))]

mod approximate;
mod buffer;
mod eight;
pub mod encoder;
pub mod grads;
mod layer;
pub mod learn;
pub mod matrix;
pub mod network;
pub mod ops;
pub mod optimise;
mod outlook;
pub mod params;
pub mod prepare;
pub mod random;
pub mod scorer;
pub mod store;
pub mod structured;
pub mod tape;
pub mod train;
mod vector;
pub mod wordpiece;
pub mod words;

pub use network::{Losses, Network, NetworkConfig, PreparedExample, Scores, TaskWeights};
pub use ops::IGNORE;
pub use optimise::{Optimiser, OptimiserConfig};
pub use prepare::{Input, Lexicon, Prepared};
pub use train::Trainer;
