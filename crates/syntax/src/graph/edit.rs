//! Edits of spines and of structural edges that keep the names and the places of symbols true.

use super::outline::{Outline, Overt};
use super::{Anchor, End, Graph, Spine, Symbol, SymbolId, Vertex};
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

    /// Hangs a word in another phrase, where it comes last of those that stand at the same place. Nulls in both phrases stay between the children
    /// that they were between; those at the end of the new phrase stay before the word. A word that is above the phrase stays where it is: there would be a
    /// circle.
    pub fn reattach(&mut self, word: Vertex, phrase: (Vertex, SymbolId)) {
        let Some(before) = self.word(word).and_then(|at| Some((at.head, at.attachment?))) else { return };
        if word == phrase.0 || self.dominates(word, phrase.0) {
            return;
        }
        let outline = Outline::of(self);
        let [left, entered] = [before, phrase].map(|(vertex, id)| {
            let overt = outline.overt(vertex, id);
            let hanging = self.spine(vertex).into_iter().flat_map(|spine| spine.hanging(id));
            hanging.map(|(at, symbol)| (at, overt.gap(symbol.place))).collect::<Vec<_>>()
        });
        let child =
            |overt: &Overt| overt.children.iter().position(|&(vertex, _)| vertex == word).unwrap_or(0);
        let gone = child(&outline.overt(before.0, before.1));
        (self.words[word.index() - 1].head, self.words[word.index() - 1].attachment) =
            (phrase.0, Some(phrase.1));
        let come = child(&Outline::of(self).overt(phrase.0, phrase.1));
        let left = left.into_iter().map(|(at, gap)| (at, gap - usize::from(gap > gone)));
        self.set_places(before, left.collect());
        let entered = entered.into_iter().map(|(at, gap)| (at, gap + usize::from(gap > come)));
        self.set_places(phrase, entered.collect());
    }

    /// Puts what hangs in a phrase behind so many of its children that hold a word.
    pub(crate) fn set_places(&mut self, (vertex, phrase): (Vertex, SymbolId), gaps: Vec<(usize, usize)>) {
        let overt = Outline::of(self).overt(vertex, phrase);
        let spine = match vertex {
            Vertex::ROOT => &mut self.root,
            _ => &mut self.words[vertex.index() - 1].spine,
        };
        for (at, gap) in gaps {
            spine.symbols[at].place = overt.place(gap);
        }
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

impl Spine {
    /// Nulls, and phrases of nothing else, that hang right in a headed phrase, with their places in the spine.
    pub(crate) fn hanging(&self, phrase: SymbolId) -> impl Iterator<Item = (usize, &Symbol)> {
        let behind = self.symbols.iter().enumerate().skip(phrase.index() + 1);
        behind.take_while(|(_, symbol)| !symbol.is_headed()).filter(|(_, symbol)| symbol.depth == 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::{self, SymbolId, Targets, Vertex};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    #[test]
    fn nulls_stay_where_they_are_when_a_word_moves() {
        let text = "( (S (-NONE- a) (NP (-NONE- b) (NN x) (-NONE- c)) (-NONE- d) (, ,) (-NONE- e) (VP (VB y)) (-NONE- f)))";
        let tree: Tree = text.parse().unwrap();
        let mut graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        graph.reattach(Vertex(2), (Vertex(1), SymbolId(0)));
        let moved = "( (S (-NONE- a) (NP (-NONE- b) (NN x) (-NONE- c) (, ,)) (-NONE- d) (-NONE- e) (VP (VB y)) (-NONE- f)))";
        assert_eq!(graph::decode(&graph).unwrap().to_string(), moved);
        graph.reattach(Vertex(2), (Vertex(3), SymbolId(1)));
        let back = text.replace(" (, ,) (-NONE- e)", " (-NONE- e) (, ,)");
        assert_eq!(graph::decode(&graph).unwrap().to_string(), back);
        graph.reattach(Vertex(3), (Vertex(1), SymbolId(0)));
        assert_eq!(graph::decode(&graph).unwrap().to_string(), back, "the verb is above the noun");
    }

    #[test]
    fn nulls_of_the_root_stay_where_they_are_when_its_word_moves() {
        let tree: Tree = "( (S (VB go)) (-NONE- a) (. .) (-NONE- b))".parse().unwrap();
        let mut graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        graph.reattach(Vertex(2), (Vertex(1), SymbolId(0)));
        let moved = "( (S (VB go) (. .)) (-NONE- a) (-NONE- b))";
        assert_eq!(graph::decode(&graph).unwrap().to_string(), moved);
    }

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
