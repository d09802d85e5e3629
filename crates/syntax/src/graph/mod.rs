//! The paper's representation: spines on words, edges between them.
//!
//! Every word gets a *spine*, the phrases it heads from the bottom to the top, with the null elements that hang in them. Every other
//! link of the tree is an *edge* between two words: a *structural edge* from a spine's top to the phrase it is a child of, or a
//! *trace edge* from the index of a null element to its antecedent. [`encode()`] makes the graph of a tree, [`decode()`] the tree of a graph:
//!
//! ```
//! use tracebank_syntax::graph::{self, Vertex};
//! use tracebank_syntax::heads::HeadTable;
//! use tracebank_syntax::tree::Tree;
//! let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
//! let graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), graph::Targets::Referent);
//! assert_eq!(graph.word(Vertex(3)).unwrap().form, "running");
//! assert_eq!(graph.word(Vertex(3)).unwrap().head, Vertex(2));
//! assert_eq!((graph.traces[0].from.vertex, graph.traces[0].to.vertex), (Vertex(3), Vertex(1)));
//! assert_eq!(graph::decode(&graph)?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is lost: decoding gives the very tree that was encoded, its indices renumbered from 1 in the order in which they stand
//! ([`Tree::renumber`](crate::tree::Tree::renumber)). DIVERGENCE from the authors' format, which loses the place of a null element
//! among its siblings, indices that dangle, the tags that it overwrites by word form, and tops that are not one phrase: here a null
//! keeps its [place](Symbol::place), an index that nothing shares is kept as [loose](Graph::loose), and the root has a
//! spine of its own.

mod arcs;
mod decode;
mod edit;
mod encode;
pub(crate) mod outline;
pub mod text;

pub use arcs::{Arc, ArcKind, Orientation};
pub(crate) use decode::check_parents;
pub use decode::{DecodeError, decode};
pub use encode::{PSEUDO_ATTACHMENT, Targets, WRAPPERS, encode};

/// A word of the sentence, counted from 1, or the root, which is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex(pub u32);

impl Vertex {
    /// The root, under which the sentence hangs.
    pub const ROOT: Vertex = Vertex(0);

    /// The vertex as an index into tables with a row for the root.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a [`Symbol`] in its spine, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// The id as an index into [`Spine::symbols`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a symbol of a spine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// A phrase, by the [shape](crate::tree::Label::shape) of its label.
    Phrase(String),
    /// A null element, by its type: `*T*`.
    Null(String),
    /// A leaf that is neither a word nor a null element: `(SU /)`.
    Mark {
        /// Its tag.
        tag: String,
        /// Its text.
        text: String,
    },
}

/// A phrase of a spine, or a null element (or a phrase of nothing else) that hangs in one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol {
    /// Its kind.
    pub kind: SymbolKind,
    /// 0 for a phrase that the word heads; 1 for what hangs in the last such phrase, 2 for what is inside that, and so on.
    pub depth: u32,
    /// The place of a symbol of depth 1 among the children of its phrase: -1 is just left of the head child, -2 has one
    /// child that holds a word between itself and the head child; 1 and 2 are their mirror images. Under the root, which
    /// has no head child, it is the number of children that hold a word before it. 0 for symbols of other depths.
    pub place: i32,
}

impl Symbol {
    /// The label of a phrase or the type of a null element; the tag of a mark.
    pub fn name(&self) -> &str {
        match &self.kind {
            SymbolKind::Phrase(name) | SymbolKind::Null(name) | SymbolKind::Mark { tag: name, .. } => name,
        }
    }

    /// Whether the word heads this phrase.
    pub fn is_headed(&self) -> bool {
        self.depth == 0
    }
}

/// The phrases that a word heads, from the bottom to the top, each followed by what hangs in it: null elements and phrases of
/// nothing else, left to right and parents first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Spine {
    /// The symbols in that order.
    pub symbols: Vec<Symbol>,
}

impl Spine {
    /// The phrases that the word heads, bottom first.
    pub fn headed(&self) -> impl DoubleEndedIterator<Item = SymbolId> {
        (0..self.symbols.len() as u32).map(SymbolId).filter(|&id| self.symbols[id.index()].is_headed())
    }

    /// The symbol with this id.
    pub fn get(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(id.index())
    }

    /// Whether a null element, or a phrase of nothing else, hangs in a headed phrase.
    pub fn holds_null(&self, phrase: SymbolId) -> bool {
        self.symbols.get(phrase.index() + 1).is_some_and(|symbol| !symbol.is_headed())
    }

    /// The headed phrase in which the symbol `id` hangs, or `id` itself if it is one. `None` straight under a root without bracket.
    pub fn host(&self, id: SymbolId) -> Option<SymbolId> {
        self.headed().rfind(|&headed| headed <= id)
    }
}

/// A word with its spine and its structural edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word itself.
    pub form: String,
    /// The [shape](crate::tree::Label::shape) of its tag; `None` for a bare word.
    pub tag: Option<String>,
    /// The phrases that it heads.
    pub spine: Spine,
    /// Its structural parent.
    pub head: Vertex,
    /// The phrase of the parent's spine that it is a child of; `None` only under a root without bracket.
    pub attachment: Option<SymbolId>,
}

/// A node of the tree, named from the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Anchor {
    /// The word's own token.
    Tag,
    /// A symbol of its spine.
    Symbol(SymbolId),
}

/// An index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SlotName {
    /// The index of a null element.
    Null,
    /// The `-1` of a label.
    Index,
    /// The `=1` of a label.
    Gap,
    /// The index in the hole with this number, from 0, of a label that has its indices in an unusual place.
    Hole(u32),
    /// The `-1` of the phrase with this number among all nodes below this one, from 0 and parents first; see [`Targets`].
    Below(u32),
    /// The `=1` of the phrase with this number below this one, where no label has the number as `-1`.
    GapBelow(u32),
    /// The index of the null element with this number among those below this node, from 0; see [`Targets`].
    NullBelow(u32),
}

/// An end of a trace edge: an index of a node of a word's spine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The word.
    pub vertex: Vertex,
    /// The node.
    pub anchor: Anchor,
    /// The index on it.
    pub slot: SlotName,
}

/// A trace: two indices with one number, of a null element and of its antecedent, or of a gap (`=1`) and of the node whose role it
/// shares.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TraceEdge {
    /// Its type: a null element's (`*T*`), `=` for a gap, `-` for a second label with the same index.
    pub kind: String,
    /// The null element or gap.
    pub from: End,
    /// Its antecedent.
    pub to: End,
}

/// A sentence as spines and edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// The spine of the root: the outermost bracket, if it is one that only wraps the sentence, and the nulls straight under it.
    pub root: Spine,
    /// The words, in order; word `i` is vertex `i + 1`.
    pub words: Vec<Word>,
    /// The trace edges, in the order of [`End`].
    pub traces: Vec<TraceEdge>,
    /// Indices whose number occurs nowhere else in the tree.
    pub loose: Vec<End>,
}

impl Graph {
    /// The word at a vertex; `None` for the root and beyond the sentence.
    pub fn word(&self, vertex: Vertex) -> Option<&Word> {
        self.words.get(vertex.index().checked_sub(1)?)
    }

    /// The spine at a vertex, the root's included.
    pub fn spine(&self, vertex: Vertex) -> Option<&Spine> {
        if vertex == Vertex::ROOT { Some(&self.root) } else { self.word(vertex).map(|word| &word.spine) }
    }

    /// The words' vertices, in order.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + use<> {
        (1..=self.words.len() as u32).map(Vertex)
    }

    /// The symbol that an end names; `None` for a word's own tag.
    pub fn symbol(&self, end: End) -> Option<&Symbol> {
        match end.anchor {
            Anchor::Tag => None,
            Anchor::Symbol(id) => self.spine(end.vertex)?.get(id),
        }
    }

    /// Puts trace edges and loose indices in order.
    pub(crate) fn sort_traces(&mut self) {
        self.traces.sort_by(|a, b| (a.from, a.to, &a.kind).cmp(&(b.from, b.to, &b.kind)));
        self.loose.sort_unstable();
    }
}
