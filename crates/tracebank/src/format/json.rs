//! A parse as JSON; `docs/json-format.md` describes it for whoever reads the files.

use std::ops::Range;

use serde_json::{Value, json};
use tracebank_syntax::graph::text::{attachment_text, spine_text};
use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::Record;
use crate::input::Id;
use crate::nulls::{Null, Phrase};
use crate::parse::Parse;

pub(super) fn value(record: Record<'_>) -> Value {
    let Record { parse, id, origin } = record;
    let mut object = json!({
        "id": id.map(id_value),
        "text": parse.text,
        "outcome": parse.outcome.to_string(),
        "score": number(parse.score),
        "tree": parse.tree.to_string(),
        "tokens": tokens(parse),
        "phrases": phrases(&parse.tree),
        "nulls": parse.nulls().iter().map(null_value).collect::<Vec<_>>(),
        "traces": traces(parse),
    });
    if let Some(origin) = origin {
        let (line, byte) = origin.place.unzip();
        object["origin"] = json!({"file": origin.file, "number": origin.number, "line": line, "byte": byte});
    }
    object
}

/// An id comes out as it went in: a number as a number.
fn id_value(id: &Id) -> Value {
    match id {
        Id::Text(text) => json!(text),
        Id::Number(digits) => serde_json::from_str(digits).unwrap_or_else(|_| json!(digits)),
    }
}

/// Four digits are plenty; what JSON cannot say is null.
fn number(value: f32) -> Value {
    json!((f64::from(value) * 1e4).round() / 1e4)
}

fn pair(range: &Range<usize>) -> Value {
    json!([range.start, range.end])
}

fn tokens(parse: &Parse) -> Vec<Value> {
    let graph = &parse.graph;
    let words = graph.vertices().zip(&graph.words).zip(&parse.confidence);
    let each = parse.tokens.iter().zip(words);
    each.map(|(token, ((vertex, word), &confidence))| {
        json!({
            "text": token.text,
            "tag": token.tag,
            "bytes": pair(&token.bytes),
            "chars": pair(&token.chars),
            "spine": spine_text(graph, vertex),
            "head": word.head.0,
            "attachment": attachment_text(graph, vertex),
            "confidence": number(confidence),
        })
    })
    .collect()
}

/// The phrases that hold a word, parents first.
fn phrases(tree: &Tree) -> Vec<Value> {
    let spans = tree.word_spans();
    let mut numbers: Vec<Option<usize>> = vec![None; tree.arena_len()];
    let mut phrases = Vec::new();
    let shown = |node: NodeId| {
        tree.kind(node) == Kind::Phrase
            && !tree.label_text(node).is_empty()
            && !spans[node.index()].is_empty()
    };
    for node in tree.preorder(tree.top()).filter(|&node| shown(node)) {
        let parent = tree.parent(node).and_then(|above| numbers[above.index()]);
        numbers[node.index()] = Some(phrases.len());
        phrases.push(json!({
            "label": tree.label_text(node),
            "tokens": pair(&spans[node.index()]),
            "parent": parent,
        }));
    }
    phrases
}

fn phrase_value(phrase: &Phrase) -> Value {
    json!({"label": phrase.label, "tokens": pair(&phrase.tokens), "words": phrase.words})
}

fn null_value(found: &Null) -> Value {
    json!({
        "type": found.kind,
        "index": found.index,
        "label": found.label,
        "before": found.before,
        "host": phrase_value(&found.host),
        "antecedent": found.antecedent.as_ref().map(phrase_value),
        "overt": found.overt.as_ref().map(phrase_value),
        "description": found.describe(),
    })
}

/// Words are counted from 1 here, as heads are.
fn traces(parse: &Parse) -> Vec<Value> {
    let edges = parse.graph.traces.iter();
    edges.map(|edge| json!({"type": edge.kind, "from": edge.from.vertex.0, "to": edge.to.vertex.0})).collect()
}
