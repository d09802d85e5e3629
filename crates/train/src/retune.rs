//! Choosing the settings of a trained model's decoder anew.

use tracebank_parser::model::Metadata;
use tracebank_parser::model::{ModelFile, ModelWriter};
use tracebank_parser::pipeline::Pipeline;
use tracebank_parser::scores::Scorer;

use crate::corpus::DevSets;
use crate::recipe::Recipe;
use crate::training::{Event, TrainingError, TrainingRecord};
use crate::tune::{LEAST_TUNED, tune};

/// A model with the settings that are best for the `dev` files of a recipe, and measured with them.
pub fn retune(
    file: &ModelFile<'_>,
    scorer: Box<dyn Scorer>,
    recipe: &Recipe,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<u8>, TrainingError> {
    let mut parser = Pipeline { metadata: Metadata::read(file)?, scorer };
    let mut record: TrainingRecord = file.json(TrainingRecord::SECTION)?;
    let mut dev_sets = DevSets::read(recipe, &parser.metadata.dialects)?;
    tune(&mut parser, &dev_sets.samples(recipe.schedule.measure_sentences.max(LEAST_TUNED)));
    dev_sets.measure(&parser, record.steps, usize::MAX, watch);
    record.figures = dev_sets.figures;
    let mut writer = ModelWriter::default();
    for section in file.sections() {
        match section.name.as_str() {
            TrainingRecord::SECTION => writer.json(TrainingRecord::SECTION, &record)?,
            "settings" => writer.json("settings", &parser.metadata.settings)?,
            name => writer.copy(file, name)?,
        }
    }
    Ok(writer.finish())
}
