//! The engine of a parse against enumeration and the plain interpreter.

mod common;
#[path = "common/suite.rs"]
mod suite;

type Tested = tracebank_chart::sparse::Sparse;
