//! Asides that say where a clause comes from: *Prices, analysts said, rose*. The Penn Treebank has the trace of the clause around the aside behind its verb,
//! `(PRN (S (NP-SBJ analysts) (VP said (SBAR (-NONE- 0) (S (-NONE- *T*-1))))))`; other treebanks have nothing there, or a clause of which nothing is known.

use super::nodes::{category, phrases};
use super::punctuation::ASIDE;
use super::verbs;
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, End, Graph, SlotName, Symbol, SymbolId, SymbolKind, TraceEdge, Vertex};

/// Labels of what can be said.
const SAID: [&str; 3] = ["SBAR", "S", "NP"];
const CLAUSES: [&str; 4] = ["S", "SINV", "SQ", "SBARQ"];

/// Puts the trace of the clause around it into each aside with a verb of saying.
pub(super) fn complete(graph: &mut Graph) {
    for (verb, phrase) in asides(graph) {
        let Some(null) = add_null(graph, verb, phrase) else { continue };
        let Some((vertex, anchor)) = clause_around(graph, (verb, Anchor::Symbol(phrase))) else { continue };
        let from = End { vertex: verb, anchor: Anchor::Symbol(null), slot: SlotName::Null };
        let to = End { vertex, anchor, slot: SlotName::Index };
        graph.traces.push(TraceEdge { kind: "*T*".to_owned(), from, to });
    }
    graph.sort_traces();
}

/// The verbs of saying, with their phrases, of asides that have nothing that is said and a clause around them.
fn asides(graph: &Graph) -> Vec<(Vertex, SymbolId)> {
    let outline = Outline::of(graph);
    let asides = phrases(graph).filter(|&phrase| category(&outline, phrase) == ASIDE);
    let found = asides.filter_map(|aside| {
        let child = |node: Node, wanted: &[&str]| {
            outline.children(node).into_iter().find(|&child| wanted.contains(&category(&outline, child)))
        };
        let clause = child(aside, &CLAUSES).unwrap_or(aside);
        let verb_phrase =
            std::iter::successors(child(clause, &["VP"]), |&node| child(node, &["VP"])).last()?;
        let (verb, Anchor::Symbol(id)) = verb_phrase else { return None };
        let word = graph.word(verb)?;
        let is_saying = word.tag.as_deref().is_some_and(|tag| tag.starts_with("VB"))
            && verbs::is_saying(&word.form)
            && outline.children(verb_phrase).contains(&(verb, Anchor::Tag));
        let beside = outline.children(verb_phrase);
        let is_said = beside.iter().any(|&child| SAID.contains(&outline.label(child)))
            && !beside.iter().any(|&child| is_unknown(&outline, verb, child));
        clause_around(graph, aside).filter(|_| is_saying && !is_said).map(|_| (verb, id))
    });
    found.collect()
}

/// The clause around the aside that a node is in or is.
fn clause_around(graph: &Graph, node: Node) -> Option<Node> {
    let outline = Outline::of(graph);
    let mut above = std::iter::successors(Some(node), |&node| graph.parent(node));
    above.find(|&node| category(&outline, node) == ASIDE)?;
    above.find(|&node| CLAUSES.contains(&category(&outline, node)))
}

/// Whether a phrase beside a verb is a clause of which nothing is known, `(SBAR (-NONE- 0) (S (-NONE- *?*)))`. What is null hangs in the verb's own spine.
fn is_unknown(outline: &Outline<'_>, verb: Vertex, phrase: Node) -> bool {
    (phrase.0, category(outline, phrase)) == (verb, "SBAR")
        && outline.preorder_below(phrase).iter().any(|&node| outline.label(node) == "*?*")
}

/// Puts the null of a clause behind a verb, in the place of one of which nothing was known.
fn add_null(graph: &mut Graph, verb: Vertex, phrase: SymbolId) -> Option<SymbolId> {
    let outline = Outline::of(graph);
    let unknown = outline
        .children((verb, Anchor::Symbol(phrase)))
        .into_iter()
        .find(|&child| is_unknown(&outline, verb, child));
    if let Some(unknown) = unknown {
        let null = outline.preorder_below(unknown).into_iter().find(|&node| outline.label(node) == "*?*");
        let Some((_, Anchor::Symbol(null))) = null else { return None };
        graph.words[verb.index() - 1].spine.symbols[null.index()].kind = SymbolKind::Null("*T*".to_owned());
        Some(null)
    } else if outline.graph.spine(verb).is_some_and(|spine| spine.holds_null(phrase)) {
        None
    } else {
        let overt = outline.overt(verb, phrase);
        let behind = overt.children.iter().position(|&(vertex, _)| vertex == verb).map_or(0, |at| at + 1);
        let label = |label: &str| SymbolKind::Phrase(label.to_owned());
        let null = |null: &str| SymbolKind::Null(null.to_owned());
        let first = SymbolId(phrase.0 + 1);
        for (kind, depth, place) in [
            (null("*T*"), 3, 0),
            (label("S"), 2, 0),
            (null("0"), 2, 0),
            (label("SBAR"), 1, overt.place(behind)),
        ] {
            graph.insert_symbol(verb, first, Symbol { kind, depth, place });
        }
        Some(SymbolId(first.0 + 3))
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn completed(text: &str) -> String {
        rewritten(text, Rewrite::SaidAsides)
    }

    #[test]
    fn an_aside_has_the_trace_of_the_clause_around_it() {
        let aside = "( (S-1 (NP-SBJ (NNS Prices)) (PRN (, ,) (S (NP-SBJ (NNS analysts)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1))) (NP-TMP (NN yesterday)))) (, ,)) (VP (VBD rose))))";
        assert_eq!(completed(&aside.replace("S-1", "S").replace("*T*-1", "*?*")), aside);
        let without = aside.replace("S-1", "S").replace(" (SBAR (-NONE- 0) (S (-NONE- *T*-1)))", "");
        assert_eq!(completed(&without), aside);
        for other in [without.replace("NP-TMP", "NP"), without.replace("said", "left"), aside.to_owned()] {
            assert_eq!(completed(&other), other);
        }
    }
}
