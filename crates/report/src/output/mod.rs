//! Numbers for people and for programs.
//!
//! * [`table`]: aligned columns;
//! * [`json`]: one object with everything;
//! * [`tsv`]: a row a metric, or a row a sentence;
//! * [`errors`]: the worst sentences, gold and guess side by side.

pub mod errors;
pub mod json;
pub mod table;
pub mod tsv;
