//! Pieces, which the scanner hands to the splitter.

use crate::lexicon::Abbreviation;

/// The kind of a piece of text, as far as sentences and forms need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A word, a number, a clitic.
    Word,
    /// A word with the full stop of an abbreviation.
    Abbreviation(Abbreviation),
    /// A full stop that is none of an abbreviation.
    Stop,
    /// `?`, `!` and runs of them.
    Exclamation,
    /// `...`, also with spaces between the dots, and `…`.
    Ellipsis,
    /// `--` and its relatives.
    Dash,
    /// An opening quotation mark, double or single.
    OpenQuote { double: bool },
    /// A closing quotation mark, or the apostrophe of a plural's possessive.
    CloseQuote { double: bool },
    /// An opening bracket.
    OpenBracket,
    /// A closing bracket.
    CloseBracket,
    /// A mark that can begin the item of a list.
    Bullet,
    /// A face: `:)`.
    Emoticon,
    /// Commas, signs and all the rest.
    Sign,
}

/// The white space before a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Gap {
    /// None: the piece before touches this one.
    None,
    /// Within a line.
    Space,
    /// One end of a line.
    Newline,
    /// One end of a line that its writer meant: the next word had room on it.
    ShortLine,
    /// An empty line, or the start of the text.
    Blank,
}

impl Gap {
    /// The break that a run of white space amounts to.
    pub(crate) fn of(run: &str) -> Gap {
        let mut ends = 0;
        let mut characters = run.chars().peekable();
        while let Some(character) = characters.next() {
            ends += match character {
                '\r' if characters.peek() == Some(&'\n') => 0,
                '\n' | '\r' | '\u{85}' | '\u{2028}' => 1,
                '\u{c}' | '\u{2029}' => 2,
                _ => 0,
            };
        }
        match ends {
            _ if run.is_empty() => Gap::None,
            0 => Gap::Space,
            1 => Gap::Newline,
            _ => Gap::Blank,
        }
    }
}

/// A stretch of text that becomes a token, or a token and its full stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// The break before it.
    pub(crate) gap: Gap,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_as_people_do() {
        let rows = [
            ("", Gap::None),
            (" \t\u{a0}", Gap::Space),
            (" \r\n ", Gap::Newline),
            ("\r\n \r\n", Gap::Blank),
            ("\r\r", Gap::Blank),
            ("\n \n", Gap::Blank),
            ("\u{c}", Gap::Blank),
        ];
        for (run, gap) in rows {
            assert_eq!(Gap::of(run), gap, "{run:?}");
        }
    }
}
