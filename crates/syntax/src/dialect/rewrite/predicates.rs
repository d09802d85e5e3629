//! Predicates and the subjects of clauses without a verb. A scorer names the function of a word's highest phrase only, so the lower ones of a spine come out
//! bare: in *They made (S him (ADJP happy))* the predicate heads the clause. But what is what follows from the tree, in every treebank that has `PRD`: a
//! clause without a verb phrase is a subject and its predicate, and what stands beside *be* is its predicate.

use std::collections::BTreeMap;

use super::functions::{form, has, relabel, with};
use super::nodes::{category, phrases};
use super::verbs;
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph, SlotName};

/// Phrases that can be a predicate, the likeliest beside *be* first.
const PREDICATES: [&[&str]; 2] = [&["NP", "ADJP"], &["PP", "SBAR", "S", "ADVP"]];

/// Gives subjects and predicates their function tags.
pub(super) fn settle(graph: &mut Graph) {
    let outline = Outline::of(graph);
    let told = |phrase: Node| match category(&outline, phrase) {
        "S" => small_clause(&outline, phrase),
        "VP" => beside_be(&outline, phrase).into_iter().collect(),
        _ => Vec::new(),
    };
    let functions: BTreeMap<Node, &str> = phrases(graph).flat_map(told).collect();
    relabel(graph, |_, phrase, label| with(label, functions.get(&phrase).copied(), |_| true));
}

/// The subject and the predicate of a clause without a verb phrase, *They made (S (NP-SBJ him) (ADJP-PRD happy))*: a noun phrase, and what follows it.
fn small_clause(outline: &Outline<'_>, clause: Node) -> Vec<(Node, &'static str)> {
    let children = outline.children(clause);
    let is = |node: Node, categories: &[&str]| {
        node.1 != Anchor::Tag && categories.contains(&category(outline, node))
    };
    let is_other = |child: Node| {
        is(child, &["VP", "S"])
            || outline.label(child) == "CC"
            || is_verb(outline, child)
            || is_gapped(outline.graph, child)
    };
    if children.iter().any(|&child| is_other(child)) {
        return Vec::new();
    }
    let mut children = children.into_iter().skip_while(|&child| !is(child, &["NP"]));
    let subject = children.next();
    let predicate =
        children.find(|&child| !is_null(outline, child) && PREDICATES.iter().any(|some| is(child, some)));
    subject
        .zip(predicate)
        .map_or(Vec::new(), |(subject, predicate)| vec![(subject, "SBJ"), (predicate, "PRD")])
}

/// The predicate of a form of *be*, *He is (NP-PRD a fool)*.
fn beside_be(outline: &Outline<'_>, verb_phrase: Node) -> Option<(Node, &'static str)> {
    let children = outline.children(verb_phrase);
    let verb = children.iter().position(|&child| is_verb(outline, child))?;
    let is_other = |&child: &Node| category(outline, child) == "VP" || has(outline, child, "PRD");
    if !verbs::is_be(form(outline, children[verb])) || children.iter().any(is_other) {
        return None;
    }
    let is_bare = |&child: &Node| {
        child.1 != Anchor::Tag && !is_null(outline, child) && !outline.label(child).contains('-')
    };
    let bare = || children[verb + 1..].iter().copied().filter(is_bare);
    let predicate =
        PREDICATES.iter().find_map(|some| bare().find(|&child| some.contains(&category(outline, child))))?;
    Some((predicate, "PRD"))
}

/// Whether a phrase is what is left of a gapped clause, which is neither.
fn is_gapped(graph: &Graph, (vertex, anchor): Node) -> bool {
    let mut ends = graph.traces.iter().flat_map(|trace| [&trace.from, &trace.to]).chain(&graph.loose);
    ends.any(|end| (end.vertex, end.anchor, end.slot) == (vertex, anchor, SlotName::Gap))
}

fn is_verb(outline: &Outline<'_>, (vertex, anchor): Node) -> bool {
    anchor == Anchor::Tag && outline.label((vertex, anchor)).starts_with("VB")
}

/// Whether nothing but nulls are in a phrase.
fn is_null(outline: &Outline<'_>, (vertex, anchor): Node) -> bool {
    match anchor {
        Anchor::Symbol(id) => !outline.symbols(vertex)[id.index()].is_headed(),
        Anchor::Tag => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn settled(text: &str) -> String {
        rewritten(text, Rewrite::Predicates)
    }

    #[test]
    fn a_clause_without_a_verb_is_a_subject_and_its_predicate() {
        for text in [
            "( (S (NP-SBJ (PRP They)) (VP (VBD made) (S (NP-SBJ (PRP him)) (ADJP-PRD (JJ happy))))))",
            "( (S (NP-SBJ (PRP I)) (VP (VBP consider) (S (NP-SBJ (PRP him)) (NP-PRD (DT a) (NN fool))))))",
            "( (S (NP-SBJ-1 (PRP He)) (VP (VBD arrived) (S-ADV (NP-SBJ (-NONE- *-1)) (ADJP-PRD (JJ sick))))))",
            "( (PP (IN with) (S (NP-SBJ (DT the) (NN key)) (PP-LOC-PRD (IN in) (NP (DT the) (NN chest))))))",
        ] {
            let bare = text
                .replace("NP-SBJ (PRP him)", "NP (PRP him)")
                .replace("NP-SBJ (DT", "NP (DT")
                .replace("-PRD", "");
            assert_ne!(bare, text);
            assert_eq!(settled(&bare), text);
            assert_eq!(settled(text), text);
        }
    }

    #[test]
    fn what_stands_beside_be_is_its_predicate() {
        for text in [
            "( (S (NP-SBJ (PRP He)) (VP (VBZ is) (RB not) (NP-PRD (DT a) (NN fool)) (PP (IN in) (NP (NN fact))))))",
            "( (S (NP-SBJ (DT The) (NN point)) (VP (VBZ 's) (SBAR-PRD (IN that) (S (NP-SBJ (PRP he)) (VP (VBD left)))))))",
            "( (S (NP-SBJ (PRP He)) (VP (MD may) (VP (VB be) (ADVP-TMP (RB now)) (ADJP-PRD (JJ right))))))",
        ] {
            assert_eq!(settled(&text.replace("-PRD", "")), text);
            assert_eq!(settled(text), text);
        }
    }

    #[test]
    fn what_does_not_follow_stays() {
        for same in [
            "( (S (NP-SBJ (PRP He)) (VP (VBZ is) (VP (VBG eating) (NP (NN cake))) (NP (DT a) (NN lot)))))",
            "( (S (NP-SBJ (PRP He)) (VP (VBD had) (NP (DT a) (NN dog)))))",
            "( (SBARQ (WHNP-1 (WP What)) (SQ (VP (VBZ is) (NP-PRD (-NONE- *T*-1)) (NP (DT a) (NN day))))))",
            "( (S (S (NP-SBJ-1 (NNP Mary)) (VP (VBZ likes) (NP-2 (NN tea)))) (CC and) (S (NP=1 (NNP John)) (NP=2 (NN coffee)))))",
            "( (S (NP-SBJ (PRP He)) (VP (VBZ is) (PP-LOC-PRD (IN in) (NP (NN town))) (SBAR (IN because) (S (NP-SBJ (PRP I)) (VP (VBP am)))))))",
        ] {
            assert_eq!(settled(same), same);
        }
    }
}
