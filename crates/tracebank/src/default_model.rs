//! The default model's bytes. A registry of crates takes no file as large: `.ci/publish` puts another file in the place of this one, which joins the
//! model from crates that have a part of it each.

/// The bytes.
pub(crate) fn bytes() -> &'static [u8] {
    include_bytes!("../models/english.tbm")
}
