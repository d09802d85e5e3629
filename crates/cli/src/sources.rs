//! Sources to parse: texts and files named on the command line, or standard input.

use std::io::{self, Cursor, IsTerminal as _};
use std::path::{Path, PathBuf};

use miette::Result;
use tracebank::{BrokenStream, Input, InputFormat, Limits, Tokeniser};
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

/// The sources that arguments name: the name of a file that is there is that file, anything with a blank in it a text unless it looks like the
/// name of a file, the rest a pattern of names. Every file is known to be there before the first is read.
pub(crate) fn sources(arguments: &[String]) -> Result<Vec<Source>> {
    if arguments.is_empty() {
        return Ok(vec![Source::File(PathBuf::from("-"))]);
    }
    let mut sources = Vec::new();
    for argument in arguments {
        if argument == "-" || Path::new(argument).exists() {
            sources.push(Source::File(PathBuf::from(argument)));
        } else if looks_like_a_file(argument) {
            let hint = "it looks like the name of a file; a text goes through standard input too";
            return Err(Failure(format!("{argument}: there is no such file ({hint})")).into());
        } else if argument.contains(char::is_whitespace) {
            sources.push(Source::Text(argument.clone()));
        } else {
            sources.extend(matches(argument)?.into_iter().map(Source::File));
        }
    }
    Ok(sources)
}

/// Endings of the files that people parse.
const ENDINGS: [&str; 14] = [
    "bz2", "conll", "conllu", "csv", "gz", "json", "jsonl", "mrg", "parse", "ptb", "tree", "trees", "tsv",
    "txt",
];

/// Whether a text with a blank in it is rather the name of a file that was mistyped: it has the ending of one, or it leads into a folder that
/// is there.
fn looks_like_a_file(argument: &str) -> bool {
    if !argument.contains(char::is_whitespace) || argument.contains('\n') {
        return false;
    }
    let path = Path::new(argument);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let has_ending = ending.is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    // a slash with a blank beside it is one of a text
    let is_path = argument.split('/').all(|part| part == part.trim()) && argument.contains('/');
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    has_ending || (is_path && folder.is_some_and(Path::is_dir))
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
    fn inputs(&self, format: InputFormat, tokeniser: Tokeniser, limits: Limits) -> tracebank::Inputs {
        match self {
            Source::Text(text) => {
                let stream = Box::new(Cursor::new(text.clone().into_bytes()));
                tracebank::read(stream, "<text>", format, tokeniser, limits)
            }
            Source::File(path) => match penn::Input::open(path) {
                Ok(input) => tracebank::read(input.stream, &input.name, format, tokeniser, limits),
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
    tokeniser: Tokeniser,
    limits: Limits,
) -> impl Iterator<Item = Result<Input, BrokenStream>> {
    sources.into_iter().flat_map(move |source| source.inputs(format, tokeniser, limits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_mistyped_is_no_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("my letters").display().to_string();
        for name in ["my letters.txt", "my corpus/a b.mrg.gz", "two words.JSONL", missing.as_str()] {
            let error = sources(&[name.to_owned()]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: there is no such file (it looks like")), "{error}");
        }
        for text in [
            "They left.",
            "He and/or she left",
            "/ is the root of all",
            "no/such folder",
            "Open a.txt now.",
            "a\nb.txt",
        ] {
            assert_eq!(sources(&[text.to_owned()]).unwrap(), [Source::Text(text.to_owned())]);
        }
    }
}
