//! The enhanced graph: what the basic tree cannot say, and the nulls of the treebank do.
//!
//! From the basic tree, in this order: labels get the preposition, subordinator or conjunction that goes with them (`nmod:of`,
//! `advcl:if`, `conj:and`); each null with an antecedent becomes an edge from what is around it to the antecedent's words, which gives the
//! subjects of controlled and raised verbs (`nsubj:xsubj`), what relative clauses modify (with `ref` to the pronoun), and shared
//! objects; and conjuncts get the governor of the first one, and its subject where they have none.

use tracebank_syntax::tree::NodeId;

use crate::relations::{End, follow, relative_head};
use crate::scene::Scene;

use super::Arc;
use super::labels::{self, Site};
use super::tags::Tags;

type Edges = Vec<Vec<(usize, String)>>;

/// The enhanced edges of all words, governors counted from 1.
pub(crate) fn graph(scene: &Scene<'_>, arcs: &[Arc], tags: &[Tags]) -> Edges {
    let base = |at: usize| (arcs[at].head.map_or(0, |head| head + 1), cased(arcs, tags, at));
    let mut edges: Edges = (0..arcs.len()).map(|at| vec![base(at)]).collect();
    relatives(scene, arcs, &mut edges);
    nulls(scene, arcs, tags, &mut edges);
    propagate(arcs, &mut edges);
    for list in &mut edges {
        list.sort();
        list.dedup();
    }
    edges
}

/// The label of a word's arc with the function word that goes with it.
fn cased(arcs: &[Arc], tags: &[Tags], at: usize) -> String {
    let label = arcs[at].label.as_str();
    let wanted: &[&str] = match label {
        "nmod" | "obl" => &["case"],
        "advcl" | "acl" => &["mark", "case"],
        "conj" => &["cc"],
        _ => return label.to_owned(),
    };
    // the first conjunct's preposition counts for the others
    let of = |at: usize| {
        let found = (0..arcs.len())
            .find(|&other| arcs[other].head == Some(at) && wanted.contains(&arcs[other].label.as_str()))?;
        let rest =
            (0..arcs.len()).filter(|&other| arcs[other].head == Some(found) && arcs[other].label == "fixed");
        let words: Vec<String> =
            std::iter::once(found).chain(rest).map(|at| tags[at].lemma.to_lowercase()).collect();
        Some(words.join("_"))
    };
    match of(at) {
        Some(word) if word.chars().all(|c| c.is_alphabetic() || c == '_') => format!("{label}:{word}"),
        _ if label == "conj" => {
            // *a, b and c*: the conjunction of the last
            let first = arcs[at].head;
            let last = (at + 1..arcs.len())
                .filter(|&other| arcs[other].head == first && arcs[other].label == "conj")
                .find_map(of);
            match last {
                Some(word) if word.chars().all(|c| c.is_alphabetic() || c == '_') => format!("conj:{word}"),
                _ => label.to_owned(),
            }
        }
        _ => label.to_owned(),
    }
}

fn add(edges: &mut Edges, at: usize, head: usize, label: &str) {
    if at + 1 != head && !edges[at].iter().any(|(governor, _)| *governor == head) {
        edges[at].push((head, label.to_owned()));
    }
}

/// A relative pronoun: the noun gets its place, and the pronoun becomes a reference to the noun.
fn relatives(scene: &Scene<'_>, arcs: &[Arc], edges: &mut Edges) {
    for wh in scene.tree.preorder(scene.tree.top()) {
        if scene.is_empty(wh) || !scene.is(wh, &["WHNP", "WHPP", "WHADVP"]) {
            continue;
        }
        let (Some(noun), Some(pronoun)) = (relative_head(scene, wh), scene.head(wh)) else { continue };
        let Some(noun) = scene.head(noun) else { continue };
        let (noun, pronoun) = (scene.token(noun), scene.token(pronoun));
        let clause = arcs[pronoun].head;
        if noun == pronoun || clause == Some(noun) || clause.is_none() || !scene.is(wh, &["WHNP", "WHPP"]) {
            continue;
        }
        let place = edges[pronoun][0].clone();
        if place.0 == noun + 1 {
            continue;
        }
        edges[noun].push(place);
        edges[pronoun] = vec![(noun + 1, "ref".to_owned())];
    }
}

/// Every null with an antecedent, as an edge.
fn nulls(scene: &Scene<'_>, arcs: &[Arc], tags: &[Tags], edges: &mut Edges) {
    let tree = scene.tree;
    let leaves: Vec<NodeId> = tree.leaves(tree.top()).filter(|&leaf| tree.is_null_element(leaf)).collect();
    for leaf in leaves {
        let Some(null) = tree.null_element(leaf) else { continue };
        if !matches!(null.kind, "*" | "*PRO*" | "*T*" | "*RNR*") || null.index.is_none() && null.kind == "*T*"
        {
            continue;
        }
        let Some(empty) = tree.ancestors(leaf).take_while(|&above| scene.is_empty(above)).last() else {
            continue;
        };
        let Some(mut phrase) = tree.parent(empty) else { continue };
        let mut label_node = empty;
        let mut preposition = None;
        while scene.is(phrase, &["PP", "WHPP"]) {
            preposition = preposition.or_else(|| scene.head(phrase));
            label_node = phrase;
            let Some(above) = tree.parent(phrase) else { break };
            phrase = above;
        }
        let chain = follow(scene, empty);
        let End::Node(end) = chain.end else { continue };
        if null.index.is_none() && !scene.is(end, &["NP", "PRP$"]) {
            continue;
        }
        let (Some(target), Some(head)) = (scene.head(end), scene.head_child(phrase)) else { continue };
        let Some(governor) = scene.head(head) else { continue };
        let (target, governor) = (scene.token(target), scene.token(governor));
        let passive_trace = null.kind == "*" && scene.is(phrase, &["VP"]) && label_node == empty;
        let is_arc = |at: usize, head: usize| arcs[at].head == Some(head);
        if target == governor
            || is_arc(target, governor)
            || passive_trace
            || scene.is(phrase, &["NP", "NX", "NML", "QP"]) && null.kind != "*RNR*"
        {
            continue;
        }
        if scene.is(end, &["S", "SBAR", "SINV", "SQ", "VP"]) {
            continue;
        }
        let site = Site { node: label_node, label: label_node, phrase, head, conjunct: false };
        let mut label = labels::label(scene, &site).to_owned();
        let controlled = matches!(arcs[governor].label.as_str(), "xcomp")
            || matches!(null.kind, "*PRO*" | "*") && arcs[governor].label != "acl:relcl";
        if let Some(passive) = label.strip_prefix("nsubj")
            && controlled
            && null.kind != "*T*"
        {
            label = if passive == ":pass" { "nsubj:pass".to_owned() } else { "nsubj:xsubj".to_owned() };
            if arcs[governor].label != "xcomp" {
                continue;
            }
        }
        if let Some(word) = preposition
            && matches!(label.as_str(), "obl" | "nmod")
        {
            label = format!("{label}:{}", tags[scene.token(word)].lemma);
        }
        if label == "dep" || label == "punct" || label.starts_with("conj") {
            continue;
        }
        add(edges, target, governor + 1, &label);
    }
}

/// Conjuncts share the governor of the first, and its subject.
fn propagate(arcs: &[Arc], edges: &mut Edges) {
    for at in 0..arcs.len() {
        if arcs[at].label != "conj" {
            continue;
        }
        let Some(first) = arcs[at].head else { continue };
        // the governor
        if arcs[first].label != "conj" {
            let shared: Vec<(usize, String)> =
                edges[first].iter().filter(|(_, label)| label != "ref").cloned().collect();
            for (head, label) in shared {
                if head != at + 1 && label != "root" {
                    add(edges, at, head, &label);
                } else if label == "root" {
                    add(edges, at, 0, "root");
                }
            }
        }
        // the subject
        let subjects = |of: usize, edges: &Edges| -> Vec<usize> {
            (0..arcs.len())
                .filter(|&other| {
                    edges[other].iter().any(|(head, label)| {
                        *head == of + 1 && (label.starts_with("nsubj") || label.starts_with("csubj"))
                    })
                })
                .collect()
        };
        if subjects(at, edges).is_empty() {
            for subject in subjects(first, edges) {
                let label = edges[subject]
                    .iter()
                    .find(|(head, label)| *head == first + 1 && label.contains("subj"))
                    .map(|(_, label)| label.clone());
                let passive = (0..arcs.len())
                    .any(|other| arcs[other].head == Some(at) && arcs[other].label == "aux:pass");
                let active = (0..arcs.len()).any(|other| {
                    arcs[other].head == Some(at) && matches!(arcs[other].label.as_str(), "aux" | "cop")
                });
                if let Some(label) = label {
                    let label = match label.as_str() {
                        "nsubj" if passive => "nsubj:pass".to_owned(),
                        "nsubj:pass" if active && !passive => "nsubj".to_owned(),
                        _ => label,
                    };
                    if subject != at {
                        add(edges, subject, at + 1, &label);
                    }
                }
            }
        }
    }
}
