//! [`Projection`] → [`Graph`]: every null goes back to where it usually stands.

use std::collections::BTreeMap;

use thiserror::Error;

use super::label::{Port, TraceType};
use super::places::PlaceTable;
use super::scene::Scene;
use super::{ProjectedWord, Projection};
use crate::graph::outline::Outline;
use crate::graph::{Anchor, End, Graph, SlotName, Symbol, SymbolId, TraceEdge, Vertex, Word};

/// A label that does not fit the spines it is between.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The structural parent of a word is not in the sentence, or its spine has no such phrase.
    #[error("word {} hangs from a phrase that is not there", .0.0)]
    NoSuchPhrase(Vertex),
    /// A trace at this word is on a node that its spine does not have.
    #[error("no node at word {} is {port}", vertex.0)]
    NoSuchNode {
        /// The word.
        vertex: Vertex,
        /// The node that was looked for.
        port: Box<Port>,
    },
}

/// The graph of `projection`, with its nulls placed by `table`. Its trace edges are on the very nodes that have the indices, as with
/// [`Targets::Referent`](crate::graph::Targets::Referent).
pub fn restore(projection: &Projection, table: &PlaceTable) -> Result<Graph, RestoreError> {
    let bare = unplaced(projection)?;
    let outline = Outline::of(&bare);
    let mut traces = Vec::new();
    let spines = std::iter::once(&projection.root).chain(projection.words.iter().map(|word| &word.spine));
    for (spine, vertex) in spines.zip(outline.vertices()) {
        for trace in &spine.traces {
            traces.push(trace_edge(&outline, trace, vertex, vertex)?);
        }
    }
    for arc in &projection.arcs {
        for link in &arc.label.0 {
            let (from, to) =
                if link.parent_refers { (arc.parent, arc.child) } else { (arc.child, arc.parent) };
            traces.push(trace_edge(&outline, &link.trace, from, to)?);
        }
    }
    let placements: BTreeMap<Vertex, Placement> = outline
        .vertices()
        .filter_map(|vertex| Some((vertex, Placement::of(&outline, vertex, table)?)))
        .collect();
    for end in traces.iter_mut().flat_map(|edge| [&mut edge.from, &mut edge.to]) {
        if let (Anchor::Symbol(id), Some(placement)) = (&mut end.anchor, placements.get(&end.vertex)) {
            *id = placement.moved[id.index()];
        }
    }
    let mut graph = Graph { traces, ..bare };
    for (vertex, placement) in placements {
        let spine = match vertex.index().checked_sub(1) {
            Some(index) => &mut graph.words[index].spine,
            None => &mut graph.root,
        };
        spine.symbols = placement.symbols;
    }
    Ok(graph)
}

/// The spines and structural edges, all places 0.
fn unplaced(projection: &Projection) -> Result<Graph, RestoreError> {
    let word = |word: &ProjectedWord| Word {
        form: word.form.clone(),
        tag: word.tag.clone(),
        spine: word.spine.spine.clone(),
        head: word.head,
        attachment: None,
    };
    let mut graph = Graph {
        root: projection.root.spine.clone(),
        words: projection.words.iter().map(word).collect(),
        ..Graph::default()
    };
    let outline = Outline::of(&graph);
    let attachments = projection.words.iter().zip(graph.vertices()).map(|(word, vertex)| {
        let Some(name) = &word.attachment else { return Ok(None) };
        outline.phrase(word.head, name).map(Some).ok_or(RestoreError::NoSuchPhrase(vertex))
    });
    let attachments: Vec<Option<SymbolId>> = attachments.collect::<Result<_, _>>()?;
    graph.words.iter_mut().zip(attachments).for_each(|(word, attachment)| word.attachment = attachment);
    Ok(graph)
}

fn trace_edge(
    outline: &Outline<'_>,
    trace: &TraceType,
    from: Vertex,
    to: Vertex,
) -> Result<TraceEdge, RestoreError> {
    let TraceType { from: referring, to: referent } = trace;
    Ok(TraceEdge {
        kind: referring.kind().to_owned(),
        from: end(outline, from, referring)?,
        to: end(outline, to, referent)?,
    })
}

fn end(outline: &Outline<'_>, vertex: Vertex, port: &Port) -> Result<End, RestoreError> {
    let node = outline.node(vertex, port);
    let (vertex, anchor) =
        node.ok_or_else(|| RestoreError::NoSuchNode { vertex, port: Box::new(port.clone()) })?;
    let slot = match port.is_gap {
        _ if outline.is_null_element((vertex, anchor)) => SlotName::Null,
        true => SlotName::Gap,
        false => SlotName::Index,
    };
    Ok(End { vertex, anchor, slot })
}

/// The symbols of a spine with their nulls placed, and where each went.
struct Placement {
    symbols: Vec<Symbol>,
    moved: Vec<SymbolId>,
}

impl Placement {
    /// `None` if no nulls hang in the spine.
    fn of(outline: &Outline<'_>, vertex: Vertex, table: &PlaceTable) -> Option<Placement> {
        let scenes = Scene::all(outline, vertex);
        if scenes.is_empty() {
            return None;
        }
        let mut symbols = outline.symbols(vertex).to_vec();
        let mut order: Vec<usize> = (0..symbols.len()).collect();
        for scene in scenes {
            let arranged = table.arrange(&scene);
            for &(null, gap) in &arranged {
                symbols[scene.nulls[null].start].place = scene.overt.place(gap);
            }
            let nulls = arranged.iter().flat_map(|&(null, _)| scene.nulls[null].clone());
            let start = scene.phrase.index() + 1;
            order[start..].iter_mut().zip(nulls).for_each(|(slot, index)| *slot = index);
        }
        let mut moved = vec![SymbolId(0); symbols.len()];
        for (to, &from) in order.iter().enumerate() {
            moved[from] = SymbolId(to as u32);
        }
        Some(Placement { symbols: order.into_iter().map(|index| symbols[index].clone()).collect(), moved })
    }
}
