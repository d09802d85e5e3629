//! The tokeniser: text → sentences.

use std::ops::Range;

use crate::boundary::Splitter;
use crate::forms::form;
use crate::lexicon::Abbreviation;
use crate::piece::{Kind, Piece};
use crate::scan::Scanner;
use crate::sentence::Sentence;
use crate::style::TokenStyle;
use crate::token::Token;

/// A tokeniser: it cuts text into sentences and tokens; see the [crate's documentation](crate).
#[derive(Clone, Copy, Debug, Default)]
pub struct Tokeniser {
    style: TokenStyle,
}

impl Tokeniser {
    /// A tokeniser in this style.
    pub fn new(style: TokenStyle) -> Tokeniser {
        Tokeniser { style }
    }

    /// All sentences of `text`.
    pub fn sentences(&self, text: &str) -> Vec<Sentence> {
        self.iter(text).collect()
    }

    /// The sentences of `text` one by one. No more than a paragraph is held at a time.
    pub fn iter<'t>(&self, text: &'t str) -> Sentences<'t> {
        let splitter = Splitter::new(text, Vec::new());
        let scanner = Scanner::new(text, self.style);
        Sentences { text, style: self.style, scanner, splitter, next: 0, passed: (0, 0) }
    }

    /// `text` as one sentence, whatever full stops and line ends are in it.
    ///
    /// ```
    /// use tracebank_text::Tokeniser;
    /// let words = |line| Tokeniser::default().sentence(line).to_string();
    /// assert_eq!(words("Made by Acme Inc."), "Made by Acme Inc .");
    /// assert_eq!(words("Made in the U.S."), "Made in the U.S.");
    /// ```
    pub fn sentence(&self, text: impl Into<String>) -> Sentence {
        let text = text.into();
        Sentence { tokens: self.tokens(&text), text, ..Sentence::default() }
    }

    /// The tokens of `line`, which is one sentence.
    pub fn tokens(&self, line: &str) -> Vec<Token> {
        self.tokens_within(line, usize::MAX).expect("no line has so many words")
    }

    /// The tokens of `line`, unless there are more than `most`; then hardly any are made.
    pub(crate) fn tokens_within(self, line: &str, most: usize) -> Option<Vec<Token>> {
        let splitter = Splitter::new(line, Scanner::new(line, self.style).line());
        let enumerated = !splitter.pieces().is_empty() && splitter.enumerates(0);
        tokens(line, splitter.pieces(), enumerated, self.style, most)
    }
}

/// The sentences of a text, made by [`Tokeniser::iter`].
pub struct Sentences<'t> {
    text: &'t str,
    style: TokenStyle,
    scanner: Scanner<'t>,
    splitter: Splitter<'t>,
    /// The first piece of the next sentence.
    next: usize,
    /// The byte and the character at which the last sentence began.
    passed: (usize, usize),
}

impl Iterator for Sentences<'_> {
    type Item = Sentence;

    fn next(&mut self) -> Option<Sentence> {
        self.next_within(usize::MAX).map(|sentence| sentence.expect("no sentence has so many words"))
    }
}

impl Sentences<'_> {
    /// The next sentence, or its bytes if it has more than `most` words.
    pub(crate) fn next_within(&mut self, most: usize) -> Option<Result<Sentence, Range<usize>>> {
        if self.next == self.splitter.pieces().len() {
            self.splitter = Splitter::new(self.text, self.scanner.paragraph());
            self.next = 0;
            if self.splitter.pieces().is_empty() {
                return None;
            }
        }
        let first = self.next;
        self.next = self.splitter.end(first);
        let pieces = &self.splitter.pieces()[first..self.next];
        let bytes = pieces[0].start..pieces[pieces.len() - 1].end;
        let (byte, char) = self.passed;
        self.passed = (bytes.start, char + self.text[byte..bytes.start].chars().count());
        let tokens = tokens(self.text, pieces, self.splitter.enumerates(first), self.style, most);
        let start_char = self.passed.1;
        Some(tokens.map(|tokens| Sentence { start_char, ..Sentence::within(self.text, tokens) }).ok_or(bytes))
    }
}

/// The tokens of a sentence made of `pieces`, unless there are more than `most`. A sentence has one token more or less than it has pieces, or
/// as many.
fn tokens(
    text: &str,
    pieces: &[Piece],
    enumerated: bool,
    style: TokenStyle,
    most: usize,
) -> Option<Vec<Token>> {
    if pieces.len() > most.saturating_add(1) {
        return None;
    }
    let mut tokens = Vec::with_capacity(pieces.len() + 1);
    let mut push = |start: usize, end: usize, kind| {
        tokens.push(Token { text: form(&text[start..end], kind, style), start, end });
    };
    let closer = |piece: &&Piece| matches!(piece.kind, Kind::CloseQuote { .. } | Kind::CloseBracket);
    let last = pieces.len() - pieces.iter().rev().take_while(closer).count();
    for (at, piece) in pieces.iter().enumerate() {
        match piece.kind {
            // the full stop of an abbreviation that ends the sentence is the sentence's
            Kind::Abbreviation(kind) if at + 1 == last && kind != Abbreviation::Whole => {
                push(piece.start, piece.end - 1, Kind::Word);
                push(piece.end - 1, piece.end, Kind::Stop);
            }
            Kind::Word if at == 0 && enumerated => push(piece.start, pieces[1].end, Kind::Word),
            Kind::Stop if at == 1 && enumerated => {}
            kind => push(piece.start, piece.end, kind),
        }
    }
    Some(tokens).filter(|tokens| tokens.len() <= most)
}
