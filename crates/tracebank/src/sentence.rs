//! A sentence to be parsed, with its text.

use tracebank_parser::pipeline;
use tracebank_text::{Brackets, Token, escape};

/// A sentence to be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence {
    /// As it was written.
    pub text: String,
    /// At which byte of a longer text it begins.
    pub start: usize,
    /// Its words, with their places in `text`.
    pub tokens: Vec<Token>,
    /// Their tags, if they are known; words beyond the last tag have none.
    pub tags: Option<Vec<String>>,
}

impl Sentence {
    /// A sentence of these words. They are taken as they are, except that a tree must be able to hold them: round brackets are escaped, and ASCII
    /// white space inside a word becomes `_`, as does a word that is empty.
    ///
    /// ```
    /// let sentence = tracebank::Sentence::of_words(&["(", "New York", ")"]);
    /// let words: Vec<&str> = sentence.tokens.iter().map(|token| token.text.as_str()).collect();
    /// assert_eq!(words, ["-LRB-", "New_York", "-RRB-"]);
    /// assert_eq!(&sentence.text[sentence.tokens[1].range()], "New York");
    /// ```
    pub fn of_words<W: AsRef<str>>(words: &[W]) -> Sentence {
        let mut text = String::new();
        let mut tokens = Vec::with_capacity(words.len());
        for word in words.iter().map(AsRef::as_ref) {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(word);
            tokens.push(Token {
                text: escape(&without_blanks(word), Brackets::Round),
                start,
                end: text.len(),
            });
        }
        Sentence { text, start: 0, tokens, tags: None }
    }

    pub(crate) fn for_pipeline(&self) -> pipeline::Sentence {
        let tagged =
            |tags: &Vec<String>| (0..self.tokens.len()).map(|word| tags.get(word).cloned()).collect();
        pipeline::Sentence {
            words: self.tokens.iter().map(|token| token.text.clone()).collect(),
            tags: self.tags.as_ref().map(tagged),
        }
    }
}

/// Without what would end a word in brackets; other spaces, such as thin ones, are part of it.
fn without_blanks(word: &str) -> String {
    let ends_word = |c: char| c.is_ascii_whitespace() || c == '\x0b';
    if word.is_empty() { "_".to_owned() } else { word.replace(ends_word, "_") }
}
