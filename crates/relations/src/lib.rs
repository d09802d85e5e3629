//! Who did what to whom: what a tree with traces says, as relations and as Universal Dependencies.
//!
//! * [`relations()`]: predicates with their arguments, every null resolved; [`nulls`]: the same from the null's side; [`Reading`]: both;
//! * [`ud`]: dependencies, parts of speech and features;
//! * [`lemma()`]: the lemma of an English word, which the others need.
//!
//! Trees are in the project's dialect: `tracebank_syntax::dialect` brings the others to it.

#![forbid(unsafe_code)]

mod heads;
mod lemma;
mod names;
mod relations;
mod scene;
pub mod ud;

pub use lemma::lemma;
pub use relations::{
    Argument, Filler, NullReading, Predicate, Reading, Relation, Step, Voice, nulls, relations, role_names,
    table,
};
