//! One file a command. A command opens its inputs, calls a library and writes what came back.

use std::process::ExitCode;

use clap::Subcommand;
use miette::Result;

mod bench;
mod convert;
mod coverage;
mod draw;
mod eval;
mod rules;
mod train;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Convert(convert::Convert),
    Coverage(coverage::CoverageArguments),
    Eval(eval::Eval),
    Draw(draw::Draw),
    Train(train::Train),
    Rules(rules::RulesArguments),
    Bench(bench::Bench),
}

pub(crate) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Convert(arguments) => convert::run(arguments),
        Command::Coverage(arguments) => coverage::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Train(arguments) => train::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
    }
}
