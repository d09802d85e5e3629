//! The sections that every model has: what was learnt beside the scores.

use super::{ModelError, ModelFile, ModelWriter};
use crate::gold::RestorationTable;
use crate::pipeline::Metadata;
use crate::vocabulary::Vocabulary;

impl Metadata {
    /// Adds the sections of this metadata.
    pub fn write(&self, writer: &mut ModelWriter) -> Result<(), ModelError> {
        writer.json("names", self.vocabulary.names())?;
        writer.text("places", &self.restoration.places.to_string());
        writer.json("functions", &self.restoration.functions)?;
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
            settings: file.json("settings")?,
            dialects: file.json("conventions")?,
        })
    }
}
