//! Governors: each word that heads a phrase depends on the head of the phrase around it.
//!
//! Four things are not so simple. A coordination's other conjuncts depend on the first, and what belongs to one conjunct on that
//! one. A phrase with a trace depends on what is around its trace. The preposition that a trace leaves alone belongs to the words
//! of the trace. And the subject of an infinitive is the object of the verb above: *want him to go*.

use tracebank_syntax::tree::{Kind, NodeId};

use crate::heads::said_of;
use crate::scene::Scene;

use super::clauses;
use super::labels::{self, Site};
use super::{Arc, Arcs};

/// The arcs of all words.
pub(crate) fn arcs(scene: &Scene<'_>) -> Arcs {
    let mut arcs = Arcs::from(vec![Arc { head: None, label: "root".to_owned() }; scene.words.len()]);
    let mut stranded = Vec::new();
    for phrase in scene.tree.preorder(scene.tree.top()) {
        if scene.tree.kind(phrase) != Kind::Phrase || scene.is_empty(phrase) {
            continue;
        }
        let Some(head) = scene.head_child(phrase) else { continue };
        let parts = scene.conjuncts(phrase);
        for &child in scene.children(phrase) {
            if child == head {
                continue;
            }
            let Some(word) = scene.head(child) else { continue };
            let at = scene.token(word);
            let (site, preposition) = place(scene, phrase, child, head, parts);
            let Some(governor) = scene.head(site.head).filter(|&governor| governor != word) else { continue };
            let raised = site.phrase != phrase && site.node == site.label && site.phrase == site.head;
            let label = if raised { "obj" } else { labels::label(scene, &site) };
            arcs.set(at, Arc { head: Some(scene.token(governor)), label: label.to_owned() });
            if let Some(preposition) = preposition {
                stranded.push((scene.token(preposition), at));
            }
        }
    }
    for (preposition, at) in stranded {
        if arcs[at].head != Some(preposition) {
            arcs.set(preposition, Arc { head: Some(at), label: "case".to_owned() });
        }
    }
    free_relatives(scene, &mut arcs);
    break_cycles(&mut arcs);
    arcs
}

/// Where a child of a phrase depends, and the preposition that its trace left alone.
fn place(
    scene: &Scene<'_>,
    phrase: NodeId,
    child: NodeId,
    head: NodeId,
    parts: &[NodeId],
) -> (Site, Option<NodeId>) {
    if let Some(moved) = at_trace(scene, child) {
        return moved;
    }
    if let Some(verb) = raised_object(scene, phrase, child) {
        return (Site { node: child, label: child, phrase: verb, head: verb, conjunct: false }, None);
    }
    // *a few years*: the article is the noun's
    if scene.is(child, &["DT"])
        && scene.is(phrase, &["QP", "ADJP"])
        && let Some(noun) = scene.tree.parent(phrase).filter(|&above| scene.is(above, &["NP"]))
        && let Some(governor) = scene.head_child(noun).filter(|&governor| governor != phrase)
    {
        return (Site { node: child, label: child, phrase: noun, head: governor, conjunct: false }, None);
    }
    let whole = Site { node: child, label: child, phrase, head, conjunct: false };
    if parts.is_empty() {
        return (whole, None);
    }
    if scene.is_conjunct(child) {
        return (Site { head: parts[0], conjunct: true, ..whole }, None);
    }
    let start = scene.span(child).start;
    // Parts and children stand in the order of the words: nobody looks through all of them for each.
    let starts_before = |end: usize| move |&node: &NodeId| scene.span(node).start < end;
    let (parts_before, parts_behind) = parts.split_at(parts.partition_point(starts_before(start)));
    let next = parts_behind.first().copied();
    if scene.is(child, &["CC", "CONJP"]) {
        let governor = next.unwrap_or(parts[0]);
        return (Site { head: governor, ..whole }, None);
    }
    let separated = |part: NodeId| {
        let (from, to) = (start.min(scene.span(part).start), start.max(scene.span(part).start));
        let children = scene.children(phrase);
        let [from, to] = [from + 1, to].map(|end| children.partition_point(starts_before(end)));
        children[from.min(to)..to].iter().any(|&other| {
            scene.is(other, &["CC", "CONJP"]) || scene.is(other, &[","]) && scene.is_token(other)
        })
    };
    let previous = parts_before.last().copied();
    let is_last = next.is_none();
    let governor = next
        .filter(|&part| !separated(part))
        .or_else(|| previous.filter(|&part| !(separated(part) || is_last && scene.is_token(part))))
        .unwrap_or(parts[0]);
    (Site { head: governor, ..whole }, None)
}

/// The place of a phrase's trace.
fn at_trace(scene: &Scene<'_>, child: NodeId) -> Option<(Site, Option<NodeId>)> {
    let tree = scene.tree;
    let null = scene
        .pointers(child, &["*T*", "*ICH*", "*RNR*", "*EXP*"])
        .find(|&null| !scene.dominates(child, null))?;
    let empty = tree.ancestors(null).take_while(|&above| scene.is_empty(above)).last()?;
    let mut phrase = tree.parent(empty)?;
    if tree.null_element(null)?.kind == "*EXP*" {
        // the subject's own place, with *it* in it
        let subject = phrase;
        let clause = tree.parent(subject)?;
        let head = scene.head_child(clause)?;
        return Some((Site { node: child, label: subject, phrase: clause, head, conjunct: false }, None));
    }
    let mut label = empty;
    let mut preposition = None;
    while scene.is(phrase, &["PP", "WHPP"]) {
        preposition = preposition.or_else(|| scene.head(phrase));
        label = phrase;
        phrase = tree.parent(phrase)?;
    }
    let head = scene.head_child(phrase)?;
    let head_word = scene.head(head)?;
    if scene.dominates(child, head_word) {
        return None;
    }
    let preposition = preposition.filter(|&word| scene.is(word, &["IN", "TO", "RP"]));
    // a preposition may be left alone at the end of its clause, but not by a noun phrase that stays behind
    let preposition =
        preposition.filter(|_| scene.category(child).starts_with("WH") || scene.is(child, &["NP"]));
    Some((Site { node: child, label, phrase, head, conjunct: false }, preposition))
}

/// The verb phrase whose object a subject is: `(VP want (S (NP-SBJ him) (VP to go)))`.
fn raised_object(scene: &Scene<'_>, clause: NodeId, child: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    if !scene.is(clause, &["S"]) || !clauses::is_subject(scene, clause, child) || !scene.is(child, &["NP"]) {
        return None;
    }
    let above = tree.parent(clause).filter(|&above| scene.is(above, &["VP"]))?;
    let adverbial =
        ["PRP", "ADV", "TMP", "LOC", "MNR", "PRD", "NOM"].iter().any(|tag| scene.has_function(clause, tag));
    let verb = scene.head_child(above)?;
    let plain = !adverbial
        && scene.conjuncts(above).is_empty()
        && scene.conjuncts(clause).is_empty()
        && !clauses::is_finite(scene, clause)
        && verb != clause
        && scene.is_token(verb);
    plain.then_some(above)
}

/// In a free relative clause the pronoun is what the clause is about: *what they want*.
fn free_relatives(scene: &Scene<'_>, arcs: &mut Arcs) {
    for clause in scene.tree.preorder(scene.tree.top()) {
        if !scene.is(clause, &["SBAR"]) || scene.is_empty(clause) {
            continue;
        }
        let Some(&wh) = scene.children(clause).first() else { continue };
        let above = scene.tree.parent(clause);
        let said = above.is_some_and(|above| said_of(scene, above) == Some(clause));
        let nominal = said
            || scene.has_function(clause, "NOM")
            || scene.has_function(clause, "SBJ")
            || above.is_some_and(|above| scene.is(above, &["PP"]));
        let (Some(pronoun), Some(verb)) = (scene.head(wh), scene.head(clause)) else { continue };
        if !nominal || !scene.is(wh, &["WHNP", "WHADVP"]) || pronoun == verb {
            continue;
        }
        let (pronoun, verb) = (scene.token(pronoun), scene.token(verb));
        if arcs[pronoun].head != Some(verb) {
            continue;
        }
        arcs.set(pronoun, arcs[verb].clone());
        let label = if scene.is(wh, &["WHNP"]) { "acl:relcl" } else { "advcl:relcl" };
        arcs.set(verb, Arc { head: Some(pronoun), label: label.to_owned() });
        let nominal_label = match arcs[pronoun].label.as_str() {
            "csubj" => Some("nsubj"),
            "csubj:pass" => Some("nsubj:pass"),
            "ccomp" | "xcomp" => Some("obj"),
            "advcl" => Some(if scene.is(wh, &["WHNP"]) { "obl" } else { "advmod" }),
            "acl" => Some("nmod"),
            _ => None,
        };
        if let Some(label) = nominal_label {
            arcs.set_label(pronoun, label);
        }
        // what is outside the clause belongs to the pronoun now
        let span = scene.span(clause);
        for at in arcs.hand_over(verb, pronoun, |at, _| !span.contains(&at)) {
            match arcs[at].label.as_str() {
                "mark" => arcs.set_label(at, "case"),
                "nsubj:outer" => arcs.set_label(at, "nsubj"),
                _ => {}
            }
        }
    }
}

/// Traces in odd places can make a circle: there a word goes to the root of the sentence instead.
fn break_cycles(arcs: &mut Arcs) {
    let roots: Vec<usize> = (0..arcs.len()).filter(|&at| arcs[at].head.is_none()).collect();
    let root = if let Some(&root) = roots.first() {
        root
    } else {
        arcs.set(0, Arc { head: None, label: "root".to_owned() });
        0
    };
    for &other in roots.iter().skip(1) {
        arcs.set(other, Arc { head: Some(root), label: "parataxis".to_owned() });
    }
    // words of which is known that they lead to the root
    let mut sound = vec![false; arcs.len()];
    sound[root] = true;
    for at in 0..arcs.len() {
        let way: Vec<usize> = arcs.above(at).take_while(|&word| !sound[word]).collect();
        let end = way.last().and_then(|&last| arcs[last].head);
        if end.is_some_and(|end| !sound[end]) {
            arcs.set(at, Arc { head: Some(root), label: "dep".to_owned() });
            sound[at] = true;
        } else {
            way.into_iter().for_each(|word| sound[word] = true);
        }
    }
}
