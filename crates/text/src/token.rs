//! What comes out: tokens and sentences.

use std::fmt;
use std::ops::Range;

/// A word or a mark of punctuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// As the treebank writes it: ` `` `, `-LRB-`, `n't`.
    pub text: String,
    /// Its first byte in the original.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

impl Token {
    /// Its bytes in the original.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The tokens of a sentence, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Its tokens, in order.
    pub tokens: Vec<Token>,
    /// The first byte of its first token.
    pub start: usize,
    /// The byte behind its last token.
    pub end: usize,
}

impl Sentence {
    pub(crate) fn of(tokens: Vec<Token>) -> Sentence {
        let start = tokens.first().map_or(0, |token| token.start);
        let end = tokens.last().map_or(0, |token| token.end);
        Sentence { tokens, start, end }
    }

    /// Its bytes in the original.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl fmt::Display for Sentence {
    /// The tokens with a space between two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, token) in self.tokens.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { " " }, token.text)?;
        }
        Ok(())
    }
}
