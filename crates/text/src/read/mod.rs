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
//! sentence of running text, has a greatest length in bytes and in words, [`Limits`], which holds before tokens are made: memory is
//! bounded whatever the stream is. Words that are tokens already are taken as they are, except that round brackets, which a tree
//! could not hold, are escaped.
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
use lines::{LineReader, PieceEnd, strip_mark, trim_end};

use crate::excerpt::Excerpt;
use crate::sentence::Sentence;
use crate::tokeniser::Tokeniser;

/// The greatest length of an input. What is longer is an error, which holds before any token is made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The bytes of a line or, in running text, of a sentence.
    pub bytes: usize,
    /// The words of a sentence.
    pub words: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 1 << 20, words: 10_000 }
    }
}

impl Limits {
    /// Limits with room for sentences of so many words, and never less than usual.
    ///
    /// ```
    /// use tracebank_text::read::Limits;
    /// assert_eq!(Limits::for_words(1000), Limits::default());
    /// assert_eq!(Limits::for_words(50_000), Limits { bytes: 3_200_000, words: 50_000 });
    /// ```
    #[must_use]
    pub fn for_words(words: usize) -> Limits {
        let usual = Limits::default();
        Limits { bytes: usual.bytes.max(words.saturating_mul(64)), words: usual.words.max(words) }
    }
}

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
    limits: Limits,
    buffer: Vec<u8>,
    /// The place of the stream that is first in the buffer.
    origin: Place,
    /// Sentences of the buffer, or of a JSON line, that are still to be given.
    waiting: VecDeque<Result<Item, Fault>>,
    /// The bytes of the buffer that no later sentence needs.
    done: usize,
    /// Whether the rest of the paragraph is to be passed over.
    skipping: bool,
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
            limits: Limits::default(),
            buffer: Vec::new(),
            origin: Place { line: 1, byte: 0, char: 0 },
            waiting: VecDeque::new(),
            done: 0,
            skipping: false,
            ended: false,
        }
    }

    /// Makes `limit` the greatest length in bytes.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Reader<R> {
        self.limits.bytes = limit;
        self
    }

    /// This reader within other limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Reader<R> {
        self.limits = limits;
        self
    }

    /// The next input; the outer error is the stream's.
    fn read(&mut self) -> io::Result<Option<Result<Item, Fault>>> {
        if self.format == Format::Text {
            return self.read_sentence();
        }
        loop {
            if let Some(item) = self.waiting.pop_front() {
                return Ok(Some(item));
            }
            self.buffer.clear();
            let Some(line) = self.lines.read(&mut self.buffer, self.limits.bytes)? else { return Ok(None) };
            self.origin = line.place;
            strip_mark(&mut self.buffer, &mut self.origin);
            let blank = line.blank || (!line.cut && self.buffer.trim_ascii().is_empty());
            if blank && self.format == Format::Json {
                continue;
            }
            if line.cut {
                return Ok(Some(Err((Problem::TooLong(self.limits.bytes), self.origin, None))));
            }
            match self.line() {
                Ok(items) => self.waiting.extend(items.into_iter().map(Ok)),
                Err(fault) => return Ok(Some(Err(fault))),
            }
        }
    }

    /// The inputs of the line in the buffer.
    fn line(&self) -> Result<Vec<Item>, Fault> {
        let (place, most) = (self.origin, self.limits.words);
        let fault = |problem, byte| (problem, Place { byte: place.byte + byte, ..place }, None);
        let line = std::str::from_utf8(trim_end(&self.buffer))
            .map_err(|error| fault(Problem::NotUtf8, error.valid_up_to()))?;
        let sentence = match self.format {
            Format::Text | Format::Lines => match self.tokeniser.tokens_within(line, most) {
                Some(tokens) => Ok(Sentence { text: line.to_owned(), tokens, ..Sentence::default() }),
                None => Err((Problem::TooManyWords(most), 0)),
            },
            Format::Tokens => words::tokens(line, most),
            Format::Tagged => words::tagged(line, most),
            Format::Json => {
                let json::Line { id, sentences, split } = json::parse(line, self.tokeniser, most).map_err(
                    |json::Failure { problem, byte, id }| {
                        let (problem, place, _) = fault(problem, byte);
                        (problem, place, id)
                    },
                )?;
                let item =
                    |(part, sentence)| Item { id: id.clone(), place, part: split.then_some(part), sentence };
                return Ok(sentences.into_iter().enumerate().map(item).collect());
            }
        };
        match sentence {
            Ok(sentence) => {
                let sentence = Sentence { start: place.byte, start_char: place.char, ..sentence };
                Ok(vec![Item { id: None, place, part: None, sentence }])
            }
            Err((problem, byte)) => Err(fault(problem, byte)),
        }
    }

    /// The next sentence of running text.
    fn read_sentence(&mut self) -> io::Result<Option<Result<Item, Fault>>> {
        while self.waiting.is_empty() {
            let Some(is_whole) = self.read_paragraph()? else { return Ok(None) };
            if let Err(fault) = self.split_paragraph(is_whole) {
                self.done = self.buffer.len();
                self.skipping = !is_whole;
                return Ok(Some(Err(fault)));
            }
        }
        Ok(self.waiting.pop_front())
    }

    /// Fills the buffer up to the next blank line, and tells whether it came there; a paragraph that is too long for the buffer is read in
    /// parts. None at the end of the stream.
    fn read_paragraph(&mut self) -> io::Result<Option<bool>> {
        self.origin = self.origin.behind(&self.buffer[..self.done]);
        self.buffer.drain(..self.done);
        self.done = 0;
        while self.skipping {
            let end = self.lines.read_piece(&mut self.buffer, self.limits.bytes)?;
            self.skipping = !matches!(end, PieceEnd::Blank | PieceEnd::Stream);
            self.buffer.clear();
        }
        if self.buffer.is_empty() {
            self.origin = self.lines.place();
        }
        let end = loop {
            match self.lines.read_piece(&mut self.buffer, self.limits.bytes)? {
                PieceEnd::Line => {}
                end => break end,
            }
        };
        strip_mark(&mut self.buffer, &mut self.origin);
        let is_over = end == PieceEnd::Stream && self.buffer.is_empty();
        Ok((!is_over).then_some(end != PieceEnd::Full))
    }

    /// Cuts the buffer into sentences. If it is not the whole paragraph, the last of them may go on, and waits for the rest.
    fn split_paragraph(&mut self, is_whole: bool) -> Result<(), Fault> {
        let Limits { bytes, words } = self.limits;
        let text = match std::str::from_utf8(&self.buffer) {
            Ok(text) => text,
            // a character may be cut at the end
            Err(error) if !is_whole && error.error_len().is_none() => {
                std::str::from_utf8(&self.buffer[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(error) => {
                return Err((
                    Problem::NotUtf8,
                    self.origin.behind(&self.buffer[..error.valid_up_to()]),
                    None,
                ));
            }
        };
        let mut place = self.origin;
        let mut passed = 0;
        let mut sentences = self.tokeniser.iter(text);
        while let Some(sentence) = sentences.next_within(words) {
            let start = sentence.as_ref().map_or_else(|bytes| bytes.start, |sentence| sentence.start);
            place = place.behind(&self.buffer[passed..start]);
            passed = start;
            self.waiting.push_back(match sentence {
                Ok(sentence) => {
                    let sentence = Sentence { start: place.byte, start_char: place.char, ..sentence };
                    Ok(Item { id: None, place, part: None, sentence })
                }
                Err(_) => Err((Problem::TooManyWords(words), place, None)),
            });
        }
        self.done = self.buffer.len();
        if is_whole || self.waiting.is_empty() {
            return Ok(());
        }
        self.waiting.pop_back();
        self.done = passed;
        if self.waiting.is_empty() && passed == 0 {
            Err((Problem::TooLong(bytes), place, None))
        } else {
            Ok(())
        }
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
            let excerpt = (!self.ended).then(|| Excerpt::around(&self.buffer, place.byte - self.origin.byte));
            ReadError { file: self.name.clone(), place, problem, id, excerpt }
        }))
    }
}

#[cfg(test)]
mod tests;
