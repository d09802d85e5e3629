//! Why there is no parser.

use std::path::PathBuf;

use thiserror::Error;
use tracebank_parser::model::ModelError;

/// Why a parser cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is no model that can be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ModelError,
    },
    /// The model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model was trained on no treebank that has these dialects.
    #[error("the model does not know the dialect {wanted:?}; it knows {}", known.join(", "))]
    Dialect {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: Vec<String>,
    },
}
