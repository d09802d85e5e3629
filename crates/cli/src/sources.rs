//! Sources to parse: texts and files named on the command line, or standard input.

use std::io::{self, Cursor, IsTerminal as _};
use std::path::{Path, PathBuf};

use miette::Result;
use tracebank::{BrokenStream, Input, InputFormat};
use tracebank_syntax::penn;

use crate::failure::Failure;

/// Something to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A text that was given as an argument.
    Text(String),
    /// A file; `-` is standard input.
    File(PathBuf),
}

/// The sources that arguments name: the name of a file that is there is that file, anything with a blank in it a text, the rest a pattern of
/// names. Every file is known to be there before the first is read.
pub(crate) fn sources(arguments: &[String]) -> Result<Vec<Source>> {
    if arguments.is_empty() {
        return Ok(vec![Source::File(PathBuf::from("-"))]);
    }
    let mut sources = Vec::new();
    for argument in arguments {
        if argument == "-" || Path::new(argument).exists() {
            sources.push(Source::File(PathBuf::from(argument)));
        } else if argument.contains(char::is_whitespace) {
            sources.push(Source::Text(argument.clone()));
        } else {
            sources.extend(matches(argument)?.into_iter().map(Source::File));
        }
    }
    Ok(sources)
}

/// The files whose names match a pattern, in the order of their names.
fn matches(pattern: &str) -> Result<Vec<PathBuf>> {
    let bad = |error: &dyn std::fmt::Display| Failure(format!("{pattern}: {error}"));
    let found: Result<Vec<PathBuf>, _> = glob::glob(pattern).map_err(|error| bad(&error))?.collect();
    let files: Vec<PathBuf> =
        found.map_err(|error| bad(&error))?.into_iter().filter(|path| path.is_file()).collect();
    if files.is_empty() {
        let hint = "a text of one word goes through standard input";
        return Err(Failure(format!("{pattern}: there is no such file, and it is no text: {hint}")).into());
    }
    Ok(files)
}

impl Source {
    /// The inputs in it, opened only now.
    pub(crate) fn inputs(&self, format: InputFormat, tokeniser: tracebank::Tokeniser) -> tracebank::Inputs {
        match self {
            Source::Text(text) => {
                tracebank::read(Box::new(Cursor::new(text.clone().into_bytes())), "<text>", format, tokeniser)
            }
            Source::File(path) => match penn::Input::open(path) {
                Ok(input) => tracebank::read(input.stream, &input.name, format, tokeniser),
                Err(error) => Box::new(std::iter::once(Err(BrokenStream(error.to_string())))),
            },
        }
    }

    /// Whether somebody is typing it and waits for answers.
    pub(crate) fn is_typed(&self) -> bool {
        *self == Source::File(PathBuf::from("-")) && io::stdin().is_terminal()
    }
}

/// The inputs of all sources, one after another.
pub(crate) fn inputs(
    sources: Vec<Source>,
    format: InputFormat,
    tokeniser: tracebank::Tokeniser,
) -> impl Iterator<Item = Result<Input, BrokenStream>> {
    sources.into_iter().flat_map(move |source| source.inputs(format, tokeniser))
}
