//! The representation that a model learns: choices of the paper's Table 1 that change the graphs of training trees.
//!
//! The paper's rows also differ in the direction of trace edges (null reversal). Here a trace edge has none that matters: its label says which end
//! refers, and the class is asked of edges without cycles. So there is nothing to choose.

use serde::{Deserialize, Serialize};
use tracebank_parser::rules::RuleSet;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::Targets;
use tracebank_syntax::heads::HeadTable;

use crate::corpus::CorpusError;
use crate::recipe_path::RecipePath;

/// The table `[representation]` of a recipe.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Representation {
    /// The head table: `collins`, `authors` (the paper's changes), `penn` (and ours); that of each treebank's dialect, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<String>,
    /// The phrases that trace edges end on.
    pub targets: TargetKind,
    /// A file of rules that must derive every answer, as `tracebank rules used --structural` writes it; all rules may, unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RecipePath>,
}

/// [`Targets`] by the names that recipes have for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// The nodes that have the indices.
    #[default]
    Referent,
    /// The parents, in parallel constructions: the paper's shift.
    Parent,
    /// Phrases in common, also of extraposed phrases.
    Common,
}

impl Representation {
    /// Whether nothing was chosen.
    pub fn is_usual(&self) -> bool {
        *self == Representation::default()
    }

    /// The head table for trees of a dialect.
    pub(crate) fn head_table(&self, dialect: &Dialect) -> Result<HeadTable, CorpusError> {
        let name = self.heads.as_deref().unwrap_or(dialect.head_table);
        HeadTable::named(name).ok_or_else(|| CorpusError::UnknownHeads(name.to_owned()))
    }

    /// The rules that must derive every answer.
    pub(crate) fn rules(&self) -> Result<Option<RuleSet>, CorpusError> {
        let read = |path: &RecipePath| {
            let wrong = |reason: String| CorpusError::Io { file: path.as_written().to_owned(), reason };
            let text = std::fs::read_to_string(path.resolved()?).map_err(|error| wrong(error.to_string()))?;
            RuleSet::parse(&text).map_err(|error| wrong(error.to_string()))
        };
        self.rules.as_ref().map(read).transpose()
    }

    /// The phrases that trace edges end on.
    pub fn targets(&self) -> Targets {
        match self.targets {
            TargetKind::Referent => Targets::Referent,
            TargetKind::Parent => Targets::Parent,
            TargetKind::Common => Targets::Common,
        }
    }
}
