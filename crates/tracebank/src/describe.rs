//! A null element in words: *which book, object of buy*.
//!
//! Two tables do the work: one says what a type of null means, the other what a phrase is to the phrase it hangs in.

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use crate::nulls::Scene;

/// The meaning of each type of null. `{what}` is its antecedent, `{role}` its role there, `{host}` the words around it.
const MEANINGS: [(&str, &str); 10] = [
    ("*T*", "{what}, {role}"),
    ("*", "{what}, {role}"),
    ("*PRO*", "{what}, {role}"),
    ("*U*", "the unit of {host}"),
    ("*ICH*", "{what}, which is to be read here"),
    ("*EXP*", "{what}, extraposed"),
    ("*RNR*", "{what}, shared with the next conjunct"),
    ("*PPA*", "{what}, which could as well be attached here"),
    ("*NOT*", "left out on purpose: the parallel phrase has nothing here"),
    ("*?*", "left out"),
];

/// A role: the relation of a phrase to the phrase it hangs in.
struct Role {
    /// Its category, its function tag and the category of that phrase are among these; nothing fits all.
    category: &'static [&'static str],
    function: Option<&'static str>,
    host: &'static [&'static str],
    name: &'static str,
}

/// The role of whatever has this function tag.
const fn by_function(function: &'static str, name: &'static str) -> Role {
    Role { category: &[], function: Some(function), host: &[], name }
}

/// The role of a category in another.
const fn by_place(
    category: &'static [&'static str],
    host: &'static [&'static str],
    name: &'static str,
) -> Role {
    Role { category, function: None, host, name }
}

/// The roles; the first that fits counts.
const ROLES: [Role; 14] = [
    by_function("SBJ", "subject of"),
    by_function("LGS", "agent of"),
    by_function("PRD", "predicate of"),
    by_function("TMP", "time of"),
    by_function("LOC", "place of"),
    by_function("DIR", "direction of"),
    by_function("MNR", "manner of"),
    by_function("PRP", "reason for"),
    by_function("EXT", "extent of"),
    by_place(&["NP"], &["S", "SQ", "SINV", "SBARQ"], "subject of"),
    by_place(&["NP"], &["VP", "PP", "ADJP"], "object of"),
    by_place(&["S", "SBAR", "SBARQ", "SINV", "SQ", "VP"], &["VP", "S", "SQ", "SINV"], "complement of"),
    by_place(&["PP", "ADVP", "ADJP"], &[], "adjunct of"),
    by_place(&[], &[], "part of"),
];

/// The words for a null without an antecedent.
const NOBODY: &str = "nobody in particular";

/// The most words of an antecedent that are shown.
const LONGEST: usize = 8;

/// The description of the null (or the gap) at `node`. `labelled` is the phrase that is nothing but it, `end` the end of its chain.
pub(crate) fn null(scene: &Scene<'_>, node: NodeId, labelled: Option<NodeId>, end: Option<NodeId>) -> String {
    let what = || end.map_or_else(|| NOBODY.to_owned(), |end| referent(scene, end));
    let Some(null) = scene.tree.null_element(node) else {
        return format!("{} = in the place of {}", shortened(&scene.words(node)), what());
    };
    if null.kind == "0" {
        return format!("0 = {}", left_out(scene, node, labelled));
    }
    let meaning =
        MEANINGS.iter().find(|(kind, _)| *kind == null.kind).map_or("left out", |(_, meaning)| meaning);
    let role = || role(scene, labelled.unwrap_or(node));
    let host = || shortened(&scene.words(scene.host(node)));
    let meaning = fill(meaning, "{what}", what);
    let meaning = fill(&meaning, "{role}", role);
    format!("{} = {}", null.text(), fill(&meaning, "{host}", host))
}

fn fill(template: &str, hole: &str, text: impl Fn() -> String) -> String {
    if template.contains(hole) { template.replacen(hole, &text(), 1) } else { template.to_owned() }
}

/// A `0`: a relative pronoun or a complementiser.
fn left_out(scene: &Scene<'_>, node: NodeId, labelled: Option<NodeId>) -> String {
    let wh = labelled.filter(|&label| scene.tree.label(label).category().starts_with("WH"));
    match wh.map(|wh| modified(scene, wh)) {
        Some(Some(noun)) => format!("a relative pronoun left out, for {}", shortened(&scene.words(noun))),
        Some(None) => "a relative pronoun left out".to_owned(),
        None => {
            let clause = shortened(&scene.words(scene.host(node)));
            format!("a complementiser (that) left out before {clause}")
        }
    }
}

/// The words at the end of a chain, or the noun that a relative pronoun which was left out is for.
fn referent(scene: &Scene<'_>, end: NodeId) -> String {
    let words = scene.words(end);
    if !words.is_empty() {
        return shortened(&words);
    }
    modified(scene, end).map_or_else(|| NOBODY.to_owned(), |noun| shortened(&scene.words(noun)))
}

/// The phrase that the relative clause introduced by `wh` belongs to.
fn modified(scene: &Scene<'_>, wh: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    let clause = tree.parent(wh).filter(|_| tree.label(wh).category().starts_with("WH"))?;
    let before = std::iter::successors(tree.previous_sibling(clause), |&node| tree.previous_sibling(node));
    let nouns = before.filter(|&node| is_noun(tree, node) && !scene.span(node).is_empty());
    nouns.last()
}

fn is_noun(tree: &Tree, node: NodeId) -> bool {
    let category = tree.label(node).category();
    category == "NX" || category.starts_with('N')
}

/// The role of the phrase at `node` in the phrase it hangs in.
fn role(scene: &Scene<'_>, node: NodeId) -> String {
    let host = scene.host(node);
    let (label, around) = (scene.tree.label(node), scene.tree.label(host).category());
    let fits = |names: &[&str], name: &str| names.is_empty() || names.contains(&name);
    let row = ROLES.iter().find(|role| {
        fits(role.category, label.category())
            && fits(role.host, around)
            && role.function.is_none_or(|wanted| label.functions().any(|function| function == wanted))
    });
    let role = row.map_or("part of", |role| role.name);
    let head = head_word(scene, host).map(|leaf| scene.words(leaf));
    format!("{role} {}", head.unwrap_or_else(|| shortened(&scene.words(host))))
}

/// The word that says what happens in a clause or verb phrase; the first word of a prepositional phrase; the last noun of a noun phrase.
fn head_word(scene: &Scene<'_>, phrase: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    let category = |node| tree.label(node).category();
    let mut phrase = phrase;
    // down through clauses and auxiliaries to the verb itself, or to what is said without one
    loop {
        let children = || {
            tree.children(phrase)
                .filter(|&child| tree.kind(child) == Kind::Phrase && !scene.span(child).is_empty())
        };
        let verbal = children().rev().find(|&child| category(child) == "VP");
        let clause = || {
            children()
                .rev()
                .find(|&child| category(child).starts_with('S') && !category(phrase).starts_with('V'))
        };
        let predicate = || {
            children().find(|&child| {
                tree.label(child).functions().any(|tag| tag == "PRD") && category(phrase).starts_with('S')
            })
        };
        let Some(below) = verbal.or_else(predicate).or_else(clause) else { break };
        phrase = below;
    }
    let mut words = tree.leaves(phrase).filter(|&leaf| tree.is_word(leaf));
    let direct = || tree.children(phrase).filter(|&child| tree.is_word(child));
    match category(phrase) {
        "VP" | "S" | "SQ" | "SINV" => {
            let verb = direct().find(|&leaf| category(leaf).starts_with('V'));
            verb.or_else(|| direct().next()).or_else(|| words.next())
        }
        "NP" | "NX" | "NML" => direct().rev().find(|&leaf| is_noun(tree, leaf)).or_else(|| words.next()),
        "ADJP" => direct().next_back().or_else(|| words.next()),
        _ => direct().next().or_else(|| words.next()),
    }
}

/// At most so many words as can be taken in at a glance.
fn shortened(words: &str) -> String {
    match words.match_indices(' ').nth(LONGEST - 1) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tracebank_syntax::penn::{Input, Reader};

    use crate::nulls::nulls;

    use super::*;

    fn descriptions(tree: &Tree) -> Vec<String> {
        let words: Vec<&str> = tree.words().collect();
        let show = |range: std::ops::Range<usize>| words[range].join(" ");
        nulls(tree, &show).iter().map(|null| null.describe().to_owned()).collect()
    }

    #[test]
    fn every_kind_is_said_in_words() {
        let cases: [(&str, &[&str]); 12] = [
            (
                "( (SBARQ (WHNP-1 (WDT Which) (NN book)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))",
                &["*-2 = she, subject of buy", "*T*-1 = Which book, object of buy"],
            ),
            (
                "( (NP (NP (DT the) (NNS cakes)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))",
                &["0 = a relative pronoun left out, for the cakes", "*T*-1 = the cakes, object of baked"],
            ),
            (
                "( (S (S-TPC-1 (NP-SBJ (PRP It)) (VP (VBZ rains))) (, ,) (NP-SBJ (PRP she)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))",
                &["0 = a complementiser (that) left out before said", "*T*-1 = It rains, complement of said"],
            ),
            (
                "( (S (NP-SBJ (NP (PRP It)) (S (-NONE- *EXP*-1))) (VP (VBZ is) (ADJP-PRD (JJ hard)) (S-1 (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave))))) (. .)))",
                &["*EXP*-1 = to leave, extraposed", "* = nobody in particular, subject of leave"],
            ),
            (
                "( (S (NP-SBJ (NP (DT A) (NN man)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came) (SBAR-1 (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD smiled))))) (. .)))",
                &["*ICH*-1 = who smiled, which is to be read here", "*T*-2 = who, subject of smiled"],
            ),
            (
                "( (S (NP-SBJ (PRP He)) (VP (VP (VBD bought) (NP (-NONE- *RNR*-1))) (CC and) (VP (VBD sold) (NP (-NONE- *RNR*-1))) (NP-1 (DT the) (NN shop))) (. .)))",
                &["*RNR*-1 = the shop, shared with the next conjunct"; 2],
            ),
            (
                "( (S (NP-SBJ (PRP We)) (VP (VBD paid) (NP (QP ($ $) (CD 3) (CD million)) (-NONE- *U*))) (. .)))",
                &["*U* = the unit of $ 3 million"],
            ),
            (
                "( (S (NP-SBJ (PRP She)) (VP (VP (VBD cooked) (NP-1 (NN soup))) (CC and) (VP (NP=1 (NN curry)) (ADVP (RB too)))) (. .)))",
                &["curry = in the place of soup"],
            ),
            (
                "( (S (NP-SBJ-1 (DT The) (NNS roads)) (VP (VBP are) (VP (VBN known) (S (NP-SBJ-2 (-NONE- *-1)) (VP (TO to) (VP (VB be) (VP (VBN closed) (NP (-NONE- *-2)))))))) (. .)))",
                &["*-1 = The roads, subject of closed", "*-2 = The roads, object of closed"],
            ),
            (
                "( (NP (NP (DT the) (NN city)) (SBAR (WHPP-1 (IN in) (WHNP (WDT which))) (S (NP-SBJ (PRP they)) (VP (VBP live) (PP-LOC (-NONE- *T*-1)))))))",
                &["*T*-1 = in which, place of live"],
            ),
            (
                "( (SBAR (WHNP-2 (WP what)) (S (NP-SBJ (PRP they)) (VP (VBP look) (PP (IN into) (NP (-NONE- *T*-2)))))))",
                &["*T*-2 = what, object of into"],
            ),
            (
                "( (S (NP-SBJ (PRP They)) (VP (VBP do) (RB n't) (VP (-NONE- *?*))) (. .)))",
                &["*?* = left out"],
            ),
        ];
        for (tree, wanted) in cases {
            assert_eq!(descriptions(&tree.parse().unwrap()), wanted, "{tree}");
        }
    }

    #[test]
    fn odd_trees_have_descriptions_too() {
        for file in ["handmade.mrg", "craft-sample.mrg"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank").join(file);
            for tree in Reader::new(Input::open(&path).unwrap().stream) {
                let tree = tree.unwrap();
                assert!(descriptions(&tree).iter().all(|text| text.contains(" = ")), "{tree}");
            }
        }
        let circle = "( (S (NP-1 (-NONE- *-2)) (NP-2 (-NONE- *-1)) (VP (V go))))".parse().unwrap();
        assert_eq!(descriptions(&circle).len(), 2);
    }
}
