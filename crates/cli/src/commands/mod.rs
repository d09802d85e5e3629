//! One file a command. A command opens its inputs, calls a library and writes what came back.

mod draw;
mod eval;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Eval(eval::Eval),
    Draw(draw::Draw),
}

pub(crate) fn run(command: Command) -> ExitCode {
    let result = match command {
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Draw(arguments) => draw::run(&arguments),
    };
    result.unwrap_or_else(|report| {
        // nothing can be done about an error that cannot be written
        let _ = writeln!(io::stderr(), "{report:?}");
        ExitCode::FAILURE
    })
}

/// Turns the outcome of writing results into that of the command. A reader who has seen enough (`| head`) is no error.
fn written(result: io::Result<()>) -> miette::Result<ExitCode> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(miette::miette!("writing failed: {error}"))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
