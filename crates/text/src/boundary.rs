//! Boundaries of sentences in the pieces of a paragraph.
//!
//! A sentence can end behind a full stop, a question or exclamation mark, an ellipsis or an abbreviation, and takes the closing
//! quotation marks and brackets behind it along. Whether it does end there is for what comes next to say: a word in small letters goes
//! on, unless the writer has no capitals; behind an abbreviation only a word that begins sentences, not names, makes an end.
//!
//! The end of a line says nothing where lines are filled, as in mail. In a table, a signature or a list of names they are not: where the next word
//! would have had room, and could begin a sentence, the line is one. Mail that has lost its lines is cut where they must have been: around a stamp of
//! date and time, and between two addresses.

use crate::lexicon::{Abbreviation, LEXICON};
use crate::piece::{Gap, Kind, Piece};

/// How the next sentence, if it is one, would begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// With a capital.
    Capital,
    /// With a word all in small letters.
    Small,
    /// With a digit, or a small letter and something else: `p53`, `mRNA`, `c-Myc`.
    Other,
    /// Not with a word.
    Mark,
}

/// Finds the sentences of one paragraph.
pub(crate) struct Splitter<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    /// Whether its writer does without capitals.
    is_small: bool,
}

/// The least width, in bytes, that lines are taken to be filled to: nobody writes running text in narrower columns.
const LEAST_WIDTH: usize = 40;

impl<'t> Splitter<'t> {
    pub(crate) fn new(text: &'t str, mut pieces: Vec<Piece>) -> Splitter<'t> {
        mark_short_lines(&mut pieces);
        let words = || pieces.iter().filter(|piece| piece.kind == Kind::Word);
        let word = |piece: &Piece| &text[piece.start..piece.end];
        let is_small = words().next().is_some_and(|first| is_small(word(first)))
            || words().any(|piece| matches!(word(piece), "i" | "im" | "ive"));
        Splitter { text, pieces, is_small }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    fn text_of(&self, piece: usize) -> &'t str {
        &self.text[self.pieces[piece].start..self.pieces[piece].end]
    }

    /// The piece behind the sentence that begins with piece `first`.
    pub(crate) fn end(&self, first: usize) -> usize {
        let mut at = if self.enumerates(first) { first + 2 } else { first };
        // "... and so on": what begins a sentence does not end it
        let mut has_word = false;
        let mut brackets = 0usize;
        while at < self.pieces.len() {
            has_word |= matches!(self.pieces[at].kind, Kind::Word | Kind::Abbreviation(_));
            let next = self.behind_closers(at);
            for piece in &self.pieces[at..next] {
                match piece.kind {
                    Kind::OpenBracket => brackets += 1,
                    Kind::CloseBracket => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
            }
            if next < self.pieces.len() {
                let ends = self.ends(at, next)
                    || (brackets == 0 && self.is_line_of_its_own(next))
                    || self.is_lost_line(at);
                if (has_word && ends) || self.begins_item(next) {
                    return next;
                }
            }
            at = next.max(at + 1);
        }
        self.pieces.len()
    }

    /// Whether the sentence begins with the number of a list's item, `1.`, whose full stop ends nothing.
    pub(crate) fn enumerates(&self, first: usize) -> bool {
        let [number, stop, next, ..] = &self.pieces[first..] else { return false };
        number.end - number.start <= 2
            && self.text_of(first).bytes().all(|byte| byte.is_ascii_digit())
            && (stop.kind, stop.gap) == (Kind::Stop, Gap::None)
            && next.gap != Gap::None
    }

    /// The first piece behind `at` that would not belong to its sentence; `at` itself if nothing can end there.
    fn behind_closers(&self, at: usize) -> usize {
        let mut next = at + 1;
        if !can_end(self.pieces[at].kind) {
            return next;
        }
        while let Some(piece) = self.pieces.get(next)
            && matches!(
                piece.kind,
                Kind::CloseQuote { .. }
                    | Kind::CloseBracket
                    | Kind::Exclamation
                    | Kind::Stop
                    | Kind::Emoticon
            )
        {
            next += 1;
        }
        if self.is_reference(next) { next + 3 } else { next }
    }

    /// Whether the number of a reference stands at piece `at`, as behind sentences of an encyclopedia: `[12]`.
    fn is_reference(&self, at: usize) -> bool {
        let Some([open, number, close, ..]) = self.pieces.get(at..) else { return false };
        let digits = self.text[number.start..number.end].bytes().all(|byte| byte.is_ascii_digit());
        open.gap <= Gap::Space
            && (open.kind, close.kind) == (Kind::OpenBracket, Kind::CloseBracket)
            && self.text[open.start..].starts_with('[')
            && digits
    }

    /// Whether a line begins with piece `at`, and with it the item of a list.
    fn begins_item(&self, at: usize) -> bool {
        let spaced = self.pieces.get(at + 1).is_some_and(|piece| piece.gap != Gap::None);
        self.pieces[at].gap >= Gap::Newline
            && ((self.pieces[at].kind == Kind::Bullet && spaced) || self.enumerates(at))
    }

    /// Whether piece `next` begins a line behind one that was not filled, and could begin a sentence.
    fn is_line_of_its_own(&self, next: usize) -> bool {
        self.pieces[next].gap == Gap::ShortLine && matches!(self.start(next).1, Start::Capital | Start::Other)
    }

    /// Whether the sentence ends with piece `at` and the closers behind it, `next` being the first piece that follows.
    fn ends(&self, at: usize, next: usize) -> bool {
        let last = self.pieces[at].kind;
        let closed = next > at + 1;
        let bracketed = self.pieces[at + 1..next].iter().any(|piece| piece.kind == Kind::CloseBracket);
        let quoted =
            self.pieces[at + 1..next].iter().any(|piece| matches!(piece.kind, Kind::CloseQuote { .. }));
        if !can_end(last) {
            return false;
        }
        let (word, start) = self.start(next);
        if self.pieces[next].gap == Gap::None {
            // "the end.The next", but not "St.John" or "?)"
            return last == Kind::Stop && start == Start::Capital && self.pieces[next].kind == Kind::Word;
        }
        if !matches!(last, Kind::Abbreviation(_)) && self.is_bracketed_item(next) {
            return true;
        }
        match last {
            // a bracket closes no sentence that an abbreviation leaves open
            Kind::Abbreviation(kind) if !quoted => self.abbreviation_ends(at, kind, word, start),
            Kind::Ellipsis if !closed => {
                start == Start::Capital && word.is_some_and(|word| self.text_of(word) != "I")
            }
            Kind::Emoticon => start == Start::Capital,
            // "It rained! then we left", but: "Go!" he said; a question mark is often what became of another mark
            _ if start == Start::Small && !quoted && !bracketed => {
                self.text_of(at).starts_with('!') || self.is_small
            }
            _ => start != Start::Small,
        }
    }

    /// Whether a line must have ended behind piece `at`, in text that has lost its lines.
    fn is_lost_line(&self, at: usize) -> bool {
        let (next, (word, start)) = (at + 1, self.start(at + 1));
        let is_address = |piece: usize| {
            ["http://", "https://", "www."].iter().any(|scheme| self.text_of(piece).starts_with(scheme))
        };
        let names = || self.text_of(at).starts_with(|c: char| c.is_uppercase() || c == '>');
        let begins = || word.is_some_and(|word| LEXICON.begins_sentences(self.text_of(word)));
        self.is_stamp(next) && names()
            || at >= 2 && self.is_stamp(at - 2) && matches!(start, Start::Capital | Start::Other)
            || is_address(at) && (is_address(next) || start == Start::Capital && begins())
    }

    /// Whether date and time stand at piece `at` as mail programs stamp them: `02/13/2001 04:13 PM`.
    fn is_stamp(&self, at: usize) -> bool {
        let Some([date, clock, half, ..]) = self.pieces.get(at..) else { return false };
        let is = |piece: &Piece, mark: char, counts: std::ops::RangeInclusive<usize>| {
            let mut parts = self.text[piece.start..piece.end].split(mark);
            let digits =
                parts.clone().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
            digits && counts.contains(&parts.by_ref().count())
        };
        is(date, '/', 3..=3)
            && is(clock, ':', 2..=3)
            && matches!(&self.text[half.start..half.end], "AM" | "PM" | "am" | "pm")
    }

    /// Whether `(a)` or `(iv)` begins with piece `at`: the items of captions and of lists in running text.
    fn is_bracketed_item(&self, at: usize) -> bool {
        let [open, _, close, ..] = &self.pieces[at..] else { return false };
        let item = self.text_of(at + 1);
        (open.kind, close.kind) == (Kind::OpenBracket, Kind::CloseBracket)
            && item.len() <= 4
            && item.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }

    fn abbreviation_ends(&self, at: usize, kind: Abbreviation, word: Option<usize>, start: Start) -> bool {
        let begins =
            start == Start::Capital && word.is_some_and(|word| LEXICON.begins_sentences(self.text_of(word)));
        match kind {
            Abbreviation::Name | Abbreviation::Number | Abbreviation::Inner => false,
            // the pronoun has no full stop of its own
            Abbreviation::Initial if self.text_of(at) == "I." => start == Start::Capital,
            Abbreviation::Final => start == Start::Capital,
            Abbreviation::Initial => begins || (start == Start::Capital && self.names_noun(at)),
            Abbreviation::Any | Abbreviation::Whole => begins,
        }
    }

    /// Whether a letter stands behind a noun that it names, as in "vitamin B.", and so is nobody's initial.
    fn names_noun(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| LEXICON.is_lettered(self.text_of(before)))
    }

    /// The first word from piece `at` on, behind opening marks, and how it begins.
    fn start(&self, at: usize) -> (Option<usize>, Start) {
        let opening = |piece: &Piece| {
            matches!(
                piece.kind,
                Kind::OpenQuote { .. } | Kind::OpenBracket | Kind::Dash | Kind::Bullet | Kind::Ellipsis
            )
        };
        let word = at + self.pieces[at..].iter().take_while(|piece| opening(piece)).count();
        let Some(first) = self.pieces.get(word).and_then(|_| self.text_of(word).chars().next()) else {
            return (None, Start::Mark);
        };
        let start = match first {
            _ if first.is_uppercase() => Start::Capital,
            _ if first.is_numeric() => Start::Other,
            _ if !first.is_alphabetic() => Start::Mark,
            _ if is_small(self.text_of(word)) => Start::Small,
            _ => Start::Other,
        };
        (Some(word), start)
    }
}

/// Whether a sentence can end with a piece of this kind.
fn can_end(kind: Kind) -> bool {
    matches!(kind, Kind::Stop | Kind::Exclamation | Kind::Ellipsis | Kind::Emoticon | Kind::Abbreviation(_))
}

/// Tells the ends of lines that were meant from those of lines that were full, by the longest line of the paragraph.
fn mark_short_lines(pieces: &mut [Piece]) {
    let begins_line = |piece: &Piece| piece.gap >= Gap::Newline;
    let length = |line: &[Piece]| line[line.len() - 1].end - line[0].start;
    let lines = pieces.chunk_by(|_, next| !begins_line(next));
    let width = lines.map(length).fold(LEAST_WIDTH, usize::max);
    let mut line_start = 0;
    for at in 0..pieces.len() {
        if !begins_line(&pieces[at]) {
            continue;
        }
        // up to the next white space: what would have had to go on the line
        let word = pieces[at + 1..].iter().take_while(|piece| piece.gap == Gap::None).count();
        let needed = 1 + pieces[at + word].end - pieces[at].start;
        if at > 0 && pieces[at].gap == Gap::Newline && length(&pieces[line_start..at]) + needed <= width {
            pieces[at].gap = Gap::ShortLine;
        }
        line_start = at;
    }
}

/// Whether a word is written in small letters only and is none of `c-myc`'s kind, which may begin a sentence.
fn is_small(word: &str) -> bool {
    let second = word.chars().nth(1);
    second != Some('-') && word.chars().all(|c| c.is_lowercase() || matches!(c, '-' | '\'' | '’' | '.'))
}
