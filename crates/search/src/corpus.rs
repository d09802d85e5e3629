//! Files of trees, searched block by block.
//!
//! A block is a stretch of a file with some hundred whole trees. Blocks are cut one after another by counting brackets, and searched by all
//! threads at once; the answers come back in the order of the file, so the output never depends on the threads, and memory holds some blocks
//! and no file. A text that is not in good order (a bracket too many, a bracket with nothing in it, something that is no UTF-8) is left to
//! [`penn::Reader`](tracebank_syntax::penn::Reader), which knows how to go on and what to say.

use std::io::{self, BufRead, Read as _};
use std::ops::Range;

use tracebank_syntax::penn::{Place, Problem, Reader, SyntaxError};
use tracebank_syntax::tree::Tree;

use crate::signs::{STRIDE, Signs};

/// How many bytes a block has at least, if there are so many.
const BLOCK: usize = 1 << 18;

/// The longest tree, in bytes, that is cut here.
const LONGEST: usize = 1 << 28;

/// A stretch of a file, with trees in it.
#[derive(Debug)]
pub struct Block {
    text: Vec<u8>,
    /// The numbers of its trees in the file, from 1, and where they are.
    trees: Vec<(usize, Range<usize>)>,
    /// How many lines of the file are before it, where that is known.
    line: usize,
}

impl Block {
    /// The trees with these numbers at these places of a text.
    pub(crate) fn new(text: Vec<u8>, trees: Vec<(usize, Range<usize>)>) -> Block {
        Block { text, trees, line: 0 }
    }

    /// How many bytes of the file it is.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Its trees, each with its number and its place.
    pub(crate) fn trees(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.trees.iter().cloned()
    }

    /// All its text.
    pub(crate) fn whole(&self) -> &[u8] {
        &self.text
    }

    /// The text at a place.
    pub(crate) fn text(&self, place: &Range<usize>) -> &[u8] {
        &self.text[place.clone()]
    }

    /// The line of the file, from 1, that a place begins in.
    pub(crate) fn line(&self, place: &Range<usize>) -> usize {
        self.line + 1 + memchr::memchr_iter(b'\n', &self.text[..place.start]).count()
    }

    /// The trouble with the tree at a place, told of the whole file.
    pub(crate) fn trouble(&self, place: &Range<usize>) -> SyntaxError {
        let mut error = match Reader::new(self.text(place)).next() {
            Some(Err(error)) => error,
            // whatever the reader accepts was read
            Some(Ok(_)) | None => SyntaxError::at(Place { line: 1, column: 1 }, Problem::Unclosed),
        };
        error.place.line += self.line(place) - 1;
        error
    }
}

/// The blocks of a stream.
pub(crate) struct Blocks<R> {
    source: R,
    /// Bytes that are read and not given out yet.
    rest: Vec<u8>,
    next: usize,
    lines: usize,
    at_end: bool,
}

/// The next piece of a stream.
pub(crate) enum Piece {
    /// Whole trees.
    Block(Block),
    /// Something is wrong from here on: the rest of the stream is for [`Blocks::into_careful`].
    Trouble,
}

impl<R: BufRead> Blocks<R> {
    /// The blocks from the start of `source`.
    pub(crate) fn new(source: R) -> Blocks<R> {
        Blocks { source, rest: Vec::new(), next: 1, lines: 0, at_end: false }
    }

    /// The next piece; `None` at the end.
    #[allow(clippy::should_implement_trait)] // a stream that can fail, and that is turned into another one
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut wanted = BLOCK;
        loop {
            self.fill(wanted)?;
            let (trees, trouble) = cut(&self.rest);
            if let Some(last) = trees.last() {
                let end = last.end;
                let rest = self.rest.split_off(end);
                let text = std::mem::replace(&mut self.rest, rest);
                let (first, line) = (self.next, self.lines);
                self.next += trees.len();
                self.lines += memchr::memchr_iter(b'\n', &text).count();
                let trees = (first..).zip(trees).collect();
                return Ok(Some(Piece::Block(Block { text, trees, line })));
            }
            let nothing = self.rest.iter().all(u8::is_ascii_whitespace);
            if trouble || wanted > LONGEST || (self.at_end && !nothing) {
                return Ok(Some(Piece::Trouble));
            }
            if self.at_end {
                return Ok(None);
            }
            wanted *= 2;
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.rest.len());
        self.rest.reserve(missing);
        let read = self.source.by_ref().take(missing as u64).read_to_end(&mut self.rest)?;
        self.at_end = read < missing;
        Ok(())
    }

    /// The trees of the rest one by one, and the errors with their place in the whole stream; with the number of the first.
    pub(crate) fn into_careful(self) -> (usize, impl Iterator<Item = Result<Tree, SyntaxError>> + use<R>) {
        let lines = self.lines;
        let reader =
            Reader::new(io::BufReader::new(io::Read::chain(io::Cursor::new(self.rest), self.source)));
        let placed = reader.map(move |tree| {
            tree.map_err(|mut error| {
                error.place.line += lines;
                error
            })
        });
        (self.next, placed)
    }
}

/// The whole trees at the start of `text`; and whether what follows them cannot be a tree.
fn cut(text: &[u8]) -> (Vec<Range<usize>>, bool) {
    let mut trees = Vec::new();
    let mut at = 0;
    loop {
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
        let Some(start) = text[at..].iter().position(|byte| !blank(byte)).map(|blanks| at + blanks) else {
            return (trees, false);
        };
        if text[start] != b'(' {
            return (trees, true);
        }
        match tree_end(text, start + 1) {
            Some(Ok(end)) => trees.push(start..end),
            Some(Err(Unclosed)) => return (trees, true),
            None => return (trees, false),
        }
        at = trees.last().map_or(0, |tree| tree.end);
    }
}

/// A tree that was never closed: another one begins at the start of a line inside it.
struct Unclosed;

/// Where the tree ends whose first bracket is just before `at`; `None` if it goes on behind the text.
fn tree_end(text: &[u8], mut at: usize) -> Option<Result<usize, Unclosed>> {
    let mut depth = 1;
    while at < text.len() {
        let mut signs = Signs::of(text.get(at..).unwrap_or_default());
        let mut lines = signs.lines;
        while lines != 0 {
            let line = at + lines.trailing_zeros() as usize;
            lines &= lines - 1;
            if text.get(line + 1..line + 4) != Some(b"( (") {
                signs.lines &= signs.lines ^ (1 << (line - at));
            }
        }
        if signs.lines == 0 && signs.close.count_ones() < depth {
            depth = depth + signs.open.count_ones() - signs.close.count_ones();
            at += STRIDE;
            continue;
        }
        // the tree may end in here
        let mut all = signs.open | signs.close | signs.lines;
        while all != 0 {
            let sign = all & all.wrapping_neg();
            all ^= sign;
            if signs.lines & sign != 0 {
                return Some(Err(Unclosed));
            }
            depth = if signs.open & sign != 0 { depth + 1 } else { depth - 1 };
            if depth == 0 {
                return Some(Ok(at + sign.trailing_zeros() as usize + 1));
            }
        }
        at += STRIDE;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes one after another, as the definition has it.
    fn plainly(text: &[u8]) -> (Vec<Range<usize>>, bool) {
        let (mut trees, mut depth, mut start) = (Vec::new(), 0, 0);
        for at in 0..text.len() {
            match text[at] {
                b'(' => {
                    start = if depth == 0 { at } else { start };
                    depth += 1;
                }
                b')' if depth == 0 => return (trees, true),
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        trees.push(start..at + 1);
                    }
                }
                b'\n' if depth > 0 && text[at + 1..].starts_with(b"( (") => return (trees, true),
                b' ' | b'\n' => {}
                _ if depth == 0 => return (trees, true),
                _ => {}
            }
        }
        (trees, false)
    }

    #[test]
    fn strides_cut_where_bytes_do() {
        let signs = b"(((())))  ab\nabcabcabc";
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut whole = 0;
        for _ in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..next(4) {
                // a tree in good order, and then some disorder
                let deep = next(30);
                text.extend(b"(a ".repeat(deep));
                text.extend(b"b".repeat(next(20)));
                text.extend(b")".repeat(deep));
                text.push(b'\n');
            }
            text.extend((0..next(40)).map(|_| signs[next(signs.len())]));
            whole += plainly(&text).0.len();
            assert_eq!(cut(&text), plainly(&text), "{}", String::from_utf8_lossy(&text));
        }
        assert!(whole > 1000);
    }
}
