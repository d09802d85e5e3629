//! The tree that a graph stands for, seen phrase by phrase: parents and children without decoding.

use super::{Graph, Symbol, SymbolId, Vertex};

/// A phrase that a word, or the root, heads.
pub type Phrase = (Vertex, SymbolId);

/// A child of a phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    /// The next lower phrase of the same spine; `None` for the word itself.
    Head(Option<SymbolId>),
    /// A word that is attached here, with its whole spine.
    Dependant(Vertex),
    /// A null element, or a phrase of nothing else, that hangs here.
    Hanging(SymbolId),
}

impl Graph {
    /// The phrase right above a phrase of a word's spine, or above the word itself. `None` for the topmost node of the tree.
    pub fn phrase_above(&self, vertex: Vertex, phrase: Option<SymbolId>) -> Option<Phrase> {
        let word = self.word(vertex)?;
        let mut higher = word.spine.headed().filter(|&id| phrase.is_none_or(|phrase| id > phrase));
        higher.next().map(|id| (vertex, id)).or(word.attachment.map(|id| (word.head, id)))
    }

    /// The words that are attached to a phrase, in order.
    pub fn dependants(&self, (vertex, phrase): Phrase) -> impl Iterator<Item = Vertex> {
        let words = self.vertices().zip(&self.words);
        words
            .filter(move |(_, word)| word.head == vertex && word.attachment == Some(phrase))
            .map(|(word, _)| word)
    }

    /// The symbols that hang right in a phrase, in order.
    pub fn hanging(&self, (vertex, phrase): Phrase) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        let symbols = self.spine(vertex).map_or(&[][..], |spine| &spine.symbols[phrase.index() + 1..]);
        let behind = (phrase.0 + 1..).map(SymbolId).zip(symbols);
        behind.take_while(|(_, symbol)| !symbol.is_headed()).filter(|(_, symbol)| symbol.depth == 1)
    }

    /// The children of a word's phrase, from left to right.
    pub fn children(&self, phrase: Phrase) -> Vec<Child> {
        let (vertex, id) = phrase;
        let below =
            self.spine(vertex).and_then(|spine| spine.headed().take_while(|&lower| lower < id).last());
        let left = self.dependants(phrase).filter(|&word| word < vertex).map(Child::Dependant);
        let right = self.dependants(phrase).filter(|&word| word > vertex).map(Child::Dependant);
        let mut children: Vec<Child> = left.collect();
        let head_at = children.len() as i32;
        children.push(Child::Head(below));
        children.extend(right);
        let gap = |symbol: &Symbol| head_at + symbol.place + i32::from(symbol.place < 0);
        let mut hanging: Vec<_> = self.hanging(phrase).map(|(id, symbol)| (gap(symbol), id)).collect();
        hanging.sort_by_key(|&(gap, _)| gap);
        // from the right, so that the places of those farther left still count overt children only
        for (gap, id) in hanging.into_iter().rev() {
            children.insert((gap.max(0) as usize).min(children.len()), Child::Hanging(id));
        }
        children
    }
}
