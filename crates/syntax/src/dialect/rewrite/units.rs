//! Unit marks: `$ 5` is read "five dollars", so the Penn Treebank puts a null, `*U*`, where the unit is spoken.
//!
//! Treebanks of today leave most of them out, and where they go is no matter of judgement, so a rule puts them in: at the end of the
//! lowest phrase above a currency sign that is no `QP`, and above a range that names its unit twice (`10 cents to 15 cents`).

use std::collections::BTreeMap;

use super::nodes::category;
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph, Symbol, SymbolId, SymbolKind, Vertex};

/// The null element of a unit.
pub(super) const UNIT: &str = "*U*";

/// The tags of currency signs.
pub(super) const CURRENCIES: [&str; 2] = ["$", "#"];

/// Categories of numbers behind a sign: `5`, `5 million`, `5-a-share`.
const NUMBERS: [&str; 3] = ["CD", "QP", "JJ"];

/// Puts a unit mark at the end of each phrase that should have one and has none.
pub(super) fn mark(graph: &mut Graph) {
    // the highest phrase of a spine first: the names of those below it stay true
    for ((vertex, phrase), place) in unmarked(graph).into_iter().rev() {
        let symbols = &graph.words[vertex.index() - 1].spine.symbols;
        let hanging = symbols[phrase.index() + 1..].iter().take_while(|symbol| !symbol.is_headed()).count();
        let at = SymbolId(phrase.0 + 1 + hanging as u32);
        graph.insert_symbol(vertex, at, Symbol { kind: SymbolKind::Null(UNIT.to_owned()), depth: 1, place });
    }
}

/// The phrases that want a mark, each with the place behind all else in it.
fn unmarked(graph: &Graph) -> BTreeMap<(Vertex, SymbolId), i32> {
    let outline = Outline::of(graph);
    let nodes = graph.vertices().zip(&graph.words).flat_map(|(vertex, word)| {
        let phrases = word.spine.headed().map(Anchor::Symbol);
        std::iter::once(Anchor::Tag).chain(phrases).map(move |anchor| (vertex, anchor))
    });
    let quantities = nodes.filter(|&node| is_sum(&outline, node) || is_range(&outline, node));
    let hosts = quantities.filter_map(|node| host(graph, &outline, node));
    let wanting = hosts.filter(|&host| !is_marked(&outline, host));
    wanting
        .filter_map(|(vertex, anchor)| {
            let Anchor::Symbol(phrase) = anchor else { return None };
            let overt = outline.overt(vertex, phrase);
            Some(((vertex, phrase), overt.place(overt.children.len())))
        })
        .collect()
}

/// The lowest phrase above `node` that is no `QP`; the top of the tree is none.
fn host(graph: &Graph, outline: &Outline<'_>, node: Node) -> Option<Node> {
    let mut above = std::iter::successors(graph.parent(node), |&node| graph.parent(node));
    above.find(|&above| category(outline, above) != "QP").filter(|&host| graph.parent(host).is_some())
}

/// A currency sign with a number behind it.
fn is_sum(outline: &Outline<'_>, node: Node) -> bool {
    node.1 == Anchor::Tag
        && CURRENCIES.contains(&outline.label(node))
        && outline.graph.parent(node).is_some_and(|parent| {
            let children = outline.children(parent);
            let behind = children.iter().skip_while(|&&child| child != node).nth(1);
            behind.is_some_and(|&behind| NUMBERS.contains(&category(outline, behind)))
        })
}

/// A `QP` with two numbers that have a noun each.
fn is_range(outline: &Outline<'_>, node: Node) -> bool {
    if category(outline, node) != "QP" {
        return false;
    }
    let children = outline.children(node);
    let is_counted = |pair: &&[Node]| {
        category(outline, pair[0]) == "CD" && ["NN", "NNS"].contains(&category(outline, pair[1]))
    };
    children.windows(2).filter(is_counted).count() > 1
}

fn is_marked(outline: &Outline<'_>, phrase: Node) -> bool {
    let children = outline.children(phrase);
    children.into_iter().any(|child| outline.is_null_element(child) && outline.label(child) == UNIT)
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn marked(text: &str) -> String {
        rewritten(text, Rewrite::Units)
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
            "(S (NP (DT a) (ADJP ($ $) (JJ 5-a-share) (-NONE- *U*)) (NN bid)))",
            "(S (NP (CD 5) (NN %)) (NP (DT the) ($ $)) (NP (# #) (NN wow)))",
        ] {
            assert_eq!(marked(tree), tree, "one is there already");
            assert_eq!(marked(&tree.replace(" (-NONE- *U*)", "")), tree);
        }
    }
}
