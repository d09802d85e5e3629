//! A file of trees.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_parser::gold::TrainingExample;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::DecodeError;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader, SyntaxError};
use tracebank_syntax::tree::Tree;

use crate::recipe_path::{PathError, RecipePath};
use crate::representation::Representation;

/// A file of trees and how they are written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Treebank {
    /// Where it is: a file, a folder, or a pattern that several match.
    pub file: RecipePath,
    /// The [dialect](tracebank_syntax::dialect) it is written in.
    pub dialect: String,
    /// The dialects that the model is told it follows; the dialect, unless said otherwise.
    #[serde(default, alias = "convention")]
    pub model_dialect: Option<String>,
    /// How often each of its trees is seen in an epoch, on average.
    #[serde(default = "once")]
    pub weight: f64,
}

fn once() -> f64 {
    1.0
}

impl Treebank {
    /// The dialects that the model is told it follows.
    pub fn model_dialect(&self) -> &str {
        self.model_dialect.as_deref().unwrap_or(&self.dialect)
    }

    /// All its trees, in the project's dialect.
    pub fn trees(&self) -> Result<Vec<Tree>, CorpusError> {
        let dialect =
            Dialect::named(&self.dialect).ok_or_else(|| CorpusError::UnknownDialect(self.dialect.clone()))?;
        let mut trees = Vec::new();
        for file in self.file.files()? {
            let at = || file.display().to_string();
            let input = Input::open(&file)
                .map_err(|error| CorpusError::Io { file: at(), reason: error.to_string() })?;
            for tree in Reader::new(input.stream) {
                let mut tree = tree.map_err(|error| CorpusError::Syntax { file: at(), error })?;
                dialect.normalise(&mut tree);
                trees.push(tree);
            }
        }
        Ok(trees)
    }

    /// Its trees as training examples. Trees without words are left out.
    pub fn examples(
        &self,
        representation: &Representation,
    ) -> Result<Vec<(Tree, TrainingExample)>, CorpusError> {
        let dialect =
            Dialect::named(&self.dialect).ok_or_else(|| CorpusError::UnknownDialect(self.dialect.clone()))?;
        let (heads, targets) = (representation.head_table(dialect)?, representation.targets());
        let mut examples = Vec::new();
        for (number, tree) in (1..).zip(self.trees()?) {
            let example = TrainingExample::with_targets(&tree, &heads, targets).map_err(|error| {
                CorpusError::Graph { file: self.file.as_written().to_owned(), number, error }
            })?;
            if !example.projection.words.is_empty() {
                examples.push((tree, example));
            }
        }
        Ok(examples)
    }
}

/// A reason why trees cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The path of a file cannot be resolved.
    #[error(transparent)]
    Path(#[from] PathError),
    /// There is no such dialect.
    #[error("there is no dialect {0:?}")]
    UnknownDialect(String),
    /// There is no such head table.
    #[error("there is no head table {0:?}; there are {names}", names = HeadTable::NAMES.join(", "))]
    UnknownHeads(String),
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The file holds something that is no tree.
    #[error("{file}:{error}")]
    Syntax {
        /// The file.
        file: String,
        /// The error, and its place.
        error: SyntaxError,
    },
    /// A tree has no graph.
    #[error("{file}, tree {number}: {error}")]
    Graph {
        /// The file.
        file: String,
        /// The tree's number, from 1.
        number: usize,
        /// The reason.
        error: DecodeError,
    },
}
