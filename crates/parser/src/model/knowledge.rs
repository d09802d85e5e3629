//! The sections that every model has: what was learnt beside the scores.

use super::{ModelError, ModelFile, ModelWriter};
use crate::gold::Habits;
use crate::inventory::Inventory;
use crate::pipeline::Knowledge;

impl Knowledge {
    /// Adds the sections of this knowledge.
    pub fn write(&self, writer: &mut ModelWriter) -> Result<(), ModelError> {
        writer.json("names", self.inventory.names())?;
        writer.text("places", &self.habits.places.to_string());
        writer.json("functions", &self.habits.functions)?;
        writer.json("settings", &self.settings)?;
        writer.json("conventions", &self.conventions)
    }

    /// Reads them back.
    pub fn read(file: &ModelFile<'_>) -> Result<Knowledge, ModelError> {
        let inventory =
            Inventory::new(file.json("names")?).map_err(|error| ModelError::section("names", error))?;
        let places = file.text("places")?.parse().map_err(|error| ModelError::section("places", error))?;
        Ok(Knowledge {
            inventory,
            habits: Habits { places, functions: file.json("functions")? },
            settings: file.json("settings")?,
            conventions: file.json("conventions")?,
        })
    }
}
