//! The sections of a model file that hold the linear model. What it chooses from is in the file already.

use serde::{Deserialize, Serialize};

use crate::lexicon::Lexicon;
use crate::model::{LinearConfig, LinearModel};
use crate::tagger::Tagger;
use crate::weights::Weights;
use tracebank_parser::model::{ModelError, ModelFile, ModelWriter};
use tracebank_parser::vocabulary::Vocabulary;

/// The part of a model that is stored as text.
#[derive(Serialize, Deserialize)]
struct Description {
    config: LinearConfig,
    lexicon: Lexicon,
}

const TAGGER: &str = "linear tagger";
const WEIGHTS: &str = "linear weights";

impl LinearModel {
    /// The section that a model file has if it has a linear model.
    pub const SECTION: &'static str = "linear";

    /// Adds the sections of this model. Weights keep half their bits ([`Weights::round`]).
    pub fn write(&self, writer: &mut ModelWriter) -> Result<(), ModelError> {
        let description = Description { config: self.config, lexicon: self.lexicon.clone() };
        writer.json(Self::SECTION, &description)?;
        writer.bytes(TAGGER, self.tagger.weights().to_bytes());
        writer.bytes(WEIGHTS, self.weights.to_bytes());
        Ok(())
    }

    /// Reads them back. The vocabulary is that of the same file.
    pub fn read(file: &ModelFile<'_>, vocabulary: &Vocabulary) -> Result<LinearModel, ModelError> {
        let table = |name: &str| {
            let weights = Weights::from_bytes(&file.section(name)?);
            weights.ok_or_else(|| ModelError::section(name, "it is no table of weights"))
        };
        let Description { config, lexicon } = file.json(Self::SECTION)?;
        config.check().map_err(|reason| ModelError::section(Self::SECTION, reason))?;
        let names = vocabulary.names();
        if !lexicon.fits(names.tags.len(), names.spines.len(), names.functions.len()) {
            return Err(ModelError::section(Self::SECTION, "it does not fit the names of the model"));
        }
        let tagger = Tagger::new(vocabulary, table(TAGGER)?);
        Ok(LinearModel::new(vocabulary.clone(), lexicon, tagger, config, table(WEIGHTS)?))
    }
}
