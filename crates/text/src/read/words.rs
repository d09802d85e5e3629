//! Lines of words that are tokens already.

use super::error::Problem;
use crate::forms::escape;
use crate::options::Brackets;
use crate::token::Token;

/// What is wrong with a line, and at which of its bytes.
pub(super) type Failure = (Problem, usize);

/// The words of `line` as they are, but for round brackets, which a tree could not hold. Only ASCII white space separates, as in the treebanks: words of CRAFT contain U+2009.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    words(line)
        .map(|(start, word)| Token { text: escape(word, Brackets::Round), start, end: start + word.len() })
        .collect()
}

/// The words of `line`, each with the tag behind its last underscore. Offsets are those of the words without tags.
pub(super) fn tagged(line: &str) -> Result<(Vec<Token>, Vec<String>), Failure> {
    let mut tokens = Vec::new();
    let mut tags = Vec::new();
    for (start, pair) in words(line) {
        let (word, tag) = pair
            .rsplit_once('_')
            .filter(|(word, tag)| !word.is_empty() && !tag.is_empty())
            .ok_or_else(|| (Problem::NoTag(shortened(pair)), start))?;
        tokens.push(Token { text: escape(word, Brackets::Round), start, end: start + word.len() });
        tags.push(escape(tag, Brackets::Round));
    }
    Ok((tokens, tags))
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    line.split(|c: char| c.is_ascii_whitespace() || c == '\x0b').filter_map(move |word| {
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
