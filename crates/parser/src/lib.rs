//! From sentences to trees with traces.

#![forbid(unsafe_code)]

mod clock;
pub mod decode;
pub mod functions;
pub mod gold;
pub mod model;
mod null_functions;
pub mod outcome;
pub mod pipeline;
pub mod progress;
pub mod rules;
pub mod scores;
pub mod spine_tags;
pub mod valency;
pub mod vocabulary;
