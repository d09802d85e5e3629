//! Sentences: the one type in which text comes in, whatever its form was.

use std::fmt;
use std::ops::Range;

use crate::token::{Token, separates};

/// A sentence: its text, and its words with their places in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence {
    /// The text as it was written.
    pub text: String,
    /// The byte of a longer text at which it begins.
    pub start: usize,
    /// The character of that text at which it begins.
    pub start_char: usize,
    /// Its words, with their places in `text`.
    pub tokens: Vec<Token>,
    /// The tags of its first words. Words beyond the last tag have none; usually no word has.
    pub tags: Vec<String>,
}

impl Sentence {
    /// A sentence of these words. They are taken as they are, except that a tree must be able to hold them: round brackets are escaped,
    /// and ASCII white space inside a word becomes `_`, as does a word that is empty.
    ///
    /// ```
    /// use tracebank_text::Sentence;
    /// let sentence = Sentence::of_words(&["(", "New York", ")"]);
    /// assert_eq!(sentence.words().collect::<Vec<_>>(), ["-LRB-", "New_York", "-RRB-"]);
    /// assert_eq!(&sentence.text[sentence.tokens[1].range()], "New York");
    /// ```
    pub fn of_words<W: AsRef<str>>(words: &[W]) -> Sentence {
        let mut sentence = Sentence::default();
        for word in words.iter().map(AsRef::as_ref) {
            if !sentence.text.is_empty() {
                sentence.text.push(' ');
            }
            let start = sentence.text.len();
            sentence.text.push_str(word);
            let held = if word.is_empty() { "_".to_owned() } else { word.replace(separates, "_") };
            sentence.tokens.push(Token { end: sentence.text.len(), ..Token::given(&held, start) });
        }
        sentence
    }

    /// The sentence of `tokens`, which is a part of the longer text `whole` and begins with its first token.
    pub(crate) fn within(whole: &str, mut tokens: Vec<Token>) -> Sentence {
        let start = tokens.first().map_or(0, |token| token.start);
        let end = tokens.last().map_or(0, |token| token.end);
        for token in &mut tokens {
            token.start -= start;
            token.end -= start;
        }
        Sentence { text: whole[start..end].to_owned(), start, tokens, ..Sentence::default() }
    }

    /// Its words as a tree has them.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|token| token.text.as_str())
    }

    /// Its bytes in the longer text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

impl fmt::Display for Sentence {
    /// The words with a space between two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.words().enumerate() {
            write!(f, "{}{word}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
