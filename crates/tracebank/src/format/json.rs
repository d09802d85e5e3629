//! A parse as JSON, version 2; `docs/json-format.md` describes it for whoever reads the files.

use std::ops::Range;

use serde_json::{Value, json};
use tracebank_parser::decode::CandidateScope;
use tracebank_parser::pipeline::Alternative;
use tracebank_relations::{Argument, Filler, Predicate, Relation, Step, Voice};
use tracebank_syntax::graph::Vertex;
use tracebank_syntax::graph::text::{attachment_text, spine_text};
use tracebank_syntax::tree::{Kind, NodeId};

use super::Record;
use crate::input::Id;
use crate::likelihood::{Likelihood, LikelyAntecedent};
use crate::nulls::{Null, Phrase};
use crate::parse::Parse;

/// The version that every object states.
const VERSION: u32 = 2;

pub(super) fn value(record: Record<'_>) -> Value {
    let Record { parse, id, origin } = record;
    let reading = parse.reading();
    let nulls = parse.nulls_of(&reading);
    let table = Table::of(parse, &nulls);
    let length = parse.text.chars().count();
    let mut object = json!({
        "version": VERSION,
        "id": id.map(id_value),
        "text": parse.text,
        "document": {
            "bytes": [parse.start, parse.start + parse.text.len()],
            "chars": [parse.start_char, parse.start_char + length],
        },
        "outcome": parse.outcome.to_string(),
        "candidates": parse.candidates.map(CandidateScope::name),
        "score": number(parse.score),
        "probability": parse.probabilities.as_ref().map(|known| number(known.analysis)),
        "tree": parse.tree.to_string(),
        "relations": reading.relations.iter().map(|relation| table.relation(relation)).collect::<Vec<_>>(),
        "tokens": tokens(parse),
        "phrases": table.phrases(),
        "nulls": nulls.iter().map(|null| table.null(null)).collect::<Vec<_>>(),
        "traces": traces(parse),
    });
    if !parse.alternatives.is_empty() {
        let alternative = |other: &Alternative| {
            let (score, probability) = (number(other.score), number(other.probability));
            json!({"tree": other.tree.to_string(), "score": score, "probability": probability})
        };
        object["alternatives"] = parse.alternatives.iter().map(alternative).collect();
    }
    if let Some(origin) = origin {
        let (line, byte) = origin.place.unzip();
        let index = origin.number.saturating_sub(1);
        object["origin"] = json!({
            "file": origin.file, "index": index, "part": origin.part, "line": line, "byte": byte,
        });
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

/// Four digits are plenty; what JSON cannot say is null, and there is one zero.
fn number(value: f32) -> Value {
    json!((f64::from(value) * 1e4).round() / 1e4 + 0.0)
}

fn pair(range: &Range<usize>) -> Value {
    json!([range.start, range.end])
}

/// A word of the graph, counted from 0; the root is null.
fn place(vertex: Vertex) -> Value {
    json!(vertex.0.checked_sub(1))
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
            "document_chars": pair(&in_document(parse, &token.chars)),
            "spine": spine_text(graph, vertex),
            "head": place(word.head),
            "attachment": attachment_text(graph, vertex),
            "confidence": number(confidence),
        })
    })
    .collect()
}

fn in_document(parse: &Parse, chars: &Range<usize>) -> Range<usize> {
    chars.start + parse.start_char..chars.end + parse.start_char
}

fn traces(parse: &Parse) -> Vec<Value> {
    let edges = parse.graph.traces.iter().filter(|_| parse.has_parse());
    let edge = |edge: &tracebank_syntax::graph::TraceEdge| json!({"type": edge.kind, "from": place(edge.from.vertex), "to": place(edge.to.vertex)});
    edges.map(edge).collect()
}

/// A parse with the places of its phrases and nulls in their arrays.
struct Table<'a> {
    parse: &'a Parse,
    /// The nodes in `phrases`, parents first.
    phrases: Vec<NodeId>,
    /// For each node, its place there.
    places: Vec<Option<usize>>,
    /// The nodes in `nulls`.
    nulls: Vec<NodeId>,
}

impl<'a> Table<'a> {
    /// The table of phrases with a label, those that hold no word included, and of words to which a null refers.
    fn of(parse: &'a Parse, nulls: &[Null]) -> Table<'a> {
        let tree = &parse.tree;
        let ends = nulls.iter().flat_map(|null| [&null.phrase, &null.antecedent, &null.overt]);
        let mut referred = vec![false; tree.arena_len()];
        ends.flatten().for_each(|phrase| referred[phrase.node.index()] = true);
        let labelled = |node: NodeId| tree.kind(node) == Kind::Phrase && !tree.label_text(node).is_empty();
        let shown = |node: &NodeId| labelled(*node) || referred[node.index()];
        let placeholder = !parse.has_parse() && parse.tokens.is_empty();
        let nodes = tree.preorder(tree.top()).filter(|_| !placeholder);
        let phrases: Vec<NodeId> = nodes.filter(shown).collect();
        let mut places = vec![None; tree.arena_len()];
        phrases.iter().enumerate().for_each(|(place, node)| places[node.index()] = Some(place));
        Table { parse, phrases, places, nulls: nulls.iter().map(|null| null.node).collect() }
    }

    fn phrases(&self) -> Vec<Value> {
        let tree = &self.parse.tree;
        let spans = tree.word_spans();
        let likelihood = Likelihood::new(self.parse.probabilities.as_ref());
        let phrase = |&node: &NodeId| {
            let tokens = &spans[node.index()];
            let mut value = json!({
                "label": tree.label_text(node),
                "tokens": pair(tokens),
                "parent": tree.parent(node).and_then(|above| self.places[above.index()]),
            });
            if let Some(probability) = likelihood.phrase(tree.label(node).category(), tokens) {
                value["probability"] = number(probability);
            }
            value
        };
        self.phrases.iter().map(phrase).collect()
    }

    fn phrase(&self, phrase: Option<&Phrase>) -> Option<usize> {
        self.places[phrase?.node.index()]
    }

    fn null(&self, found: &Null) -> Value {
        let mut value = json!({
            "type": found.kind,
            "index": found.index,
            "before": found.before,
            "phrase": self.phrase(found.phrase.as_ref()),
            "host": self.phrase(Some(&found.host)),
            "antecedent": self.phrase(found.antecedent.as_ref()),
            "overt": self.phrase(found.overt.as_ref()),
            "role": found.role,
            "predicate": found.predicate,
            "reason": found.reason,
            "description": found.describe(),
        });
        if let Some(probability) = found.probability {
            value["probability"] = number(probability);
            let antecedents = found.antecedents.iter().map(|likely| {
                json!({
                    "phrase": self.phrase_over(likely),
                    "head": likely.head,
                    "label": likely.label,
                    "probability": number(likely.probability),
                })
            });
            value["antecedents"] = antecedents.collect();
        }
        value
    }

    /// The place of the phrase that an antecedent would be.
    fn phrase_over(&self, likely: &LikelyAntecedent) -> Option<usize> {
        let (label, tokens, spans) =
            (likely.label.as_ref()?, likely.tokens.as_ref()?, self.parse.tree.word_spans());
        let is_it = |node: &NodeId| {
            self.parse.tree.label(*node).category() == label && spans[node.index()] == *tokens
        };
        self.phrases.iter().position(is_it)
    }

    fn relation(&self, Relation { predicate, arguments }: &Relation) -> Value {
        let arguments = arguments.iter().map(|argument| self.argument(argument));
        json!({"predicate": self.predicate(predicate), "arguments": arguments.collect::<Vec<_>>()})
    }

    fn predicate(&self, predicate: &Predicate) -> Value {
        json!({
            "token": predicate.token,
            "text": self.parse.words(predicate.token..predicate.token + 1),
            "lemma": predicate.lemma,
            "voice": match predicate.voice { Voice::Active => "active", Voice::Passive => "passive" },
            "negated": predicate.negated,
            "modality": predicate.modality,
            "particle": predicate.particle,
            "copula": predicate.copula,
            "gapped": predicate.gapped,
        })
    }

    fn argument(&self, argument: &Argument) -> Value {
        let (filler, words) = match &argument.filler {
            Filler::Phrase { tokens, head, clause, .. } => {
                (if *clause { "clause" } else { "phrase" }, Some((tokens, *head)))
            }
            Filler::Addressee => ("addressee", None),
            Filler::Anyone => ("anyone", None),
        };
        let tokens = words.map(|(tokens, _)| tokens);
        let chars = tokens.map(|tokens| self.chars(tokens));
        let via = argument.via.iter().map(|step| match step {
            Step::Pronoun(tokens) => json!({"tokens": pair(tokens)}),
            Step::Null(node) => json!({"null": self.nulls.iter().position(|null| null == node)}),
        });
        json!({
            "role": argument.role,
            "surface": argument.surface,
            "preposition": argument.preposition,
            "filler": filler,
            "text": tokens.map(|tokens| self.parse.words(tokens.clone())),
            "tokens": tokens.map(pair),
            "head": words.map(|(_, head)| head),
            "chars": chars.as_ref().map(pair),
            "document_chars": chars.map(|chars| pair(&in_document(self.parse, &chars))),
            "via": via.collect::<Vec<_>>(),
        })
    }

    /// The characters of a range of tokens.
    fn chars(&self, tokens: &Range<usize>) -> Range<usize> {
        let words = self.parse.tokens.get(tokens.clone()).unwrap_or_default();
        let first = words.first().map_or(0, |token| token.chars.start);
        first..words.last().map_or(first, |token| token.chars.end)
    }
}
