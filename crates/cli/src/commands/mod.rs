//! One file a command. A command opens its inputs, calls a library and writes what came back.

use std::process::ExitCode;

use clap::Subcommand;
use miette::Result;

mod convert;
mod coverage;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Convert(convert::Convert),
    Coverage(coverage::CoverageArguments),
}

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Convert(arguments) => convert::run(arguments),
        Command::Coverage(arguments) => coverage::run(arguments),
    }
}
