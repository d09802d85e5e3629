//! Text → [`Graph`].

use std::io::{self, BufRead};

use super::names::{Names, find_plain, find_slot, split_plain, unescape};
use super::token::{ENDS, check_form, check_mark, check_tag};
use crate::graph::{Anchor, End, Graph, SlotName, Spine, Symbol, SymbolKind, TraceEdge, Vertex, Word};
use crate::penn::{BYTE_ORDER_MARK, DEFAULT_TREE_LIMIT, Place, Problem, SyntaxError};

/// A reader of graphs from a stream, one sentence at a time. After an error it goes on with the next sentence; only an error of the
/// stream itself ends it.
pub struct Reader<R> {
    source: R,
    line_number: usize,
    sentence_start: usize,
    sentence_limit: usize,
    at_end: bool,
}

/// A line with its number.
type Line = (usize, String);

/// A line as it was read: no more of it is kept than there is room for.
struct RawLine {
    text: Vec<u8>,
    is_cut: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader from the start of `source`.
    pub fn new(source: R) -> Reader<R> {
        let sentence_limit = DEFAULT_TREE_LIMIT;
        Reader { source, line_number: 0, sentence_start: 1, sentence_limit, at_end: false }
    }

    /// This reader, refusing sentences of more than `bytes`.
    #[must_use]
    pub fn with_sentence_limit(mut self, bytes: usize) -> Reader<R> {
        self.sentence_limit = bytes;
        self
    }

    /// Where the sentence begins that was read last.
    pub fn place(&self) -> Place {
        Place { line: self.sentence_start, column: 1 }
    }

    /// The next line, of which `room` bytes are kept; `None` at the end.
    fn line(&mut self, room: usize) -> io::Result<Option<RawLine>> {
        let mut line = RawLine { text: Vec::new(), is_cut: false };
        let mut is_there = false;
        loop {
            let chunk = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = memchr::memchr(b'\n', chunk);
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            let kept = piece.len().min(room - line.text.len());
            line.text.extend_from_slice(&piece[..kept]);
            line.is_cut |= kept < piece.len();
            is_there |= !chunk.is_empty();
            let is_over = end.is_some() || chunk.is_empty();
            let length = piece.len() + usize::from(end.is_some());
            self.source.consume(length);
            if is_over {
                break;
            }
        }
        self.line_number += usize::from(is_there);
        if self.line_number == 1 && line.text.starts_with(BYTE_ORDER_MARK) {
            line.text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(is_there.then_some(line))
    }

    /// The next sentence's lines without comments; `None` at the end. A bad line spoils its sentence and no other.
    fn sentence(&mut self) -> io::Result<Option<Result<Vec<Line>, SyntaxError>>> {
        let mut sentence = Ok(Vec::new());
        let mut is_empty = true;
        let mut room = self.sentence_limit;
        // One byte more than there is room for tells a blank line from one that is only cut.
        while let Some(RawLine { text, is_cut }) = self.line(room + 1)? {
            let line = text.trim_ascii_end();
            if line.starts_with(b"#") || (line.is_empty() && !is_cut && is_empty) {
                continue;
            }
            if line.is_empty() && !is_cut {
                return Ok(Some(sentence));
            }
            if is_empty {
                self.sentence_start = self.line_number;
            }
            is_empty = false;
            let Ok(lines) = &mut sentence else { continue };
            if is_cut || text.len() > room {
                sentence = Err(SyntaxError::at(self.place(), Problem::TooLong(self.sentence_limit)));
                room = 0;
                continue;
            }
            room -= text.len();
            if let Ok(line) = std::str::from_utf8(line) {
                lines.push((self.line_number, line.to_owned()));
            } else {
                sentence = Err(self.error(Problem::NotUtf8));
                room = 0;
            }
        }
        Ok((!is_empty).then_some(sentence))
    }

    fn error(&self, problem: Problem) -> SyntaxError {
        SyntaxError::at(Place { line: self.line_number.max(1), column: 1 }, problem)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Graph, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at_end {
            return None;
        }
        match self.sentence() {
            Ok(sentence) => Some(sentence?.and_then(|lines| parse_graph(&lines))),
            Err(error) => {
                self.at_end = true;
                Some(Err(self.error(Problem::Io(error.to_string()))))
            }
        }
    }
}

fn parse_graph(lines: &[Line]) -> Result<Graph, SyntaxError> {
    let at = |number: usize, line: &str, problem: String| {
        SyntaxError::new(Problem::Graph(problem), line.as_bytes(), 0, Place { line: number, column: 1 })
    };
    let mut graph = Graph::default();
    let mut rows = Vec::new();
    for (expected, (number, line)) in lines.iter().enumerate() {
        let fields: Vec<&str> = line.split('\t').take(FIELDS).map(|field| field.trim_matches(' ')).collect();
        let row = Row { vertex: Vertex(expected as u32), fields };
        row.add_vertex(&mut graph).map_err(|problem| at(*number, line, problem))?;
        rows.push((row, *number, line));
    }
    let names = Names::of(&graph);
    for (row, number, line) in &rows {
        row.add_edges(&mut graph, &names).map_err(|problem| at(*number, line, problem))?;
    }
    graph.sort_traces();
    Ok(graph)
}

/// The most fields of a line that mean something.
const FIELDS: usize = 7;

/// A line, split at its tabs.
struct Row<'a> {
    vertex: Vertex,
    fields: Vec<&'a str>,
}

impl Row<'_> {
    fn add_vertex(&self, graph: &mut Graph) -> Result<(), String> {
        if self.fields[0].parse() != Ok(self.vertex.0) {
            return Err(format!("this line should be that of vertex {}", self.vertex.0));
        }
        let spine = parse_spine(self.fields.get(3).copied().unwrap_or_default())?;
        if self.vertex == Vertex::ROOT {
            graph.root = spine;
            return Ok(());
        }
        let [_, form, tag, _, head, ..] = self.fields[..] else {
            return Err("a word has at least five fields, separated by tabs".to_owned());
        };
        let head = Vertex(head.parse().map_err(|_| format!("the head is no number: {head}"))?);
        let tag = Some(tag).filter(|tag| !tag.is_empty());
        check_form(form).and_then(|()| tag.map_or(Ok(()), check_tag))?;
        let tag = tag.map(str::to_owned);
        graph.words.push(Word { form: form.to_owned(), tag, spine, head, attachment: None });
        Ok(())
    }

    fn add_edges(&self, graph: &mut Graph, names: &Names) -> Result<(), String> {
        if self.vertex != Vertex::ROOT {
            let index = self.vertex.index() - 1;
            let (head, node) = (graph.words[index].head, self.fields.get(5).copied().unwrap_or_default());
            graph.spine(head).ok_or_else(|| format!("there is no vertex {}", head.0))?;
            if !node.is_empty() {
                let found = names.find_symbol(head, node).ok_or_else(|| missing(node, head))?;
                graph.words[index].attachment = Some(found);
            }
        }
        for item in
            self.fields.get(6).into_iter().flat_map(|field| field.split(' ')).filter(|item| !item.is_empty())
        {
            self.add_trace(graph, names, item)?;
        }
        Ok(())
    }

    fn add_trace(&self, graph: &mut Graph, names: &Names, item: &str) -> Result<(), String> {
        let (from, to) = split_plain(item, '>');
        let (from, below) = end(graph, names, self.vertex, from, SlotName::Null)?;
        let Some(to) = to else {
            graph.loose.push(from);
            return Ok(());
        };
        let (vertex, to) =
            to.split_once(':').ok_or_else(|| format!("{item}: the vertex and its colon are missing"))?;
        let vertex = Vertex(vertex.parse().map_err(|_| format!("{item}: the vertex is no number"))?);
        let (to, _) = end(graph, names, vertex, to, SlotName::Index)?;
        let kind = below.unwrap_or_else(|| kind(graph, from));
        graph.traces.push(TraceEdge { kind, from, to });
        Ok(())
    }
}

fn missing(name: &str, vertex: Vertex) -> String {
    format!("there is no {name} in the spine of vertex {}", vertex.0)
}

/// An end, and the type of null element that it names below its node. Without a slot it is on a null element, or has the usual one.
fn end(
    graph: &Graph,
    names: &Names,
    vertex: Vertex,
    text: &str,
    usual: SlotName,
) -> Result<(End, Option<String>), String> {
    let spine = graph.spine(vertex).ok_or_else(|| format!("there is no vertex {}", vertex.0))?;
    let (name, slot) = split_plain(text, '~');
    let anchor = names.find_anchor(vertex, name).ok_or_else(|| missing(name, vertex))?;
    let on_null = match anchor {
        Anchor::Tag => false,
        Anchor::Symbol(id) => spine.get(id).is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Null(_))),
    };
    let (slot, below) = match slot {
        Some(slot) => find_slot(slot).ok_or_else(|| format!("there is no such index: ~{slot}"))?,
        None if on_null => (SlotName::Null, None),
        None => (usual, None),
    };
    Ok((End { vertex, anchor, slot }, below))
}

fn kind(graph: &Graph, from: End) -> String {
    let shape = match graph.symbol(from) {
        Some(symbol) => symbol.name(),
        None => graph.word(from.vertex).and_then(|word| word.tag.as_deref()).unwrap_or_default(),
    };
    let sign_of_hole =
        |hole: u32| shape.split("()").nth(hole as usize).is_some_and(|before| before.ends_with('='));
    match from.slot {
        SlotName::Null => shape,
        SlotName::Gap => "=",
        SlotName::Hole(hole) if sign_of_hole(hole) => "=",
        _ => "-",
    }
    .to_owned()
}

/// Reads `VP S (NP-SBJ *)@-1`.
fn parse_spine(text: &str) -> Result<Spine, String> {
    let mut spine = Spine::default();
    let mut rest = text;
    // where the outermost phrase of the nulls being read stands in the spine, and how many are open
    let mut outermost = 0;
    let mut depth = 0;
    loop {
        rest = rest.trim_start_matches(' ');
        let Some(first) = rest.chars().next() else { break };
        let at = spine.symbols.len();
        if first == ')' {
            depth =
                u32::checked_sub(depth, 1).ok_or("a bracket of the spine is closed and was not opened")?;
            rest = &rest[1..];
            if depth == 0 {
                rest = read_place(rest, &mut spine.symbols[outermost])?;
            }
        } else if first == '(' && !rest.starts_with("()") {
            let (label, behind) = name(&rest[1..])?;
            depth += 1;
            if depth == 1 {
                outermost = at;
            }
            spine.symbols.push(Symbol { kind: SymbolKind::Phrase(unescape(label)), depth, place: 0 });
            rest = behind;
        } else {
            let (kind, behind) = leaf(rest, first)?;
            let is_headed = depth == 0 && !behind.starts_with('@') && matches!(kind, SymbolKind::Null(_));
            let kind = match kind {
                SymbolKind::Null(label) if is_headed => SymbolKind::Phrase(label),
                SymbolKind::Null(label) if label.is_empty() => {
                    return Err("a null element without a name has no place in a tree".to_owned());
                }
                other => other,
            };
            spine.symbols.push(Symbol { kind, depth: if is_headed { 0 } else { depth + 1 }, place: 0 });
            rest =
                if depth == 0 && !is_headed { read_place(behind, &mut spine.symbols[at])? } else { behind };
        }
    }
    if depth > 0 { Err("a bracket of the spine is not closed".to_owned()) } else { Ok(spine) }
}

/// A null element, or a mark in square brackets; a headed phrase looks like a null element here.
fn leaf(text: &str, first: char) -> Result<(SymbolKind, &str), String> {
    if first != '[' {
        let (name, behind) = name(text)?;
        return Ok((SymbolKind::Null(unescape(name)), behind));
    }
    let end = find_plain(text, ']').ok_or("a square bracket of the spine is not closed")?;
    let (tag, mark) = text[1..end].split_once(' ').ok_or("a mark has a tag and a text, as in [SU /]")?;
    let (tag, mark) = (unescape(tag), unescape(mark));
    check_mark(&tag, &mark)?;
    Ok((SymbolKind::Mark { tag, text: mark }, &text[end + 1..]))
}

/// A name, and what is behind it. It is never empty, so that whoever reads names goes forward.
fn name(text: &str) -> Result<(&str, &str), String> {
    let (name, behind) = atom(text);
    if name.is_empty() {
        return Err("a name is missing in the spine; an empty one is written ()".to_owned());
    }
    // a name with a bracket or a blank in it could not be written again
    if unescape(name).replace("()", "").contains(ENDS) {
        return Err(format!("{name}: no label has a bracket or a blank in it"));
    }
    Ok((name, behind))
}

/// Everything up to a space, a bracket or an `@`; `()` is part of it.
fn atom(text: &str) -> (&str, &str) {
    let mut end = 0;
    while let Some(character) = text[end..].chars().next() {
        if text[end..].starts_with("()") {
            end += 2;
        } else if matches!(character, ' ' | '(' | ')' | '@') {
            break;
        } else {
            end += character.len_utf8();
            if character == '\\' {
                end += text[end..].chars().next().map_or(0, char::len_utf8);
            }
        }
    }
    text.split_at(end)
}

fn read_place<'a>(text: &'a str, symbol: &mut Symbol) -> Result<&'a str, String> {
    let problem = "what hangs in a phrase needs its place, as in *U*@+1";
    let (number, behind) = text.strip_prefix('@').map(atom).ok_or(problem)?;
    symbol.place = number.parse().map_err(|_| problem)?;
    Ok(behind)
}
