//! One file a command. A command opens its inputs, calls a library and writes what came back.

use std::process::ExitCode;

use clap::Subcommand;
use miette::Result;

mod bench;
mod convert;
mod coverage;
mod rules;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Bench(bench::Bench),
    Convert(convert::Convert),
    Coverage(coverage::CoverageArguments),
    Rules(rules::RulesArguments),
}

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Bench(arguments) => bench::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Coverage(arguments) => coverage::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
    }
}
