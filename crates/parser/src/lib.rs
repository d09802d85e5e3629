//! From sentences to trees with traces.

#![forbid(unsafe_code)]

pub mod decode;
pub mod functions;
pub mod gold;
pub mod model;
pub mod outcome;
pub mod pipeline;
pub mod scores;
pub mod vocabulary;
