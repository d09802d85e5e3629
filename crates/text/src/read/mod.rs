//! Streaming readers: one input, one [`Item`] or one [`ReadError`], in order.
//!
//! | [`Format`] | an input is | its tokens |
//! |---|---|---|
//! | `Text` | a sentence of running text | cut by the [`Tokeniser`] |
//! | `Lines` | a line | cut by the tokeniser |
//! | `Tokens` | a line | its words as they are |
//! | `Tagged` | a line of `word_TAG` | the words before the last underscore |
//! | `Json` | a JSON object on a line | cut from `text`, or `tokens` as they are |
//!
//! A bad input is an error with its place, and the reader goes on behind it; only an error of the stream itself ends it. A line, or a
//! paragraph of running text, has a greatest length, so that memory is bounded whatever the stream is. Words that are tokens already are
//! taken as they are, except that round brackets, which a tree could not hold, are escaped.
//!
//! ```
//! use tracebank_text::read::{Format, Reader};
//! use tracebank_text::Tokeniser;
//!
//! let lines = r#"{"id": 7, "text": "I can't."}
//! {"id": "b", "tokens": ["(", "yes", ")"], "tags": ["-LRB-", "UH", "-RRB-"]}
//! {"id": "c"}
//! "#;
//! let mut reader = Reader::new(lines.as_bytes(), "in.jsonl", Format::Json, Tokeniser::default());
//! let words = |item: tracebank_text::read::Item| item.tokens.into_iter().map(|token| token.text).collect::<Vec<_>>();
//! assert_eq!(words(reader.next().unwrap().unwrap()), ["I", "ca", "n't", "."]);
//! assert_eq!(words(reader.next().unwrap().unwrap()), ["-LRB-", "yes", "-RRB-"]);
//! let error = reader.next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "in.jsonl:3 (byte 105): an object must have either \"text\" or \"tokens\"");
//! ```

mod error;
mod item;
mod json;
mod lines;
mod words;

use std::collections::VecDeque;
use std::io::{self, BufRead};

pub use error::{Excerpt, Place, Problem, ReadError};
pub use item::{Id, Item};
use lines::{LineReader, trim_end};

use crate::tokeniser::Tokeniser;

/// The longest line, or paragraph of running text, that is read unless [`Reader::with_limit`] says otherwise, in bytes.
pub const DEFAULT_LIMIT: usize = 1 << 24;

/// The form of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Running text; a blank line ends a paragraph.
    Text,
    /// A sentence a line.
    Lines,
    /// A sentence a line, its tokens with white space between them.
    Tokens,
    /// The same with `_TAG` behind each token.
    Tagged,
    /// JSON lines; blank ones are passed over.
    Json,
}

/// Reads inputs from a stream.
pub struct Reader<R> {
    lines: LineReader<R>,
    name: String,
    format: Format,
    tokeniser: Tokeniser,
    limit: usize,
    buffer: Vec<u8>,
    /// The byte of the stream that is first in the buffer.
    buffered_from: usize,
    /// Sentences of a paragraph that are still to be given.
    waiting: VecDeque<Item>,
    ended: bool,
}

/// An error but for the file's name.
type Fault = (Problem, Place, Option<Id>);

impl<R: BufRead> Reader<R> {
    /// A reader of `source`, which errors call `name`.
    pub fn new(source: R, name: &str, format: Format, tokeniser: Tokeniser) -> Reader<R> {
        Reader {
            lines: LineReader::new(source),
            name: name.to_owned(),
            format,
            tokeniser,
            limit: DEFAULT_LIMIT,
            buffer: Vec::new(),
            buffered_from: 0,
            waiting: VecDeque::new(),
            ended: false,
        }
    }

    /// Makes `limit` the greatest length in bytes.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Reader<R> {
        self.limit = limit;
        self
    }

    /// The next input; the outer error is the stream's.
    fn read(&mut self) -> io::Result<Option<Result<Item, Fault>>> {
        if self.format == Format::Text {
            return self.read_sentence();
        }
        loop {
            self.buffer.clear();
            self.buffered_from = self.lines.place().byte;
            let Some(line) = self.lines.read(&mut self.buffer, self.limit)? else { return Ok(None) };
            if line.blank && self.format == Format::Json {
                continue;
            }
            if line.cut {
                return Ok(Some(Err((Problem::TooLong(self.limit), line.place, None))));
            }
            return Ok(Some(self.line(line.place)));
        }
    }

    /// The line in the buffer as an input.
    fn line(&self, place: Place) -> Result<Item, Fault> {
        let fault = |problem, byte| (problem, Place { byte: place.byte + byte, ..place }, None);
        let line = std::str::from_utf8(trim_end(&self.buffer))
            .map_err(|error| fault(Problem::NotUtf8, error.valid_up_to()))?;
        let item = |tokens, tags| Item { id: None, place, text: line.to_owned(), tokens, tags };
        match self.format {
            Format::Text | Format::Lines => Ok(item(self.tokeniser.tokens(line), None)),
            Format::Tokens => Ok(item(words::tokens(line), None)),
            Format::Tagged => {
                let (tokens, tags) = words::tagged(line).map_err(|(problem, byte)| fault(problem, byte))?;
                Ok(item(tokens, Some(tags)))
            }
            Format::Json => match json::parse(line, self.tokeniser) {
                Ok((id, json::Record { text, tokens, tags })) => Ok(Item { id, place, text, tokens, tags }),
                Err(json::Failure { problem, byte, id }) => {
                    let (problem, place, _) = fault(problem, byte);
                    Err((problem, place, id))
                }
            },
        }
    }

    /// The next sentence of running text.
    fn read_sentence(&mut self) -> io::Result<Option<Result<Item, Fault>>> {
        while self.waiting.is_empty() {
            let Some((place, cut)) = self.read_paragraph()? else { return Ok(None) };
            if cut {
                return Ok(Some(Err((Problem::TooLong(self.limit), place, None))));
            }
            if let Err(fault) = self.split_paragraph(place) {
                return Ok(Some(Err(fault)));
            }
        }
        Ok(self.waiting.pop_front().map(Ok))
    }

    /// Fills the buffer up to the next blank line. Gives where the paragraph begins and whether some of it was left out.
    fn read_paragraph(&mut self) -> io::Result<Option<(Place, bool)>> {
        self.buffer.clear();
        let place = self.lines.place();
        self.buffered_from = place.byte;
        let mut cut = false;
        loop {
            let begin = self.buffer.len();
            let Some(line) = self.lines.read(&mut self.buffer, self.limit)? else {
                return Ok((begin > 0 || cut).then_some((place, cut)));
            };
            // blank lines before a paragraph may be as long as they like
            cut |= line.cut && !line.blank;
            if line.blank {
                return Ok(Some((place, cut)));
            }
        }
    }

    fn split_paragraph(&mut self, origin: Place) -> Result<(), Fault> {
        let place_of = |line_from: Place, passed: &[u8]| Place {
            line: line_from.line + memchr::memchr_iter(b'\n', passed).count(),
            byte: line_from.byte + passed.len(),
        };
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            (Problem::NotUtf8, place_of(origin, &self.buffer[..error.valid_up_to()]), None)
        })?;
        let mut place = origin;
        let mut passed = 0;
        for mut sentence in self.tokeniser.iter(text) {
            place = place_of(place, &self.buffer[passed..sentence.start]);
            passed = sentence.start;
            for token in &mut sentence.tokens {
                token.start -= sentence.start;
                token.end -= sentence.start;
            }
            let text = text[sentence.range()].to_owned();
            self.waiting.push_back(Item { id: None, place, text, tokens: sentence.tokens, tags: None });
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let result = self.read().unwrap_or_else(|error| {
            self.ended = true;
            Some(Err((Problem::Io(error.to_string()), self.lines.place(), None)))
        })?;
        Some(result.map_err(|(problem, place, id)| {
            let excerpt =
                (!self.ended).then(|| Excerpt::around(&self.buffer, place.byte - self.buffered_from));
            ReadError { file: self.name.clone(), place, problem, id, excerpt }
        }))
    }
}

#[cfg(test)]
mod tests;
