//! Training: from treebanks to a model file.
//!
//! ```text
//! recipe ── corpus ──> training examples ── scorer ──> SentenceScores ── objective ──> gradients ── optimiser ──> weights
//!              └─ dev sets ──────────────────────────────────────────── measure, tune ──> settings, figures
//! ```
//!
//! A [`Recipe`] says what to learn from and how; a [`Training`] run carries it out, step by step, and can be interrupted and taken up again. There are
//! two kinds: [`network`] and [`linear`]. Both end with a tuned and measured model file. A recipe gives the same model whatever the number of threads,
//! and whether or not it was interrupted.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "some results are exact"))]

mod calibration;
mod corpus;
pub mod linear;
mod measure;
pub mod network;
pub mod objective;
mod recipe;
mod recipe_path;
mod reliability;
mod representation;
mod retune;
mod training;
mod trials;
mod tune;

pub use calibration::{Bin, Calibration, OperatingPoint, calibration};
pub use corpus::{CorpusError, Treebank};
pub use measure::{Figures, Scored, measure};
pub use recipe::{Recipe, RecipeError, Schedule};
pub use recipe_path::{PathError, RecipePath};
pub use reliability::{Reliability, reliability};
pub use representation::{Representation, TargetKind};
pub use retune::retune;
pub use training::{Event, Training, TrainingError, TrainingRecord, Watcher, begin};
pub use tune::Sample;
