//! Choosing the settings of a trained model's decoder anew.

use tracebank_parser::model::{ModelFile, ModelWriter};
use tracebank_parser::pipeline::{Metadata, Parser, Scorer};

use super::material::Yardsticks;
use super::recipe::Recipe;
use super::training::{About, Event, LearnError};
use super::tune::{LEAST_TUNED, tune};

/// The same model with the settings that are best for the `dev` files of a recipe, and measured with them.
pub fn retune(
    file: &ModelFile<'_>,
    scorer: Box<dyn Scorer>,
    recipe: &Recipe,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<u8>, LearnError> {
    let mut parser = Parser { metadata: Metadata::read(file)?, scorer };
    let mut about: About = file.json("about")?;
    let mut yardsticks = Yardsticks::read(recipe, &parser.metadata.dialects)?;
    tune(&mut parser, &yardsticks.samples(recipe.schedule.measure_sentences.max(LEAST_TUNED)));
    yardsticks.measure(&parser, about.steps, usize::MAX, watch);
    about.figures = yardsticks.figures;
    let mut writer = ModelWriter::default();
    for section in file.sections() {
        match section.name.as_str() {
            "about" => writer.json("about", &about)?,
            "settings" => writer.json("settings", &parser.metadata.settings)?,
            name => writer.copy(file, name)?,
        }
    }
    Ok(writer.finish())
}
