//! The binary `tracebank`: each command parses its arguments, calls a library and prints.

use std::process::ExitCode;

use clap::Parser;

mod commands;
mod failure;
mod input;
mod output;

/// Penn-style trees with their traces: what is not there, and what it stands for.
///
/// Exit codes: 0 when all went well, 1 when an input was bad or could not be read, 2 when the command line was wrong.
#[derive(Parser)]
#[command(name = "tracebank", version)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    failure::report(commands::run(&Arguments::parse().command))
}
