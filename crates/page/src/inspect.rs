//! A tree as the page needs it: its nodes by number, its nulls and relations in words, an outline, and what is wrong with it.

use serde::Deserialize;
use serde_json::{Value, json};
use tracebank::{Filler, Parse, Relation, Tree};
use tracebank_report::draw::{NodeMarks, outline};
use tracebank_syntax::tree::{Kind, NodeId};

use crate::problem::Problem;
use crate::{Answer, edit, trees};

/// A request to tell all about a tree.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inspect {
    /// The tree, in Penn brackets
    #[cfg_attr(feature = "openapi", schema(example = "(S (NP (PRP We)) (VP (VBP run)))"))]
    pub tree: String,
}

impl Inspect {
    /// All about it.
    pub fn answer(&self) -> Result<Answer, Problem> {
        Ok(Answer::json(&all_about(trees::tree(&self.tree)?)))
    }
}

/// All that the page asks about a tree.
pub(crate) fn all_about(tree: Tree) -> Value {
    let problems = edit::problems(&tree);
    let parse = Parse::of_tree(tree);
    let tree = &parse.tree;
    let nulls = parse.nulls().into_iter().map(|found| {
        json!({
            "node": found.node.index(),
            "phrase": found.phrase.as_ref().map(|phrase| phrase.node.index()),
            "antecedent": found.antecedent.as_ref().map(|phrase| phrase.node.index()),
            "overt": found.overt.as_ref().map(|phrase| phrase.node.index()),
            "role": found.role,
            "description": found.describe(),
        })
    });
    let relations = parse.relations();
    let words: Vec<NodeId> = tree.word_nodes().collect();
    let relation = |relation: &Relation| {
        let predicate = relation.predicate.token;
        let arguments = relation.arguments.iter().filter_map(|argument| match &argument.filler {
            Filler::Phrase { tokens, .. } => Some(tokens.clone()),
            Filler::Addressee | Filler::Anyone => None,
        });
        let tokens = std::iter::once(predicate..predicate + 1).chain(arguments).flatten();
        let nodes: Vec<usize> = tokens.filter_map(|token| Some(words.get(token)?.index())).collect();
        json!({"nodes": nodes, "text": relation.to_text(tree)})
    };
    let outline: Vec<String> =
        outline(tree, &NodeMarks::default()).iter().map(tracebank_report::draw::Line::plain).collect();
    json!({
        "tree": tree.to_string(),
        "pretty": format!("{tree:#}"),
        "nodes": tree.preorder(tree.top()).map(|node| node_value(tree, node)).collect::<Vec<_>>(),
        "nulls": nulls.collect::<Vec<_>>(),
        "relations": relations.iter().map(relation).collect::<Vec<_>>(),
        "outline": outline,
        "problems": problems,
    })
}

fn node_value(tree: &Tree, node: NodeId) -> Value {
    let kind = match tree.kind(node) {
        Kind::Phrase => "phrase",
        _ if tree.is_null_element(node) => "null",
        _ => "word",
    };
    let number = |node: NodeId| node.index();
    json!({
        "id": number(node),
        "kind": kind,
        "label": tree.label_text(node),
        "word": tree.word(node),
        "parent": tree.parent(node).map(number),
        "next": tree.next_sibling(node).map(number),
    })
}
