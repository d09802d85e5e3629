//! Commas and brackets that belong to what they enclose. The Penn Treebank has the comma behind an apposition inside of the phrase that it closes,
//! `(NP (NP Ann) (, ,) (NP a nurse) (, ,))`, the commas around an aside inside of the aside, `(PRN (, ,) (S he says) (, ,))`, and what is in brackets in an
//! aside with them. Other treebanks, and parsers that learn from them, leave them beside it.

use super::nodes::{category, phrases, sisters};
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph, Symbol, SymbolId, SymbolKind, Vertex};

/// The category of asides.
pub(super) const ASIDE: &str = "PRN";
/// The phrases that have appositions.
const HOSTS: [&str; 3] = ["NP", "ADJP", "ADVP"];
const CONJUNCTIONS: [&str; 2] = ["CC", "CONJP"];
/// The tags of punctuation that stands on both sides of an aside.
const PAIRS: [&str; 2] = [",", ":"];
const OPENING: &str = "-LRB-";
const CLOSING: &str = "-RRB-";

/// Hangs the punctuation of asides and appositions in them.
pub(super) fn enclose(graph: &mut Graph) {
    for (words, (vertex, phrase)) in bracketed(graph) {
        let spine = &mut graph.words[vertex.index() - 1].spine;
        let aside = phrase.unwrap_or_else(|| {
            spine.symbols.push(Symbol { kind: SymbolKind::Phrase(ASIDE.to_owned()), depth: 0, place: 0 });
            SymbolId(spine.symbols.len() as u32 - 1)
        });
        words.into_iter().for_each(|word| graph.reattach(word, (vertex, aside)));
    }
    for find in [beside_asides, behind_appositions] {
        for (word, phrase) in find(graph) {
            graph.reattach(word, phrase);
        }
    }
}

/// A word, and the phrase that it belongs to.
type Move = (Vertex, (Vertex, SymbolId));

/// Brackets on both sides of one child of a phrase, with the word that heads it, and the aside that it is if it is one.
type Bracketed = ([Vertex; 2], (Vertex, Option<SymbolId>));

fn bracketed(graph: &Graph) -> Vec<Bracketed> {
    let outline = Outline::of(graph);
    let mut found = Vec::new();
    for phrase in phrases(graph).filter(|&phrase| category(&outline, phrase) != ASIDE) {
        let children = outline.children(phrase);
        for three in children.windows(3).filter(|_| children.len() > 3) {
            let &[opening, (vertex, anchor), closing] = three else { continue };
            let are_brackets = (outline.label(opening), outline.label(closing)) == (OPENING, CLOSING);
            let is_bracket = [OPENING, CLOSING].contains(&outline.label((vertex, anchor)));
            if are_brackets && !is_bracket && vertex != phrase.0 {
                let aside = match anchor {
                    Anchor::Symbol(id) if category(&outline, (vertex, anchor)) == ASIDE => Some(id),
                    _ => None,
                };
                found.push(([opening.0, closing.0], (vertex, aside)));
            }
        }
    }
    found
}

/// The commas or dashes on both sides of an aside that has no punctuation of its own.
fn beside_asides(graph: &Graph) -> Vec<Move> {
    let outline = Outline::of(graph);
    let marks = [",", ":", OPENING];
    let asides = phrases(graph).filter(|&phrase| {
        category(&outline, phrase) == ASIDE
            && !outline.children(phrase).iter().any(|&child| marks.contains(&outline.label(child)))
    });
    let beside = asides.filter_map(|(vertex, anchor)| {
        let Anchor::Symbol(id) = anchor else { return None };
        let [before, behind] = sisters(&outline, (vertex, anchor))?;
        let (before, behind) = (before?, behind?);
        let is_pair =
            outline.label(before) == outline.label(behind) && PAIRS.contains(&outline.label(before));
        is_pair.then(|| [before, behind].map(|(word, _)| (word, (vertex, id))))
    });
    beside.flatten().collect()
}

/// The commas right behind phrases that have one comma, before their last child.
fn behind_appositions(graph: &Graph) -> Vec<Move> {
    let outline = Outline::of(graph);
    let is_conjunction = |&child: &Node| CONJUNCTIONS.contains(&category(&outline, child));
    let behind = phrases(graph).filter_map(|(vertex, anchor)| {
        let Anchor::Symbol(id) = anchor else { return None };
        let children = outline.overt(vertex, id).children;
        let &[first, .., comma, (_, Anchor::Symbol(_))] = &children[..] else { return None };
        let is_comma = |child: &Node| outline.label(*child) == ",";
        let is_apposition = HOSTS.contains(&category(&outline, (vertex, anchor)))
            && HOSTS.contains(&category(&outline, first))
            && is_comma(&comma)
            && children.iter().filter(|child| is_comma(child)).count() == 1
            && !children.iter().any(is_conjunction);
        let [_, behind] = sisters(&outline, (vertex, anchor)).filter(|_| is_apposition)?;
        let above = outline.children(graph.parent((vertex, anchor))?);
        let closes = |next: &Node| is_comma(next) && !above.iter().any(is_conjunction);
        behind.filter(closes).map(|(word, _)| (word, (vertex, id)))
    });
    behind.collect()
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn enclosed(text: &str) -> String {
        rewritten(text, Rewrite::EnclosedPunctuation)
    }

    #[test]
    fn an_apposition_is_closed_by_its_comma() {
        let open = "( (S (NP-SBJ (NP (NNP Ann)) (, ,) (NP (DT a) (NN nurse))) (, ,) (VP (VBD left) (NP (-NONE- *T*-1)))))";
        let closed = open.replace("(NN nurse))) (, ,)", "(NN nurse)) (, ,))");
        assert_eq!(enclosed(open), closed);
        assert_eq!(enclosed(&closed), closed);
        for same in [
            // A list, a coordination of clauses, and a comma that closes something else.
            "( (S (NP (NP (NNP Ann)) (, ,) (NP (NNP Bob)) (, ,) (NP (NNP Cy))) (, ,) (VP (VBD left))))",
            "( (S (S (NP (PRP he)) (VP (VBD left))) (, ,) (CC and) (S (NP (PRP she)) (VP (VBD came)))))",
            "( (S (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN nurse))) (, ,) (CC and) (NP (PRP I)) (VP (VBD left))))",
        ] {
            assert_eq!(enclosed(same), same);
        }
    }

    #[test]
    fn an_aside_has_its_commas_and_brackets() {
        let beside =
            "( (S (NP (PRP it)) (, ,) (PRN (S (NP (PRP he)) (VP (VBZ says)))) (, ,) (VP (VBZ works))))";
        let inside =
            "( (S (NP (PRP it)) (PRN (, ,) (S (NP (PRP he)) (VP (VBZ says))) (, ,)) (VP (VBZ works))))";
        assert_eq!(enclosed(beside), inside);
        assert_eq!(enclosed(inside), inside);
        let loose = "( (NP (NP (DT the) (NN test)) (-LRB- -LRB-) (NP (CD 2)) (-RRB- -RRB-)))";
        let aside = "( (NP (NP (DT the) (NN test)) (PRN (-LRB- -LRB-) (NP (CD 2)) (-RRB- -RRB-))))";
        assert_eq!(enclosed(loose), aside);
        assert_eq!(enclosed(aside), aside);
        assert_eq!(enclosed(&loose.replace("(NP (CD 2))", "(PRN (NP (CD 2)))")), aside);
        for same in [
            "( (NP (-LRB- -LRB-) (NN test) (-RRB- -RRB-)))",
            "( (X (-LRB- -LRB-) (-LRB- -LRB-) (-RRB- -RRB-) (-RRB- -RRB-) (NN test)))",
        ] {
            assert_eq!(enclosed(same), same);
        }
    }
}
