//! `tracebank completions` and `tracebank man`: what shells and manuals need, made from the arguments themselves.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use miette::Result;

use crate::failure::Failure;
use crate::output::Output;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank completions bash > ~/.local/share/bash-completion/completions/tracebank
  tracebank completions zsh > ~/.zfunc/_tracebank")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands into a directory
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank man | man -l -
  tracebank man ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// A directory that is there
    directory: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &Completions, mut command: Command) -> Result<ExitCode> {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "tracebank", &mut bytes);
    write(None, &bytes)
}

pub(crate) fn manual(arguments: &Manual, mut command: Command) -> Result<ExitCode> {
    let Some(directory) = &arguments.directory else { return write(None, &page(&command)?) };
    command.build();
    write(Some(&directory.join("tracebank.1")), &page(&command)?)?;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let path = directory.join(format!("tracebank-{}.1", below.get_name()));
        write(Some(&path), &page(below)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let made = Man::new(command.clone()).render(&mut bytes);
    made.map_err(|error| Failure(format!("the page of {} cannot be made: {error}", command.get_name())))?;
    Ok(bytes)
}

fn write(path: Option<&Path>, bytes: &[u8]) -> Result<ExitCode> {
    // A manual that is there is one of an earlier version.
    let mut output = path.map_or_else(|| Ok(Output::stdout()), |path| Output::file(path, true))?;
    output.write(&String::from_utf8_lossy(bytes))?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
