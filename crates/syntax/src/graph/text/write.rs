//! [`Graph`] → text.

use std::fmt::Write as _;

use super::names::{Names, escape, slot_name, symbol_name};
use crate::graph::{End, Graph, SlotName, Spine, SymbolKind, TraceEdge, Vertex};

/// The lines of one sentence, each ended by a line break; no blank line behind them.
pub fn write(graph: &Graph) -> String {
    let mut out = String::new();
    let names = Names::of(graph);
    let mut traces = traces(graph, &names).into_iter();
    let mut next_traces = || traces.next().unwrap_or_default();
    line(&mut out, graph, Vertex::ROOT, ["-", "-"], None, &next_traces());
    for (word, vertex) in graph.words.iter().zip(graph.vertices()) {
        let attachment = word.attachment.map(|phrase| names.symbol(graph, word.head, phrase));
        let edge = (word.head, attachment.unwrap_or_default());
        let word = [&word.form, word.tag.as_deref().unwrap_or_default()];
        line(&mut out, graph, vertex, word, Some(edge), &next_traces());
    }
    out
}

/// The spine of a vertex, as its line has it: `VP S (NP-SBJ *)@-1`.
pub fn spine_text(graph: &Graph, vertex: Vertex) -> String {
    graph.spine(vertex).map_or_else(String::new, symbols_text)
}

/// The phrase that a word is attached to, as its line has it: `NP`, or `NP#2` for the second of that name in the parent's spine.
pub fn attachment_text(graph: &Graph, vertex: Vertex) -> String {
    let attachment = graph.word(vertex).and_then(|word| Some((graph.spine(word.head)?, word.attachment?)));
    attachment.map_or_else(String::new, |(spine, phrase)| symbol_name(spine, phrase))
}

/// Fields are padded to usual widths and separated by tabs, so that columns line up and a change in one word does not move others.
fn line(
    out: &mut String,
    graph: &Graph,
    vertex: Vertex,
    [form, tag]: [&str; 2],
    edge: Option<(Vertex, String)>,
    traces: &[String],
) {
    let spine = spine_text(graph, vertex);
    let mut written = format!("{:<3}\t{form:<15}\t{tag:<5}\t{spine:<31}", vertex.0);
    match edge {
        Some((head, node)) => write!(written, "\t{:<3}\t{node:<7}", head.0).expect("writing to a string"),
        None if !traces.is_empty() => written.push_str("\t-\t-"),
        None => {}
    }
    if !traces.is_empty() {
        write!(written, "\t{}", traces.join(" ")).expect("writing to a string");
    }
    out.push_str(written.trim_end_matches(' '));
    out.push('\n');
}

fn symbols_text(spine: &Spine) -> String {
    let mut out = String::new();
    // phrases that are open, with the place of the outermost
    let mut open: Vec<i32> = Vec::new();
    for symbol in &spine.symbols {
        close(&mut out, &mut open, symbol.depth);
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        match &symbol.kind {
            SymbolKind::Phrase(label) if symbol.is_headed() => out.push_str(&escape(label)),
            SymbolKind::Phrase(label) => {
                out.push('(');
                out.push_str(&escape(label));
                open.push(symbol.place);
            }
            SymbolKind::Null(kind) => out.push_str(&escape(kind)),
            SymbolKind::Mark { tag, text } => {
                write!(out, "[{} {}]", escape(tag), escape(text)).expect("writing to a string");
            }
        }
        if symbol.depth == 1 && !matches!(symbol.kind, SymbolKind::Phrase(_)) {
            place(&mut out, symbol.place);
        }
    }
    close(&mut out, &mut open, 0);
    out
}

/// Closes the phrases of nulls that are as deep as `depth` or deeper.
fn close(out: &mut String, open: &mut Vec<i32>, depth: u32) {
    while open.len() as u32 >= depth.max(1) {
        let Some(outer) = open.pop() else { return };
        out.push(')');
        if open.is_empty() {
            place(out, outer);
        }
    }
}

fn place(out: &mut String, place: i32) {
    write!(out, "@{place:+}").expect("writing to a string");
}

/// The trace edges and loose indices of each vertex, the root's first.
fn traces(graph: &Graph, names: &Names) -> Vec<Vec<String>> {
    let mut traces = vec![Vec::new(); graph.words.len() + 1];
    let edges = graph.traces.iter().map(|edge| (edge.from.vertex, trace(graph, names, edge)));
    let loose = graph.loose.iter().map(|&end| (end.vertex, end_text(graph, names, end, "")));
    for (vertex, text) in edges.chain(loose) {
        if let Some(traces) = traces.get_mut(vertex.index()) {
            traces.push(text);
        }
    }
    traces
}

fn trace(graph: &Graph, names: &Names, edge: &TraceEdge) -> String {
    let from = end_text(graph, names, edge.from, &edge.kind);
    // the usual target, a label's -1, needs no mention
    let to = match edge.to.slot {
        SlotName::Index => names.anchor(graph, edge.to.vertex, edge.to.anchor),
        _ => end_text(graph, names, edge.to, &edge.kind),
    };
    format!("{from}>{}:{to}", edge.to.vertex.0)
}

fn end_text(graph: &Graph, names: &Names, end: End, kind: &str) -> String {
    let anchor = names.anchor(graph, end.vertex, end.anchor);
    match slot_name(end.slot, kind) {
        Some(slot) => format!("{anchor}~{slot}"),
        None => anchor,
    }
}
