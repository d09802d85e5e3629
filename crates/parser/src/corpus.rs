//! Training trees from files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::DecodeError;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader, SyntaxError};
use tracebank_syntax::tree::Tree;

use crate::gold::Lesson;

/// A file of trees and how they are written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Treebank {
    /// Where it is.
    pub file: PathBuf,
    /// The [dialect](tracebank_syntax::dialect) it is written in.
    pub dialect: String,
    /// The conventions that the model is told it follows; the dialect, unless said otherwise.
    #[serde(default)]
    pub convention: Option<String>,
    /// How often each of its trees is seen in an epoch, on average.
    #[serde(default = "once")]
    pub weight: f64,
}

fn once() -> f64 {
    1.0
}

impl Treebank {
    /// The conventions that the model is told it follows.
    pub fn convention(&self) -> &str {
        self.convention.as_deref().unwrap_or(&self.dialect)
    }

    /// All its trees, in the project's convention.
    pub fn trees(&self) -> Result<Vec<Tree>, CorpusError> {
        let dialect =
            Dialect::named(&self.dialect).ok_or_else(|| CorpusError::UnknownDialect(self.dialect.clone()))?;
        let at = |file: &Path| file.display().to_string();
        let input = Input::open(&self.file)
            .map_err(|error| CorpusError::Io { file: at(&self.file), reason: error.to_string() })?;
        let trees = Reader::new(input.stream).map(|tree| {
            let mut tree = tree.map_err(|error| CorpusError::Syntax { file: at(&self.file), error })?;
            dialect.normalise(&mut tree);
            Ok(tree)
        });
        trees.collect()
    }

    /// Its trees with what is to be learnt of each. Trees without words are left out.
    pub fn lessons(&self) -> Result<Vec<(Tree, Lesson)>, CorpusError> {
        let dialect =
            Dialect::named(&self.dialect).ok_or_else(|| CorpusError::UnknownDialect(self.dialect.clone()))?;
        let heads = HeadTable::named(dialect.head_table).expect("every dialect has its head table");
        let mut lessons = Vec::new();
        for (number, tree) in (1..).zip(self.trees()?) {
            let lesson = Lesson::of(&tree, &heads).map_err(|error| CorpusError::Graph {
                file: self.file.display().to_string(),
                number,
                error,
            })?;
            if !lesson.projection.words.is_empty() {
                lessons.push((tree, lesson));
            }
        }
        Ok(lessons)
    }
}

/// Why trees cannot be learnt from.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There is no such dialect.
    #[error("there is no dialect {0:?}")]
    UnknownDialect(String),
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// The file holds something that is no tree.
    #[error("{file}:{error}")]
    Syntax {
        /// The file.
        file: String,
        /// What it is, and where.
        error: SyntaxError,
    },
    /// A tree has no graph.
    #[error("{file}, tree {number}: {error}")]
    Graph {
        /// The file.
        file: String,
        /// The tree's number, from 1.
        number: usize,
        /// Why not.
        error: DecodeError,
    },
}
