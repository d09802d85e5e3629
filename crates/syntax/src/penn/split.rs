//! A byte stream → the brackets of one tree after another.
//!
//! Only brackets are counted here, so a bad tree spoils itself and not its neighbours. A tree that is never closed would
//! swallow all that follows; two things stop it. In a treebank whose trees have Penn's unlabelled outer bracket, that
//! bracket at the start of a line begins a new tree, whatever is still open. Elsewhere the reader notices only at the end of
//! the input, or when the tree is longer than the limit: it then goes on with the first line behind the bad one that begins with a
//! bracket, and from there on takes each such line for the start of a tree. That happens once, so no byte is searched more than
//! twice, whatever the input is.

use std::io::{self, BufRead};

use super::error::{Place, Problem, SyntaxError};
use super::parse::{is_space, parse_tree};
use crate::tree::Tree;

/// The longest tree that is read unless [`Reader::with_tree_limit`] says otherwise, in bytes.
pub const DEFAULT_TREE_LIMIT: usize = 1 << 24;

/// A mark that some editors put at the start of a file; it means nothing.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes that are passed over at a time.
const SKIP: usize = 1 << 16;

/// A reader of trees from a stream, one [`next`](Iterator::next) at a time. After an error it goes on with the next tree; only an
/// error of the stream itself ends it.
pub struct Reader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where in `buffer` the next tree is looked for.
    position: usize,
    place: Place,
    at_end: bool,
    /// Set once a tree had no end: a bracket in column 1 begins a tree.
    lines_begin_trees: bool,
    /// Set while what is left of a tree that was too long is passed over.
    skipping: bool,
    tree_limit: usize,
}

/// The piece at the start of the unread text.
enum Cut {
    Tree { length: usize },
    Bad { problem: Problem, length: usize },
    End,
}

impl<R: BufRead> Reader<R> {
    /// A reader from the start of `source`.
    pub fn new(source: R) -> Reader<R> {
        Reader {
            source,
            buffer: Vec::new(),
            position: 0,
            place: Place { line: 1, column: 1 },
            at_end: false,
            lines_begin_trees: false,
            skipping: false,
            tree_limit: DEFAULT_TREE_LIMIT,
        }
    }

    /// This reader, refusing trees of more than `bytes`.
    #[must_use]
    pub fn with_tree_limit(mut self, bytes: usize) -> Reader<R> {
        self.tree_limit = bytes;
        self
    }

    /// Where the reader stands: behind the last tree.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The byte `offset` behind the position; `None` at the end of the input.
    #[inline]
    fn byte(&mut self, offset: usize) -> io::Result<Option<u8>> {
        match self.buffer.get(self.position + offset) {
            Some(&byte) => Ok(Some(byte)),
            None => self.fill(offset),
        }
    }

    #[cold]
    fn fill(&mut self, offset: usize) -> io::Result<Option<u8>> {
        while self.position + offset >= self.buffer.len() && !self.at_end {
            if self.position >= self.buffer.len() / 2 {
                self.buffer.drain(..self.position);
                self.position = 0;
            }
            let chunk = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            self.buffer.extend_from_slice(chunk);
            let length = chunk.len();
            self.at_end = length == 0;
            self.source.consume(length);
        }
        Ok(self.buffer.get(self.position + offset).copied())
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.position..]
    }

    /// Moves past `length` bytes and keeps count of lines and columns.
    fn advance(&mut self, length: usize) {
        let passed = &self.buffer[self.position..self.position + length];
        let tail = match memchr::memrchr(b'\n', passed) {
            Some(last_break) => {
                self.place.line += memchr::memchr_iter(b'\n', passed).count();
                self.place.column = 1;
                &passed[last_break + 1..]
            }
            None => passed,
        };
        self.place.column += tail.iter().filter(|&&byte| !is_continuation(byte)).count();
        self.position += length;
    }

    /// Passes over a byte order mark at the start of the input.
    fn skip_mark(&mut self) -> io::Result<()> {
        if self.place == (Place { line: 1, column: 1 }) && self.byte(0)? == Some(BYTE_ORDER_MARK[0]) {
            self.byte(BYTE_ORDER_MARK.len() - 1)?;
            self.position +=
                if self.unread().starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        }
        Ok(())
    }

    fn skip_space(&mut self) -> io::Result<()> {
        let mut length = 0;
        while self.byte(length)?.is_some_and(is_space) {
            length += 1;
            if length == SKIP {
                self.advance(length);
                length = 0;
            }
        }
        self.advance(length);
        Ok(())
    }

    fn cut(&mut self) -> io::Result<Cut> {
        match self.byte(0)? {
            None => Ok(Cut::End),
            Some(b'(') => self.cut_tree(),
            Some(b')') => Ok(Cut::Bad { problem: Problem::StrayClose, length: 1 }),
            Some(_) => {
                let mut length = 1;
                while length < self.tree_limit
                    && !matches!(self.byte(length)?, None | Some(b'(' | b')' | b'\n'))
                {
                    length += 1;
                }
                Ok(Cut::Bad { problem: Problem::StrayText, length })
            }
        }
    }

    fn cut_tree(&mut self) -> io::Result<Cut> {
        let wrapped = self.wrapper_at(0)?;
        let mut depth = 0_usize;
        let mut at = 0;
        while at < self.tree_limit {
            if self.byte(at)?.is_none() {
                return self.leave_out(Problem::Unclosed);
            }
            let unread = self.unread();
            let searched = &unread[at..unread.len().min(self.tree_limit)];
            let found = searched.iter().position(|&byte| match byte {
                b'(' => {
                    depth += 1;
                    false
                }
                b')' => {
                    depth -= 1;
                    depth == 0
                }
                byte => byte == b'\n',
            });
            at += found.map_or(searched.len(), |offset| offset + 1);
            if depth == 0 {
                return Ok(Cut::Tree { length: at });
            }
            if found.is_some() && self.begins_tree(at, wrapped)? {
                return Ok(Cut::Bad { problem: Problem::Unclosed, length: at });
            }
        }
        self.leave_out(Problem::TooLong(self.tree_limit))
    }

    /// Whether the line that starts at `at` begins a tree, although another is open.
    fn begins_tree(&mut self, at: usize, wrapped: bool) -> io::Result<bool> {
        Ok((self.lines_begin_trees && self.byte(at)? == Some(b'(')) || (wrapped && self.wrapper_at(at)?))
    }

    /// Whether an unlabelled bracket that holds a bracket begins at `at`.
    fn wrapper_at(&mut self, at: usize) -> io::Result<bool> {
        if self.byte(at)? != Some(b'(') {
            return Ok(false);
        }
        let mut next = at + 1;
        while next < self.tree_limit && self.byte(next)?.is_some_and(is_space) {
            next += 1;
        }
        Ok(self.byte(next)? == Some(b'('))
    }

    /// The tree here has no end: its first line is left out, and those behind it that do not begin with a bracket. If there is no such
    /// line within the limit, what follows is passed over too, without being kept.
    fn leave_out(&mut self, problem: Problem) -> io::Result<Cut> {
        self.lines_begin_trees = true;
        let mut length = 1;
        while length < self.tree_limit
            && let Some(byte) = self.byte(length)?
        {
            if byte == b'(' && self.unread()[length - 1] == b'\n' {
                return Ok(Cut::Bad { problem, length });
            }
            length += 1;
        }
        self.skipping = true;
        Ok(Cut::Bad { problem, length })
    }

    /// Passes over the rest of a tree that was too long, up to a line that begins with a bracket.
    fn skip_rest(&mut self) -> io::Result<()> {
        while std::mem::take(&mut self.skipping) {
            let mut length = 0;
            while length < SKIP
                && let Some(byte) = self.byte(length)?
                && !(byte == b'(' && length + self.place.column == 1)
                && byte != b'\n'
            {
                length += 1;
            }
            let is_break = self.byte(length)? == Some(b'\n');
            self.skipping = length == SKIP || is_break;
            self.advance(length + usize::from(is_break));
        }
        Ok(())
    }

    fn read(&mut self) -> io::Result<Option<Result<Tree, SyntaxError>>> {
        self.skip_mark()?;
        self.skip_rest()?;
        self.skip_space()?;
        let origin = self.place;
        let (result, length) = match self.cut()? {
            Cut::End => return Ok(None),
            Cut::Tree { length } => {
                let text = &self.unread()[..length];
                let failed = |(problem, at)| SyntaxError::new(problem, text, at, origin);
                (parse_tree(text).map_err(failed), length)
            }
            Cut::Bad { problem, length } => {
                (Err(SyntaxError::new(problem, &self.unread()[..length], 0, origin)), length)
            }
        };
        self.advance(length);
        Ok(Some(result))
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Tree, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().unwrap_or_else(|error| {
            self.at_end = true;
            self.buffer.clear();
            self.position = 0;
            Some(Err(SyntaxError::at(self.place, Problem::Io(error.to_string()))))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Each tree as its line form, each error as its message; read with a tiny buffer too, which must make no difference.
    fn read(text: &str) -> Vec<String> {
        let show =
            |result: Result<Tree, SyntaxError>| result.map_or_else(|e| e.to_string(), |t| t.to_string());
        let all: Vec<_> = Reader::new(text.as_bytes()).map(show).collect();
        for size in [1, 2, 7] {
            let some: Vec<_> =
                Reader::new(BufReader::with_capacity(size, text.as_bytes())).map(show).collect();
            assert_eq!(all, some, "buffer of {size}");
        }
        all
    }

    #[test]
    fn several_trees_a_line_and_a_tree_over_many_lines() {
        assert_eq!(read("(A a)(B b) ( (C c))\n"), ["(A a)", "(B b)", "( (C c))"]);
        assert_eq!(read("(S\n(A a)\n  (B b)\n)\n(C c)"), ["(S (A a) (B b))", "(C c)"]);
        assert_eq!(read(" \n\t\r\n"), [""; 0]);
    }

    #[test]
    fn an_unclosed_tree_spoils_only_itself() {
        assert_eq!(
            read("( (S (A a))\n( (S (B b)))\n"),
            ["1:1: the bracket that opens here is never closed", "( (S (B b)))"]
        );
        assert_eq!(
            read("(S (A a)\n(S (B b))\n(S (C c)\n(S (D d))"),
            [
                "1:1: the bracket that opens here is never closed",
                "(S (B b))",
                "3:1: the bracket that opens here is never closed",
                "(S (D d))"
            ]
        );
    }

    #[test]
    fn stray_things_are_told_with_their_place() {
        assert_eq!(
            read("(A a))\nhello  (B b)\n"),
            [
                "(A a)",
                "1:6: a closing bracket has no opening one",
                "2:1: text stands outside all brackets",
                "(B b)"
            ]
        );
        assert_eq!(read("(A é) (B ü) (C)"), ["(A é)", "(B ü)", "1:13: a bracket has nothing in it"]);
        assert_eq!(read("(A a)\n(S (B b)\n   (C))\n"), ["(A a)", "3:4: a bracket has nothing in it"]);
    }

    #[test]
    fn only_ascii_space_separates() {
        assert_eq!(read("(NN a\u{2009}b)"), ["(NN a\u{2009}b)"]);
    }

    #[test]
    fn a_tree_has_a_limit() {
        let long = format!("(S {})\n(B b)", "(A a) ".repeat(100));
        let results: Vec<_> = Reader::new(long.as_bytes()).with_tree_limit(50).collect();
        assert!(matches!(results[0], Err(SyntaxError { problem: Problem::TooLong(50), .. })));
        assert!(results[1].is_ok() && results.len() == 2, "what is left of it is no tree: {results:?}");
        let lines = format!("(S (A a)\n{}", "(S (B b))\n".repeat(100));
        let results: Vec<_> = Reader::new(lines.as_bytes()).with_tree_limit(50).collect();
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 100, "nothing behind it is lost");
    }

    /// A stream that counts the bytes that are asked of it would not show how often they are searched; the time does. Searching again from
    /// every line would take minutes here.
    #[test]
    fn trees_without_an_end_are_read_in_linear_time() {
        for piece in ["(S (A a) ", "(S (A a)\n", "( (S\n", "(\n", " \n(", "(S (A a)\n (B b)\n"] {
            let text = piece.repeat((1 << 22) / piece.len());
            let results = Reader::new(text.as_bytes()).with_tree_limit(1 << 16);
            assert!(results.count() > 0, "{piece:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_means_nothing() {
        assert_eq!(read("\u{feff}(A a)"), ["(A a)"]);
        assert_eq!(read("\u{feff}\n(A"), ["2:1: the bracket that opens here is never closed"]);
        assert_eq!(read("\u{feff}"), [""; 0]);
        assert_eq!(read("ï"), ["1:1: text stands outside all brackets"]);
    }

    #[test]
    fn depth_is_no_danger() {
        let deep =
            format!("{}{}", "(X ".repeat(1_000_000), ")".repeat(1_000_000)).replacen("(X )", "(X x)", 1);
        let tree = Reader::new(deep.as_bytes()).next().unwrap().unwrap();
        assert_eq!(tree.to_string(), deep);
        assert_eq!(tree.clone(), tree);
    }

    #[test]
    fn a_broken_stream_ends_the_reading_once() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is on fire"))
            }
        }
        let results: Vec<_> = Reader::new(BufReader::new(Broken)).collect();
        assert_eq!(results.len(), 1);
        assert_eq!(results[0].as_ref().unwrap_err().problem, Problem::Io("the disk is on fire".into()));
    }
}
