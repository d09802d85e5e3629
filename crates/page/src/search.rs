//! Search in trees.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tracebank::search::Names;
use tracebank::{NodeId, Pattern, Tree};

use crate::problem::Problem;
use crate::{Answer, trees};

/// A request to search trees.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Search {
    /// A pattern in Tregex's language, with relations that follow traces
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(example = "NP < PRP"))]
    pub pattern: Option<String>,
    /// The name of a construction instead
    #[serde(default)]
    pub name: Option<String>,
    /// The trees
    #[cfg_attr(feature = "openapi", schema(example = "(S (NP (PRP We)) (VP (VBP run)))"))]
    pub trees: String,
    /// Their dialect, or `graph`
    #[serde(default = "penn")]
    pub from: String,
}

fn penn() -> String {
    "penn".to_owned()
}

/// The most matches that are told.
const MOST: usize = 10_000;

impl Search {
    /// The matches.
    pub fn answer(&self) -> Result<Answer, Problem> {
        let pattern = match (&self.pattern, &self.name) {
            (Some(text), None) => {
                Pattern::parse(text).map_err(|error| Problem::new(422, "pattern", error.to_string()))?
            }
            (None, Some(name)) => {
                let names = Names::shipped();
                let named = names.get(name);
                let named = named.ok_or_else(|| {
                    let known: Vec<&str> = names.iter().map(|named| named.name.as_str()).collect();
                    Problem::option("name", &format!("{name:?} is none of {}", known.join(", ")))
                })?;
                (*named.pattern).clone()
            }
            _ => return Err(Problem::option("pattern", "a pattern or a name is needed, and not both")),
        };
        let mut matches: Vec<Value> = Vec::new();
        for (number, tree) in trees::trees(&self.trees, &self.from)?.iter().enumerate() {
            for found in pattern.matches(tree) {
                if matches.len() == MOST {
                    return Err(Problem::new(413, "matches", format!("there are more than {MOST} matches")));
                }
                let names: Map<String, Value> =
                    found.names.iter().map(|(name, place)| (name.clone(), node(tree, place.node))).collect();
                matches.push(json!({"tree": number, "node": node(tree, found.node.node), "names": names}));
            }
        }
        Ok(Answer::json(&json!({"pattern": pattern.text(), "matches": matches})))
    }
}

fn node(tree: &Tree, node: NodeId) -> Value {
    let span = tree.word_spans()[node.index()].clone();
    let words: Vec<&str> = tree.leaves(node).filter_map(|leaf| tree.word(leaf)).collect();
    json!({
        "node": node.index(),
        "label": tree.label_text(node),
        "tokens": [span.start, span.end],
        "text": words.join(" "),
    })
}
