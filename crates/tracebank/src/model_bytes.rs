//! The bytes of the models in the box. A registry of crates takes no files as large: `.ci/publish` puts another file in the place of this one, which
//! joins each model from crates that have a part of it each.

/// Those of the default model.
#[cfg(feature = "model-default")]
pub(crate) fn default() -> &'static [u8] {
    include_bytes!("../models/english.tbm")
}

/// Those of the fast model.
#[cfg(feature = "model-fast")]
pub(crate) fn fast() -> &'static [u8] {
    include_bytes!("../models/fast.tbm")
}
