//! Memory is reused from sentence to sentence.

#[path = "../../chart/tests/common/allocation.rs"]
mod allocation;
#[path = "../../chart/tests/common/mod.rs"]
mod common;

type Tested = tracebank_chart_dense::Dense;
