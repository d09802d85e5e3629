//! A stream → sentences → trees.

use std::io::{self, BufRead};

use super::row::{Fault, Row};
use super::sprout::Sprouts;
use super::{finish, join, prepare};
use crate::penn::{DEFAULT_TREE_LIMIT, Place, Problem, SyntaxError};
use crate::tree::Tree;

/// What the authors' parser writes where it found no parse.
const FAILURE: &str = "*_0";

/// Reads trees from a stream, one sentence at a time. After an error it goes on with the next sentence; only an error of the
/// stream itself ends it.
///
/// ```
/// use tracebank_syntax::shp::Reader;
/// let text = "1 dogs  NNS NP   2 S_0\n2 sleep VBP VP_S 0 ROOT_0\n\n# a comment\n1 no UH INTJ 2 S_0\n";
/// let mut trees = Reader::new(text.as_bytes());
/// assert_eq!(trees.next().unwrap()?.to_string(), "(ROOT (S (NP (NNS dogs)) (VP (VBP sleep))))");
/// let error = trees.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "5:3: no word of the sentence hangs from the root");
/// assert!(trees.next().is_none());
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub struct Reader<R> {
    source: R,
    /// How many lines have been read.
    lines: usize,
    sentence_limit: usize,
    at_end: bool,
}

/// A line with its number, from 1, and without its line break.
struct Line {
    number: usize,
    /// What it begins with, after white space; `None` for a blank line.
    first: Option<u8>,
    text: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// A reader from the start of `source`.
    pub fn new(source: R) -> Reader<R> {
        Reader { source, lines: 0, sentence_limit: DEFAULT_TREE_LIMIT, at_end: false }
    }

    /// The same reader, refusing sentences of more than `bytes`.
    #[must_use]
    pub fn with_sentence_limit(mut self, bytes: usize) -> Reader<R> {
        self.sentence_limit = bytes;
        self
    }

    /// The next line, of which no more than `room + 1` bytes are kept.
    fn line(&mut self, room: usize) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let mut first = None;
        let mut is_there = false;
        loop {
            let chunk = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = memchr::memchr(b'\n', chunk);
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            is_there |= !chunk.is_empty();
            first = first.or_else(|| piece.trim_ascii_start().first().copied());
            text.extend(&piece[..piece.len().min(room.saturating_add(1) - text.len())]);
            let is_over = end.is_some() || chunk.is_empty();
            let length = piece.len() + usize::from(end.is_some());
            self.source.consume(length);
            if is_over {
                break;
            }
        }
        self.lines += usize::from(is_there);
        Ok(is_there.then_some(Line { number: self.lines, first, text }))
    }

    /// The lines of the next sentence, without comments; none at the end of the input.
    fn sentence(&mut self) -> io::Result<Result<Vec<Line>, SyntaxError>> {
        let mut sentence: Vec<Line> = Vec::new();
        let mut room = self.sentence_limit;
        let mut too_long = None;
        while let Some(line) = self.line(room)? {
            match line.first {
                None if sentence.is_empty() => continue,
                None => break,
                Some(b'#') => continue,
                Some(_) => {}
            }
            if line.text.len() > room {
                sentence.truncate(1);
                let first = sentence.first().unwrap_or(&line);
                too_long.get_or_insert_with(|| error(first, 0, Problem::TooLong(self.sentence_limit)));
                room = 0;
            } else {
                room -= line.text.len();
            }
            if too_long.is_none() || sentence.is_empty() {
                sentence.push(line);
            }
        }
        Ok(too_long.map_or(Ok(sentence), Err))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Tree, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at_end {
            return None;
        }
        match self.sentence() {
            Ok(Ok(lines)) if lines.is_empty() => None,
            Ok(lines) => Some(lines.and_then(|lines| tree(&lines))),
            Err(failure) => {
                self.at_end = true;
                let place = Place { line: self.lines + 1, column: 1 };
                Some(Err(SyntaxError { place, ..SyntaxError::at_start(Problem::Io(failure.to_string())) }))
            }
        }
    }
}

fn error(line: &Line, at: usize, problem: Problem) -> SyntaxError {
    SyntaxError::new(problem, &line.text, at, Place { line: line.number, column: 1 })
}

fn tree(lines: &[Line]) -> Result<Tree, SyntaxError> {
    let texts = lines
        .iter()
        .map(|line| {
            let text = std::str::from_utf8(&line.text);
            text.map_err(|reason| error(line, reason.valid_up_to(), Problem::NotUtf8))
        })
        .collect::<Result<Vec<&str>, SyntaxError>>()?;
    assemble(&texts).map_err(|Fault { row, at, problem }| error(&lines[row], at, problem))
}

fn assemble(lines: &[&str]) -> Result<Tree, Fault> {
    for (row, line) in lines.iter().enumerate() {
        if let Some(at) = line.find(FAILURE) {
            let problem = Problem::Graph(format!("{FAILURE} says that the parser failed on this sentence"));
            return Err(Fault { row, at, problem });
        }
    }
    let rows = lines.iter().enumerate().map(|(row, line)| Row::parse(row, line));
    let rows = rows.collect::<Result<Vec<Row>, Fault>>()?;
    let mut tree = Tree::with_top("");
    let mut sprouts = Sprouts::default();
    for row in &rows {
        sprouts.grow(&mut tree, row)?;
    }
    join::join(&mut tree, &sprouts, &rows)?;
    finish::place_nulls(&mut tree, &sprouts);
    finish::number_traces(&mut tree, &sprouts, &rows)?;
    prepare::clean(&mut tree);
    Ok(tree)
}
