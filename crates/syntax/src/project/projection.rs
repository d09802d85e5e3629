//! [`Graph`] → [`Projection`].

use std::collections::BTreeMap;

use super::alphabet::{Alphabet, is_gap_hole};
use super::label::{Link, PhraseName, Port, TraceLabel, TraceType};
use super::reduce::{Places, Reduced};
use super::spine::SpineType;
use crate::graph::outline::Outline;
use crate::graph::{Anchor, ArcKind, DecodeError, End, Graph, SlotName, Spine, Vertex, decode};

/// A sentence as a parser predicts it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Projection {
    /// The spine of the root: the outermost bracket, nearly always with nothing in it.
    pub root: SpineType,
    /// The words, in order; word `i` is vertex `i + 1`.
    pub words: Vec<ProjectedWord>,
    /// The trace arcs, sorted; at most one from one word to another.
    pub arcs: Vec<TraceArc>,
}

/// A word with its spine and its structural edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectedWord {
    /// The word itself.
    pub form: String,
    /// Its tag; `None` for a bare word.
    pub tag: Option<String>,
    /// The type of its spine.
    pub spine: SpineType,
    /// Its structural parent.
    pub head: Vertex,
    /// The phrase of the parent that it belongs to; `None` only under a root without bracket.
    pub attachment: Option<PhraseName>,
}

/// All traces between two different words whose arcs point the same way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TraceArc {
    /// Where it starts.
    pub parent: Vertex,
    /// Where it ends.
    pub child: Vertex,
    /// Its label.
    pub label: TraceLabel,
}

impl Alphabet {
    /// The part of `graph` that a parser predicts. The error is that of [`decode`]: the graph is that of no tree.
    pub fn project(self, graph: &Graph) -> Result<Projection, DecodeError> {
        decode(graph)?;
        let reduced = Reduced::of(graph, self, Places::Forgotten);
        let outline = Outline::of(&reduced.graph);
        let namer = Namer { stored: Outline::of(graph), outline: &outline, reduced: &reduced };
        let arcs = namer.arcs(graph, self);
        let mut traces = namer.traces_in_spines(graph);
        let attachments: Vec<Option<PhraseName>> = reduced
            .graph
            .words
            .iter()
            .map(|word| word.attachment.and_then(|phrase| outline.phrase_name(word.head, phrase)))
            .collect();
        let mut spine_type = |vertex: Vertex, spine: Spine| SpineType {
            spine,
            traces: traces.remove(&vertex).unwrap_or_default(),
        };
        let root = spine_type(Vertex::ROOT, reduced.graph.root);
        let words = graph.vertices().zip(reduced.graph.words).zip(attachments);
        let words = words.map(|((vertex, word), attachment)| ProjectedWord {
            form: word.form,
            tag: word.tag,
            spine: spine_type(vertex, word.spine),
            head: word.head,
            attachment,
        });
        Ok(Projection { root, words: words.collect(), arcs })
    }
}

/// Calls the ends of stored edges by the names they have once places are forgotten.
struct Namer<'a> {
    stored: Outline<'a>,
    outline: &'a Outline<'a>,
    reduced: &'a Reduced,
}

impl Namer<'_> {
    /// The traces whose two ends are in one spine.
    fn traces_in_spines(&self, graph: &Graph) -> BTreeMap<Vertex, Vec<TraceType>> {
        let mut traces: BTreeMap<Vertex, Vec<TraceType>> = BTreeMap::new();
        for edge in graph.traces.iter().filter(|edge| edge.from.vertex == edge.to.vertex) {
            traces.entry(edge.from.vertex).or_default().extend(self.trace(edge.from, edge.to));
        }
        for of_spine in traces.values_mut() {
            of_spine.sort();
        }
        traces
    }

    fn arcs(&self, graph: &Graph, alphabet: Alphabet) -> Vec<TraceArc> {
        let mut labels: BTreeMap<(Vertex, Vertex), Vec<Link>> = BTreeMap::new();
        for arc in graph.arcs(alphabet.orientation) {
            let ArcKind::Trace(index) = arc.kind else { continue };
            let edge = &graph.traces[index];
            let parent_refers = arc.parent == edge.from.vertex;
            let link = self.trace(edge.from, edge.to).map(|trace| Link { trace, parent_refers });
            labels.entry((arc.parent, arc.child)).or_default().extend(link);
        }
        labels.retain(|_, links| !links.is_empty());
        labels
            .into_iter()
            .map(|((parent, child), mut links)| {
                links.sort();
                TraceArc { parent, child, label: TraceLabel(links) }
            })
            .collect()
    }

    /// `None` if an end is on a phrase of marks that were left out.
    fn trace(&self, from: End, to: End) -> Option<TraceType> {
        Some(TraceType { from: self.port(from)?, to: self.port(to)? })
    }

    fn port(&self, end: End) -> Option<Port> {
        let anchor = (end.vertex, end.anchor);
        let below = || self.stored.preorder_below(anchor).into_iter();
        let (node, is_within) = match end.slot {
            SlotName::Below(nth) | SlotName::GapBelow(nth) => (below().nth(nth as usize)?, true),
            SlotName::NullBelow(nth) => {
                (below().filter(|&node| self.stored.is_null_element(node)).nth(nth as usize)?, true)
            }
            _ => (anchor, false),
        };
        let is_gap = match end.slot {
            SlotName::Gap | SlotName::GapBelow(_) => true,
            SlotName::Hole(hole) => is_gap_hole(self.stored.label(node), hole),
            _ => false,
        };
        let within = match end.anchor {
            Anchor::Symbol(phrase) if is_within => Some(self.reduced.symbol(end.vertex, phrase)?),
            _ => None,
        };
        self.outline.port(end.vertex, self.reduced.node(node)?, within, is_gap)
    }
}
