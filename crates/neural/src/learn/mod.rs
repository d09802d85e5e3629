//! Learning: from treebanks to a model file.
//!
//! A [`Recipe`] says what to learn from and how; a [`Session`] carries it out, step by step, and can be interrupted and taken up again.
//! The same recipe gives the same model whatever the number of threads.

mod examples;
mod linear;
mod material;
mod measure;
mod recipe;
mod retune;
mod session;
mod start;
mod survey;
mod training;
mod tune;

pub use linear::{LinearRecipe, LinearSession};
pub use measure::{Figures, Scored, measure};
pub use recipe::{Recipe, Schedule};
pub use retune::retune;
pub use session::Session;
pub use survey::{Bin, OperatingPoint, Survey, survey};
pub use training::{About, Event, LearnError, Training, begin};
pub use tune::{Sample, tune};
