//! Training of the linear model.

mod examples;
mod lexicon;
pub mod online;
pub mod roles;
mod session;
mod tagger;
pub mod update;

pub use examples::{Example, new_model, prepare};
pub use session::{LinearRecipe, LinearSession};
