//! One file a command. A command opens its inputs, calls a library and writes what came back.

use std::process::ExitCode;

use clap::Subcommand;
use miette::Result;

mod bench;
mod convert;
mod coverage;
mod derive;
mod draw;
mod eval;
mod index;
mod model;
mod parse;
mod picture;
mod rules;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod site;
mod train;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    Parse(Box<parse::ParseArguments>),
    Model(model::Model),
    Train(train::Train),
    Convert(convert::Convert),
    Coverage(coverage::CoverageArguments),
    Eval(eval::Eval),
    Draw(draw::Draw),
    Derive(derive::DeriveArguments),
    Search(Box<search::SearchArguments>),
    Index(index::IndexArguments),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Serve>),
    Site(site::Site),
    Rules(rules::RulesArguments),
    Bench(bench::Bench),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// Does it. `whole` is the command line that all commands are part of.
pub(crate) fn run(command: &Command, whole: clap::Command) -> Result<ExitCode> {
    match command {
        Command::Parse(arguments) => parse::run(arguments),
        Command::Model(arguments) => model::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Coverage(arguments) => coverage::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Derive(arguments) => derive::run(arguments),
        Command::Train(arguments) => train::run(arguments),
        Command::Search(arguments) => search::run(arguments),
        Command::Index(arguments) => index::run(arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(arguments),
        Command::Site(arguments) => site::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Completions(arguments) => shell::completions(arguments, whole),
        Command::Man(arguments) => shell::manual(arguments, whole),
    }
}
