//! Function tags that the Penn Treebank's guidelines leave no choice about. A model that learns several treebanks gives them now and then; here they
//! follow from the tree.

use super::nodes::{category, phrases, sisters};
use super::verbs;
use crate::graph::outline::{Node, Outline};
use crate::graph::{Anchor, Graph, SymbolKind};
use crate::tree::Label;

/// A rule: the function tag that a phrase has to have, if any.
type Rule = fn(&Outline<'_>, Node) -> Option<&'static str>;

const RULES: [Rule; 4] = [gerund, rate, extent, cleft];

/// Function tags that say what a phrase is to the one above it; the top of a tree has none of them.
const RELATIONAL: [&str; 13] =
    ["SBJ", "TPC", "TMP", "LOC", "DIR", "MNR", "PRP", "ADV", "VOC", "CLR", "PRD", "LGS", "EXT"];

/// Units of a measure.
const MEASURES: [&str; 7] = ["%", "percent", "cents", "cent", "points", "point", "pence"];

/// Gives and takes the tags that follow from the tree.
pub(super) fn settle(graph: &mut Graph) {
    let topics = topics(graph);
    relabel(graph, |outline, phrase, label| {
        // A subject is at the front already.
        let is_topic = topics.contains(&phrase) && !has(outline, phrase, "SBJ");
        let added = is_topic.then_some("TPC");
        let added = added.or_else(|| RULES.iter().find_map(|rule| rule(outline, phrase)));
        with(label, added, |function| !goes(outline, phrase, function))
    });
}

/// Gives phrases other labels, but for those whose index is in an unusual place.
pub(super) fn relabel(graph: &mut Graph, relabelled: impl Fn(&Outline<'_>, Node, Label<'_>) -> String) {
    let outline = Outline::of(graph);
    let settled: Vec<(Node, String)> = phrases(graph)
        .filter_map(|phrase| {
            let label = Some(outline.label(phrase)).filter(|label| !label.contains('('))?;
            let settled = relabelled(&outline, phrase, Label::parse(label));
            (settled != label).then_some((phrase, settled))
        })
        .collect();
    for ((vertex, anchor), label) in settled {
        if let Anchor::Symbol(id) = anchor {
            graph.words[vertex.index() - 1].spine.symbols[id.index()].kind = SymbolKind::Phrase(label);
        }
    }
}

/// A label with those of its function tags that stay, and another.
pub(super) fn with(label: Label<'_>, added: Option<&str>, stays: impl Fn(&str) -> bool) -> String {
    let kept: Vec<&str> = label.functions().filter(|function| stays(function)).collect();
    let added = added.filter(|added| !kept.contains(added));
    kept.into_iter()
        .chain(added)
        .fold(label.category().to_owned(), |label, function| format!("{label}-{function}"))
}

/// Whether a phrase cannot have a function tag: a particle has none, the top of a tree none that relates it, and a measure of a rate is no time.
fn goes(outline: &Outline<'_>, phrase: Node, function: &str) -> bool {
    let above = outline.graph.parent(phrase).and_then(|above| outline.graph.parent(above));
    category(outline, phrase) == "PRT"
        || (above.is_none() && RELATIONAL.contains(&function))
        || (function == "TMP" && rate(outline, phrase).is_some())
}

/// The phrases that a trace stands for and that are no question words: moved to the front of their clause, they are its topics.
fn topics(graph: &Graph) -> Vec<Node> {
    let moved =
        graph.traces.iter().filter(|trace| trace.kind == "*T*" && trace.to.vertex < trace.from.vertex);
    let topics = moved.filter_map(|trace| {
        let topic = (trace.to.vertex, trace.to.anchor);
        let is_question = graph.symbol(trace.to)?.name().starts_with("WH");
        // An aside refers to the clause around it.
        let mut above =
            std::iter::successors(Some((trace.from.vertex, Anchor::Tag)), |&node| graph.parent(node));
        (!is_question && graph.symbol(trace.to)?.is_headed() && !above.any(|node| node == topic))
            .then_some(topic)
    });
    topics.collect()
}

/// *by (S-NOM leaving)*: a clause in the place of a noun.
fn gerund(outline: &Outline<'_>, phrase: Node) -> Option<&'static str> {
    let is_clause = outline.label(phrase) == "S" && is_in(outline, phrase, "PP");
    let is_verb = |tag: &&str| tag.starts_with("VB") || ["MD", "TO"].contains(tag);
    let tags = || outline.preorder_below(phrase).into_iter().filter(|(_, anchor)| *anchor == Anchor::Tag);
    let first = || tags().map(|word| outline.label(word)).find(is_verb);
    (is_clause && first() == Some("VBG")).then_some("NOM")
}

/// *$27 (NP-ADV a share)*.
fn rate(outline: &Outline<'_>, phrase: Node) -> Option<&'static str> {
    let is_noun_phrase = ["NP", "NP-TMP"].contains(&outline.label(phrase)) && is_in(outline, phrase, "NP");
    let &[article, noun] = &outline.children(phrase)[..] else { return None };
    let [before, _] = sisters(outline, phrase).filter(|_| is_noun_phrase)?;
    let before = before.filter(|&before| category(outline, before) == "NP" && before.1 != Anchor::Tag)?;
    let is_rate = ["a", "an", "each"].contains(&form(outline, article)) && outline.label(noun) == "NN";
    (is_rate && is_measure(outline, before)).then_some("ADV")
}

/// *Prices rose (NP-EXT 5 %)*.
fn extent(outline: &Outline<'_>, phrase: Node) -> Option<&'static str> {
    let is_noun_phrase = outline.label(phrase) == "NP" && is_in(outline, phrase, "VP");
    let [before, _] = sisters(outline, phrase).filter(|_| is_noun_phrase)?;
    let verb = before.filter(|&before| outline.label(before).starts_with("VB"))?;
    (verbs::is_change(form(outline, verb)) && is_measure(outline, phrase)).then_some("EXT")
}

/// *(S-CLF It was Ann who left)*: what is said of *it* has a clause without function beside it.
fn cleft(outline: &Outline<'_>, phrase: Node) -> Option<&'static str> {
    let children = outline.children(phrase);
    let subject = children.iter().find(|&&child| has(outline, child, "SBJ"))?;
    let [pronoun] = outline.children(*subject)[..] else { return None };
    if !["S", "SQ"].contains(&category(outline, phrase)) || !["It", "it"].contains(&form(outline, pronoun)) {
        return None;
    }
    let below =
        |&node: &Node| outline.children(node).into_iter().find(|&child| category(outline, child) == "VP");
    let verb_phrase = std::iter::successors(Some(phrase), below).last()?;
    let inside = outline.children(verb_phrase);
    let said = inside.iter().position(|&child| {
        has(outline, child, "PRD") && ["NP", "PP", "ADVP"].contains(&category(outline, child))
    })?;
    let refers = |&(vertex, anchor): &Node| match anchor {
        Anchor::Symbol(id) => outline.graph.is_referred_to(vertex, id),
        Anchor::Tag => false,
    };
    inside[said..].iter().any(|child| outline.label(*child) == "SBAR" && !refers(child)).then_some("CLF")
}

/// Whether a phrase is a sum, a share or a number.
fn is_measure(outline: &Outline<'_>, phrase: Node) -> bool {
    let is_noun_phrase = |node: &Node| category(outline, *node) == "NP" && node.1 != Anchor::Tag;
    let first = |&node: &Node| outline.children(node).first().copied().filter(is_noun_phrase);
    let first = std::iter::successors(Some(phrase), first).last().unwrap_or(phrase);
    let words = || outline.preorder_below(first).into_iter().filter(|(_, anchor)| *anchor == Anchor::Tag);
    words().any(|word| outline.label(word) == "$" || MEASURES.contains(&form(outline, word)))
        || words().all(|word| outline.label(word) == "CD")
}

fn is_in(outline: &Outline<'_>, node: Node, host: &str) -> bool {
    outline.graph.parent(node).is_some_and(|above| category(outline, above) == host)
}

pub(super) fn has(outline: &Outline<'_>, node: Node, function: &str) -> bool {
    node.1 != Anchor::Tag && Label::parse(outline.label(node)).functions().any(|other| other == function)
}

/// A word; nothing for a phrase.
pub(super) fn form<'g>(outline: &Outline<'g>, (vertex, anchor): Node) -> &'g str {
    outline.graph.word(vertex).filter(|_| anchor == Anchor::Tag).map_or("", |word| word.form.as_str())
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn settled(text: &str) -> String {
        rewritten(text, Rewrite::SettledFunctions)
    }

    #[test]
    fn tags_follow_from_the_tree() {
        for (text, missing) in [
            (
                "( (S (S-TPC-1 (NP-SBJ (NNS Prices)) (VP (VBD rose))) (, ,) (NP-SBJ (PRP he)) (VP (VBD said) (S (-NONE- *T*-1)))))",
                "-TPC",
            ),
            (
                "( (S (NP-SBJ (PRP He)) (VP (VBD left) (PP (IN without) (S-NOM (NP-SBJ (-NONE- *)) (VP (VBG paying)))))))",
                "-NOM",
            ),
            (
                "( (S (NP-SBJ (PRP It)) (VP (VBZ costs) (NP (NP ($ $) (CD 27)) (NP-ADV (DT a) (NN share))))))",
                "-ADV",
            ),
            ("( (S (NP-SBJ (NNS Prices)) (VP (VBD rose) (NP-EXT (CD 5) (NN %)))))", "-EXT"),
            (
                "( (S-CLF (NP-SBJ (PRP It)) (VP (VBD was) (NP-PRD (NNP Ann)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left)))))))",
                "-CLF",
            ),
        ] {
            assert_eq!(settled(&text.replacen(missing, "", 1)), text, "{missing}");
            assert_eq!(settled(text), text);
        }
        let rate = "( (S (NP-SBJ (PRP It)) (VP (VBZ costs) (NP (NP (CD 30) (NNS cents)) (NP-TMP (DT an) (NN hour))))))";
        assert_eq!(settled(rate), rate.replace("-TMP", "-ADV"));
    }

    #[test]
    fn what_does_not_follow_stays() {
        for same in [
            "( (S (NP-SBJ (NP (DT the) (NN man)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left))))) (VP (VBD came))))",
            "( (S-1 (NP-SBJ (NNS Prices)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said) (S (-NONE- *T*-1)))) (, ,)) (VP (VBD rose))))",
            "( (S (NP-SBJ (PRP He)) (VP (VBD insisted) (PP (IN on) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB pay))))))))",
            "( (S (NP-SBJ (PRP They)) (VP (VBD rose) (NP (DT the) (NN hill)))))",
            "( (S (NP-SBJ (PRP It)) (VP (VBD was) (NP-PRD (DT a) (NN pity)) (SBAR-PRP (IN since) (S (NP-SBJ (PRP he)) (VP (VBD left)))))))",
        ] {
            assert_eq!(settled(same), same);
        }
    }

    #[test]
    fn particles_and_the_top_have_none() {
        let text = "( (FRAG-VOC (VP (VB Go) (PRT-CLR (RP on)))))";
        assert_eq!(settled(text), "( (FRAG (VP (VB Go) (PRT (RP on)))))");
    }
}
