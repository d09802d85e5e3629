//! Errors of input, with their place.

use std::fmt;

use thiserror::Error;

use super::Id;
use super::lines::characters;
use crate::excerpt::Excerpt;

/// A place in a stream, after unpacking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte, counted from 0 at the start of the stream.
    pub byte: usize,
    /// The character, counted likewise.
    pub char: usize,
}

impl Place {
    /// The place behind `passed`, which begins here.
    pub(super) fn behind(self, passed: &[u8]) -> Place {
        Place {
            line: self.line + memchr::memchr_iter(b'\n', passed).count(),
            byte: self.byte + passed.len(),
            char: self.char + characters(passed),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.line, self.byte)
    }
}

/// A problem of an input.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes are not UTF-8.
    #[error("these bytes are not UTF-8")]
    NotUtf8,
    /// The line, or the paragraph of running text, is longer than the reader's limit.
    #[error("what begins here is longer than {0} bytes")]
    TooLong(usize),
    /// The sentence has more words than the reader's limit.
    #[error("what begins here has more than {0} words")]
    TooManyWords(usize),
    /// A word without `_TAG`.
    #[error("`{0}` is not of the form word_TAG")]
    NoTag(String),
    /// Not JSON.
    #[error("this is not JSON: {0}")]
    Json(String),
    /// JSON, but not an object.
    #[error("a line must be a JSON object such as {{\"id\": 1, \"text\": \"…\"}}")]
    NotAnObject,
    /// An object in which a key stands twice, so that nobody knows which is meant.
    #[error("\"{0}\" stands twice in the object")]
    RepeatedKey(String),
    /// An object with neither `text` nor `tokens`, or with both.
    #[error("an object must have either \"text\" or \"tokens\"")]
    TextOrTokens,
    /// A field that is not what it should be.
    #[error("\"{field}\" must be {wanted}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// Its proper form.
        wanted: &'static str,
    },
    /// `tags` that do not match the tokens.
    #[error("there are {tokens} tokens but {tags} tags")]
    TagCount {
        /// How many tokens there are.
        tokens: usize,
        /// How many tags there are.
        tags: usize,
    },
    /// The stream could not be read any further.
    #[error("reading stopped: {0}")]
    Io(String),
}

/// An input that is not as it should be, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{place}: {problem}")]
pub struct ReadError {
    /// The file's name, as the reader was told.
    pub file: String,
    /// Its place.
    pub place: Place,
    /// The problem.
    pub problem: Problem,
    /// The id of the input, if that much could be read, so that its output can still be told.
    pub id: Option<Id>,
    /// The line in question; none if the stream broke.
    pub excerpt: Option<Excerpt>,
}
