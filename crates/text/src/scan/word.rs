//! Words, numbers, addresses: everything that begins with a letter or a digit.

use super::Scanner;
use super::class::{Class, class};
use crate::lexicon::{Abbreviation, LEXICON, is_apostrophe};
use crate::piece::Kind;
use crate::style::{Hyphens, WordBrackets};

const SCHEMES: [&str; 5] = ["http://", "https://", "ftp://", "mailto:", "www."];

/// The longest bracket inside a word, in characters. With no bound, a row of brackets that are never closed would take quadratic time.
const LONGEST_BRACKET: usize = 40;

/// The longest part of a mail address before its `@` that is looked for, in characters, for the same reason.
const LONGEST_MAILBOX: usize = 64;

impl Scanner<'_> {
    /// The word at `self.at`, with the tokens it is made of.
    pub(super) fn word(&mut self) {
        if let Some(end) = self.address() {
            return self.push(end, Kind::Word);
        }
        let start = self.at;
        // the first character was found good by whoever called
        let mut at = start + self.peek(start).map_or(0, char::len_utf8);
        while let Some(character) = self.peek(at) {
            let next = at + character.len_utf8();
            match class(character) {
                Class::Word if self.ends_number(at, character) => break,
                Class::Word => at = next,
                Class::Apostrophe if self.is_negation(at, next) => {
                    if at - 1 > start {
                        self.push_word(at - 1);
                    }
                    return self.push(next + 1, Kind::Word);
                }
                Class::Joiner if character == '$' && self.is_currency(at, next) => {
                    at = next;
                    break;
                }
                Class::OpenBracket if self.style.word_brackets == WordBrackets::Keep => {
                    let Some(end) = self.bracket_end(at) else { break };
                    at = end;
                }
                _ if self.joins(character, at, next) => at = next,
                _ => break,
            }
        }
        match self.abbreviation(at) {
            Some(kind) => self.push(at + 1, Kind::Abbreviation(kind)),
            None => self.push_word(at),
        }
    }

    /// Pushes a word, cut in two if it is a contraction.
    pub(super) fn push_word(&mut self, end: usize) {
        let word = &self.text[self.at..end];
        if (4..=9).contains(&word.len())
            && let Some(cut) = LEXICON.contraction(word)
        {
            self.push(self.at + cut, Kind::Word);
        }
        self.push(end, Kind::Word);
    }

    /// The end of a URL that begins here: all of the chunk but closing punctuation.
    fn address(&self) -> Option<usize> {
        let rest = &self.text[self.at..self.chunk_end];
        let is_address = |scheme: &&str| {
            rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && rest[scheme.len()..].starts_with(char::is_alphanumeric)
        };
        SCHEMES.iter().find(|scheme| is_address(scheme))?;
        let mut address = rest;
        // a closing bracket that was opened inside belongs to the address
        let mut open = rest.bytes().filter(|&byte| byte == b'(').count();
        let mut closed = rest.bytes().filter(|&byte| byte == b')').count();
        while let Some(last) = address.chars().next_back() {
            match last {
                '(' => open -= 1,
                ')' if closed <= open => break,
                ')' => closed -= 1,
                '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | ']' | '}' | '>' | '…' => {}
                _ if matches!(class(last), Class::CloseQuote | Class::Apostrophe) => {}
                _ => break,
            }
            address = &address[..address.len() - last.len_utf8()];
        }
        Some(self.at + address.len())
    }

    /// The end of the bracket that opens at `at`, if it closes in this chunk and not too far away.
    fn bracket_end(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (offset, character) in self.text[at..self.chunk_end].char_indices().take(LONGEST_BRACKET) {
            match class(character) {
                Class::OpenBracket => depth += 1,
                Class::CloseBracket => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at + offset + character.len_utf8());
            }
        }
        None
    }

    /// Whether the unit at `at` is no part of the number before it: `37|°C`.
    fn ends_number(&self, at: usize, character: char) -> bool {
        matches!(character, '°' | '′' | '″')
            && (character != '°' || self.before(at).is_some_and(|c| c.is_ascii_digit()))
            && (character == '°' || self.style.hyphens == Hyphens::Split)
    }

    /// The apostrophe of `n't`.
    fn is_negation(&self, at: usize, next: usize) -> bool {
        matches!(self.before(at), Some('n' | 'N'))
            && matches!(self.peek(next), Some('t' | 'T'))
            && !self.peek(next + 1).is_some_and(char::is_alphanumeric)
    }

    /// The dollar of `US$`, `C$`, `HK$`.
    fn is_currency(&self, at: usize, next: usize) -> bool {
        let letters = &self.text[self.at..at];
        letters.len() <= 3
            && letters.bytes().all(|byte| byte.is_ascii_uppercase())
            && self.peek(next).is_none_or(|c| c.is_ascii_digit() || c == '.')
    }

    /// Whether `character`, which stands at `at` behind part of a word, goes on with it.
    fn joins(&self, character: char, at: usize, next: usize) -> bool {
        let before = self.before(at).unwrap_or(' ');
        let behind = self.peek(next);
        let digit_behind = behind.is_some_and(|c| c.is_ascii_digit());
        let word_behind = behind.is_some_and(|c| class(c) == Class::Word);
        match class(character) {
            Class::Dot => self.dot_joins(at, next),
            Class::Apostrophe => {
                let rest = &self.text[at..self.chunk_end];
                let inside = behind.is_some_and(char::is_alphabetic) && before.is_alphanumeric();
                (inside && LEXICON.clitic(rest).is_none())
                    || (before == '-' && digit_behind)
                    || (!word_behind && self.is_elided(at, next))
            }
            Class::Hyphen | Class::EnDash => self.hyphen_joins(character, at, next),
            Class::Joiner => match character {
                ',' => before.is_ascii_digit() && digit_behind && self.goes_on_with_number(next),
                ':' => before.is_ascii_digit() && digit_behind,
                '/' if self.style.hyphens == Hyphens::Split => false,
                '/' => word_behind || (before == '+' && behind == Some('-')),
                '&' | '@' => word_behind,
                '*' => word_behind && before.is_alphanumeric(),
                '+' => !(digit_behind && before.is_ascii_digit()) || self.text[next..].starts_with("/-"),
                '#' => behind.is_none() && before.is_ascii_alphabetic() && at == self.at + 1,
                _ => false,
            },
            _ => false,
        }
    }

    /// A dot inside a word: `3.5`, `e.g`, `x.com`, `U.S.-led`, but not `end.The`.
    fn dot_joins(&self, at: usize, next: usize) -> bool {
        let Some(behind) = self.peek(next) else { return false };
        if behind == '-' {
            let abbreviated = self.abbreviation(at).is_some();
            return abbreviated
                && self.style.hyphens == Hyphens::Keep
                && self.class_at(next + 1) == Some(Class::Word);
        }
        if !behind.is_alphanumeric() {
            return false;
        }
        let word = &self.text[self.at..at];
        let ends_sentence = word.chars().rev().take(2).filter(|c| c.is_lowercase()).count() == 2;
        let title = || LEXICON.abbreviation(word) == Some(Abbreviation::Name);
        let capital_behind = behind.is_uppercase()
            && self.peek(next + behind.len_utf8()).is_none_or(|c| c.is_lowercase() || is_apostrophe(c));
        !(capital_behind && (ends_sentence || title())) || self.is_mailbox(next)
    }

    /// Whether what begins at `at` goes on to the `@` of a mail address: `Ann.Lee@x.org`.
    fn is_mailbox(&self, at: usize) -> bool {
        let rest = &self.text[at..self.chunk_end];
        let other = |&(_, c): &(usize, char)| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'));
        let stop = rest.char_indices().take(LONGEST_MAILBOX).find(other);
        stop.is_some_and(|(end, c)| c == '@' && rest[end + 1..].starts_with(char::is_alphanumeric))
    }

    /// Whether the hyphen at `at` stays in its word.
    fn hyphen_joins(&self, character: char, at: usize, next: usize) -> bool {
        let double = self.before(at) == Some('-') || self.peek(next) == Some('-');
        if double && character == '-' {
            return false;
        }
        let Some(behind) = self.peek(next) else {
            return character != '–' && self.style.hyphens == Hyphens::Keep;
        };
        let word_behind = class(behind) == Class::Word;
        if self.style.hyphens == Hyphens::Split {
            let after = &self.text[next..self.chunk_end];
            let after = &after[..after.find(|c| class(c) != Class::Word).unwrap_or(after.len())];
            return word_behind && LEXICON.keeps_hyphen(&self.text[self.at..at], after);
        }
        // hanging hyphens: "pre-, mid- and post-war"; elisions: "mid-'50s"
        word_behind
            || (character != '–'
                && (matches!(behind, ',' | '/' | '(' | '\'' | '’' | ')' | ';')
                    || class(behind) == Class::CloseQuote))
    }

    /// Whether what begins at `at`, behind a digit and a comma, goes on with the number: `1,000`, or a chemist's `1,25-`.
    fn goes_on_with_number(&self, at: usize) -> bool {
        let rest = &self.text.as_bytes()[at..self.chunk_end];
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let places = rest.iter().take(12).take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
        let chemical = matches!(rest[places..], [b'-', letter, ..] if letter.is_ascii_alphabetic());
        digits == 3 || (chemical && self.style.hyphens == Hyphens::Keep)
    }

    /// Whether the apostrophe at `at` ends its word: `goin'`, `an'`, `5'`.
    fn is_elided(&self, at: usize, next: usize) -> bool {
        if self.single_is_open() || self.peek(next).is_some_and(char::is_alphanumeric) {
            return false;
        }
        let word = &self.text[self.at..at];
        // bounded, so that a chain of such words with hyphens is not gone over again for each
        let talkin = (4..=20).contains(&word.len())
            && word.ends_with("in")
            && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        talkin
            || (word.len() <= 2
                && word.bytes().all(|byte| byte.is_ascii_digit())
                && self.style.hyphens == Hyphens::Keep)
            || LEXICON.is_elision(&self.text[self.at..next])
    }

    /// Whether the small letter before `end` is one of several with full stops and spaces: `p. m.`, `b. c.`.
    fn is_spaced_acronym(&self, end: usize) -> bool {
        let text = self.text.as_bytes();
        let alone = end == self.at + 1 && text[self.at].is_ascii_lowercase();
        let before = self.at.checked_sub(3).map(|start| &text[start..self.at]);
        alone
            && ((text[end..].starts_with(b". ") && starts_with_initial(&text[end + 2..]))
                || before.is_some_and(|before| before.ends_with(b". ") && starts_with_initial(before)))
    }

    /// The kind of abbreviation that ends at `end`, if there is a full stop and it is the abbreviation's.
    fn abbreviation(&self, end: usize) -> Option<Abbreviation> {
        if self.peek(end) != Some('.') || self.peek(end + 1) == Some('.') {
            return None;
        }
        let word = &self.text[self.at..end];
        let last = match word.rfind(['-', '/']) {
            Some(at) if self.style.hyphens == Hyphens::Keep => &word[at + 1..],
            _ => word,
        };
        let spaced = || self.is_spaced_acronym(end).then_some(Abbreviation::Any);
        let kind = spaced().or_else(|| LEXICON.abbreviation(last)).or_else(|| acronym(last))?;
        let before_number = || starts_with_number(self.text[end + 1..].trim_start().as_bytes());
        (kind != Abbreviation::Number || before_number()).then_some(kind)
    }
}

/// Whether `text` begins with a number, or with one that a few capitals stand before: `5`, `MC2000-1`.
fn starts_with_number(text: &[u8]) -> bool {
    const MOST_CAPITALS: usize = 4;
    let capitals = text.iter().take(MOST_CAPITALS).take_while(|byte| byte.is_ascii_uppercase()).count();
    text.get(capitals).is_some_and(u8::is_ascii_digit)
}

/// Whether `text` begins with a small letter and a full stop.
fn starts_with_initial(text: &[u8]) -> bool {
    matches!(text, [letter, b'.', ..] if letter.is_ascii_lowercase())
}

/// `J`, `U.N`, `p.m`: letters with dots between them.
fn acronym(word: &str) -> Option<Abbreviation> {
    if word.len() > 16 || !word.chars().step_by(2).all(char::is_alphabetic) {
        return None;
    }
    let dots = word.chars().skip(1).step_by(2).all(|c| c == '.');
    match word.chars().count() {
        1 if word.starts_with(char::is_uppercase) => Some(Abbreviation::Initial),
        count if count >= 3 && count % 2 == 1 && dots => Some(Abbreviation::Any),
        _ => None,
    }
}
