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
//! * [`heads`]: which child of a phrase is its head, by rules kept as data;
//!
//! It knows no scores: those belong to the crates above it.

pub mod class;
pub mod dialect;
pub mod graph;
pub mod heads;
pub mod penn;
pub mod tree;
