//! The binary `tracebank`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tracebank_cli::run(std::env::args_os())
}
