//! Penn-style trees, with what they say about words that are *not* there.
//!
//! The crate goes one way, and back:
//!
//! ```text
//! bytes ── penn ──> Tree ── graph::encode ──> Graph
//! bytes <── penn ── Tree <── graph::decode ── Graph
//! ```
//!
//! * [`tree`]: the arena [`Tree`](tree::Tree), and [`Label`](tree::Label), which splits `NP-SBJ-1=2` into its pieces;
//! * [`penn`]: brackets in, brackets out, streaming, with errors that name their place;
//! * [`dialect`]: the registry of treebanks: reading, tokens, heads, and the rewriting of answers;
//! * [`heads`]: the head of each phrase, by rules kept as data;
//! * [`graph`]: spines and edges, made of a tree and turned back into it, and their text form;
//! * [`class`]: the class of structures a graph is in, and the edges that keep it out of the others;
//! * [`project`]: from the stored graph to the smaller one that a parser predicts, and back.
//!
//! It knows no scores: those belong to the crates above it.

#![forbid(unsafe_code)]

pub mod class;
pub mod dialect;
pub mod graph;
pub mod heads;
pub mod penn;
pub mod project;
pub mod tree;
