//! `tracebank index`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;
use tracebank_search::Index;

use crate::failure::{Failure, say};

/// Index files of trees, so that `tracebank search` looks only where something can be
///
/// The index of FILE is FILE.tbx, beside it. It belongs to the file as it is now; once the file has changed, `search` makes it anew.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank index corpus.mrg
  tracebank search 'NP < (NN < anomaly)' corpus.mrg")]
pub(crate) struct IndexArguments {
    /// Plain files of trees in the project's dialect
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &IndexArguments) -> Result<ExitCode> {
    for file in &arguments.files {
        let trees = Index::build(file).map_err(|error| Failure(error.to_string()))?;
        say(&format!("{}: {trees} trees", Index::path(file).display()));
    }
    Ok(ExitCode::SUCCESS)
}
