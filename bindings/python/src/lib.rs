//! Extension module `tracebank._native`: what the Python package needs of the library, and nothing that Python can do itself.
//!
//! The package around it (`python/tracebank`) has the classes that users see. Objects here are few and flat: a [`parser::Parser`] that answers
//! batches without the interpreter's lock, a [`parse::Parse`] that can write itself in every form, a [`tree::Tree`], a [`pattern::Pattern`].

// PyO3 hands arguments over by value, and its macros write the paths.
#![allow(clippy::needless_pass_by_value, clippy::used_underscore_binding)]

mod batch;
mod errors;
mod parse;
mod parser;
mod pattern;
mod report;
mod tree;

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the command line and returns its exit code; the first argument is the name of the program.
#[pyfunction]
fn run_command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| tracebank_cli::run(arguments));
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("FORMS", tracebank::OutputFormat::ALL.map(tracebank::OutputFormat::name).to_vec())?;
    module.add("DIALECTS", tracebank::DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>())?;
    module.add("STRUCTURES", tracebank::Structure::ALL.map(tracebank::Structure::name).to_vec())?;
    module.add_class::<parser::Parser>()?;
    module.add_class::<parse::Parse>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<tree::Reader>()?;
    module.add_class::<pattern::Pattern>()?;
    module.add_function(wrap_pyfunction!(run_command_line, module)?)?;
    module.add_function(wrap_pyfunction!(pattern::constructions, module)?)?;
    module.add_function(wrap_pyfunction!(report::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(report::compare, module)?)?;
    module.add_function(wrap_pyfunction!(report::draw_comparison, module)?)?;
    Ok(())
}
