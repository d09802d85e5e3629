//! From a model file to its scorer: the one place that knows which kinds of scorer there are.

use tracebank_neural::scorer::NeuralScorer;
use tracebank_parser::inventory::Inventory;
use tracebank_parser::model::{ModelError, ModelFile};
use tracebank_parser::pipeline::Scorer;

/// The scorer that a model file holds.
pub(crate) fn scorer(file: &ModelFile<'_>, inventory: &Inventory) -> Result<Box<dyn Scorer>, ModelError> {
    Ok(Box::new(NeuralScorer::read(file, inventory)?))
}
