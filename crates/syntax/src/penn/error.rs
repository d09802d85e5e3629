//! Errors of treebank files, with their place.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;
use tracebank_text::Excerpt;

/// A place in a text, counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A problem of a tree or a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// `)` with nothing open.
    #[error("a closing bracket has no opening one")]
    StrayClose,
    /// Text outside all brackets.
    #[error("text stands outside all brackets")]
    StrayText,
    /// The input ends, or another tree begins, inside a tree.
    #[error("the bracket that opens here is never closed")]
    Unclosed,
    /// `()` or `(NP)`.
    #[error("a bracket has nothing in it")]
    EmptyBracket,
    /// The bytes are not UTF-8.
    #[error("these bytes are not UTF-8")]
    NotUtf8,
    /// The tree is longer than the reader's limit.
    #[error("the tree that begins here is longer than {0} bytes")]
    TooLong(usize),
    /// One tree was asked for, and there is none.
    #[error("there is no tree here")]
    NoTree,
    /// One tree was asked for, and there are several.
    #[error("there is more than one tree here")]
    SeveralTrees,
    /// A line of a graph is not as `docs/graph-format.md` says.
    #[error("{0}")]
    Graph(String),
    /// The input could not be read any further.
    #[error("reading stopped: {0}")]
    Io(String),
}

/// A piece of input that is not as it should be, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: {problem}")]
pub struct SyntaxError {
    /// The problem.
    pub problem: Problem,
    /// Its place.
    pub place: Place,
    /// The line that holds the place; none if its text is not to hand.
    pub excerpt: Option<Excerpt>,
}

impl SyntaxError {
    /// An error at a place whose text is not to hand.
    pub fn at(place: Place, problem: Problem) -> SyntaxError {
        SyntaxError { problem, place, excerpt: None }
    }

    pub(crate) fn at_start(problem: Problem) -> SyntaxError {
        SyntaxError::at(Place { line: 1, column: 1 }, problem)
    }

    /// An error at byte `offset` of `text`, which begins at `origin` in the file.
    pub fn new(problem: Problem, text: &[u8], offset: usize, origin: Place) -> SyntaxError {
        let excerpt = Excerpt::around(text, offset);
        let lines_before = memchr::memchr_iter(b'\n', &text[..offset.min(text.len())]).count();
        let first = if lines_before == 0 { origin.column } else { 1 };
        let place = Place { line: origin.line + lines_before, column: first + excerpt.column - 1 };
        let excerpt = Excerpt { column: place.column, ..excerpt };
        SyntaxError { problem, place, excerpt: Some(excerpt).filter(|excerpt| !excerpt.text.is_empty()) }
    }
}

/// An error in a named file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// The file could not be opened.
    #[error("{}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// Something in it is wrong.
    #[error("{file}:{error}")]
    Syntax {
        /// The file's name, `<stdin>` for standard input.
        file: String,
        /// The problem and its place.
        error: SyntaxError,
    },
}
