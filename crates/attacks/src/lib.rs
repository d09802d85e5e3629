//! Attacks: what is done with any bytes at every place where something from outside is read, and what must hold then.
//!
//! The targets in `fuzz/` run them for as long as they are given. The tests of this crate do so for a moment, from the seeds in `fuzz/seeds` and
//! the same numbers every time.
#![forbid(unsafe_code)]

pub mod eval;
pub mod graph;
pub mod inputs;
pub mod matcher;
pub mod model;
pub mod parse;
pub mod pattern;
pub mod prm;
pub mod read;
pub mod recipe;
pub mod record;
pub mod shp;
pub mod tokenise;

/// An attack with any bytes.
pub type Attack = fn(&[u8]);

/// All attacks, by the name of their target.
pub const ALL: [(&str, Attack); 13] = [
    ("eval", eval::attack),
    ("graph", graph::attack),
    ("inputs", inputs::attack),
    ("matcher", matcher::attack),
    ("model", model::attack),
    ("parse", parse::attack),
    ("pattern", pattern::attack),
    ("prm", prm::attack),
    ("read", read::attack),
    ("recipe", recipe::attack),
    ("record", record::attack),
    ("shp", shp::attack),
    ("tokenise", tokenise::attack),
];
