//! Complements without *that*: *He said prices rose* has the Penn Treebank's complementiser `0`, `(VP said (SBAR (-NONE- 0) (S prices rose)))`, which a parser may
//! leave out. A quotation has none.

use super::nodes::{category, phrases};
use super::speech::QUOTES;
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph, Symbol, SymbolKind, Vertex};
use crate::tree::Label;

/// Tags of verbs that make a clause finite.
const FINITE: [&str; 4] = ["MD", "VBD", "VBZ", "VBP"];

/// Puts the complementiser before each finite clause behind its verb that has none.
pub(super) fn complete(graph: &mut Graph) {
    for vertex in bare_complements(graph) {
        let symbols = &mut graph.words[vertex.index() - 1].spine.symbols;
        symbols.push(Symbol { kind: SymbolKind::Phrase("SBAR".to_owned()), depth: 0, place: 0 });
        symbols.push(Symbol { kind: SymbolKind::Null("0".to_owned()), depth: 1, place: -1 });
    }
}

/// The words that head a finite clause right behind its verb, without complementiser and quotation marks.
fn bare_complements(graph: &Graph) -> Vec<Vertex> {
    let outline = Outline::of(graph);
    let clauses = phrases(graph).filter(|&(vertex, anchor)| {
        let Anchor::Symbol(id) = anchor else { return false };
        let Some(above) = graph.parent((vertex, anchor)).filter(|above| above.0 != vertex) else {
            return false;
        };
        let beside = outline.children(above);
        let is_complement = outline.label((vertex, anchor)) == "S"
            && category(&outline, above) == "VP"
            && beside.iter().any(|&child| child.0 < vertex && outline.label(child).starts_with("VB"))
            && !beside.iter().any(|&child| outline.label(child) == "CC")
            && !graph.is_referred_to(vertex, id);
        is_complement
            && has_subject(&outline, (vertex, anchor))
            && is_finite(&outline, (vertex, anchor))
            && !is_apart(&outline, (vertex, anchor))
    });
    clauses.map(|(vertex, _)| vertex).collect()
}

fn has_subject(outline: &Outline<'_>, clause: Node) -> bool {
    let is_subject =
        |child: Node| Label::parse(outline.label(child)).functions().any(|function| function == "SBJ");
    // What is null hangs in the spine of the clause itself.
    outline.children(clause).into_iter().any(|child| child.0 != clause.0 && is_subject(child))
}

fn is_finite(outline: &Outline<'_>, clause: Node) -> bool {
    let verb_phrase = outline.children(clause).into_iter().find(|&child| category(outline, child) == "VP");
    let words = verb_phrase.into_iter().flat_map(|node| outline.preorder_below(node));
    let mut verbs = words.filter(|&node| {
        let tag = outline.label(node);
        node.1 == Anchor::Tag && (tag == "MD" || tag == "TO" || tag.starts_with("VB"))
    });
    verbs.next().is_some_and(|verb| FINITE.contains(&outline.label(verb)))
}

/// Whether a quotation mark, a colon or a comma stands before a clause, or begins it.
fn is_apart(outline: &Outline<'_>, clause: Node) -> bool {
    let words = outline.preorder_below(clause).into_iter().filter(|(_, anchor)| *anchor == Anchor::Tag);
    let Some(first) = words.map(|(vertex, _)| vertex.index() - 1).min() else { return true };
    let words = &outline.graph.words;
    let before = first.checked_sub(1).map_or("", |at| words[at].form.as_str());
    QUOTES.contains(&words[first].form.as_str()) || QUOTES.contains(&before) || [":", ","].contains(&before)
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn completed(text: &str) -> String {
        rewritten(text, Rewrite::ZeroComplementisers)
    }

    #[test]
    fn a_finite_clause_behind_its_verb_has_a_complementiser() {
        let whole = "( (S (NP-SBJ (PRP He)) (VP (VBD said) (SBAR (-NONE- 0) (S (NP-SBJ (NNS prices)) (VP (MD will) (VP (VB rise))))))))";
        let bare = whole.replace("(SBAR (-NONE- 0) (S", "(S").replacen("))))))))", ")))))))", 1);
        assert_eq!(completed(&bare), whole);
        for same in [
            whole.to_owned(),
            bare.replace("(VBD said)", "(VBD said) (, ,) (`` ``)"),
            bare.replace("(VBD said)", "(VBD said) (: :)"),
            bare.replace("(MD will)", "(TO to)"),
        ] {
            assert_eq!(completed(&same), same);
        }
    }
}
