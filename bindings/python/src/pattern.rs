//! Search patterns.

use std::sync::Arc;

use pyo3::prelude::*;
use tracebank::search::Names;

use crate::errors;
use crate::tree::Tree;

/// A pattern.
#[pyclass(frozen, module = "tracebank._native")]
pub(crate) struct Pattern(Arc<tracebank::Pattern>);

/// A node of a match: its place, and whether the word is meant and not its tag.
type Found = (usize, bool);

#[pymethods]
impl Pattern {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Pattern> {
        let pattern = tracebank::Pattern::parse(text).map_err(|error| errors::of_pattern(py, &error))?;
        Ok(Pattern(Arc::new(pattern)))
    }

    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().to_vec()
    }

    /// The matches in a tree: the node of the pattern's first node, and the named ones.
    fn matches(&self, py: Python<'_>, tree: &Tree) -> Vec<(Found, Vec<(String, Found)>)> {
        let matches = py.detach(|| self.0.matches(tree.tree()));
        let found = |place: tracebank::search::Place| (tree.place(place.node).unwrap_or(0), place.word);
        let named = |names: Vec<(String, tracebank::search::Place)>| {
            names.into_iter().map(|(name, place)| (name, found(place))).collect()
        };
        matches.into_iter().map(|one| (found(one.node), named(one.names))).collect()
    }
}

/// The constructions that have a name: name, description, pattern.
#[pyfunction]
pub(crate) fn constructions() -> Vec<(String, String, String)> {
    let names = Names::shipped();
    names.iter().map(|one| (one.name.clone(), one.about.clone(), one.pattern.text().to_owned())).collect()
}
