//! Quotation marks and apostrophes.
//!
//! A straight quotation mark does not say whether it opens or closes. Mostly its neighbours do: white space before it and a word behind
//! it open. Where they do not (a mark between two spaces, or between two letters), it closes what is open.

use super::Scanner;
use super::class::{Class, class};
use crate::lexicon::{LEXICON, is_apostrophe};
use crate::piece::{Gap, Kind};

/// The quotation marks that are open in the paragraph.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QuoteState {
    double: bool,
    single: bool,
}

impl Scanner<'_> {
    pub(super) fn double_quote(&mut self, character: char) {
        let end = self.at + character.len_utf8();
        let opens = match class(character) {
            Class::OpenQuote => true,
            Class::CloseQuote => false,
            _ => self.opens(end, self.quotes.double),
        };
        self.push_double(end, opens);
    }

    fn push_double(&mut self, end: usize, opens: bool) {
        self.quotes.double = opens;
        self.push(
            end,
            if opens { Kind::OpenQuote { double: true } } else { Kind::CloseQuote { double: true } },
        );
    }

    /// Whether the straight mark from `self.at` to `end` opens, by what is before and behind it.
    fn opens(&self, end: usize, already_open: bool) -> bool {
        let free_before = self.gap != Gap::None
            || self.before(self.at).is_none_or(|c| {
                matches!(
                    class(c),
                    Class::OpenBracket | Class::OpenQuote | Class::Backquote | Class::EmDash | Class::EnDash
                ) || matches!(c, '-' | '/' | '=')
                    || (matches!(c, '"' | '\'') && self.follows_open_quote())
            });
        let punctuation_behind = match self.peek(end) {
            None | Some(',' | ':' | ';') => true,
            Some('.') => self.peek(end + 1).is_none_or(char::is_whitespace),
            Some(c) => matches!(class(c), Class::CloseBracket | Class::CloseQuote | Class::Exclamation),
        };
        if free_before == punctuation_behind { !already_open } else { free_before }
    }

    fn follows_open_quote(&self) -> bool {
        self.pieces.last().is_some_and(|piece| matches!(piece.kind, Kind::OpenQuote { .. }))
    }

    /// `'` or `’`: a clitic, part of a word, two of them as a double mark, a quotation mark or a possessive.
    pub(super) fn apostrophe(&mut self, character: char) {
        let end = self.at + character.len_utf8();
        if character == '\'' && self.peek(end) == Some('\'') {
            let opens = self.opens(end + 1, self.quotes.double);
            return self.push_double(end + 1, opens);
        }
        let rest = &self.text[self.at..self.chunk_end];
        let follows_word = self.gap == Gap::None
            && self.before(self.at).is_some_and(|c| matches!(class(c), Class::Word | Class::Dot));
        if let Some(length) = LEXICON.clitic(rest)
            && (follows_word || self.gap != Gap::None || self.class_at(self.at + length).is_none())
        {
            return self.push(self.at + length, Kind::Word);
        }
        if follows_word || self.class_at(end).is_none_or(|class| class != Class::Word) {
            let opens = !follows_word && self.opens(end, self.quotes.single);
            return self.push_single(end, opens);
        }
        if starts_elision(rest) {
            return self.word();
        }
        let opens = self.opens(end, self.quotes.single);
        self.push_single(end, opens);
    }

    fn push_single(&mut self, end: usize, opens: bool) {
        self.quotes.single = opens;
        self.push(
            end,
            if opens { Kind::OpenQuote { double: false } } else { Kind::CloseQuote { double: false } },
        );
    }

    /// `` ` `` and `‘`; two are a double mark.
    pub(super) fn backquote(&mut self, character: char) {
        let end = self.at + character.len_utf8();
        if character == '`' && self.peek(end) == Some('`') {
            self.push_double(end + 1, true);
        } else {
            self.push_single(end, true);
        }
    }

    /// Whether a single quotation mark is open, so that an apostrophe behind a word may close it.
    pub(super) fn single_is_open(&self) -> bool {
        self.quotes.single
    }
}

/// `'99`, `'em`, `'n'`: an apostrophe that begins a word.
fn starts_elision(rest: &str) -> bool {
    let mut characters = rest.chars();
    let apostrophe = characters.next().map_or(0, char::len_utf8);
    let letters = &rest[apostrophe..];
    let digits = letters.bytes().take_while(u8::is_ascii_digit).count();
    let length = letters.bytes().take_while(u8::is_ascii_alphanumeric).take(16).count();
    let word = &rest[..apostrophe + length];
    let behind = rest[apostrophe + length..].chars().next();
    let with_behind = behind.filter(|c| is_apostrophe(*c)).map_or(0, char::len_utf8);
    (digits == 2 && !letters[digits..].starts_with(|c: char| c.is_alphabetic() && c != 's'))
        || LEXICON.is_elision(word)
        || LEXICON.contraction(word).is_some()
        || (with_behind > 0 && LEXICON.is_elision(&rest[..apostrophe + length + with_behind]))
}
