//! The heart of the parser: an exact dynamic program over directed, acyclic, lock-free one-endpoint-crossing graphs, after
//! Kummerfeld and Klein, "Parsing with Traces" (TACL 2017), section 3 and algorithm 1.
//!
//! The crate knows positions, part ids and scores; it knows no Penn label and no treebank. `README.md` beside this crate
//! teaches the algorithm with the paper's worked example.

// The kernels are compiled once for each instruction set, which works only if what they call is inlined into them.
#![allow(clippy::inline_always)]

pub mod compile;
pub mod decode;
pub mod decompose;
mod demand;
pub mod derivation;
mod engine;
pub mod exhaustive;
pub mod expand;
pub mod explain;
mod forest;
pub mod grammar;
pub mod graph;
pub mod item;
pub mod label;
pub mod loss;
mod native;
pub mod part;
pub mod reference;
mod search;
pub mod semiring;
mod solver;
pub mod structure;
mod sums;
pub mod template;
pub mod verify;

pub use decode::{DecodeError, Engine, Marginals, Parse, Request, Worker};
pub use derivation::Derivation;
pub use grammar::Grammar;
pub use graph::{Graph, Outside};
pub use part::{Edge, EdgeKind, Node, Nodes, Scores, Table};
pub use structure::{Class, UnknownClass};
