//! What can be wrong with a treebank file, and where.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

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

/// What is wrong.
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
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub place: Place,
    /// The line that holds the place, or the part of it around the place if it is long.
    pub excerpt: String,
    /// The column of the place inside `excerpt`, in bytes from 0.
    pub excerpt_offset: usize,
}

/// How much of a long line an error shows on each side of the place.
const EXCERPT_REACH: usize = 60;

impl SyntaxError {
    /// An error at a place whose text is not to hand.
    pub fn at(place: Place, problem: Problem) -> SyntaxError {
        SyntaxError { problem, place, excerpt: String::new(), excerpt_offset: 0 }
    }

    pub(crate) fn at_start(problem: Problem) -> SyntaxError {
        SyntaxError::at(Place { line: 1, column: 1 }, problem)
    }

    /// An error at byte `offset` of `text`, which begins at `origin` in the file.
    pub(crate) fn new(problem: Problem, text: &[u8], offset: usize, origin: Place) -> SyntaxError {
        let offset = offset.min(text.len());
        let line_start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line_end =
            text[offset..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| offset + at);
        let lines_before = memchr::memchr_iter(b'\n', &text[..line_start]).count();
        let column_before = String::from_utf8_lossy(&text[line_start..offset]).chars().count();
        let place = Place {
            line: origin.line + lines_before,
            column: if lines_before == 0 { origin.column } else { 1 } + column_before,
        };
        let from = line_start.max(offset.saturating_sub(EXCERPT_REACH));
        let to = line_end.min(offset + EXCERPT_REACH);
        let before = String::from_utf8_lossy(&text[from..offset]);
        let excerpt = format!("{before}{}", String::from_utf8_lossy(&text[offset..to]));
        SyntaxError { problem, place, excerpt, excerpt_offset: before.len() }
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
        /// What the system said.
        reason: String,
    },
    /// Something in it is wrong.
    #[error("{file}:{error}")]
    Syntax {
        /// The file's name, `<stdin>` for standard input.
        file: String,
        /// What and where.
        error: SyntaxError,
    },
}
