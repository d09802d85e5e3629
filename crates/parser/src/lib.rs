//! From sentences to trees with traces.

pub mod corpus;
pub mod decode;
pub mod functions;
pub mod gold;
pub mod linear;
pub mod mixed;
pub mod model;
pub mod outcome;
pub mod pipeline;
pub mod scores;
pub mod train;
pub mod vocabulary;
