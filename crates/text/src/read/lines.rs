//! A byte stream → lines of bounded length.

use std::io::{self, BufRead, ErrorKind};

use super::error::Place;

/// A line that was read.
pub(super) struct Line {
    /// Where it begins.
    pub(super) place: Place,
    /// Whether it was longer than the limit; what was read of it is not all then.
    pub(super) cut: bool,
    /// Whether there is nothing but ASCII white space on it, also beyond the limit.
    pub(super) blank: bool,
}

/// The end of a piece of running text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceEnd {
    /// A line that is not blank.
    Line,
    /// A blank line.
    Blank,
    /// The buffer is full, and there is more.
    Full,
    /// The stream ended.
    Stream,
}

/// Reads lines, and counts where it is.
pub(super) struct LineReader<R> {
    source: R,
    place: Place,
    /// Whether there is nothing but ASCII white space on the line so far.
    blank: bool,
}

/// A mark that some editors put at the start of a file; it means nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(source: R) -> LineReader<R> {
        LineReader { source, place: Place { line: 1, byte: 0, char: 0 }, blank: true }
    }

    /// Where the next line begins.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Appends the next line, its end included, to `buffer`, which is not made longer than `limit`. None at the end of the stream.
    pub(super) fn read(&mut self, buffer: &mut Vec<u8>, limit: usize) -> io::Result<Option<Line>> {
        let mut line = Line { place: self.place, cut: false, blank: true };
        loop {
            let available = fill(&mut self.source)?;
            if available.is_empty() {
                if self.place == line.place {
                    return Ok(None);
                }
                break;
            }
            let end = memchr::memchr(b'\n', available);
            let length = end.map_or(available.len(), |at| at + 1);
            let room = limit.saturating_sub(buffer.len());
            line.cut |= length > room;
            line.blank &= available[..length].trim_ascii().is_empty();
            buffer.extend_from_slice(&available[..length.min(room)]);
            self.place.char += characters(&available[..length]);
            self.source.consume(length);
            self.place.byte += length;
            if end.is_some() {
                break;
            }
        }
        self.place.line += 1;
        Ok(Some(line))
    }

    /// Appends what is left of a line, its end included, to `buffer` as far as there is room up to `limit`.
    pub(super) fn read_piece(&mut self, buffer: &mut Vec<u8>, limit: usize) -> io::Result<PieceEnd> {
        loop {
            let available = fill(&mut self.source)?;
            let room = limit.saturating_sub(buffer.len());
            if available.is_empty() || room == 0 {
                return Ok(if available.is_empty() { PieceEnd::Stream } else { PieceEnd::Full });
            }
            let fitting = &available[..available.len().min(room)];
            let end = memchr::memchr(b'\n', fitting);
            let piece = &fitting[..end.map_or(fitting.len(), |at| at + 1)];
            self.blank &= piece.trim_ascii().is_empty();
            buffer.extend_from_slice(piece);
            let length = piece.len();
            self.place.char += characters(piece);
            self.source.consume(length);
            self.place.byte += length;
            if end.is_some() {
                self.place.line += 1;
                let blank = std::mem::replace(&mut self.blank, true);
                return Ok(if blank { PieceEnd::Blank } else { PieceEnd::Line });
            }
        }
    }
}

/// What is to be read next; nothing at the end of the stream.
fn fill(source: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = source.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(error);
        }
    }
    source.fill_buf()
}

/// Takes a byte order mark away that `buffer`, which begins at `place`, may begin with.
pub(super) fn strip_mark(buffer: &mut Vec<u8>, place: &mut Place) {
    if place.byte == 0 && buffer.starts_with(BYTE_ORDER_MARK) {
        buffer.drain(..BYTE_ORDER_MARK.len());
        place.byte = BYTE_ORDER_MARK.len();
        place.char = 1;
    }
}

/// The number of characters in UTF-8.
pub(super) fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// `line` without the end of its line.
pub(super) fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
