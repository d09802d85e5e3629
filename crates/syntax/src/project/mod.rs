//! Projections: the part of a graph that a parser predicts, and the way back from it to a whole graph.
//!
//! The [graph](crate::graph) keeps all that a tree says. A parser has to choose from finite lists, so it predicts a
//! [`Projection`]: every word has a [`SpineType`], a structural edge with a [`PhraseName`], and between some words there are trace arcs
//! with a [`TraceLabel`]. What the step leaves out is said in one place, the [`Alphabet`]; what can be guessed again
//! ([where each null stands](PlaceTable)) is put back by [`restore()`].
//!
//! ```
//! use tracebank_syntax::graph::{self, Targets};
//! use tracebank_syntax::heads::HeadTable;
//! use tracebank_syntax::project::{Alphabet, PlaceTable, restore};
//! use tracebank_syntax::tree::Tree;
//! let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
//! let graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Common);
//!
//! let alphabet = Alphabet::default();
//! let projection = alphabet.project(&graph)?;
//! assert_eq!(projection.words[2].spine.to_string(), "VP S(NP-SBJ(*))");
//! assert_eq!(projection.words[2].attachment.as_ref().unwrap().to_string(), "VP#0");
//! assert_eq!(projection.arcs[0].label.to_string(), "(NP-SBJ *)#0 > NP-SBJ#0");
//!
//! let mut places = PlaceTable::default();
//! places.learn(&graph, alphabet);
//! assert_eq!(graph::decode(&restore(&projection, &places)?)?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How much comes back is measured by `cargo test -p tracebank-syntax --test project -- --nocapture`; `docs/projection.md` has the numbers.

mod alphabet;
mod label;
mod names;
mod places;
mod projection;
mod reduce;
mod restore;
mod scene;
mod spine;

pub use alphabet::Alphabet;
pub use label::{LabelError, Link, PhraseName, Port, Site, TraceLabel, TraceType};
pub use places::{PlaceTable, PlaceTableError};
pub use projection::{ProjectedWord, Projection, TraceArc};
pub use restore::{RestoreError, restore};
pub use spine::SpineType;

#[cfg(test)]
mod tests;
