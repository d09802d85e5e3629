//! Trees to search: treebank files, their indexes, or texts that are parsed first.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use miette::{Report, Result};
use tracebank::{BadInput, BrokenStream, Input, Parse, Parser};
use tracebank_search::{Answer, Index, IndexError, Searcher, search};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{self, SyntaxError};

use super::{Question, SearchArguments};
use crate::commands::model::open_model;
use crate::failure::{Failure, Shown, say};
use crate::input::TreeFormat;
use crate::sources::{inputs, sources};

/// Takes the answers for a file; false where the rest of the file is not wanted.
type Take<'t> = &'t mut dyn FnMut(&str, Answer) -> Result<bool>;

/// A bad tree as an error to report.
pub(super) fn bad_tree(file: &str, error: &SyntaxError) -> Report {
    let help = Some("--skip-bad goes on with the next one");
    Shown { input: BadInput::of_tree(file, error), help }.into()
}

/// The end of a file: it failed, or no more of it is wanted.
enum Ended {
    Failed(Report),
    Enough,
}

impl From<std::io::Error> for Ended {
    fn from(error: std::io::Error) -> Ended {
        Ended::Failed(Failure(error.to_string()).into())
    }
}

impl From<BrokenStream> for Ended {
    fn from(error: BrokenStream) -> Ended {
        Ended::Failed(Failure(error.0).into())
    }
}

impl From<IndexError> for Ended {
    fn from(error: IndexError) -> Ended {
        Ended::Failed(Failure(error.to_string()).into())
    }
}

fn finished(result: Result<(), Ended>) -> Result<()> {
    match result {
        Err(Ended::Failed(error)) => Err(error),
        Ok(()) | Err(Ended::Enough) => Ok(()),
    }
}

/// Searches all files. The descriptions that a hit needs and that no label fits, as far as that was seen.
pub(super) fn read(
    arguments: &SearchArguments,
    question: &Question,
    files: &[String],
    take: Take,
) -> Result<Vec<String>> {
    let heads = arguments.heads.as_deref().and_then(HeadTable::named);
    let searcher = Searcher::new(&question.patterns, arguments.from.dialect(), heads, arguments.asked());
    let mut take = |file: &str, mut answer: Answer| -> Result<(), Ended> {
        if arguments.skip_bad {
            for bad in answer.found.extract_if(.., |found| found.is_err()) {
                if let Err(error) = bad {
                    say(&format!("left out: {file}:{error}"));
                }
            }
        }
        match take(file, answer) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Ended::Enough),
            Err(error) => Err(Ended::Failed(error)),
        }
    };
    let seen = searcher.seen();
    if arguments.parse {
        parsed(arguments, searcher, files, &mut take)?;
        return Ok(seen.unknown());
    }
    let stdin = ["-".to_owned()];
    let files = if files.is_empty() { &stdin } else { files };
    for file in files {
        let path = PathBuf::from(file);
        if let Some(index) = usable_index(arguments, &path)? {
            seen.add_index(&index).map_err(|error| Failure(error.to_string()))?;
            finished(index.search(&searcher, |answer| take(file, answer)))?;
            continue;
        }
        let input = penn::Input::open(&path).map_err(|error| Failure(error.to_string()))?;
        let name = input.name.clone();
        finished(match arguments.from {
            TreeFormat::Brackets(_) => search(input.stream, &searcher, |answer| take(&name, answer)),
            TreeFormat::Graph | TreeFormat::Shp => {
                drop(input);
                one_by_one(arguments.from, &path, &searcher, &mut take)
            }
        })?;
    }
    Ok(seen.unknown())
}

/// The index of a file, where one is there and may be used: not for lines, and not for other dialects. One that is older than the file is made anew.
fn usable_index(arguments: &SearchArguments, path: &Path) -> Result<Option<Index>> {
    if arguments.no_index || arguments.line_number || arguments.from.dialect().name != "penn" {
        return Ok(None);
    }
    let opened = match Index::open(path) {
        Err(IndexError::Stale(index)) => {
            say(&format!("{}: older than the corpus, made anew", index.display()));
            Index::build(path).and_then(|_| Index::open(path))
        }
        other => other,
    };
    Ok(opened.map_err(|error| Failure(format!("{error}; --no-index reads the corpus")))?)
}

fn one_by_one(
    from: TreeFormat,
    path: &Path,
    searcher: &Searcher,
    take: &mut dyn FnMut(&str, Answer) -> Result<(), Ended>,
) -> Result<(), Ended> {
    let (name, trees) = from.trees(path).map_err(Ended::Failed)?;
    let mut searcher = searcher.another();
    for (number, tree) in (1..).zip(trees) {
        let mut answer = Answer::default();
        match tree {
            Ok(tree) => searcher.tree(&tree, number, &mut answer),
            Err(error) => answer.found.push(Err(error)),
        }
        take(&name, answer)?;
    }
    Ok(())
}

fn parsed(
    arguments: &SearchArguments,
    mut searcher: Searcher,
    texts: &[String],
    take: &mut dyn FnMut(&str, Answer) -> Result<(), Ended>,
) -> Result<()> {
    let sources = sources(texts)?;
    let parser = Parser::with_model(&open_model(&arguments.model)?)
        .map_err(|error| Failure(format!("model {}: {error}", arguments.model)))?;
    let inputs = inputs(sources, arguments.input, parser.tokeniser(), tracebank::Limits::default());
    let mut numbers = std::collections::BTreeMap::<String, usize>::new();
    let each = |input: &Input, parse: &Parse| -> Result<(), Ended> {
        let number = numbers.entry(input.origin.file.clone()).or_default();
        *number += 1;
        let mut answer = Answer::default();
        searcher.tree(&parse.tree, *number, &mut answer);
        if arguments.line_number
            && let Some((line, _)) = input.origin.place
        {
            answer.found.iter_mut().flatten().for_each(|found| found.line = Some(line));
        }
        take(&input.origin.file, answer)
    };
    finished(
        tracebank::parse_stream(&parser, inputs, tracebank::BLOCK, &AtomicBool::new(false), each).map(|_| ()),
    )
}
