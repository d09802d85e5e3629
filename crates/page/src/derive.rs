//! Derivations.

use serde::Deserialize;
use serde_json::json;
use tracebank_chart::decompose::Stopped;
use tracebank_chart::{Class, Grammar, Worker, explain};
use tracebank_report::coverage::{Encoder, ROWS};
use tracebank_report::draw::{derivation_picture, derivation_rows, edge_picture};
use tracebank_syntax::dialect::Dialect;

use crate::problem::Problem;
use crate::{Answer, trees};

/// A request for the derivation of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Derive {
    /// The tree, in Penn brackets
    #[cfg_attr(feature = "openapi", schema(example = "(S (NP (PRP We)) (VP (VBP run)))"))]
    pub tree: String,
}

/// The most words of a derivation: its picture grows with their square.
const MOST_WORDS: usize = 150;

impl Derive {
    /// The picture, and for each of its rows the steps in words.
    pub fn answer(&self) -> Result<Answer, Problem> {
        let tree = trees::tree(&self.tree)?;
        if tree.words().nth(MOST_WORDS).is_some() {
            let detail = format!("a sentence of more than {MOST_WORDS} words is not derived");
            return Err(Problem::new(413, "words", detail));
        }
        let encoder = Encoder::new(Dialect::named("penn").expect("the project's own dialect"));
        let edges = encoder.edges(&tree, &ROWS[ROWS.len() - 1]);
        let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
        Ok(Answer::json(&match edges.derivation(&mut Worker::new(), &grammar) {
            Ok(derivation) => {
                let rows = derivation_rows(&derivation);
                let steps = explain::steps(&grammar, &derivation);
                let step = |(step, row): (&explain::StepText, &usize)| json!({"row": row + 1, "place": step.place, "kind": step.kind, "how": step.how});
                json!({
                    "svg": derivation_picture(&edges.words, &grammar, &derivation),
                    "rows": rows.iter().max().map_or(0, |last| last + 1),
                    "steps": steps.iter().zip(&rows).map(step).collect::<Vec<_>>(),
                })
            }
            Err(stopped) => {
                let graph = edges.chart_graph(grammar.class());
                let offending = match &stopped {
                    Stopped::Outside { reason, .. } => reason.edges(),
                    Stopped::Rules { edges } => edges.clone(),
                    Stopped::Decode(_) => Vec::new(),
                };
                let reason = stopped.to_string();
                json!({
                    "svg": edge_picture(&edges.words, &graph.edges, &offending, &reason),
                    "rows": 0,
                    "steps": [],
                    "reason": reason,
                })
            }
        }))
    }
}
