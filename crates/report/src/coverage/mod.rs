//! Coverage, the share of a treebank that a parser could ever get right: the paper's Table 1, and the rows that we add to it.
//!
//! A [`Row`] is a way to make a graph of a tree and the structures that are allowed; a sentence is covered when its graph is such a
//! structure. For the share of edges, only those are left out that must be, the fewest, to make the sentence one. A graph that is
//! read as such is not made anew: [`GIVEN_ROWS`] ask for the class of its own edges.
//!
//! ```
//! use tracebank_report::coverage::{Coverage, Encoder, PAPER_ROWS};
//! use tracebank_syntax::dialect::Dialect;
//! let encoder = Encoder::new(Dialect::named("penn").unwrap());
//! let mut coverage = Coverage::of_trees();
//! coverage.add(&encoder, &"( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?);
//! let covered: Vec<usize> = coverage.counts()[..PAPER_ROWS].iter().map(|count| count.sentences).collect();
//! assert_eq!(covered, [0, 0, 0, 1, 1, 1, 1]);
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod explain;

use std::borrow::Cow;

pub use explain::{Explanation, Reason, explain};

use tracebank_syntax::class::{Class, Structure, thin};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{self, Arc, Graph, Orientation, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::edges::Edges;

/// Whose head rules a row uses, for Penn-style treebanks. The other dialects have one table of their own for all rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heads {
    Collins,
    Authors,
    Ours,
}

/// A representation and the structures that are allowed in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name in the paper, or ours.
    pub name: &'static str,
    heads: Heads,
    orientation: Orientation,
    targets: Targets,
    structure: Structure,
    nulls: bool,
}

const ONE_EC: Row = Row {
    name: "One-EC graphs",
    heads: Heads::Collins,
    orientation: Orientation::NullIsParent,
    targets: Targets::Referent,
    structure: Structure::OneEndpointCrossing,
    nulls: true,
};
const HEAD_RULES: Row = Row { name: "+ Head rule changes", heads: Heads::Authors, ..ONE_EC };
const NULL_REVERSAL: Row =
    Row { name: "+ Null reversal", orientation: Orientation::NullReversal, ..HEAD_RULES };
const PARALLEL_SHIFT: Row =
    Row { name: "+ Parallel construction shift", targets: Targets::Parent, ..NULL_REVERSAL };
const OUR_HEADS: Row =
    Row { name: "+ Raising verbs as auxiliaries (ours)", heads: Heads::Ours, ..PARALLEL_SHIFT };
const ACYCLIC: Row =
    Row { name: "+ Edges follow the tree (ours)", orientation: Orientation::AcyclicByTree, ..OUR_HEADS };
const COMMON: Row = Row { name: "+ Ends on common phrases (ours)", targets: Targets::Common, ..ACYCLIC };
const LEARNT: Row = Row { name: "As our models learn it", targets: Targets::Referent, ..ACYCLIC };

/// The rows, each adding something to the one before; the last is the representation that our models learn.
pub const ROWS: [Row; 11] = [
    Row { name: "Projective trees, no nulls", structure: Structure::ProjectiveTree, nulls: false, ..ONE_EC },
    Row { name: "Projective trees, with nulls", structure: Structure::ProjectiveTree, ..ONE_EC },
    Row { name: "Projective graphs", structure: Structure::ProjectiveGraph, ..ONE_EC },
    ONE_EC,
    HEAD_RULES,
    NULL_REVERSAL,
    PARALLEL_SHIFT,
    OUR_HEADS,
    ACYCLIC,
    COMMON,
    LEARNT,
];

/// The number of [`ROWS`] that are the paper's.
pub const PAPER_ROWS: usize = 7;

/// The rows for graphs that are given: of the representation nothing can be chosen any more but the direction of trace edges.
pub const GIVEN_ROWS: [Row; 5] = [
    ROWS[0],
    ROWS[1],
    ROWS[2],
    ONE_EC,
    Row { name: "+ Edges follow the tree (ours)", orientation: Orientation::AcyclicByTree, ..ONE_EC },
];

/// The coverage of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Sentences that are covered whole.
    pub sentences: usize,
    /// Edges that are covered: all but the fewest that must go.
    pub edges: usize,
    /// All edges: structural ones, and trace edges between different words.
    pub all_edges: usize,
    /// Trace edges inside one spine, which are part of the spine and in neither of the counts above.
    pub within_spines: usize,
}

impl Count {
    fn add(&mut self, row: &Row, arcs: &[Arc], nulls: usize, within_spines: usize) {
        let fits = Class::of(arcs).is(row.structure);
        let dropped = if fits { 0 } else { thin(arcs, row.structure).dropped.len() };
        self.sentences += usize::from(fits && (row.nulls || nulls == 0));
        self.edges += arcs.len() - dropped;
        self.all_edges += arcs.len();
        self.within_spines += within_spines;
    }
}

/// The coverage of a treebank, counted sentence by sentence.
#[derive(Clone, Debug)]
pub struct Coverage {
    rows: &'static [Row],
    trees: usize,
    counts: Vec<Count>,
}

impl Coverage {
    /// Nothing counted yet, for trees: the [`ROWS`].
    pub fn of_trees() -> Coverage {
        Coverage::new(&ROWS)
    }

    /// Nothing counted yet, for graphs that are given: the [`GIVEN_ROWS`].
    pub fn of_graphs() -> Coverage {
        Coverage::new(&GIVEN_ROWS)
    }

    fn new(rows: &'static [Row]) -> Coverage {
        Coverage { rows, trees: 0, counts: vec![Count::default(); rows.len()] }
    }

    /// Counts one more tree, in the project's dialect ([`Dialect::normalise`]).
    pub fn add(&mut self, encoder: &Encoder, tree: &Tree) {
        self.trees += 1;
        for (row, count) in self.rows.iter().zip(&mut self.counts) {
            let graph = encoder.graph(tree, row);
            let within = graph.traces.iter().filter(|edge| edge.from.vertex == edge.to.vertex).count();
            count.add(row, &graph.arcs(row.orientation), graph.null_count(), within);
        }
    }

    /// Counts one more graph, as it is.
    pub fn add_given(&mut self, edges: &Edges) {
        self.trees += 1;
        for (row, count) in self.rows.iter().zip(&mut self.counts) {
            count.add(row, &row.given(edges).arcs, edges.nulls, edges.within_spines());
        }
    }

    /// How many sentences were counted.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// The rows.
    pub fn rows(&self) -> &'static [Row] {
        self.rows
    }

    /// The coverage of each row.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }

    /// Adds the counts of another part of the same treebank.
    pub fn merge(&mut self, other: &Coverage) {
        self.trees += other.trees;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.sentences += theirs.sentences;
            mine.edges += theirs.edges;
            mine.all_edges += theirs.all_edges;
            mine.within_spines += theirs.within_spines;
        }
    }
}

impl Row {
    /// The edges of a given graph as the row would have them: the direction is all that it can choose.
    pub fn given<'e>(&self, edges: &'e Edges) -> Cow<'e, Edges> {
        if self.orientation == Orientation::AcyclicByTree {
            Cow::Owned(edges.following_tree())
        } else {
            Cow::Borrowed(edges)
        }
    }
}

/// The making of graphs from the trees of a dialect, by the rules of each row.
#[derive(Clone, Debug)]
pub struct Encoder(Tables);

impl Encoder {
    /// With the head tables of a dialect.
    pub fn new(dialect: &Dialect) -> Encoder {
        Encoder(Tables::new(dialect))
    }

    fn graph(&self, tree: &Tree, row: &Row) -> Graph {
        graph::encode(tree, self.0.of(row.heads), row.targets)
    }

    /// The edges of a tree.
    pub fn edges(&self, tree: &Tree, row: &Row) -> Edges {
        Edges::of(&self.graph(tree, row), row.orientation)
    }
}

/// The head tables that the rows need.
#[derive(Clone, Debug)]
struct Tables {
    collins: HeadTable,
    authors: HeadTable,
    ours: HeadTable,
}

impl Tables {
    fn new(dialect: &Dialect) -> Tables {
        let named = |name: &str| HeadTable::named(name).expect("a table of the crate");
        let ours = named(dialect.head_table);
        if dialect.head_table == "penn" {
            Tables { collins: named("collins"), authors: named("authors"), ours }
        } else {
            Tables { collins: ours.clone(), authors: ours.clone(), ours }
        }
    }

    fn of(&self, heads: Heads) -> &HeadTable {
        match heads {
            Heads::Collins => &self.collins,
            Heads::Authors => &self.authors,
            Heads::Ours => &self.ours,
        }
    }
}
