//! Reasons why a sentence is not covered: the paper's "Problematic Structures".

use std::fmt;

use tracebank_syntax::class::{Class, Structure, thin};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{Arc, ArcKind, Graph, Vertex};
use tracebank_syntax::tree::Tree;

use super::{Row, Tables};

/// The kind of trouble that a graph is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A path comes back to where it began.
    Cycle,
    /// An edge is crossed at two endpoints (or, where none may be crossed, at all).
    Crossing,
    /// Both.
    CycleAndCrossing,
    /// It is acyclic and 1EC but has a locked chain.
    LockedChain,
    /// It has null elements, or trace edges, where the row allows none.
    Traces,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Cycle => "cycle",
            Reason::Crossing => "crossing",
            Reason::CycleAndCrossing => "cycle and crossing",
            Reason::LockedChain => "locked chain",
            Reason::Traces => "nulls or traces",
        })
    }
}

/// The reason why a sentence is not covered by a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The kind of trouble.
    pub reason: Reason,
    /// The edges that are in each other's way, in words.
    pub edges: Vec<String>,
    /// The types of the trace edges that had to go, the fewest that make it fit, in order.
    pub dropped: Vec<String>,
}

/// Tells why a row does not cover a tree.
pub struct Explainer {
    tables: Tables,
    row: Row,
}

impl Explainer {
    /// For one of the [`ROWS`](super::ROWS), and trees of a dialect.
    pub fn new(dialect: &Dialect, row: Row) -> Explainer {
        Explainer { tables: Tables::new(dialect), row }
    }

    /// Why the row does not cover `tree`; `None` if it does.
    pub fn explain(&self, tree: &Tree) -> Option<Explanation> {
        explain(&self.row.graph(tree, &self.tables), &self.row)
    }
}

fn explain(graph: &Graph, row: &Row) -> Option<Explanation> {
    let arcs = graph.arcs(row.orientation);
    let class = Class::of(&arcs);
    let has_unwanted_nulls = !row.nulls && graph.null_count() > 0;
    if class.is(row.structure) && !has_unwanted_nulls {
        return None;
    }
    let crossed = match row.structure {
        Structure::OneEndpointCrossing => !class.is_one_endpoint_crossing(),
        _ => !class.is_projective(),
    };
    let reason = match (class.is_acyclic(), crossed) {
        _ if row.structure == Structure::ProjectiveTree => Reason::Traces,
        (false, true) => Reason::CycleAndCrossing,
        (false, false) => Reason::Cycle,
        (true, true) => Reason::Crossing,
        (true, false) => Reason::LockedChain,
    };
    let mut dropped: Vec<String> = thin(&arcs, row.structure)
        .dropped
        .iter()
        .filter_map(|arc| trace_kind(graph, *arc))
        .map(str::to_owned)
        .collect();
    dropped.sort();
    Some(Explanation { reason, edges: edges(graph, &class, reason), dropped })
}

/// The very edges that break the class, each once.
fn edges(graph: &Graph, class: &Class, reason: Reason) -> Vec<String> {
    let cycle = class.cycle.iter().flatten().copied();
    let crossing = class
        .one_endpoint_violation
        .iter()
        .flat_map(|violation| [violation.crossed, violation.by[0], violation.by[1]]);
    let pair = class.crossing.iter().flat_map(|&(a, b)| [a, b]);
    let arcs: Vec<Arc> = match reason {
        Reason::Cycle => cycle.collect(),
        Reason::Crossing if class.is_one_endpoint_crossing() => pair.collect(),
        Reason::Crossing => crossing.collect(),
        Reason::CycleAndCrossing => cycle.chain(crossing).collect(),
        Reason::LockedChain => class.locked_chain.iter().flatten().copied().collect(),
        Reason::Traces => class.traces.clone(),
    };
    arcs.into_iter().map(|arc| describe(graph, arc)).collect()
}

fn describe(graph: &Graph, arc: Arc) -> String {
    let kind = trace_kind(graph, arc).unwrap_or("structural");
    format!("{} → {} ({kind})", vertex_name(graph, arc.parent), vertex_name(graph, arc.child))
}

fn trace_kind(graph: &Graph, arc: Arc) -> Option<&str> {
    match arc.kind {
        ArcKind::Structural => None,
        ArcKind::Trace(index) => graph.traces.get(index).map(|edge| edge.kind.as_str()),
    }
}

fn vertex_name(graph: &Graph, vertex: Vertex) -> String {
    graph.word(vertex).map_or_else(|| "ROOT".to_owned(), |word| format!("{}[{}]", word.form, vertex.0))
}
