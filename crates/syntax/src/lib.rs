//! Penn-style trees and what they say about what is *not* there.
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
//! * [`dialect`]: what each treebank writes differently, as a table;
//! * [`heads`]: which child of a phrase is its head, by rules kept as data;
//! * [`graph`]: spines and edges, made of a tree and turned back into it, and their text form;
//! * [`class`]: which class of structures a graph is in, and which edges keep it out of the others;
//! * [`project`]: from the stored graph to the smaller one that a parser predicts, and back;
//!
//! It knows no scores: those belong to the crates above it.

pub mod class;
pub mod dialect;
pub mod graph;
pub mod heads;
pub mod penn;
pub mod project;
pub mod tree;
