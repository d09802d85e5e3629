//! Text → pieces, from left to right.
//!
//! White space cuts the text into chunks; most are plain words and are done with. The others are cut by looking at the next character:
//! each rule takes at least one character and looks at no more of the text than it takes, a few characters around it, and the chunk's
//! white space. That keeps the time linear: there is nothing to go back over.

mod class;
mod quotes;
mod word;

use class::{Class, class};
use quotes::QuoteState;

use crate::lexicon::LEXICON;
use crate::piece::{Gap, Kind, Piece};
use crate::style::{Hyphens, TokenStyle};

/// Cuts `text`, a paragraph at a time.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    style: TokenStyle,
    /// How far the text is cut.
    at: usize,
    /// The white space before `at`.
    gap: Gap,
    /// The end of the chunk that is being cut.
    chunk_end: usize,
    quotes: QuoteState,
    pieces: Vec<Piece>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, style: TokenStyle) -> Scanner<'t> {
        Scanner {
            text,
            style,
            at: 0,
            gap: Gap::Blank,
            chunk_end: 0,
            quotes: QuoteState::default(),
            pieces: Vec::new(),
        }
    }

    /// The pieces up to the next blank line; empty at the end of the text.
    pub(crate) fn paragraph(&mut self) -> Vec<Piece> {
        self.quotes = QuoteState::default();
        self.skip_space();
        self.gap = Gap::Blank;
        while self.at < self.text.len() {
            self.cut_chunk();
            self.skip_space();
            if self.gap == Gap::Blank {
                break;
            }
        }
        std::mem::take(&mut self.pieces)
    }

    /// All pieces of the text as if it were one paragraph.
    pub(crate) fn line(mut self) -> Vec<Piece> {
        self.skip_space();
        while self.at < self.text.len() {
            self.cut_chunk();
            self.skip_space();
        }
        self.pieces
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        self.gap = Gap::of(&rest[..length]);
        self.at += length;
    }

    fn push(&mut self, end: usize, kind: Kind) {
        self.pieces.push(Piece { start: self.at, end, kind, gap: self.gap });
        self.at = end;
        self.gap = Gap::None;
    }

    /// The character at `at` if the chunk has one there.
    fn peek(&self, at: usize) -> Option<char> {
        self.text[at..self.chunk_end].chars().next()
    }

    /// The character before `at`, white space included; none at the start of the text.
    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn class_at(&self, at: usize) -> Option<Class> {
        self.peek(at).map(class)
    }

    /// Cuts the chunk at `self.at`, or more when dots with spaces between them are one ellipsis.
    fn cut_chunk(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let plain = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let rest = &self.text[self.at + plain..];
        self.chunk_end = self.at + plain + rest.find(char::is_whitespace).unwrap_or(rest.len());
        if self.chunk_end == self.at + plain {
            self.push_word(self.chunk_end);
        } else if LEXICON.is_emoticon(&self.text[self.at..self.chunk_end]) {
            self.push(self.chunk_end, Kind::Emoticon);
        }
        while self.at < self.chunk_end {
            self.cut();
        }
    }

    /// Cuts one piece or more off the front of the chunk.
    fn cut(&mut self) {
        let Some(character) = self.peek(self.at) else { return };
        let next = self.at + character.len_utf8();
        match class(character) {
            Class::Word => self.word(),
            Class::OpenBracket => self.push(next, Kind::OpenBracket),
            Class::CloseBracket => self.push(next, Kind::CloseBracket),
            Class::StraightQuote | Class::OpenQuote | Class::CloseQuote => self.double_quote(character),
            Class::Apostrophe => self.apostrophe(character),
            Class::Backquote => self.backquote(character),
            Class::Dot => self.dots(),
            Class::Exclamation => self.run(Class::Exclamation, Kind::Exclamation),
            Class::Ellipsis => self.push(next, Kind::Ellipsis),
            Class::Hyphen => self.hyphen(next),
            Class::EnDash | Class::EmDash => self.dash(character),
            Class::Joiner => self.joiner(character, next),
            Class::Relation => self.run(Class::Relation, Kind::Sign),
            Class::Bullet => self.push(next, Kind::Bullet),
            // white space ends a chunk, so it is never met here; a sign is as good as any
            Class::Sign | Class::Space => self.push(next, Kind::Sign),
        }
    }

    /// A run of characters of one class as one piece.
    fn run(&mut self, wanted: Class, kind: Kind) {
        let rest = &self.text[self.at..self.chunk_end];
        let length = rest.find(|c| class(c) != wanted).unwrap_or(rest.len());
        self.push(self.at + length, kind);
    }

    /// `.05`, a full stop, `...`, `. . .`.
    fn dots(&mut self) {
        let rest = &self.text.as_bytes()[self.at..self.chunk_end];
        let count = rest.iter().take_while(|&&byte| byte == b'.').count();
        let after = self.peek(self.at + count);
        let follows_word = self.gap == Gap::None && self.before(self.at).is_some_and(char::is_alphanumeric);
        if count == 1 && !follows_word && after.is_some_and(|c| c.is_ascii_digit()) {
            self.word();
        } else if count > 1 {
            self.push(self.at + count, Kind::Ellipsis);
        } else if let Some(end) = self.spaced_ellipsis() {
            self.chunk_end = end;
            self.push(end, Kind::Ellipsis);
        } else {
            self.push(self.at + 1, Kind::Stop);
        }
    }

    /// The end of three or more dots with a space between two. A dot that touches what is behind it is none of them.
    fn spaced_ellipsis(&self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        let mut more = rest[1..].chunks_exact(2).take_while(|pair| *pair == b" .").count();
        if self.text[self.at + 1 + 2 * more..].starts_with(|c: char| !c.is_whitespace()) {
            more = more.saturating_sub(1);
        }
        (more >= 2).then_some(self.at + 1 + 2 * more)
    }

    /// A hyphen with nothing before it that it could belong to: a dash, a sign, or the start of a word (`-ing`, `-54`).
    fn hyphen(&mut self, next: usize) {
        let rest = &self.text[self.at..self.chunk_end];
        let count = rest.bytes().take_while(|&byte| byte == b'-').count();
        let starts_word = self.gap != Gap::None
            || self.before(self.at).is_none_or(|c| matches!(class(c), Class::OpenBracket | Class::Relation));
        if count > 1 {
            self.push(self.at + count, Kind::Dash);
        } else if starts_word
            && self.peek(next).is_some_and(|c| c == '.' || c == '$' || class(c) == Class::Word)
            && (self.peek(next) != Some('.') || self.peek(next + 1).is_some_and(|c| c.is_ascii_digit()))
        {
            self.word();
        } else {
            self.push(next, if self.chunk_end == next { Kind::Bullet } else { Kind::Sign });
        }
    }

    /// A run of long dashes; an en dash between letters or digits is a hyphen.
    fn dash(&mut self, character: char) {
        let length = character.len_utf8();
        let rest = &self.text[self.at..self.chunk_end];
        let count = rest.find(|c| c != character).unwrap_or(rest.len()) / length;
        let joined = self.gap == Gap::None && self.class_at(self.at + length) == Some(Class::Word);
        let kind = if character == '–' && count == 1 && joined { Kind::Sign } else { Kind::Dash };
        self.push(self.at + count * length, kind);
    }

    /// A character that joins words, where it does not.
    fn joiner(&mut self, character: char, next: usize) {
        let rest = &self.text[self.at..self.chunk_end];
        let follows_space = self.gap != Gap::None;
        match character {
            '+' if rest.starts_with("+/-") && self.style.hyphens == Hyphens::Keep => {
                self.push(self.at + 3, Kind::Sign);
            }
            '+' if follows_space && self.peek(next).is_some_and(|c| c.is_ascii_digit()) => self.word(),
            '@' if follows_space && self.class_at(next) == Some(Class::Word) => self.word(),
            '#' if follows_space && self.peek(next).is_some_and(char::is_alphabetic) => self.word(),
            '*' | '/' | '&' => {
                let count = rest.chars().take_while(|&other| other == character).count();
                let is_bullet = character == '*' && count == 1 && self.chunk_end == next;
                self.push(self.at + count, if is_bullet { Kind::Bullet } else { Kind::Sign });
            }
            _ => self.push(next, Kind::Sign),
        }
    }
}

#[cfg(test)]
mod tests;
