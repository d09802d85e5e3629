//! Unpruned exact decoding of one-endpoint-crossing graphs: the dense engine.
//!
//! [`Dense`] is an [`Engine`](tracebank_chart::engine::Engine) that fills every cell of the chart, eight lanes at a time. It is for
//! sentences of which *every* edge is permitted: research, benchmarks, and checks of the rules against brute force. A parser, which
//! prunes first, uses the engine of `tracebank-chart`; nothing on the way of a sentence depends on this crate. `README.md` beside
//! it teaches how it works.
//!
//! ```
//! use tracebank_chart::{Class, Grammar, Nodes, Request};
//! use tracebank_chart_dense::{Worker, random_scores};
//!
//! let scores = random_scores(Nodes::single(8), 1);
//! let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH);
//! let dense = Worker::default().best(&grammar, &Request::new(&scores))?;
//! let sparse = tracebank_chart::Worker::new().best(&grammar, &Request::new(&scores))?;
//! assert_eq!(dense.graph, sparse.graph);
//! # Ok::<(), tracebank_chart::DecodeError>(())
//! ```

// The kernels are compiled well only if what they call is inlined into them.
#![allow(clippy::inline_always)]

pub mod compile;
mod dense;
mod engine;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
mod native;
mod verify;

pub use dense::Dense;
pub use verify::{Verdict, random_scores, verify};

/// A worker with the dense engine.
pub type Worker = tracebank_chart::Worker<Dense>;
