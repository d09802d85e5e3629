//! Choosing the settings of a trained model's decoder anew.

use std::time::Duration;

use tracebank_parser::model::Metadata;
use tracebank_parser::model::{ModelFile, ModelWriter};
use tracebank_parser::pipeline::Pipeline;
use tracebank_parser::scores::Scorer;

use crate::corpus::{Corpus, DevSets, tables};
use crate::recipe::Recipe;
use crate::training::{Event, TrainingError, TrainingRecord, Watcher};
use crate::trials::{NEVER, Trials};
use crate::tune::{LEAST_TUNED, trials, tune};

/// A model with the settings that are best for the `dev` files of a recipe, and measured with them; its tables of valency and of the
/// tags of spines are learnt anew from the `train` files.
pub fn retune(
    file: &ModelFile<'_>,
    scorer: Box<dyn Scorer>,
    recipe: &Recipe,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<u8>, TrainingError> {
    let mut parser = Pipeline { metadata: Metadata::read(file)?, scorer };
    let mut record: TrainingRecord = file.json(TrainingRecord::SECTION)?;
    if !recipe.train.is_empty() {
        let corpus = Corpus::read(recipe)?;
        let Metadata { vocabulary, valency, spine_tags, .. } = &mut parser.metadata;
        (*valency, *spine_tags) = tables(&corpus.examples, vocabulary);
        parser.metadata.settings.single_root = corpus.metadata.settings.single_root;
    }
    let mut dev_sets = DevSets::read(recipe, &parser.metadata.dialects)?;
    let save = &mut |_: &[u8]| ();
    let mut watcher = Watcher::new(&NEVER, Duration::MAX, watch, save);
    let samples = dev_sets.samples(recipe.schedule.measure_sentences.max(LEAST_TUNED));
    tune(&mut parser, &samples, &mut Trials::new(&mut watcher, Vec::new(), Vec::new(), trials()))?;
    dev_sets.measure(&parser, record.steps, usize::MAX, &mut watcher)?;
    record.figures = dev_sets.figures;
    let mut writer = ModelWriter::default();
    for section in file.sections() {
        match section.name.as_str() {
            TrainingRecord::SECTION => writer.json(TrainingRecord::SECTION, &record)?,
            "settings" => writer.json("settings", &parser.metadata.settings)?,
            "valency" | "spine tags" => {}
            name => writer.copy(file, name)?,
        }
    }
    writer.json("valency", &parser.metadata.valency)?;
    writer.json("spine tags", &parser.metadata.spine_tags)?;
    Ok(writer.finish())
}
