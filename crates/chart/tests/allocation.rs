//! Memory is reused from sentence to sentence.

#[path = "common/allocation.rs"]
mod allocation;
mod common;

type Tested = tracebank_chart::sparse::Sparse;
