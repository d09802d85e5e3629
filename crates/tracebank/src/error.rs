//! Model-loading errors.

use std::path::PathBuf;

use thiserror::Error;
use tracebank_parser::model::ModelError;

/// The reason why a parser cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is no model that can be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: ModelError,
    },
    /// The model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model was trained on no treebank that has these dialects.
    #[error("the model does not know the dialect {wanted:?}; it knows {}", known.join(", "))]
    Dialect {
        /// The dialect that was asked for.
        wanted: String,
        /// The dialects that the model can give.
        known: Vec<String>,
    },
}
