//! Metadata: the sections that every model has.

use super::{ModelError, ModelFile, ModelWriter};
use crate::decode::Settings;
use crate::gold::RestorationTable;
use crate::valency::Valency;
use crate::vocabulary::Vocabulary;

/// The metadata of a model: everything that was learnt beside the weights of the scorer.
#[derive(Clone, PartialEq, Debug)]
pub struct Metadata {
    /// The labels to choose from.
    pub vocabulary: Vocabulary,
    /// All that trees have and analyses do not.
    pub restoration: RestorationTable,
    /// How often phrases are filled; it says nothing in models from before there was such a table.
    pub valency: Valency,
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
        writer.json("valency", &self.valency)?;
        writer.json("settings", &self.settings)?;
        writer.json("conventions", &self.dialects)
    }

    /// Reads them back.
    pub fn read(file: &ModelFile<'_>) -> Result<Metadata, ModelError> {
        let vocabulary =
            Vocabulary::new(file.json("names")?).map_err(|error| ModelError::section("names", error))?;
        let places = file.text("places")?.parse().map_err(|error| ModelError::section("places", error))?;
        Ok(Metadata {
            vocabulary,
            restoration: RestorationTable { places, functions: file.json("functions")? },
            valency: if file.has("valency") { file.json("valency")? } else { Valency::default() },
            settings: file.json("settings")?,
            dialects: file.json("conventions")?,
        })
    }
}
