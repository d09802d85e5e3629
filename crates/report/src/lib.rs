//! Gold and guess in, numbers and pictures out.
//!
//! ```text
//! two streams of trees ── align ──> pairs ── evaluation ──> counts ── output ──> tables, JSON, TSV
//! ```
//!
//! * [`align`]: which guess belongs to which gold sentence;
//! * [`evalb`]: brackets, as the program of that name counts them;
//! * [`nulls`]: null elements and traces, after Johnson (2002), by two definitions;
//! * [`graph`]: spines and edges;
//! * [`functions`]: function tags;
//! * [`metric`], [`score`]: the list of what is counted, and what is made of the counts;
//! * [`evaluation`]: all of them over a stream of sentences;
//! * [`bootstrap`]: whether the difference between two systems is more than luck;
//! * [`output`]: numbers for people and for programs;
//! * [`draw`]: pictures of trees and graphs;
//! * [`coverage`]: how much of a treebank each representation covers (the paper's Table 1), and why the rest is left out.

#![forbid(unsafe_code)]

pub mod align;
#[cfg(test)]
mod arbitrary;
pub mod bootstrap;
pub mod coverage;
pub mod draw;
pub mod evalb;
pub mod evaluation;
pub mod functions;
pub mod graph;
pub mod metric;
pub mod nulls;
pub mod output;
#[cfg(test)]
mod properties;
pub mod score;
