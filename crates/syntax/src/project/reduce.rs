//! A graph in the letters of an [`Alphabet`], with a note of where each symbol went.

use super::alphabet::{Alphabet, without_holes};
use super::spine::canonical_order;
use crate::graph::outline::Node;
use crate::graph::{Anchor, Graph, Spine, Symbol, SymbolId, SymbolKind, Vertex, Word};

/// Whether nulls still know where they stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// As in the graph.
    Kept,
    /// All 0, and the nulls in the order of [`SpineType`](super::SpineType).
    Forgotten,
}

/// Spines and structural edges, without traces.
pub(super) struct Reduced {
    pub(super) graph: Graph,
    /// For each vertex and symbol of the whole graph, the symbol of the reduced one; `None` if it was left out.
    moved: Vec<Vec<Option<SymbolId>>>,
}

impl Reduced {
    pub(super) fn of(graph: &Graph, alphabet: Alphabet, places: Places) -> Reduced {
        let mut moved = Vec::with_capacity(graph.words.len() + 1);
        let mut spine = |whole: &Spine| {
            let (symbols, ids) = spell(&whole.symbols, alphabet, places);
            moved.push(ids);
            Spine { symbols }
        };
        let root = spine(&graph.root);
        let words = graph.words.iter().map(|word| Word {
            form: word.form.clone(),
            tag: word.tag.as_deref().map(|tag| without_holes(tag).into_owned()),
            spine: spine(&word.spine),
            head: word.head,
            attachment: None,
        });
        let words = words.collect();
        let mut reduced = Reduced { graph: Graph { root, words, ..Graph::default() }, moved };
        for (index, word) in graph.words.iter().enumerate() {
            let attachment = word.attachment.and_then(|phrase| reduced.symbol(word.head, phrase));
            reduced.graph.words[index].attachment = attachment;
        }
        reduced
    }

    /// Where a symbol of the whole graph is now.
    pub(super) fn symbol(&self, vertex: Vertex, id: SymbolId) -> Option<SymbolId> {
        *self.moved.get(vertex.index())?.get(id.index())?
    }

    /// Where a node of the whole graph is now.
    pub(super) fn node(&self, (vertex, anchor): Node) -> Option<Node> {
        match anchor {
            Anchor::Tag => Some((vertex, Anchor::Tag)),
            Anchor::Symbol(id) => Some((vertex, Anchor::Symbol(self.symbol(vertex, id)?))),
        }
    }
}

fn spell(whole: &[Symbol], alphabet: Alphabet, places: Places) -> (Vec<Symbol>, Vec<Option<SymbolId>>) {
    let mut kept = alphabet.letters(whole);
    let mut symbols: Vec<Symbol> = kept.iter().map(|&index| whole[index].clone()).collect();
    for symbol in &mut symbols {
        if let SymbolKind::Phrase(shape) = &mut symbol.kind {
            *shape = alphabet.label(shape);
        }
    }
    if places == Places::Forgotten {
        let order = canonical_order(&symbols);
        symbols = order.iter().map(|&index| Symbol { place: 0, ..symbols[index].clone() }).collect();
        kept = order.iter().map(|&index| kept[index]).collect();
    }
    let mut moved = vec![None; whole.len()];
    for (index, old) in kept.into_iter().enumerate() {
        moved[old] = Some(SymbolId(index as u32));
    }
    (symbols, moved)
}
