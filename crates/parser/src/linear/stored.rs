//! The model as bytes: named parts, each with its length.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_syntax::project::LabelError;

use super::lexicon::Lexicon;
use super::model::{Config, LinearModel};
use super::tagger::Tagger;
use super::weights::Weights;
use crate::inventory::{Inventory, Names};

/// Why bytes are not a model.
#[derive(Debug, Error)]
pub enum StoredError {
    /// A part is missing, or ends too early.
    #[error("the linear model has no sound part `{0}`")]
    Part(&'static str),
    /// A part that should be JSON is not.
    #[error("the linear model's description: {0}")]
    Json(#[from] serde_json::Error),
    /// A label cannot be read.
    #[error("the linear model's inventory: {0}")]
    Label(#[from] LabelError),
}

/// What is stored as text.
#[derive(Serialize, Deserialize)]
struct Description {
    config: Config,
    names: Names,
    lexicon: Lexicon,
}

const DESCRIPTION: &str = "description";
const TAGGER: &str = "tagger";
const WEIGHTS: &str = "weights";

impl LinearModel {
    /// The model as bytes. Weights keep half their bits ([`Weights::round`]).
    pub fn to_bytes(&self) -> Vec<u8> {
        let description = Description {
            config: self.config,
            names: self.inventory.names().clone(),
            lexicon: self.lexicon.clone(),
        };
        let description = serde_json::to_vec(&description).expect("plain data can be written");
        let parts = [
            (DESCRIPTION, description),
            (TAGGER, self.tagger.weights().to_bytes()),
            (WEIGHTS, self.weights.to_bytes()),
        ];
        let mut bytes = Vec::new();
        for (name, part) in parts {
            bytes.push(name.len() as u8);
            bytes.extend(name.as_bytes());
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<LinearModel, StoredError> {
        let find = |name: &'static str| part(bytes, name).ok_or(StoredError::Part(name));
        let table = |name: &'static str| Weights::from_bytes(find(name)?).ok_or(StoredError::Part(name));
        let Description { config, names, lexicon } = serde_json::from_slice(find(DESCRIPTION)?)?;
        if names.tags.is_empty() || names.spines.is_empty() || names.functions.is_empty() {
            return Err(StoredError::Part(DESCRIPTION));
        }
        if !lexicon.fits(names.tags.len(), names.spines.len(), names.functions.len()) {
            return Err(StoredError::Part(DESCRIPTION));
        }
        let inventory = Inventory::new(names)?;
        let tagger = Tagger::new(&inventory, table(TAGGER)?);
        Ok(LinearModel::assemble(inventory, lexicon, tagger, config, table(WEIGHTS)?))
    }
}

/// The part of this name.
fn part<'b>(mut bytes: &'b [u8], wanted: &str) -> Option<&'b [u8]> {
    loop {
        let (&length, rest) = bytes.split_first()?;
        let (name, rest) = rest.split_at_checked(length as usize)?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        if name == wanted.as_bytes() {
            return Some(part);
        }
        bytes = rest;
    }
}
