//! Streaming readers: one input, one [`Item`] or one [`ReadError`], in order.
//!
//! | [`Format`] | an input is | its tokens |
//! |---|---|---|
//! | `Text` | a sentence of running text | cut by the [`Tokeniser`] |
//! | `Lines` | a line | cut by the tokeniser |
//! | `Tokens` | a line | its words as they are |
//! | `Tagged` | a line of `word_TAG` | the words before the last underscore |
//! | `Json` | a sentence of the `text` of a JSON object on a line, or its `tokens` | cut from `text`, or `tokens` as they are |
//!
//! The document in which [`Sentence::start`] counts is the stream, or of JSON the `text`. With `"split": false`, and with `tags`, that is
//! one sentence.
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
//! assert_eq!(reader.next().unwrap()?.sentence.to_string(), "I ca n't .");
//! assert_eq!(reader.next().unwrap()?.sentence.to_string(), "-LRB- yes -RRB-");
//! let error = reader.next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "in.jsonl:3 (byte 105): an object must have either \"text\" or \"tokens\"");
//! # Ok::<(), tracebank_text::read::ReadError>(())
//! ```

mod error;
mod json;
mod lines;
mod words;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead};

pub use error::{Place, Problem, ReadError};
use lines::{BYTE_ORDER_MARK, LineReader, characters, trim_end};

use crate::excerpt::Excerpt;
use crate::sentence::Sentence;
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
    /// A sentence a line, its tokens with `_TAG` behind each.
    Tagged,
    /// JSON lines; blank ones are passed over.
    Json,
}

/// The name an input came with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Id {
    /// A JSON string.
    Text(String),
    /// A JSON number, as its digits.
    Number(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Id::Text(id) | Id::Number(id)) = self;
        f.write_str(id)
    }
}

/// An input: one sentence, with its name and place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name, which only JSON lines have.
    pub id: Option<Id>,
    /// The place in the stream where it begins; of JSON, that of the line.
    pub place: Place,
    /// Its number among the sentences that a `text` of JSON was split into, from 0.
    pub part: Option<usize>,
    /// The sentence. Its text is the line, the sentence of a running text or of the `text` of JSON, or the `tokens` of JSON with a space
    /// between two; it has no tokens if the line is empty.
    pub sentence: Sentence,
}

/// A reader of inputs from a stream.
pub struct Reader<R> {
    lines: LineReader<R>,
    name: String,
    format: Format,
    tokeniser: Tokeniser,
    limit: usize,
    buffer: Vec<u8>,
    /// The byte of the stream that is first in the buffer.
    buffered_from: usize,
    /// Sentences of a paragraph, or of a JSON line, that are still to be given.
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
            if let Some(item) = self.waiting.pop_front() {
                return Ok(Some(Ok(item)));
            }
            self.buffer.clear();
            self.buffered_from = self.lines.place().byte;
            let Some(line) = self.lines.read(&mut self.buffer, self.limit)? else { return Ok(None) };
            if line.blank && self.format == Format::Json {
                continue;
            }
            if line.cut {
                return Ok(Some(Err((Problem::TooLong(self.limit), line.place, None))));
            }
            match self.line(line.place) {
                Ok(items) => self.waiting.extend(items),
                Err(fault) => return Ok(Some(Err(fault))),
            }
        }
    }

    /// The inputs of the line in the buffer.
    fn line(&self, place: Place) -> Result<Vec<Item>, Fault> {
        let fault = |problem, byte| (problem, Place { byte: place.byte + byte, ..place }, None);
        let line = std::str::from_utf8(trim_end(&self.buffer))
            .map_err(|error| fault(Problem::NotUtf8, error.valid_up_to()))?;
        // the mark is no part of the first line
        let mark = if place.byte == 0 && self.lines.marked { BYTE_ORDER_MARK.len() } else { 0 };
        let line = &line[mark.min(line.len())..];
        let (start, start_char) = (place.byte + mark, place.char + usize::from(mark > 0));
        let fault = |problem, byte| fault(problem, mark + byte);
        let item = |sentence| {
            vec![Item { id: None, place, part: None, sentence: Sentence { start, start_char, ..sentence } }]
        };
        match self.format {
            Format::Text | Format::Lines => Ok(item(self.tokeniser.sentence(line))),
            Format::Tokens => Ok(item(words::tokens(line))),
            Format::Tagged => words::tagged(line).map(item).map_err(|(problem, byte)| fault(problem, byte)),
            Format::Json => match json::parse(line, self.tokeniser) {
                Ok(json::Line { id, sentences, split }) => {
                    let each = sentences.into_iter().enumerate();
                    let item = |(part, sentence)| Item {
                        id: id.clone(),
                        place,
                        part: split.then_some(part),
                        sentence,
                    };
                    Ok(each.map(item).collect())
                }
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
            char: line_from.char + characters(passed),
        };
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            (Problem::NotUtf8, place_of(origin, &self.buffer[..error.valid_up_to()]), None)
        })?;
        let mut place = origin;
        let mut passed = 0;
        for sentence in self.tokeniser.iter(text) {
            place = place_of(place, &self.buffer[passed..sentence.start]);
            if passed == 0 && origin.byte == 0 && self.lines.marked {
                // three blanks stand for one character
                place.char -= BYTE_ORDER_MARK.len() - 1;
            }
            passed = sentence.start;
            let sentence = Sentence { start: place.byte, start_char: place.char, ..sentence };
            self.waiting.push_back(Item { id: None, place, part: None, sentence });
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
