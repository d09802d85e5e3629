//! Reasons why a sentence is not covered: the paper's "Problematic Structures".

use std::fmt;

use tracebank_syntax::class::{Class, Structure, thin};
use tracebank_syntax::graph::Arc;

use super::Row;
use crate::edges::Edges;

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

/// Why the row does not cover a sentence with these edges; `None` if it does.
pub fn explain(edges: &Edges, row: &Row) -> Option<Explanation> {
    let class = Class::of(&edges.arcs);
    let has_unwanted_nulls = !row.nulls && edges.nulls > 0;
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
    let mut dropped: Vec<String> = thin(&edges.arcs, row.structure)
        .dropped
        .iter()
        .filter_map(|arc| edges.trace_type(*arc))
        .map(str::to_owned)
        .collect();
    dropped.sort();
    Some(Explanation { reason, edges: offending(edges, &class, reason), dropped })
}

/// The very edges that break the class, each once.
fn offending(edges: &Edges, class: &Class, reason: Reason) -> Vec<String> {
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
    arcs.into_iter().map(|arc| edges.describe(arc)).collect()
}
