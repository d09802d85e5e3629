//! A linear scorer, the paper's own kind: every score is a sum of weights, one for each feature that fires.
//!
//! ```text
//! words ── Tagger ──> tags ── Observed ──> what features see ── FeatureSets ──> features ── Weights ──> SentenceScores
//!             Lexicon: which spines and function tags a word may have ──────────────^
//! ```
//!
//! [`features`] is the table of what is looked at; everything else in here only makes that table fast. A feature is a line of the table, what the
//! line saw, and a view of the label that is scored: hashed together, they name a slot of [`weights`]. What the line saw is hashed once
//! for a word or a pair of words, and then mixed with each label. How weights are learnt is the business of `tracebank-train`.

#![forbid(unsafe_code)]

pub mod features;
pub mod hash;
pub mod lexicon;
pub mod mixed;
pub mod model;
pub mod observed;
pub mod roles;
mod score;
pub mod sets;
mod stored;
pub mod tagger;
pub mod weights;

pub use mixed::Mixed;
pub use model::{LinearConfig, LinearModel, Prepared};
