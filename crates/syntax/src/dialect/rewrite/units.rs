//! Unit marks: `$ 5` is read "five dollars", so the Penn Treebank puts a null, `*U*`, where the unit is spoken.
//!
//! Treebanks of today leave most of them out, and where they go is no matter of judgement, so a rule puts them in: at the end of the
//! lowest phrase above a currency sign that is no `QP`, and above a range that names its unit twice (`10 cents to 15 cents`).

use std::collections::BTreeSet;

use crate::graph::{Child, Graph, Phrase, Symbol, SymbolId, SymbolKind, Vertex};
use crate::tree::Label;

/// The null element of a unit.
const UNIT: &str = "*U*";

/// The tags of currency signs.
pub(super) const CURRENCIES: [&str; 2] = ["$", "#"];

/// Puts a unit mark at the end of each phrase that should have one and has none.
pub(super) fn mark(graph: &mut Graph) {
    let signs = graph.vertices().filter(|&word| is_sum(graph, word)).map(|word| (word, None));
    let headed = graph.vertices().flat_map(|word| {
        let spine = graph.spine(word).into_iter();
        spine.flat_map(move |spine| spine.headed().map(move |phrase| (word, phrase)))
    });
    let ranges = headed.filter(|&phrase| is_range(graph, phrase)).map(|(word, phrase)| (word, Some(phrase)));
    let hosts = signs.chain(ranges).filter_map(|(word, phrase)| host(graph, word, phrase));
    let hosts: BTreeSet<Phrase> = hosts.filter(|&host| !is_marked(graph, host)).collect();
    // the highest phrase of a spine first: the names of those below it stay true
    for (vertex, phrase) in hosts.into_iter().rev() {
        let behind_head = graph.dependants((vertex, phrase)).filter(|&word| word > vertex).count();
        let spine = graph.spine(vertex).expect("a phrase of the graph");
        let hanging = spine.symbols[phrase.index() + 1..].iter().take_while(|symbol| !symbol.is_headed());
        let at = SymbolId(phrase.0 + 1 + hanging.count() as u32);
        let kind = SymbolKind::Null(UNIT.to_owned());
        graph.insert_symbol(vertex, at, Symbol { kind, depth: 1, place: 1 + behind_head as i32 });
    }
}

/// The lowest phrase above a phrase, or a word, that is no `QP`. The topmost node of the tree is none.
fn host(graph: &Graph, vertex: Vertex, phrase: Option<SymbolId>) -> Option<Phrase> {
    let above = |&(vertex, phrase): &Phrase| graph.phrase_above(vertex, Some(phrase));
    let mut phrases = std::iter::successors(graph.phrase_above(vertex, phrase), above);
    let host = phrases.find(|&phrase| category(graph, phrase) != "QP")?;
    above(&host).map(|_| host)
}

/// A currency sign with something behind it in its phrase.
fn is_sum(graph: &Graph, vertex: Vertex) -> bool {
    let is_sign = |tag: &str| CURRENCIES.contains(&tag);
    let word = graph.word(vertex).filter(|word| word.tag.as_deref().is_some_and(is_sign));
    let is_last = |phrase: Phrase| {
        let own = if phrase.0 == vertex { Child::Head(None) } else { Child::Dependant(vertex) };
        phrase.0 != Vertex::ROOT && graph.children(phrase).last() == Some(&own)
    };
    word.is_some() && graph.phrase_above(vertex, None).is_some_and(|phrase| !is_last(phrase))
}

/// A `QP` with two numbers that have a noun each.
fn is_range(graph: &Graph, phrase: Phrase) -> bool {
    if category(graph, phrase) != "QP" {
        return false;
    }
    let children = graph.children(phrase);
    let categories: Vec<&str> =
        children.iter().map(|&child| child_category(graph, phrase.0, child)).collect();
    let counted = |pair: &&[&str]| pair[0] == "CD" && ["NN", "NNS"].contains(&pair[1]);
    categories.windows(2).filter(counted).count() > 1
}

fn is_marked(graph: &Graph, phrase: Phrase) -> bool {
    graph.hanging(phrase).any(|(_, symbol)| matches!(&symbol.kind, SymbolKind::Null(kind) if kind == UNIT))
}

fn category(graph: &Graph, (vertex, phrase): Phrase) -> &str {
    let symbol = graph.spine(vertex).and_then(|spine| spine.get(phrase));
    symbol.map_or("", |symbol| Label::parse(symbol.name()).category())
}

/// The category of a child of a phrase of `vertex`; the tag of a word.
fn child_category(graph: &Graph, vertex: Vertex, child: Child) -> &str {
    let tag = |vertex| graph.word(vertex).and_then(|word| word.tag.as_deref());
    let tag = |vertex| Label::parse(tag(vertex).unwrap_or_default()).category();
    let top = |vertex| graph.spine(vertex).and_then(|spine| spine.headed().next_back());
    match child {
        Child::Head(Some(phrase)) => category(graph, (vertex, phrase)),
        Child::Head(None) => tag(vertex),
        Child::Dependant(word) => {
            top(word).map_or_else(|| tag(word), |phrase| category(graph, (word, phrase)))
        }
        Child::Hanging(null) => category(graph, (vertex, null)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Targets, decode, encode};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    fn marked(text: &str) -> String {
        let tree: Tree = text.parse().unwrap();
        let mut graph = encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        mark(&mut graph);
        decode(&graph).unwrap().to_string()
    }

    #[test]
    fn sums_of_each_shape_get_their_mark() {
        for tree in [
            "(S (NP ($ $) (CD 5) (-NONE- *U*)))",
            "(S (NP (QP ($ $) (CD 1.5) (CD billion)) (-NONE- *U*)))",
            "(S (NP (DT a) (ADJP ($ US$) (CD 5) (-NONE- *U*)) (NN bill)))",
            "(S (NP (QP (IN between) ($ C$) (CD 3) (CC and) ($ C$) (CD 4)) (-NONE- *U*)))",
            "(S (NP (QP (CD 10) (NNS cents) (TO to) (CD 15) (NNS cents)) (-NONE- *U*)))",
            "(S (NP (DT the) ($ $) (QP (CD 5) (CD million)) (-NONE- *U*)))",
            "(S (NP (CD 5) (NN %)) (NP (DT the) ($ $)))",
        ] {
            assert_eq!(marked(tree), tree, "one is there already");
            assert_eq!(marked(&tree.replace(" (-NONE- *U*)", "")), tree);
        }
    }
}
