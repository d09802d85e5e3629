//! Places of traces that the Penn Treebank's guidelines fix: that of an object is right behind its verb, before what tells the time, and that of a
//! predicate behind the subject, *What is (NP-SBJ your name) (NP-PRD \*T\*)*. Nobody hears where a trace is, so a parser may put it elsewhere.

use super::nodes::{category, phrases};
use crate::graph::outline::{Node, Outline, Overt};
use crate::graph::{Anchor, Graph, Symbol, SymbolId, SymbolKind, Vertex};
use crate::tree::Label;

const CLAUSES: [&str; 3] = ["S", "SQ", "SINV"];

/// Moves traces of objects and predicates to their places.
pub(super) fn settle(graph: &mut Graph) {
    for (phrase, places) in moves(graph) {
        graph.set_places(phrase, places);
    }
}

/// Symbols that hang in a phrase, by their places in the spine, and the number of children that each is to stand behind.
type Places = Vec<(usize, usize)>;

/// Phrases, with what hangs in them and has another place.
fn moves(graph: &Graph) -> Vec<((Vertex, SymbolId), Places)> {
    let outline = Outline::of(graph);
    let mut moves = Vec::new();
    for (vertex, anchor) in phrases(graph) {
        let (Anchor::Symbol(id), Some(spine)) = (anchor, graph.spine(vertex)) else { continue };
        let overt = outline.overt(vertex, id);
        let is_trace = |&(at, _): &(usize, &Symbol)| matches!(spine.symbols.get(at + 1), Some(Symbol { kind: SymbolKind::Null(name), .. }) if name == "*T*");
        let places = spine.hanging(id).filter(is_trace).filter_map(|(at, symbol)| {
            let gap = place(&outline, category(&outline, (vertex, anchor)), symbol, &overt)?;
            Some((at, gap))
        });
        let places: Places = places.collect();
        if !places.is_empty() {
            moves.push(((vertex, id), places));
        }
    }
    moves
}

/// The place of a phrase of a trace in another phrase, behind so many children; none if it stays where it is.
fn place(outline: &Outline<'_>, host: &str, trace: &Symbol, overt: &Overt) -> Option<usize> {
    let (children, gap) = (&overt.children, overt.gap(trace.place));
    let functions =
        |label: &'static str| move |name: &str| Label::parse(name).functions().any(|f| f == label);
    if host == "VP" && trace.name() == "NP" {
        let before = children[..gap].iter().rev();
        let place = gap - before.take_while(|&&child| is_adjunct(outline, child)).count();
        let verb = place.checked_sub(1).map(|at| outline.label(children[at]))?;
        return (place < gap && verb.starts_with("VB")).then_some(place);
    }
    if CLAUSES.contains(&host) && functions("PRD")(trace.name()) {
        let subject = children.iter().position(|&child| functions("SBJ")(outline.label(child)))?;
        return (gap <= subject).then_some(subject + 1);
    }
    None
}

/// Whether a child of a verb phrase is an adverb or tells the time.
fn is_adjunct(outline: &Outline<'_>, child: Node) -> bool {
    child.1 != Anchor::Tag
        && (category(outline, child) == "ADVP"
            || Label::parse(outline.label(child)).functions().any(|function| function == "TMP"))
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn settled(text: &str) -> String {
        rewritten(text, Rewrite::TracePlaces)
    }

    #[test]
    fn traces_have_their_places() {
        let object = "( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB buy) (NP (-NONE- *T*-1)) (ADVP (RB online)) (NP-TMP (NN yesterday))))))";
        let trace = " (NP (-NONE- *T*-1))";
        let late = object.replace(trace, "").replace("(NN yesterday))", &format!("(NN yesterday)){trace}"));
        assert_eq!(settled(&late), object);
        assert_eq!(settled(object), object);
        let predicate = "( (SBARQ (WHNP-1 (WP What)) (SQ (VBZ is) (NP-SBJ (PRP$ your) (NN name)) (NP-PRD (-NONE- *T*-1)))))";
        let trace = " (NP-PRD (-NONE- *T*-1))";
        let early = predicate.replace(trace, "").replace("(SQ", &format!("(SQ{trace}"));
        assert_eq!(settled(&early), predicate);
        assert_eq!(settled(predicate), predicate);
        let second = "( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB give) (NP (PRP her)) (NP (-NONE- *T*-1))))))";
        assert_eq!(settled(second), second);
    }
}
