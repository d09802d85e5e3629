//! The spines and edges of a parse, in the columns of CoNLL-U; `docs/conllu-format.md` says what is where.

use tracebank_syntax::graph::Vertex;
use tracebank_syntax::graph::text::{attachment_text, spine_text};

use super::Record;
use super::conllu::sent_id;
use crate::parse::{Parse, Token};

/// Writes the lines of a sentence, without the blank line behind them.
pub(super) fn write(record: Record<'_>, out: &mut String) {
    let parse = record.parse;
    let comments = [
        ("sent_id", sent_id(record)),
        ("text", parse.text.clone()),
        ("outcome", parse.outcome.to_string()),
        ("tree", parse.tree.to_string()),
    ];
    let mut lines: Vec<String> = Vec::with_capacity(comments.len() + parse.tokens.len());
    lines.extend(comments.into_iter().map(|(name, text)| format!("# {name} = {}", one_line(&text))));
    for (index, token) in parse.tokens.iter().enumerate() {
        lines.push(word(parse, index, token));
    }
    out.push_str(&lines.join("\n"));
}

fn word(parse: &Parse, index: usize, token: &Token) -> String {
    let vertex = Vertex(index as u32 + 1);
    let head = parse.graph.words[index].head.0;
    let relation = relation(head, &attachment_text(&parse.graph, vertex));
    let form = parse.text.get(token.bytes.clone()).filter(|form| !form.is_empty()).unwrap_or(&token.text);
    let fields = [
        (index + 1).to_string(),
        one_line(form),
        "_".to_owned(),
        "_".to_owned(),
        or_blank(&token.tag),
        "_".to_owned(),
        head.to_string(),
        relation.clone(),
        parents(parse, vertex.0, head, &relation),
        remarks(parse, index, token, &spine_text(&parse.graph, vertex), form),
    ];
    fields.join("\t")
}

fn relation(head: u32, attachment: &str) -> String {
    if head == 0 { "root".to_owned() } else { or_blank(attachment) }
}

/// All parents, in their order: the structural one, and the words whose nulls stand for a phrase of this word.
fn parents(parse: &Parse, vertex: u32, head: u32, relation: &str) -> String {
    let mut parents = vec![(head, relation.to_owned())];
    let traces = parse.graph.traces.iter().filter(|edge| edge.to.vertex.0 == vertex);
    let traces = traces.map(|edge| (edge.from.vertex.0, edge.kind.clone()));
    parents.extend(traces.filter(|&(from, _)| from != vertex && from != 0));
    parents.sort();
    parents.dedup();
    let parents: Vec<String> = parents.iter().map(|(head, name)| format!("{head}:{name}")).collect();
    parents.join("|")
}

fn remarks(parse: &Parse, index: usize, token: &Token, spine: &str, form: &str) -> String {
    let mut remarks = Vec::new();
    if !spine.is_empty() {
        remarks.push(format!("Spine={spine}"));
    }
    if token.text != form {
        remarks.push(format!("Penn={}", token.text));
    }
    remarks.push(format!("TokenRange={}:{}", token.chars.start, token.chars.end));
    if parse.tokens.get(index + 1).is_some_and(|next| next.bytes.start == token.bytes.end) {
        remarks.push("SpaceAfter=No".to_owned());
    }
    remarks.join("|")
}

fn or_blank(text: &str) -> String {
    if text.is_empty() { "_".to_owned() } else { text.to_owned() }
}

/// White space other than a blank would end a field or a line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).collect()
}
