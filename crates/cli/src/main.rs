//! The binary `tracebank`: each command parses its arguments, calls a library and prints.

use std::process::ExitCode;

use clap::Parser;

mod commands;

/// Penn-style parsing with traces: trees, null elements and what each stands for.
#[derive(Parser)]
#[command(name = "tracebank", version)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    commands::run(Arguments::parse().command)
}
