//! Model-loading errors.

use std::path::PathBuf;

use thiserror::Error;
use tracebank_parser::model::ModelError;

/// The reason why a parser cannot be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not there, or cannot be read; the error's kind says which.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file was read and is no model that can be used: it is damaged, or of another kind.
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
    /// The program was compiled without this model.
    #[error("the model {0:?} is not built in: the features `model-default` and `model-fast` have the models")]
    NotBuiltIn(String),
    /// The threads cannot be had.
    #[error("{count} threads cannot be had: {error}")]
    Threads {
        /// Their number.
        count: usize,
        /// The reason.
        error: String,
    },
    /// The model was trained on no treebank that has these dialects.
    #[error("the model does not know the dialect {wanted:?}; it knows {}", known.join(", "))]
    Dialect {
        /// The dialect that was asked for.
        wanted: String,
        /// The dialects that the model can give.
        known: Vec<String>,
    },
}
