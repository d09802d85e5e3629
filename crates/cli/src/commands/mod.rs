//! One file a command. A command opens its inputs, calls a library and writes what came back.

use std::process::ExitCode;

use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {}

pub(crate) fn run(command: Command) -> ExitCode {
    match command {}
}
