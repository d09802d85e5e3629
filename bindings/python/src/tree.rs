//! Trees, and files of them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use tracebank::{NodeId, OutputFormat, Record};
use tracebank_report::draw::{NodeMarks, outline, tree_picture};
use tracebank_shp as shp;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{self, ReadError};

use crate::errors;
use crate::parser::{form, written};

/// A tree, which nothing changes.
#[pyclass(frozen, module = "tracebank._native")]
#[derive(Clone)]
pub(crate) struct Tree(Arc<Inner>);

struct Inner {
    tree: tracebank::Tree,
    /// Its nodes, parents first: Python knows them by their places here.
    nodes: Vec<NodeId>,
    spans: Vec<std::ops::Range<usize>>,
}

impl From<tracebank::Tree> for Tree {
    fn from(tree: tracebank::Tree) -> Tree {
        let (nodes, spans) = (tree.preorder(tree.top()).collect(), tree.word_spans());
        Tree(Arc::new(Inner { tree, nodes, spans }))
    }
}

impl Tree {
    pub(crate) fn tree(&self) -> &tracebank::Tree {
        &self.0.tree
    }

    /// The place of a node.
    pub(crate) fn place(&self, node: NodeId) -> Option<usize> {
        self.0.nodes.iter().position(|&known| known == node)
    }

    fn node(&self, place: usize) -> PyResult<NodeId> {
        self.0.nodes.get(place).copied().ok_or_else(|| PyIndexError::new_err("the tree has no such node"))
    }

    fn changed(&self, change: impl Fn(&mut tracebank::Tree)) -> Tree {
        let mut tree = self.tree().clone();
        change(&mut tree);
        tree.into()
    }
}

fn dialect(name: &str) -> PyResult<&'static Dialect> {
    let known: Vec<&str> = tracebank::DIALECTS.iter().map(|dialect| dialect.name).collect();
    Dialect::named(name).ok_or_else(|| errors::unknown("dialect", name, &known))
}

#[pymethods]
impl Tree {
    /// The tree that brackets of a dialect stand for.
    #[staticmethod]
    fn read(py: Python<'_>, text: &str, dialect: &str) -> PyResult<Tree> {
        let dialect = self::dialect(dialect)?;
        let mut tree: tracebank::Tree = text.parse().map_err(|error| errors::of_tree(py, None, &error))?;
        dialect.normalise(&mut tree);
        Ok(tree.into())
    }

    fn __str__(&self) -> String {
        self.tree().to_string()
    }

    fn pretty(&self) -> String {
        format!("{:#}", self.tree())
    }

    #[getter]
    fn words(&self) -> Vec<(&str, String)> {
        let tree = self.tree();
        let word = |leaf| (tree.word(leaf).unwrap_or_default(), tree.label(leaf).stem());
        tree.word_nodes().map(word).collect()
    }

    fn __len__(&self) -> usize {
        self.0.nodes.len()
    }

    /// The label of a node, the tag of a word.
    fn label(&self, place: usize) -> PyResult<&str> {
        Ok(self.tree().label_text(self.node(place)?))
    }

    /// The word of a leaf.
    fn word(&self, place: usize) -> PyResult<Option<&str>> {
        Ok(self.tree().word(self.node(place)?))
    }

    /// The words below a node, as a range.
    fn span(&self, place: usize) -> PyResult<(usize, usize)> {
        let span = &self.0.spans[self.node(place)?.index()];
        Ok((span.start, span.end))
    }

    fn parent(&self, place: usize) -> PyResult<Option<usize>> {
        Ok(self.tree().parent(self.node(place)?).and_then(|above| self.place(above)))
    }

    fn children(&self, place: usize) -> PyResult<Vec<usize>> {
        Ok(self.tree().children(self.node(place)?).filter_map(|child| self.place(child)).collect())
    }

    /// The tree in a form of `tracebank convert`.
    fn form(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let tree = self.tree();
        match name {
            "tagged" => {
                let words = self.words();
                let tokens = words.iter().map(|(word, tag)| format!("{word}_{tag}"));
                Ok(tokens.collect::<Vec<_>>().join(" "))
            }
            "shp" => shp::write(tree, &shp::Style::default())
                .map(|text| text.trim_end_matches('\n').to_owned())
                .map_err(|error| PyValueError::new_err(error.to_string())),
            _ => {
                let form = form(name)?;
                Ok(py.detach(|| match form {
                    OutputFormat::Penn => tree.to_string(),
                    OutputFormat::Pretty => format!("{tree:#}"),
                    _ => written(Record::from(&tracebank::Parse::of_tree(tree.clone())), form),
                }))
            }
        }
    }

    fn outline(&self) -> String {
        let lines = outline(self.tree(), &NodeMarks::default());
        lines.iter().map(tracebank_report::draw::Line::plain).collect::<Vec<_>>().join("\n")
    }

    fn svg(&self) -> String {
        tree_picture(self.tree())
    }

    fn without_traces(&self) -> Tree {
        self.changed(tracebank::Tree::strip_traces)
    }

    fn without_functions(&self) -> Tree {
        self.changed(tracebank::Tree::strip_functions)
    }
}

/// The trees of a file, one after another.
#[pyclass(frozen, module = "tracebank._native")]
pub(crate) struct Reader {
    name: String,
    dialect: &'static Dialect,
    trees: Mutex<Trees>,
}

type Trees = penn::Reader<Box<dyn std::io::BufRead + Send>>;

#[pymethods]
impl Reader {
    #[new]
    fn new(path: PathBuf, dialect: &str) -> PyResult<Reader> {
        let dialect = self::dialect(dialect)?;
        // Python's own exception, with the file and the kind of trouble
        if let Err(error) = std::fs::File::open(&path) {
            let arguments = (error.raw_os_error(), error.to_string(), path);
            return Err(PyOSError::new_err(arguments));
        }
        let input =
            penn::Input::open(&path).map_err(|error: ReadError| PyOSError::new_err(error.to_string()))?;
        Ok(Reader { name: input.name, dialect, trees: Mutex::new(penn::Reader::new(input.stream)) })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Tree>> {
        let next = py.detach(|| self.trees.lock().unwrap_or_else(PoisonError::into_inner).next());
        match next {
            None => Ok(None),
            Some(Err(error)) => Err(errors::of_tree(py, Some(&self.name), &error)),
            Some(Ok(mut tree)) => {
                self.dialect.normalise(&mut tree);
                Ok(Some(tree.into()))
            }
        }
    }
}
