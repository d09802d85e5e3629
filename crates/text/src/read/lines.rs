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

/// Reads lines, and counts where it is.
pub(super) struct LineReader<R> {
    source: R,
    place: Place,
    /// Whether the stream begins with a byte order mark, which is blanked.
    pub(super) marked: bool,
}

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(source: R) -> LineReader<R> {
        LineReader { source, place: Place { line: 1, byte: 0, char: 0 }, marked: false }
    }

    /// Where the next line begins.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Appends the next line, its end included, to `buffer`, which is not made longer than `limit`. None at the end of the stream.
    pub(super) fn read(&mut self, buffer: &mut Vec<u8>, limit: usize) -> io::Result<Option<Line>> {
        let place = self.place;
        let begin = buffer.len();
        let mut cut = false;
        let mut blank = true;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                if self.place == place {
                    return Ok(None);
                }
                break;
            }
            let end = memchr::memchr(b'\n', available);
            let length = end.map_or(available.len(), |at| at + 1);
            let room = limit.saturating_sub(buffer.len());
            cut |= length > room;
            blank &= available[..length].trim_ascii().is_empty();
            buffer.extend_from_slice(&available[..length.min(room)]);
            self.place.char += characters(&available[..length]);
            self.source.consume(length);
            self.place.byte += length;
            if end.is_some() {
                break;
            }
        }
        self.place.line += 1;
        if place.byte == 0 && buffer[begin..].starts_with(BYTE_ORDER_MARK) {
            // blanked, not removed, so that offsets stay those of the file
            self.marked = true;
            buffer[begin..begin + BYTE_ORDER_MARK.len()].fill(b' ');
            blank = !cut && buffer[begin..].trim_ascii().is_empty();
        }
        Ok(Some(Line { place, cut, blank }))
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
