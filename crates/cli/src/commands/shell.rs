//! `tracebank completions` and `tracebank man`: what shells and manuals need, made from the arguments themselves.

use std::path::PathBuf;
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
  tracebank man ~/.local/share/man/man1
  tracebank man ~/.local/share/man/man1 --force    over those of an earlier version")]
pub(crate) struct Manual {
    /// A directory that is there
    directory: Option<PathBuf>,

    /// Overwrite the pages of an earlier version
    #[arg(long, requires = "directory")]
    force: bool,
}

pub(crate) fn completions(arguments: &Completions, mut command: Command) -> Result<ExitCode> {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "tracebank", &mut bytes);
    write(Output::stdout(), &bytes)
}

pub(crate) fn manual(arguments: &Manual, mut command: Command) -> Result<ExitCode> {
    let Some(directory) = &arguments.directory else { return write(Output::stdout(), &page(&command)?) };
    let write_page =
        |name: &str, page: &[u8]| write(Output::file(&directory.join(name), arguments.force)?, page);
    command.build();
    write_page("tracebank.1", &page(&command)?)?;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        write_page(&format!("tracebank-{}.1", below.get_name()), &page(below)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let made = Man::new(command.clone()).render(&mut bytes);
    made.map_err(|error| Failure(format!("the page of {} cannot be made: {error}", command.get_name())))?;
    Ok(bytes)
}

fn write(mut output: Output, bytes: &[u8]) -> Result<ExitCode> {
    output.write(&String::from_utf8_lossy(bytes))?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
