//! Coverage, the share of a treebank that a parser could ever get right: the paper's Table 1, and the rows that we add to it.
//!
//! A [`Row`] is a way to make a graph of a tree and the structures that are allowed; a sentence is covered when its graph is such a
//! structure. For the share of edges, only those are left out that must be, the fewest, to make the sentence one.
//!
//! ```
//! use tracebank_report::coverage::{Coverage, PAPER_ROWS};
//! use tracebank_syntax::dialect::Dialect;
//! let mut coverage = Coverage::new(Dialect::named("penn").unwrap());
//! coverage.add(&"( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?);
//! let covered: Vec<usize> = coverage.counts()[..PAPER_ROWS].iter().map(|count| count.sentences).collect();
//! assert_eq!(covered, [0, 0, 0, 1, 1, 1, 1]);
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod explain;

pub use explain::{Explainer, Explanation, Reason};

use tracebank_syntax::class::{Class, Structure, thin};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{self, Graph, Orientation, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

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

/// The rows, each adding something to the one before.
pub const ROWS: [Row; 10] = [
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
];

/// The number of [`ROWS`] that are the paper's.
pub const PAPER_ROWS: usize = 7;

/// The coverage of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Sentences that are covered whole.
    pub sentences: usize,
    /// Edges that are covered: all but the fewest that must go.
    pub edges: usize,
    /// All edges: structural ones, and trace edges between different words.
    pub all_edges: usize,
}

/// The coverage of a treebank, counted tree by tree.
#[derive(Clone, Debug)]
pub struct Coverage {
    tables: Tables,
    trees: usize,
    counts: [Count; ROWS.len()],
}

impl Coverage {
    /// Nothing counted yet. Trees are to come in the project's dialect ([`Dialect::normalise`]).
    pub fn new(dialect: &Dialect) -> Coverage {
        Coverage { tables: Tables::new(dialect), trees: 0, counts: [Count::default(); ROWS.len()] }
    }

    /// Counts one more tree.
    pub fn add(&mut self, tree: &Tree) {
        self.trees += 1;
        for (row, count) in ROWS.iter().zip(&mut self.counts) {
            let graph = row.graph(tree, &self.tables);
            let arcs = graph.arcs(row.orientation);
            let fits = Class::of(&arcs).is(row.structure);
            let dropped = if fits { 0 } else { thin(&arcs, row.structure).dropped.len() };
            count.sentences += usize::from(fits && (row.nulls || graph.null_count() == 0));
            count.edges += arcs.len() - dropped;
            count.all_edges += arcs.len();
        }
    }

    /// How many trees were counted.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// The coverage of each of the [`ROWS`].
    pub fn counts(&self) -> &[Count; ROWS.len()] {
        &self.counts
    }

    /// Adds the counts of another part of the same treebank.
    pub fn merge(&mut self, other: &Coverage) {
        self.trees += other.trees;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.sentences += theirs.sentences;
            mine.edges += theirs.edges;
            mine.all_edges += theirs.all_edges;
        }
    }
}

impl Row {
    fn graph(&self, tree: &Tree, tables: &Tables) -> Graph {
        graph::encode(tree, tables.of(self.heads), self.targets)
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
