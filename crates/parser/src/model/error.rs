//! Errors of model files.

use thiserror::Error;

/// The reason why a file cannot be used as a model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no regular file: a device or a pipe may have no end.
    #[error("it is not a regular file")]
    NoFile,
    /// It is larger than a model may be.
    #[error("the model is larger than {most} bytes")]
    TooLarge {
        /// The most bytes that are read.
        most: u64,
    },
    /// It does not begin as a model does.
    #[error("this is not a tracebank model: it does not begin with \"tracebnk\"")]
    Foreign,
    /// It is of a version that this program does not know.
    #[error(
        "the model has format version {found}, and this program reads version {known}; a newer tracebank may read it"
    )]
    Version {
        /// The file's.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// It ends before it should.
    #[error("the model is cut off: {0}")]
    Truncated(&'static str),
    /// Its bytes are not those that were written.
    #[error("the model is damaged: the checksum of {0} is wrong")]
    Damaged(String),
    /// A section that is needed is not there.
    #[error("the model has no section {0:?}")]
    Missing(String),
    /// A section does not hold what it should.
    #[error("section {section:?} of the model cannot be read: {reason}")]
    Section {
        /// Its name.
        section: String,
        /// The fault in it.
        reason: String,
    },
}

impl ModelError {
    /// A section that does not hold what it should.
    pub fn section(name: &str, reason: impl std::fmt::Display) -> ModelError {
        ModelError::Section { section: name.to_owned(), reason: format!("{reason}") }
    }
}
