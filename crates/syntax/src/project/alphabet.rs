//! [`Graph`] → [`Projection`]: what is left out, and how the rest is called.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::label::{Link, Reference, TraceLabel};
use super::outline::{Node, Outline};
use super::spine::{SpineType, canonical_order};
use super::{ProjectedWord, Projection, TraceArc};
use crate::graph::{
    Anchor, ArcKind, DecodeError, End, Graph, Orientation, SlotName, Spine, Symbol, SymbolId, SymbolKind, Vertex,
    decode,
};
use crate::tree::{Kind, Label, NULL_TAG, Tree};

/// What of a graph is to be predicted.
///
/// Never predicted are the places of nulls among their siblings, indices that refer to nothing, and the order of the indices in labels
/// that have them in an unusual one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alphabet {
    /// Whether phrases keep their function tags.
    pub functions: bool,
    /// Whether transcribers' marks, `(SU /)` and the like, are kept.
    pub marks: bool,
    /// Which way trace arcs point.
    pub orientation: Orientation,
}

/// Everything but marks, with the arcs that have the fewest cycles.
impl Default for Alphabet {
    fn default() -> Alphabet {
        Alphabet { functions: true, marks: false, orientation: Orientation::AcyclicByTree }
    }
}

impl Alphabet {
    /// Takes out of a tree what this alphabet has no letters for: a parser's gold tree.
    ///
    /// ```
    /// use tracebank_syntax::project::Alphabet;
    /// use tracebank_syntax::tree::Tree;
    /// let mut tree: Tree = "( (S-IMP (NP-SBJ (-NONE- *PRO*)) (VP (VB go)) (SU /)))".parse()?;
    /// Alphabet { functions: false, ..Alphabet::default() }.strip(&mut tree);
    /// assert_eq!(tree.to_string(), "( (S (NP (-NONE- *PRO*)) (VP (VB go))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn strip(&self, tree: &mut Tree) {
        if !self.functions {
            tree.strip_functions();
        }
        if !self.marks {
            tree.prune_leaves(|tree, leaf| {
                tree.kind(leaf) == Kind::Token && !tree.is_word(leaf) && tree.label_text(leaf) != NULL_TAG
            });
        }
    }

    /// The part of `graph` that a parser predicts. The error is that of [`decode`]: the graph is that of no tree.
    pub fn project(&self, graph: &Graph) -> Result<Projection, DecodeError> {
        decode(graph)?;
        let placed = self.reduce(graph);
        let bare = placed.forget_places();
        let namer = Namer { stored: &Outline::of(graph), bare: &Outline::of(&bare.graph), reduced: &bare };
        let mut references: Vec<Vec<Reference>> = vec![Vec::new(); graph.words.len() + 1];
        let mut arcs: BTreeMap<(Vertex, Vertex), Vec<Link>> = BTreeMap::new();
        for edge in graph.traces.iter().filter(|edge| edge.from.vertex == edge.to.vertex) {
            references[edge.from.vertex.index()].extend(namer.reference(edge.from, edge.to));
        }
        for arc in graph.arcs(self.orientation) {
            let ArcKind::Trace(index) = arc.kind else { continue };
            let edge = &graph.traces[index];
            let Some(reference) = namer.reference(edge.from, edge.to) else { continue };
            let parent_refers = arc.parent == edge.from.vertex;
            arcs.entry((arc.parent, arc.child)).or_default().push(Link { reference, parent_refers });
        }
        let outline = namer.bare;
        let mut spines = references.into_iter().zip(outline.vertices()).map(|(mut references, vertex)| {
            references.sort();
            SpineType { spine: Spine { symbols: outline.symbols(vertex).to_vec() }, references }
        });
        let root = spines.next().unwrap_or_default();
        let words = bare.graph.words.iter().zip(spines);
        Ok(Projection {
            root,
            words: words
                .map(|(word, spine)| ProjectedWord {
                    form: word.form.clone(),
                    tag: word.tag.clone(),
                    spine,
                    head: word.head,
                    attachment: word.attachment.and_then(|phrase| outline.phrase_name(word.head, phrase)),
                })
                .collect(),
            arcs: arcs
                .into_iter()
                .map(|((parent, child), mut links)| {
                    links.sort();
                    TraceArc { parent, child, label: TraceLabel(links) }
                })
                .collect(),
        })
    }

    /// The graph with its labels as in this alphabet, and without marks and references. Nulls keep their places.
    pub(super) fn reduce(&self, graph: &Graph) -> Reduced {
        let mut reduced = Reduced::rearrange(graph, |symbols| self.kept(symbols));
        let spines = reduced.graph.words.iter_mut().map(|word| &mut word.spine);
        for symbol in spines.chain([&mut reduced.graph.root]).flat_map(|spine| &mut spine.symbols) {
            if let SymbolKind::Phrase(shape) = &mut symbol.kind {
                *shape = self.label(shape);
            }
        }
        for tag in reduced.graph.words.iter_mut().filter_map(|word| word.tag.as_mut()) {
            *tag = without_holes(tag).into_owned();
        }
        reduced
    }

    fn label(&self, shape: &str) -> String {
        let stem = without_holes(shape);
        if self.functions { stem.into_owned() } else { Label::parse(&stem).without_functions() }
    }

    /// The symbols that are neither marks nor null phrases of nothing else.
    fn kept(&self, symbols: &[Symbol]) -> Vec<usize> {
        let is_mark = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Mark { .. });
        let holds_more = |index: usize| {
            let depth = symbols[index].depth;
            let below = symbols[index + 1..].iter().take_while(|below| below.depth > depth);
            below.into_iter().any(|below| matches!(below.kind, SymbolKind::Null(_)))
        };
        (0..symbols.len())
            .filter(|&index| {
                self.marks
                    || match symbols[index].kind {
                        SymbolKind::Phrase(_) => symbols[index].is_headed() || holds_more(index),
                        _ => !is_mark(&symbols[index]),
                    }
            })
            .collect()
    }
}

/// A label shape with its indices (and the holes they leave) taken out.
fn without_holes(shape: &str) -> Cow<'_, str> {
    if shape.contains('(') { Cow::Owned(shape.replace("-()", "").replace("=()", "")) } else { Cow::Borrowed(shape) }
}

/// Whether the hole with this number has a `=` in front.
fn is_gap_hole(shape: &str, hole: u32) -> bool {
    shape.match_indices("()").nth(hole as usize).is_some_and(|(at, _)| shape[..at].ends_with('='))
}

/// A graph without references, some of its symbols left out or in another order, and where the others went.
pub(super) struct Reduced {
    pub(super) graph: Graph,
    moved: Vec<BTreeMap<usize, u32>>,
}

impl Reduced {
    /// Gives every spine the symbols that `order` chooses, in that order.
    fn rearrange(graph: &Graph, order: impl Fn(&[Symbol]) -> Vec<usize>) -> Reduced {
        let mut moved = Vec::with_capacity(graph.words.len() + 1);
        let mut rearranged = |spine: &Spine| {
            let order = order(&spine.symbols);
            let symbols = order.iter().map(|&index| spine.symbols[index].clone()).collect();
            moved.push(order.into_iter().zip(0..).collect());
            Spine { symbols }
        };
        let root = rearranged(&graph.root);
        let mut words = graph.words.clone();
        words.iter_mut().for_each(|word| word.spine = rearranged(&word.spine));
        let mut reduced = Reduced { graph: Graph { root, words, ..Graph::default() }, moved };
        for index in 0..reduced.graph.words.len() {
            let word = &reduced.graph.words[index];
            let attachment = word.attachment.and_then(|phrase| reduced.symbol(word.head, phrase));
            reduced.graph.words[index].attachment = attachment;
        }
        reduced
    }

    /// The same with all nulls in the order of [`SpineType`], their places forgotten.
    fn forget_places(self) -> Reduced {
        let mut bare = Reduced::rearrange(&self.graph, canonical_order);
        let spines = bare.graph.words.iter_mut().map(|word| &mut word.spine);
        for symbol in spines.chain([&mut bare.graph.root]).flat_map(|spine| &mut spine.symbols) {
            symbol.place = 0;
        }
        for (moved, again) in self.moved.into_iter().zip(&mut bare.moved) {
            *again = moved.into_iter().map(|(from, via)| (from, again[&(via as usize)])).collect();
        }
        bare
    }

    fn symbol(&self, vertex: Vertex, id: SymbolId) -> Option<SymbolId> {
        self.moved.get(vertex.index())?.get(&id.index()).copied().map(SymbolId)
    }

    fn node(&self, (vertex, anchor): Node) -> Option<Node> {
        match anchor {
            Anchor::Tag => Some((vertex, Anchor::Tag)),
            Anchor::Symbol(id) => Some((vertex, Anchor::Symbol(self.symbol(vertex, id)?))),
        }
    }
}

/// Calls the ends of stored edges by the names they have once places are forgotten.
struct Namer<'a> {
    stored: &'a Outline<'a>,
    bare: &'a Outline<'a>,
    reduced: &'a Reduced,
}

impl Namer<'_> {
    /// `None` if an end is on a phrase of marks that were left out.
    fn reference(&self, from: End, to: End) -> Option<Reference> {
        Some(Reference { from: self.port(from)?, to: self.port(to)? })
    }

    fn port(&self, end: End) -> Option<super::Port> {
        let anchor = (end.vertex, end.anchor);
        let below = || self.stored.preorder_below(anchor).into_iter();
        let (node, is_within) = match end.slot {
            SlotName::Below(nth) => (below().nth(nth as usize)?, true),
            SlotName::NullBelow(nth) => {
                (below().filter(|&node| self.stored.is_null_element(node)).nth(nth as usize)?, true)
            }
            _ => (anchor, false),
        };
        let is_gap = match end.slot {
            SlotName::Gap => true,
            SlotName::Hole(hole) => is_gap_hole(self.stored.label(node), hole),
            _ => false,
        };
        let within = match end.anchor {
            Anchor::Symbol(phrase) if is_within => Some(self.reduced.symbol(end.vertex, phrase)?),
            _ => None,
        };
        self.bare.port(end.vertex, self.reduced.node(node)?, within, is_gap)
    }
}
