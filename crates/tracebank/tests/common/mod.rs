//! The recorded figures of the models in the box, as `docs/lab/figures.toml` has them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tracebank_syntax::dialect::Dialect;

/// Models by name.
pub(crate) type Record = BTreeMap<String, Model>;

/// The figures of one model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    /// The checksum of the model file, by which a new model is told from the one that was measured.
    pub(crate) blake3: String,
    /// Figures by the file of the gold trees.
    pub(crate) figures: BTreeMap<String, Figures>,
}

/// The figures of one model on one file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figures {
    /// The dialect of the gold trees, in which the model was asked to answer.
    pub(crate) dialect: String,
    /// F1 of brackets, of null elements, and of null elements with their references.
    pub(crate) f1: [f64; 3],
}

/// A file of the repository by its path from the root.
pub(crate) fn repository(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

/// The record, after a check that it is of the models that are embedded now, and of all of them.
pub(crate) fn record() -> Record {
    let text = fs::read_to_string(repository("docs/lab/figures.toml")).unwrap();
    let record: Record = toml::from_str(&text).unwrap();
    assert_eq!(record.len(), 2, "a record for each model");
    for name in [tracebank::DEFAULT_MODEL, tracebank::FAST_MODEL] {
        let file = tracebank::embedded_model(name).expect("the name is known").expect("it is built in");
        assert_eq!(record[name].blake3, file.checksum(), "the figures of {name} are those of another model");
        let dialects = record[name].figures.values().map(|figures| &figures.dialect);
        assert_eq!(
            dialects.filter(|name| Dialect::named(name).is_none()).count(),
            0,
            "a dialect is misspelt"
        );
    }
    record
}

/// Three figures as they are written everywhere: `87.98 / 93.20 / 85.74`.
pub(crate) fn shown(f1: [f64; 3], digits: usize) -> String {
    f1.map(|figure| format!("{figure:.digits$}")).join(" / ")
}
