//! Tokens.

use std::ops::Range;

use crate::forms::escape;
use crate::style::Brackets;

/// A word or a mark of punctuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// As the treebank writes it: ` `` `, `-LRB-`, `n't`.
    pub text: String,
    /// Its first byte in the text of its sentence.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

impl Token {
    /// A word that is a token already and begins at `start`. It stays as it is but for round brackets, which a tree could not hold.
    pub(crate) fn given(word: &str, start: usize) -> Token {
        Token { text: escape(word, Brackets::Round), start, end: start + word.len() }
    }

    /// Its bytes in the text of its sentence.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl AsRef<str> for Token {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Whether a character separates words in brackets and on lines of tokens. Only ASCII space does, as in the treebanks: words of CRAFT
/// contain U+2009.
pub(crate) fn separates(character: char) -> bool {
    character.is_ascii_whitespace() || character == '\x0b'
}
