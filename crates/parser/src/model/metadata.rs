//! Metadata: the sections that every model has.

use super::settings::check_settings;
use super::{ModelError, ModelFile, ModelWriter};
use crate::decode::Settings;
use crate::functions::FunctionTable;
use crate::gold::RestorationTable;
use crate::vocabulary::{Names, Vocabulary};

/// The most dialects of a model; the project knows about ten.
const MOST_DIALECTS: usize = 256;

/// The metadata of a model: everything that was learnt beside the weights of the scorer.
#[derive(Clone, PartialEq, Debug)]
pub struct Metadata {
    /// The labels to choose from.
    pub vocabulary: Vocabulary,
    /// All that trees have and analyses do not.
    pub restoration: RestorationTable,
    /// The settings of the decoder, as they were tuned.
    pub settings: Settings,
    /// The dialects that the model knows.
    pub dialects: Vec<String>,
}

impl Metadata {
    /// Adds the sections of this metadata.
    pub fn write(&self, writer: &mut ModelWriter) -> Result<(), ModelError> {
        writer.json("names", self.vocabulary.names())?;
        writer.text("places", &self.restoration.places.to_string());
        writer.json("functions", &self.restoration.functions)?;
        writer.json("settings", &self.settings)?;
        writer.json("conventions", &self.dialects)
    }

    /// Reads them back. The file may come from anywhere: what no parser could work with is an error.
    pub fn read(file: &ModelFile<'_>) -> Result<Metadata, ModelError> {
        let names: Names = file.json("names")?;
        let lists = [&names.tags, &names.spines, &names.functions, &names.attachments];
        if lists.iter().any(|list| list.is_empty()) {
            return Err(ModelError::section("names", "a list that every parser needs is empty"));
        }
        let vocabulary = Vocabulary::new(names).map_err(|error| ModelError::section("names", error))?;
        let places = file.text("places")?.parse().map_err(|error| ModelError::section("places", error))?;
        let functions: FunctionTable = file.json("functions")?;
        if !functions.is_sound() {
            return Err(ModelError::section("functions", "it has function tags that no label can have"));
        }
        let settings = file.json("settings")?;
        check_settings(&settings).map_err(|reason| ModelError::section("settings", reason))?;
        let restoration = RestorationTable { places, functions };
        Ok(Metadata { vocabulary, restoration, settings, dialects: Metadata::dialects(file)? })
    }

    /// The dialects alone.
    pub fn dialects(file: &ModelFile<'_>) -> Result<Vec<String>, ModelError> {
        let dialects: Vec<String> = file.json("conventions")?;
        if dialects.len() > MOST_DIALECTS {
            return Err(ModelError::section("conventions", "there are too many"));
        }
        Ok(dialects)
    }
}
