//! The form of a predicate: negation, particle, and the verbs before it.

use tracebank_syntax::tree::NodeId;

use crate::heads::{is_be, is_clause, is_elided};
use crate::scene::Scene;

use super::predicates::Site;
use super::{Predicate, Voice};

/// Verbs that are written short, and in full.
const SHORT: [(&str, &str); 6] =
    [("'s", "is"), ("'re", "are"), ("'m", "am"), ("'ve", "have"), ("'d", "had"), ("ai", "is")];

/// The predicate at a site.
pub(crate) fn predicate(scene: &Scene<'_>, site: &Site, voice: Voice) -> Predicate {
    let particle = scene
        .tree
        .children(site.core)
        .find(|&child| scene.is(child, &["PRT", "RP"]) && !scene.is_empty(child));
    let modals = site.auxiliaries.iter().filter(|&&verb| scene.is(verb, &["MD"]));
    Predicate {
        token: scene.token(site.word),
        lemma: scene.lemma(site.word),
        voice,
        negated: is_negated(scene, site),
        modality: modals.map(|&verb| scene.lemma(verb)).collect(),
        auxiliaries: auxiliaries(scene, site, voice),
        is_auxiliary: is_auxiliary(scene, site),
        particle: particle
            .filter(|_| site.said.is_none())
            .and_then(|phrase| scene.head(phrase))
            .map(|leaf| scene.token(leaf)),
        copula: site.copula.map(|leaf| scene.token(leaf)),
        gapped: false,
    }
}

fn is_negation(scene: &Scene<'_>, leaf: NodeId) -> bool {
    scene.tree.is_word(leaf)
        && scene.is(leaf, &["RB"])
        && matches!(scene.lemma(leaf).as_str(), "not" | "never")
}

fn is_negated(scene: &Scene<'_>, site: &Site) -> bool {
    let tree = scene.tree;
    let mut negated = false;
    for (at, &layer) in site.layers.iter().enumerate() {
        let inner = at.checked_sub(1).map_or(site.word, |below| site.layers[below]);
        let shared = scene.conjuncts(layer);
        if layer != site.core && !shared.is_empty() && is_clause(scene, layer) {
            break;
        }
        let before_conjuncts = |node: &NodeId| {
            shared.first().is_none_or(|&first| scene.span(*node).start < scene.span(first).start)
        };
        let mut near = tree.children(layer).take_while(before_conjuncts).filter(|&child| child != inner);
        negated |= near.any(|child| {
            is_negation(scene, child)
                || scene.is(child, &["ADVP"])
                    && scene.span(child).len() == 1
                    && tree.leaves(child).any(|leaf| is_negation(scene, leaf))
        });
    }
    negated || site.said.is_some_and(|said| tree.children(said).any(|leaf| is_negation(scene, leaf)))
}

/// Whether the predicate is *be*, or an auxiliary whose verb is left out: *she can*, *did n't they*.
fn is_auxiliary(scene: &Scene<'_>, site: &Site) -> bool {
    let word = site.word;
    let stands_alone = || {
        let negation = scene.tree.next_sibling(word).filter(|&next| is_negation(scene, next));
        negation.is_some_and(|negation| scene.lemma(negation) == "not") || is_elided(scene, site.core)
    };
    site.said.is_none()
        && (scene.is(word, &["MD"])
            || is_be(scene, word)
            || matches!(scene.lemma(word).as_str(), "do" | "have") && stands_alone())
}

/// The verbs before the predicate in full, as they stand, without a *to* in front; *be* with which it is said is one, and the predicate if it is an auxiliary.
fn auxiliaries(scene: &Scene<'_>, site: &Site, voice: Voice) -> Vec<String> {
    let mut verbs: Vec<NodeId> = site.auxiliaries.iter().rev().chain(&site.copula).copied().collect();
    verbs.extend(is_auxiliary(scene, site).then_some(site.word));
    let has = |at: usize| {
        let next = verbs.get(at + 1).copied().unwrap_or(site.word);
        let is_passive = next == site.word && voice == Voice::Passive;
        Some(verbs[at]) != site.copula && scene.is(next, &["VBN", "VBD"]) && !is_passive
    };
    let first = verbs.iter().position(|&verb| !scene.is(verb, &["TO"])).unwrap_or(verbs.len());
    (first..verbs.len()).map(|at| in_full(scene, verbs[at], has(at))).collect()
}

/// An auxiliary in full and in small letters; before an active participle *'s* is *has*.
fn in_full(scene: &Scene<'_>, verb: NodeId, has: bool) -> String {
    if scene.is(verb, &["MD"]) {
        return scene.lemma(verb);
    }
    let word = scene.lower(verb).replace('’', "'");
    match SHORT.iter().find(|(short, _)| *short == word) {
        Some(("'s", _)) if has => "has".to_owned(),
        Some((_, full)) => (*full).to_owned(),
        None => word,
    }
}
