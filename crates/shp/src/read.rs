//! A stream → sentences → trees.

use std::io::{self, BufRead};

use tracebank_syntax::graph::{Arc, ArcKind, Vertex};
use tracebank_syntax::penn::{BYTE_ORDER_MARK, DEFAULT_TREE_LIMIT, Place, Problem, SyntaxError};
use tracebank_syntax::tree::Tree;

use super::row::{Fault, Row};
use super::sprout::Sprouts;
use super::{join, number, place, prepare};

/// The authors' parser's mark of a sentence without a parse.
const FAILURE: &str = "*_0";

/// A sentence as it stands in the file. Made into a tree and back, some graphs become others, for a tree says less about which
/// words an edge joins than the lines do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The tree.
    pub tree: Tree,
    /// The edges between different words, as the lines have them: a trace edge goes from the word that it names to that of its line.
    pub arcs: Vec<Arc>,
    /// The types of all trace edges, which the arcs number; those inside one spine have no arc.
    pub traces: Vec<String>,
}

/// A reader of trees from a stream, one sentence at a time. After an error it goes on with the next sentence; only an error of the
/// stream itself ends it.
///
/// ```
/// use tracebank_shp::Reader;
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
    /// Its first byte after white space; `None` for a blank line.
    first: Option<u8>,
    text: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// A reader from the start of `source`.
    pub fn new(source: R) -> Reader<R> {
        Reader { source, lines: 0, sentence_limit: DEFAULT_TREE_LIMIT, at_end: false }
    }

    /// This reader, refusing sentences of more than `bytes`.
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
        if self.lines == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
            first = text.trim_ascii_start().first().copied();
        }
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
        self.next_sentence().map(|sentence| sentence.map(|sentence| sentence.tree))
    }
}

impl<R: BufRead> Reader<R> {
    /// The next sentence, with its edges as they stand in the file.
    ///
    /// ```
    /// use tracebank_shp::Reader;
    /// let text = "1 dogs NNS NP 2 S_0 2 NP_0 T NP_0 F *\n2 seem VBP VP_(NP_(*))_S 0 ROOT_0\n";
    /// let sentence = Reader::new(text.as_bytes()).next_sentence().unwrap()?;
    /// assert_eq!((sentence.arcs.len(), &*sentence.traces[0]), (3, "*"));
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn next_sentence(&mut self) -> Option<Result<Sentence, SyntaxError>> {
        if self.at_end {
            return None;
        }
        match self.sentence() {
            Ok(Ok(lines)) if lines.is_empty() => None,
            Ok(lines) => Some(lines.and_then(|lines| read(&lines))),
            Err(failure) => {
                self.at_end = true;
                let place = Place { line: self.lines + 1, column: 1 };
                Some(Err(SyntaxError::at(place, Problem::Io(failure.to_string()))))
            }
        }
    }
}

fn error(line: &Line, at: usize, problem: Problem) -> SyntaxError {
    SyntaxError::new(problem, &line.text, at, Place { line: line.number, column: 1 })
}

fn read(lines: &[Line]) -> Result<Sentence, SyntaxError> {
    let texts = lines
        .iter()
        .map(|line| {
            let text = std::str::from_utf8(&line.text);
            text.map_err(|reason| error(line, reason.valid_up_to(), Problem::NotUtf8))
        })
        .collect::<Result<Vec<&str>, SyntaxError>>()?;
    assemble(&texts).map_err(|Fault { row, at, problem }| error(&lines[row], at, problem))
}

fn assemble(lines: &[&str]) -> Result<Sentence, Fault> {
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
    place::place_nulls(&mut tree, &sprouts);
    number::number_traces(&mut tree, &sprouts, &rows)?;
    prepare::clean(&mut tree);
    let (arcs, traces) = edges(&rows);
    Ok(Sentence { tree, arcs, traces })
}

/// The edges of the lines, and the types of the trace edges.
fn edges(rows: &[Row]) -> (Vec<Arc>, Vec<String>) {
    let vertex = |word: usize| Vertex(word as u32);
    let (mut arcs, mut traces) = (Vec::new(), Vec::new());
    for (index, row) in rows.iter().enumerate() {
        let parent = vertex(row.parent.map_or(0, |parent| parent.word));
        arcs.push(Arc { parent, child: vertex(index + 1), kind: ArcKind::Structural });
    }
    for (index, row) in rows.iter().enumerate() {
        for trace in &row.traces {
            let (parent, child) = (vertex(trace.target.word), vertex(index + 1));
            if parent != child {
                arcs.push(Arc { parent, child, kind: ArcKind::Trace(traces.len()) });
            }
            traces.push(trace.kind.to_owned());
        }
    }
    (arcs, traces)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    const DOGS: &str = "1 dogs NNS NP 2 S_0\n2 sleep VBP VP_S 0 ROOT_0\n";

    /// Each tree as its words, each error as its message; read with a tiny buffer too, which must make no difference.
    fn read(text: &[u8]) -> Vec<String> {
        let show = |result: Result<Tree, SyntaxError>| {
            result.map_or_else(|error| error.to_string(), |tree| tree.words().collect::<Vec<_>>().join(" "))
        };
        let all: Vec<String> = Reader::new(text).map(show).collect();
        let some: Vec<String> = Reader::new(BufReader::with_capacity(3, text)).map(show).collect();
        assert_eq!(all, some);
        all
    }

    #[test]
    fn blank_lines_part_sentences_and_comments_do_not() {
        let text =
            format!("\n \n# x\n{DOGS}\t\r\n\n  # y\n{DOGS}# z\n\n# only a comment\n\n{}", DOGS.trim_end());
        assert_eq!(read(text.as_bytes()), ["dogs sleep"; 3]);
        assert_eq!(read(b"# nothing\n\n"), [""; 0]);
        assert_eq!(
            read(format!("\u{feff}{DOGS}").as_bytes()),
            ["dogs sleep"],
            "a byte order mark means nothing"
        );
    }

    #[test]
    fn a_bad_sentence_spoils_only_itself() {
        let fail = |text: &str, wanted: &str| {
            let all = read(format!("{DOGS}\n{text}\n\n{DOGS}").as_bytes());
            assert_eq!(all, ["dogs sleep", wanted, "dogs sleep"]);
        };
        fail("1 a", "4:1: a line has six fields: number, word, tag, spine, parent, parent's node");
        fail("2 a DT NP 0 ROOT_0", "4:1: this is word 1 of the sentence, not 2");
        fail("1 a DT NP x ROOT_0", "4:11: \"x\" is no number of a word");
        fail("1 é DT NP -1 ROOT_0", "4:11: \"-1\" is no number of a word");
        fail("1 a DT NP 2 NP", "4:13: \"NP\" is no label with a count");
        fail("1 a DT NP 2 NP_+1", "4:13: \"NP_+1\" is no label with a count");
        fail(
            "1 a DT NP 0 ROOT_0 1 NP_0 T NP_0 F",
            "4:20: a trace edge has six fields: word, node, T or F, own node, T or F, type",
        );
        fail("1 a DT NP 0 ROOT_0 1 NP_0 t NP_0 F *", "4:27: \"t\" is neither T (null) nor F");
        fail(
            "1 (a DT NP 0 ROOT_0",
            "4:3: a word or tag with a bracket or a blank in it has no place in a tree",
        );
        fail("1 a -NONE- NP 0 ROOT_0", "4:5: a word cannot be tagged as a null element or a mark");
        fail("1 a DT *_0 0 ROOT_0", "4:8: *_0 says that the parser failed on this sentence");
    }

    #[test]
    fn bytes_that_are_not_utf8_have_a_place() {
        assert_eq!(read(b"1 a DT NP\xff 0 ROOT_0\n"), ["1:10: these bytes are not UTF-8"]);
    }

    #[test]
    fn a_sentence_has_a_limit_and_comments_have_none() {
        let long =
            format!("# {}\n{DOGS}\n{}\n   {}\n{DOGS}\n{DOGS}", "x".repeat(99), DOGS.repeat(3), DOGS.trim());
        let reader = Reader::new(long.as_bytes()).with_sentence_limit(50);
        let results: Vec<_> = reader.map(|result| result.map_err(|error| error.to_string())).collect();
        assert_eq!(results.len(), 4, "{results:?}");
        assert!(results[0].is_ok() && results[3].is_ok());
        for (result, line) in results[1..3].iter().zip([5, 12]) {
            let message = format!("{line}:1: the tree that begins here is longer than 50 bytes");
            assert_eq!(result.as_ref().unwrap_err(), &message);
        }
    }
}
