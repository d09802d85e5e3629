//! Lines of words that are tokens already.

use super::error::Problem;
use crate::forms::escape;
use crate::sentence::Sentence;
use crate::style::Brackets;
use crate::token::{Token, separates};

/// A problem of a line, and the byte it is at.
pub(super) type Failure = (Problem, usize);

/// Refuses a line of more than `most` words before any token is made of it.
fn check(line: &str, most: usize) -> Result<(), Failure> {
    if words(line).nth(most).is_some() { Err((Problem::TooManyWords(most), 0)) } else { Ok(()) }
}

/// The sentence of the words of `line`, which are at most `most`.
pub(super) fn tokens(line: &str, most: usize) -> Result<Sentence, Failure> {
    check(line, most)?;
    let tokens = words(line).map(|(start, word)| Token::given(word, start)).collect();
    Ok(Sentence { text: line.to_owned(), tokens, ..Sentence::default() })
}

/// The sentence of the words of `line`, each with the tag behind its last underscore. Offsets are those of the words without tags.
pub(super) fn tagged(line: &str, most: usize) -> Result<Sentence, Failure> {
    check(line, most)?;
    let mut sentence = Sentence { text: line.to_owned(), ..Sentence::default() };
    for (start, pair) in words(line) {
        let (word, tag) = pair
            .rsplit_once('_')
            .filter(|(word, tag)| !word.is_empty() && !tag.is_empty())
            .ok_or_else(|| (Problem::NoTag(shortened(pair)), start))?;
        sentence.tokens.push(Token::given(word, start));
        sentence.tags.push(escape(tag, Brackets::Round));
    }
    Ok(sentence)
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    line.split(separates).filter_map(move |word| {
        let start = end;
        end += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// At most forty characters, so that a message is one line whatever the input is.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
