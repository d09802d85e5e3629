//! From a model file to its scorer: the one place that knows which kinds of scorer there are.

use tracebank_parser::model::{ModelError, ModelFile};
use tracebank_parser::pipeline::Scorer;

/// The scorer that a model file holds.
pub(crate) fn scorer(_file: &ModelFile<'_>) -> Result<Box<dyn Scorer>, ModelError> {
    Err(ModelError::Missing("network".to_owned()))
}
