//! Files of trees, searched block by block.
//!
//! A block is a stretch of a file with some hundred whole trees. Blocks are cut one after another by counting brackets, and searched by all
//! threads at once; the answers come back in the order of the file, so the output never depends on the threads, and memory holds some blocks
//! and no file. A text that is not in good order (a bracket too many, a bracket with nothing in it, something that is no UTF-8) is left to
//! [`penn::Reader`](tracebank_syntax::penn::Reader), which knows how to go on and what to say.

use std::io::{self, BufRead};
use std::ops::Range;

use tracebank_syntax::penn::{Place, Problem, Reader, SyntaxError};
use tracebank_syntax::tree::Tree;

/// How many bytes a block has at least, if there are so many.
const BLOCK: usize = 1 << 18;

/// The longest tree, in bytes, that is cut here.
const LONGEST: usize = 1 << 28;

/// Trees that follow each other in a file.
#[derive(Debug)]
pub struct Block {
    text: Vec<u8>,
    trees: Vec<Range<usize>>,
    /// The number of its first tree in the file, from 1.
    pub first: usize,
    /// How many lines of the file are before it.
    line: usize,
}

impl Block {
    /// A block of one tree.
    pub(crate) fn single(text: Vec<u8>, number: usize) -> Block {
        let trees = std::iter::once(0..text.len()).collect();
        Block { text, trees, first: number, line: 0 }
    }

    /// How many bytes of the file it is.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Where in it the tree with this number begins.
    pub(crate) fn offset(&self, number: usize) -> usize {
        self.trees[number - self.first].start
    }

    /// Its trees, with their numbers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (usize, &[u8])> {
        (self.first..).zip(self.trees.iter().map(|range| &self.text[range.clone()]))
    }

    /// For each tree whether `needle` is in its text.
    pub(crate) fn with(&self, needle: &memchr::memmem::Finder) -> Vec<bool> {
        let mut with = vec![false; self.trees.len()];
        let mut tree = 0;
        for at in needle.find_iter(&self.text) {
            while self.trees[tree].end <= at {
                tree += 1;
            }
            with[tree] = true;
        }
        with
    }

    /// The trouble with a tree of this block, placed in the whole file.
    pub(crate) fn trouble(&self, number: usize) -> SyntaxError {
        let range = self.trees[number - self.first].clone();
        let mut error = match Reader::new(&self.text[range.clone()]).next() {
            Some(Err(error)) => error,
            // whatever the reader accepts was read
            Some(Ok(_)) | None => SyntaxError::at(Place { line: 1, column: 1 }, Problem::Unclosed),
        };
        error.place.line += self.line + memchr::memchr_iter(b'\n', &self.text[..range.start]).count();
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
                return Ok(Some(Piece::Block(Block { text, trees, first, line })));
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
        while self.rest.len() < wanted && !self.at_end {
            let chunk = self.source.fill_buf()?;
            let length = chunk.len();
            self.rest.extend_from_slice(chunk);
            self.source.consume(length);
            self.at_end = length == 0;
        }
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
    let (mut depth, mut start) = (0_usize, 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b')' if depth == 0 => return (trees, true),
            b')' => {
                depth -= 1;
                if depth == 0 {
                    trees.push(start..at + 1);
                }
            }
            // a second tree at the start of a line inside a tree: the first was never closed
            b'\n' if depth > 0 && text.get(at + 1..at + 4) == Some(b"( (") => return (trees, true),
            _ if depth == 0 && !byte.is_ascii_whitespace() && byte != 0x0b => return (trees, true),
            _ => {}
        }
    }
    (trees, false)
}
