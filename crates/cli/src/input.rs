//! Sentences from files in any format.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::Args;
use miette::Result;
use tracebank::BadInput;
use tracebank_report::coverage::{Encoder, Row};
use tracebank_report::edges::Edges;
use tracebank_shp as shp;
use tracebank_syntax::dialect::{DIALECTS, Dialect};
use tracebank_syntax::graph::{self, DecodeError, Graph, Orientation, text};
use tracebank_syntax::penn::{self, Problem, SyntaxError};
use tracebank_syntax::tree::Tree;

use crate::choice::{Choice, one_of};
use crate::failure::{self, Failure, Shown};

const SKIPPING: &str = "--skip-bad goes on with the next one and says how many were left out";

/// The form of a file of trees: brackets of a dialect, or graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeFormat {
    /// Penn brackets, as one of the dialects writes them.
    Brackets(&'static Dialect),
    /// The graph form of `docs/graph-format.md`.
    Graph,
    /// The split-head form of the paper's authors.
    Shp,
}

/// The name of the form that is read unless another is asked for.
pub(crate) const USUAL: &str = "penn";

impl Choice for TreeFormat {
    fn all() -> Vec<TreeFormat> {
        DIALECTS.iter().map(TreeFormat::Brackets).chain([TreeFormat::Graph, TreeFormat::Shp]).collect()
    }

    fn name(self) -> &'static str {
        match self {
            TreeFormat::Brackets(dialect) => dialect.name,
            TreeFormat::Graph => "graph",
            TreeFormat::Shp => "shp",
        }
    }

    fn description(self) -> &'static str {
        match self {
            TreeFormat::Brackets(dialect) => dialect.description,
            TreeFormat::Graph => "the graph form of docs/graph-format.md",
            TreeFormat::Shp => "the split-head form of the paper's authors",
        }
    }
}

impl TreeFormat {
    /// The dialect of the trees; graphs are in the project's own.
    pub(crate) fn dialect(self) -> &'static Dialect {
        match self {
            TreeFormat::Brackets(dialect) => dialect,
            TreeFormat::Graph | TreeFormat::Shp => Dialect::named(USUAL).expect("the project's own dialect"),
        }
    }

    /// Whether the file holds graphs, which say themselves which words an edge joins.
    pub(crate) fn is_graph(self) -> bool {
        !matches!(self, TreeFormat::Brackets(_))
    }

    /// The sentences of a stream in this format, in the project's dialect; with their graphs, if that is what is read.
    fn sentences(self, stream: Box<dyn BufRead + Send>) -> Sentences {
        match self {
            TreeFormat::Graph => {
                let mut reader = text::Reader::new(stream);
                Box::new(std::iter::from_fn(move || {
                    let graph = reader.next()?;
                    let place = reader.place();
                    let not_a_tree =
                        |error: DecodeError| SyntaxError::at(place, Problem::Graph(error.to_string()));
                    Some(graph.and_then(|graph| {
                        Ok((graph::decode(&graph).map_err(not_a_tree)?, Given::Graph(graph)))
                    }))
                }))
            }
            TreeFormat::Shp => {
                let mut reader = shp::Reader::new(stream);
                Box::new(std::iter::from_fn(move || {
                    Some(reader.next_sentence()?.map(|shp::Sentence { tree, arcs, traces }| {
                        let words = tree.words().map(str::to_owned).collect();
                        let leaves = tree.leaves(tree.top());
                        let nulls = leaves.filter(|&leaf| tree.null_element(leaf).is_some()).count();
                        (tree, Given::Edges(Edges { words, arcs, traces, nulls }))
                    }))
                }))
            }
            TreeFormat::Brackets(dialect) => Box::new(penn::Reader::new(stream).map(|tree| {
                let mut tree = tree?;
                dialect.normalise(&mut tree);
                Ok((tree, Given::No))
            })),
        }
    }

    /// The trees of the file at `path`, and the name that errors call it by.
    pub(crate) fn trees(
        self,
        path: &Path,
    ) -> Result<(String, impl Iterator<Item = std::result::Result<Tree, SyntaxError>> + use<>)> {
        let input = penn::Input::open(path).map_err(|error| Failure(error.to_string()))?;
        Ok((input.name, self.sentences(input.stream).map(|sentence| sentence.map(|(tree, _)| tree))))
    }
}

/// Files of trees, and their form.
#[derive(Args, Debug)]
pub(crate) struct TreeSource {
    /// Files to read, plain or gzip; `-` or none for standard input
    pub(crate) files: Vec<PathBuf>,

    /// The form of the trees
    #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
    pub(crate) from: TreeFormat,

    /// Go on behind a bad tree, and say at the end how many were left out
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

/// A tree as it was read, with its place.
pub(crate) struct TreeRead {
    /// The file that it is from.
    pub(crate) file: String,
    /// Its number in that file, from 1.
    pub(crate) number: usize,
    pub(crate) tree: Tree,
    given: Given,
}

/// The graph that a file says the sentence has.
enum Given {
    No,
    Graph(Graph),
    /// The authors' form names words and phrases, not indices.
    Edges(Edges),
}

impl TreeRead {
    /// The graph, if that is what was read.
    pub(crate) fn graph(&self) -> Option<&Graph> {
        match &self.given {
            Given::Graph(graph) => Some(graph),
            _ => None,
        }
    }

    /// Forgets the graph: the tree has changed.
    pub(crate) fn forget_graph(&mut self) {
        self.given = Given::No;
    }

    /// The edges as a row of the coverage table has them: those of the graph, if one was read, or made of the tree.
    pub(crate) fn edges_of(&self, encoder: &Encoder, row: &Row) -> Edges {
        match self.edges() {
            Some(edges) => row.given(&edges).into_owned(),
            None => encoder.edges(&self.tree, row),
        }
    }

    /// The edges of the graph as it was read, if one was. Where both ends are null the edge is turned round, as the authors write it.
    pub(crate) fn edges(&self) -> Option<Edges> {
        match &self.given {
            Given::No => None,
            Given::Graph(graph) => Some(Edges::of(graph, Orientation::NullReversal)),
            Given::Edges(edges) => Some(edges.clone()),
        }
    }
}

/// The success of dealing with a sentence, or the reason for its failure.
pub(crate) type Verdict = std::result::Result<(), String>;

type Sentences = Box<dyn Iterator<Item = Result<(Tree, Given), SyntaxError>>>;

impl TreeSource {
    /// Hands every sentence of every file to `each`, in order. A sentence that it cannot deal with is as bad as one that cannot be read.
    pub(crate) fn for_each(&self, mut each: impl FnMut(TreeRead) -> Result<Verdict>) -> Result<()> {
        let stdin = [PathBuf::from("-")];
        let files: &[PathBuf] = if self.files.is_empty() { &stdin } else { &self.files };
        let mut bad = 0_usize;
        for file in files {
            bad += self.read_file(file, &mut each)?;
        }
        if bad > 0 {
            let trees = if bad == 1 { "1 bad tree was" } else { &format!("{bad} bad trees were") };
            failure::say(&format!("{trees} left out"));
        }
        Ok(())
    }

    fn read_file(&self, path: &Path, each: &mut impl FnMut(TreeRead) -> Result<Verdict>) -> Result<usize> {
        let input = penn::Input::open(path).map_err(|error| Failure(error.to_string()))?;
        let mut bad = 0;
        for (index, sentence) in self.from.sentences(input.stream).enumerate() {
            match sentence {
                Ok((tree, given)) => {
                    let verdict =
                        each(TreeRead { file: input.name.clone(), number: index + 1, tree, given })?;
                    let Err(why) = verdict else { continue };
                    let message = format!("{}, sentence {}: {why}", input.name, index + 1);
                    if !self.skip_bad {
                        return Err(Failure(message).into());
                    }
                    failure::say(&format!("left out: {message}"));
                    bad += 1;
                }
                Err(error) if self.skip_bad && !matches!(error.problem, Problem::Io(_)) => {
                    failure::say(&format!("left out: {}:{error}", input.name));
                    bad += 1;
                }
                Err(error) => {
                    let input = BadInput::of_tree(&input.name, &error);
                    return Err(Shown { input, help: Some(SKIPPING) }.into());
                }
            }
        }
        Ok(bad)
    }
}
