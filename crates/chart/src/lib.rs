//! The heart of the parser: an exact dynamic program over directed, acyclic, lock-free one-endpoint-crossing graphs, after
//! Kummerfeld and Klein, "Parsing with Traces" (TACL 2017), section 3 and algorithm 1.
//!
//! The crate knows positions, part ids and scores; it knows no Penn label and no treebank. `README.md` beside this crate
//! teaches the algorithm with the paper's worked example.

#![forbid(unsafe_code)]
// The inner loops are compiled well only if the semiring's operations are inlined into them.
#![allow(clippy::inline_always)]

pub mod decode;
pub mod decompose;
pub mod demand;
pub mod derivation;
mod eisner;
pub mod engine;
pub mod exhaustive;
pub mod expand;
pub mod explain;
mod forest;
pub mod grammar;
pub mod graph;
pub mod item;
pub mod merge;
pub mod part;
pub mod reference;
pub mod rule_file;
pub mod search;
pub mod semiring;
pub mod shape;
pub mod sites;
pub mod sparse;
pub mod structure;
mod sums;
mod tables;
pub mod template;

pub use decode::{DecodeError, Marginals, Parse, Request, Worker};
pub use derivation::Derivation;
pub use grammar::Grammar;
pub use graph::{Graph, Outside};
pub use part::{Edge, EdgeKind, Node, Nodes, Scores, Table};
pub use structure::{Class, UnknownClass};
