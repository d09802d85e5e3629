//! The model file: everything that a parser needs, in one file that can be checked before it is believed.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic, `tracebnk` |
//! | 4 | version, little-endian |
//! | 4 | length of the index |
//! | … | the index: a line of JSON for each section (name, packed and full length, BLAKE3 of the packed bytes) |
//! | 32 | BLAKE3 of everything above |
//! | … | the sections, one after another |
//!
//! Whoever opens a file learns at once whether it is one of ours, of a version this program knows, whole and undamaged; no length in
//! the file is believed before it has been compared with the file itself.
//!
//! A model is a thing that people exchange. Loading one from anywhere ends in a parser that works or in an error, and takes memory that is
//! bounded by the length of the file: see `docs/reliability.md`.

mod error;
mod file;
mod metadata;
mod settings;

pub use error::ModelError;
pub use file::{MOST_BYTES, ModelFile, ModelWriter, SectionInfo, VERSION};
pub use metadata::Metadata;
pub use settings::check_settings;
