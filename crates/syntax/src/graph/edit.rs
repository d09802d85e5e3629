//! Edits of spines that keep the names of their symbols true.

use super::{Anchor, End, Graph, Symbol, SymbolId, Vertex};
use crate::tree::Label;

impl Graph {
    /// Puts a symbol into a word's spine, at this place; what names those behind it follows.
    pub fn insert_symbol(&mut self, vertex: Vertex, at: SymbolId, symbol: Symbol) {
        self.words[vertex.index() - 1].spine.symbols.insert(at.index(), symbol);
        self.rename_symbols(vertex, |id| id.0 += u32::from(*id >= at));
    }

    /// Takes a symbol, which nothing may name, out of a word's spine; what names those behind it follows.
    pub fn remove_symbol(&mut self, vertex: Vertex, at: SymbolId) -> Symbol {
        let symbol = self.words[vertex.index() - 1].spine.symbols.remove(at.index());
        self.rename_symbols(vertex, |id| id.0 -= u32::from(*id > at));
        symbol
    }

    /// Whether a trace, or an index of its own, has an end at this symbol.
    pub fn is_referred_to(&self, vertex: Vertex, symbol: SymbolId) -> bool {
        let mut ends = self.traces.iter().flat_map(|trace| [&trace.from, &trace.to]).chain(&self.loose);
        ends.any(|end| end.vertex == vertex && end.anchor == Anchor::Symbol(symbol))
    }

    /// Whether a word is attached to this symbol.
    pub fn has_dependants(&self, vertex: Vertex, symbol: SymbolId) -> bool {
        self.words.iter().any(|word| word.head == vertex && word.attachment == Some(symbol))
    }

    /// Takes out phrases that hold nothing but a phrase of the same category, unless something refers to them. Function tags stay.
    pub fn drop_repeated_phrases(&mut self) {
        for vertex in self.vertices() {
            while let Some([below, repeated]) = self.repeated_phrase(vertex) {
                let repeated = self.remove_symbol(vertex, repeated);
                if Label::parse(repeated.name()).functions().next().is_some() {
                    self.words[vertex.index() - 1].spine.symbols[below.index()].kind = repeated.kind;
                }
            }
        }
    }

    /// A phrase that repeats the one below it.
    fn repeated_phrase(&self, vertex: Vertex) -> Option<[SymbolId; 2]> {
        let spine = &self.words[vertex.index() - 1].spine;
        let headed: Vec<SymbolId> = spine.headed().collect();
        let holds_more = |id: SymbolId| {
            spine.holds_null(id) || self.has_dependants(vertex, id) || self.is_referred_to(vertex, id)
        };
        let category = |id: SymbolId| Label::parse(spine.symbols[id.index()].name()).category();
        let mut pairs = headed.windows(2).map(|pair| [pair[0], pair[1]]);
        pairs.find(|&[below, above]| category(below) == category(above) && !holds_more(above))
    }

    fn rename_symbols(&mut self, vertex: Vertex, shift: impl Fn(&mut SymbolId)) {
        for word in self.words.iter_mut().filter(|word| word.head == vertex) {
            word.attachment.iter_mut().for_each(&shift);
        }
        let ends: Vec<&mut End> = self
            .traces
            .iter_mut()
            .flat_map(|trace| [&mut trace.from, &mut trace.to])
            .chain(&mut self.loose)
            .collect();
        for end in ends.into_iter().filter(|end| end.vertex == vertex) {
            if let Anchor::Symbol(id) = &mut end.anchor {
                shift(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::{self, Targets};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    #[test]
    fn only_phrases_that_add_nothing_are_dropped() {
        for (text, dropped) in [
            ("( (NP (NP (NN time))))", "( (NP (NN time)))"),
            ("( (NP-SBJ (NP (NN time))))", "( (NP-SBJ (NN time)))"),
            (
                "( (S (NP (NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome)))))))",
                "( (S (NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome))))))",
            ),
            ("( (S (VP (VP (VB go)) (-NONE- *?*))))", "( (S (VP (VP (VB go)) (-NONE- *?*))))"),
            (
                "( (S (NP-1 (NP (PRP it))) (VP (VBD came) (NP (-NONE- *-1)))))",
                "( (S (NP-1 (NP (PRP it))) (VP (VBD came) (NP (-NONE- *-1)))))",
            ),
            ("( (S (S (VP (VB go)))))", "( (S (VP (VB go))))"),
        ] {
            let tree: Tree = text.parse().unwrap();
            let mut graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
            graph.drop_repeated_phrases();
            assert_eq!(graph::decode(&graph).unwrap().to_string(), dropped);
        }
    }
}
