//! From a model file to its scorer: the one place that knows which kinds of scorer there are.

use tracebank_linear::{LinearModel, Mixed};
use tracebank_neural::scorer::{self, NeuralScorer};
use tracebank_parser::model::{ModelError, ModelFile};
use tracebank_parser::scores::Scorer;
use tracebank_parser::vocabulary::Vocabulary;

/// The scorer that a model file holds: a network, a linear model, or both together. The vocabulary is that of the same file.
pub fn read_scorer(file: &ModelFile<'_>, vocabulary: &Vocabulary) -> Result<Box<dyn Scorer>, ModelError> {
    if !file.has(LinearModel::SECTION) {
        return Ok(Box::new(NeuralScorer::read(file, vocabulary)?));
    }
    let linear = LinearModel::read(file, vocabulary)?;
    if !file.has(scorer::SECTION) {
        return Ok(Box::new(linear));
    }
    let section = Mixed::<NeuralScorer, LinearModel>::SECTION;
    let share: f32 = file.json(section)?;
    if !(0.0..=100.0).contains(&share) {
        return Err(ModelError::section(section, format_args!("it is {share}, and must be from 0 to 100")));
    }
    Ok(Box::new(Mixed { first: NeuralScorer::read(file, vocabulary)?, second: linear, share }))
}
