//! The models in the box.

use tracebank_parser::model::{ModelError, ModelFile};

use crate::error::Error;

/// The name of the model that is used unless another is asked for.
pub const DEFAULT_MODEL: &str = "default";
/// The name of the smaller and faster one.
pub const FAST_MODEL: &str = "fast";

/// The bytes of a model.
type Bytes = fn() -> &'static [u8];

/// Each model that is built in, by its name, with its file. `EXPERIMENTS.md` records how each was made.
const MODELS: &[(&str, Bytes)] = &[
    #[cfg(feature = "model-default")]
    (DEFAULT_MODEL, crate::model_bytes::default),
    #[cfg(feature = "model-fast")]
    (FAST_MODEL, crate::model_bytes::fast),
];

/// The file of the model called `name`; `None` if no such model is built in.
///
/// ```
/// assert!(tracebank::embedded_model("no such model").is_none());
/// ```
pub fn embedded_model(name: &str) -> Option<Result<ModelFile<'static>, Error>> {
    let bytes = embedded_bytes(name)?;
    Some(ModelFile::built_in(bytes).map_err(Error::from))
}

/// The bytes of the model called `name`, as a file has them; `None` if there is no such name.
pub fn embedded_bytes(name: &str) -> Option<&'static [u8]> {
    MODELS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes())
}

/// Reads the model file at `path`.
pub fn read_model(path: &std::path::Path) -> Result<ModelFile<'static>, Error> {
    ModelFile::read(path).map_err(|error| match error {
        ModelError::Io(error) => Error::Unreadable { path: path.to_owned(), error },
        error => Error::File { path: path.to_owned(), error },
    })
}
