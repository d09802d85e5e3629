//! The command line `tracebank`: each command parses its arguments, calls a library and prints. A library of its own, so that the binary and the
//! Python package run the same.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

mod beside;
mod choice;
mod commands;
mod failure;
mod fault;
mod input;
mod interrupt;
mod log;
mod output;
mod partial;
mod range;
mod record;
mod show;
mod small;
mod sources;
mod stats;
mod unfinished;

/// A constituency parser that predicts traces and null elements and resolves their antecedents.
///
/// Exit codes: 0 when all went well, 1 when an input was bad or could not be read, 2 when the command line was wrong, 3 when all was
/// parsed but some sentences have no parse, 130 when Ctrl-C stopped the work and 143 when SIGTERM did. `search` has those of grep: 1 when
/// nothing matches, 2 after an error.
#[derive(Parser)]
#[command(name = "tracebank", version)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

/// Runs the command line; the first of `arguments` is the name of the program. Help and complaints about the command line are printed, too.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => failure::report(commands::run(&arguments.command, Arguments::command())),
        Err(error) => {
            // nobody may be left to read it
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
    }
}
