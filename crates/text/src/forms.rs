//! The forms of tokens: a treebank's spelling of what stands in the text.

use crate::lexicon::is_apostrophe;
use crate::piece::Kind;
use crate::style::{Brackets, Quotes, TokenStyle};

const ESCAPES: [(char, &str); 6] =
    [('(', "-LRB-"), (')', "-RRB-"), ('[', "-LSB-"), (']', "-RSB-"), ('{', "-LCB-"), ('}', "-RCB-")];

fn escape_of(character: char, brackets: Brackets) -> Option<&'static str> {
    let last = if brackets == Brackets::All { ESCAPES.len() } else { 2 };
    ESCAPES[..last].iter().find(|(bracket, _)| *bracket == character).map(|(_, escape)| *escape)
}

/// `word` with its brackets escaped, also those inside it, so that it can stand in a Penn tree.
///
/// ```
/// use tracebank_text::{Brackets, escape, unescape};
/// assert_eq!(escape("(", Brackets::All), "-LRB-");
/// assert_eq!(escape("t(3;21)", Brackets::All), "t-LRB-3;21-RRB-");
/// assert_eq!(escape("[", Brackets::Round), "[");
/// assert_eq!(unescape("-LSB-"), "[");
/// ```
pub fn escape(word: &str, brackets: Brackets) -> String {
    if !word.contains(['(', ')', '[', ']', '{', '}']) {
        return word.to_owned();
    }
    let mut escaped = String::with_capacity(word.len() + 4);
    for character in word.chars() {
        match escape_of(character, brackets) {
            Some(escape) => escaped.push_str(escape),
            None => escaped.push(character),
        }
    }
    escaped
}

/// `word` with brackets for their escapes. Quotation marks stay: which ones the text had cannot be told.
pub fn unescape(word: &str) -> String {
    ESCAPES.iter().fold(word.to_owned(), |word, (bracket, escape)| {
        if word.contains(escape) { word.replace(escape, bracket.encode_utf8(&mut [0; 4])) } else { word }
    })
}

/// The token's text for a piece of that kind.
pub(crate) fn form(piece: &str, kind: Kind, style: TokenStyle) -> String {
    let penn = style.quotes == Quotes::Penn;
    let fixed = match kind {
        Kind::OpenQuote { double } if penn => Some(if double { "``" } else { "`" }),
        Kind::CloseQuote { double } if penn => Some(if double { "''" } else { "'" }),
        Kind::Dash if penn && !piece.is_ascii() => Some("--"),
        Kind::Ellipsis if penn && piece == "…" => Some("..."),
        _ => None,
    };
    if let Some(fixed) = fixed {
        return fixed.to_owned();
    }
    if kind == Kind::Ellipsis {
        // white space cannot be in a token, whatever the style
        return piece.replace(char::is_whitespace, "");
    }
    let escaped = escape(piece, style.brackets);
    if penn && !escaped.is_ascii() { escaped.replace(is_apostrophe, "'") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_depend_on_the_style() {
        let penn = TokenStyle::PENN;
        let masc = TokenStyle { quotes: Quotes::Keep, ..penn };
        for (piece, kind, in_penn, in_masc) in [
            ("“", Kind::OpenQuote { double: true }, "``", "“"),
            ("\"", Kind::CloseQuote { double: true }, "''", "\""),
            ("—", Kind::Dash, "--", "—"),
            ("---", Kind::Dash, "---", "---"),
            ("…", Kind::Ellipsis, "...", "…"),
            (". . .", Kind::Ellipsis, "...", "..."),
            (". . . .", Kind::Ellipsis, "....", "...."),
            ("n’t", Kind::Word, "n't", "n’t"),
            (":(", Kind::Sign, ":-LRB-", ":-LRB-"),
        ] {
            assert_eq!(form(piece, kind, penn), in_penn);
            assert_eq!(form(piece, kind, masc), in_masc);
        }
    }
}
