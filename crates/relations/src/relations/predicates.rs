//! Predicates of a tree, each with the phrases that it is built of.

use std::collections::BTreeSet;

use tracebank_syntax::tree::{Kind, NodeId};

use crate::heads::{is_be, is_clause, is_elided, is_existential, said_of};
use crate::scene::Scene;

use super::Voice;

/// A predicate and where it stands.
pub(crate) struct Site {
    /// The word that is the predicate.
    pub(crate) word: NodeId,
    /// The phrase of the verb itself, or the clause if there is no verb phrase.
    pub(crate) core: NodeId,
    /// The core and what is built around it, the clause last: verb phrases of auxiliaries and coordinations, coordinated clauses.
    pub(crate) layers: Vec<NodeId>,
    /// The lowest layer that is no verb phrase: a clause, or the noun phrase of a reduced relative clause.
    pub(crate) clause: Option<NodeId>,
    /// The predicative phrase, if the predicate is no verb.
    pub(crate) said: Option<NodeId>,
    /// The *be* with which that is said.
    pub(crate) copula: Option<NodeId>,
    /// The auxiliaries, nearest first.
    pub(crate) auxiliaries: Vec<NodeId>,
}

const CLAUSES: [&str; 8] = ["S", "SQ", "SINV", "SBARQ", "FRAG", "RRC", "X", "PRN"];

/// The predicates, in the order of their phrases.
pub(crate) fn all(scene: &Scene<'_>) -> Vec<Site> {
    let mut sites = Vec::new();
    for node in scene.tree.preorder(scene.tree.top()) {
        if scene.tree.kind(node) == Kind::Phrase && !scene.is_empty(node) {
            at(scene, node, &mut sites);
        }
    }
    sites
}

pub(crate) fn is_verb(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.is_token(node)
        && (scene.category(node).starts_with("VB") || scene.is(node, &["MD", "TO", "AUX", "BES", "HVS"]))
}

fn at(scene: &Scene<'_>, node: NodeId, sites: &mut Vec<Site>) {
    let tree = scene.tree;
    let is_vp = scene.is(node, &["VP"]);
    if !is_vp && !scene.is(node, &["S", "SQ", "SINV", "RRC"]) {
        return;
    }
    let verbs = scene.verbs(node);
    let has_vp = tree.children(node).any(|child| {
        scene.is(child, &["VP"])
            && !scene.is_empty(child)
            && scene.pointers(child, &["*ICH*"]).next().is_none()
    });
    let parts = scene.conjuncts(node);
    if is_vp && is_elided(scene, node) {
        // the auxiliary stands for the verb that is left out
        let verb = scene.before(node).find(|&sibling| is_verb(scene, sibling));
        sites.extend(verb.map(|verb| site(scene, node, verb, None, None)));
        return;
    }
    if is_vp && parts.iter().any(|&part| scene.is(part, &["VP"])) {
        // a bare verb beside verb phrases: `(VP (VP bought it) and (VBD sold))`
        let verbs =
            parts.iter().filter(|&&part| is_verb(scene, part) && scene.category(part).starts_with("VB"));
        sites.extend(verbs.map(|&verb| site(scene, node, verb, None, None)));
    }
    if has_vp
        || parts
            .iter()
            .any(|&part| scene.is(part, &["S", "VP", "SINV", "SQ", "SBAR", "SBARQ", "FRAG", "UCP"]))
    {
        return;
    }
    if let Some(said) = said_of(scene, node).filter(|&said| !scene.is_empty(said)) {
        let copula = verbs.iter().copied().rfind(|&verb| is_be(scene, verb));
        if predicative(scene, said) {
            for word in said_words(scene, said) {
                sites.push(site(scene, node, word, Some(said), copula));
            }
            return;
        }
        if let Some(verb) = copula {
            sites.push(site(scene, node, verb, None, None));
            return;
        }
    }
    let spoken = || verbs.iter().copied().filter(|&verb| scene.category(verb).starts_with("VB"));
    if let (Some(first), Some(last)) = (spoken().next(), spoken().next_back()) {
        let coordinated: Vec<NodeId> = spoken().filter(|&verb| scene.is_conjunct(verb)).collect();
        let main = match (coordinated.len(), is_vp) {
            (2.., _) => coordinated,
            (_, true) => vec![first],
            (_, false) => vec![last],
        };
        for verb in main {
            sites.push(site(scene, node, verb, None, None));
        }
        return;
    }
    if is_vp {
        // a modal whose verb is left out, a sign as in *n = 5*, or what is left of a verb phrase in gapping, which is no predicate
        let gap = tree
            .children(node)
            .any(|child| tree.kind(child) == Kind::Phrase && tree.label(child).gap().is_some());
        let word = verbs.last().copied().or_else(|| {
            tree.children(node).find(|&child| {
                scene.is(child, &["SYM", "NN", "NNS", "JJ", "NNP", "IN"]) && scene.is_token(child)
            })
        });
        if let Some(word) = word.filter(|_| !gap) {
            sites.push(site(scene, node, word, None, None));
        }
        return;
    }
    if let Some(&modal) = verbs.last() {
        sites.push(site(scene, node, modal, None, None));
        return;
    }
    // a small clause, or one whose *be* is left out
    let tagged =
        tree.children(node).find(|&child| scene.has_function(child, "PRD") && !scene.is_empty(child));
    let small = || {
        let subject = scene.subject(node)?;
        tree.parent(node).filter(|&above| scene.is(above, &["VP", "PP", "SBAR"]))?;
        scene
            .after(subject)
            .find(|&child| !scene.is_empty(child) && scene.is(child, &["ADJP", "NP", "PP", "ADVP", "UCP"]))
    };
    if let Some(said) = tagged.or_else(small) {
        for word in said_words(scene, said) {
            sites.push(site(scene, node, word, Some(said), None));
        }
    }
}

/// Whether a phrase that is said with *be* is itself the predicate: an adjective or a noun.
fn predicative(scene: &Scene<'_>, said: NodeId) -> bool {
    scene.is(said, &["ADJP", "NP", "QP", "NX", "NML", "WHADJP", "WHNP", "VP", "NAC"])
        || scene.is(said, &["UCP"])
            && scene.conjuncts(said).iter().all(|&part| scene.is(part, &["ADJP", "NP", "VP", "JJ"]))
}

/// The heads of what is said, one for each conjunct.
fn said_words(scene: &Scene<'_>, said: NodeId) -> Vec<NodeId> {
    let parts = scene.conjuncts(said);
    if parts.is_empty() {
        return scene.head(said).into_iter().collect();
    }
    parts
        .iter()
        .flat_map(|&part| if scene.is_token(part) { vec![part] } else { said_words(scene, part) })
        .collect()
}

/// The phrase in which a node is to be read: that of its `*ICH*`, or the one above it.
fn read_at(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    let Some(null) = scene.pointers(node, &["*ICH*"]).next() else { return tree.parent(node) };
    tree.ancestors(null).find(|&above| !scene.is_empty(above))
}

fn site(scene: &Scene<'_>, core: NodeId, word: NodeId, said: Option<NodeId>, copula: Option<NodeId>) -> Site {
    let tree = scene.tree;
    let mut layers = vec![core];
    let mut passed = BTreeSet::from([core]);
    let mut node = core;
    while scene.is(node, &["VP", "UCP"])
        && let Some(above) = read_at(scene, node)
    {
        let layer = scene.is(above, &CLAUSES)
            || scene.is(above, &["VP", "NP", "NX", "NML", "WHNP", "NAC"])
            || scene.is(above, &["UCP"]) && !scene.conjuncts(above).is_empty();
        // a null inside the phrase that it stands for would lead round in a circle
        if !layer || !passed.insert(above) {
            break;
        }
        layers.push(above);
        node = above;
    }
    let clause = (!scene.is(node, &["VP", "UCP"])).then_some(node);
    // what stands beside coordinated clauses belongs to each of them
    while is_clause(scene, node)
        && let Some(above) = tree.parent(node)
        && is_clause(scene, above)
        && scene.is_conjunct(node)
    {
        layers.push(above);
        node = above;
    }
    let mut auxiliaries: Vec<NodeId> = Vec::new();
    for &layer in layers.iter().filter(|&&layer| scene.is(layer, &["VP", "SQ", "SINV", "S"])) {
        if layer == core && !scene.conjuncts(core).is_empty() {
            continue;
        }
        let verbs = scene.verbs(layer).iter().copied().rev();
        auxiliaries.extend(verbs.filter(|&verb| verb != word && Some(verb) != copula));
    }
    Site { word, core, layers, clause, said, copula, auxiliaries }
}

impl Site {
    /// The voice: a past participle with *be* or *get*, or with no auxiliary at all, is passive.
    pub(crate) fn voice(&self, scene: &Scene<'_>) -> Voice {
        if self.said.is_some() {
            return Voice::Active;
        }
        let helper = self.auxiliaries.iter().copied().find(|&verb| !scene.is(verb, &["TO"]));
        let has = helper.is_some_and(|verb| is_has(scene, verb, self.word, self.core));
        let helper = helper.map(|verb| scene.lemma(verb));
        let passive = match (scene.category(self.word), helper.as_deref()) {
            ("VBN" | "VBD", Some("be" | "get")) => !has,
            ("VBN", None) => true,
            _ => false,
        };
        if passive { Voice::Passive } else { Voice::Active }
    }

    /// Whether the subject is *there*.
    pub(crate) fn is_existential(&self, scene: &Scene<'_>) -> bool {
        self.clause.is_some_and(|clause| is_existential(scene, clause))
    }
}

/// Whether an auxiliary before a participle is *has*, written *'s*: nothing in the verb phrase shows that it is passive, as a trace of what is seen as its
/// subject does (its object, that of a preposition, or the subject of the clause that completes it), or who acts.
pub(crate) fn is_has(scene: &Scene<'_>, auxiliary: NodeId, verb: NodeId, phrase: NodeId) -> bool {
    let is_trace = |node: NodeId| scene.null_kind(node) == Some("*");
    let mut children = scene.tree.children(phrase);
    let mut is_passive = || {
        children.any(|child| match scene.category(child) {
            "S" => scene.subject(child).is_some_and(is_trace),
            "PP" => {
                scene.tree.children(child).any(|object| is_trace(object) || scene.has_function(object, "LGS"))
            }
            _ => is_trace(child),
        })
    };
    matches!(scene.lower(auxiliary).as_str(), "'s" | "’s") && (scene.lower(verb) == "got" || !is_passive())
}

/// The subject of a clause: tagged so, or the last noun phrase before its verb, or before what is said of it in a small clause.
pub(crate) fn find_subject(scene: &Scene<'_>, clause: NodeId) -> Option<NodeId> {
    if !scene.is(clause, &["S", "SQ", "SINV", "FRAG", "RRC", "X", "PRN", "SBARQ"]) {
        return None;
    }
    let tree = scene.tree;
    let tagged = tree.children(clause).find(|&child| scene.has_function(child, "SBJ"));
    tagged.or_else(|| {
        let other = ["TMP", "ADV", "VOC", "TPC", "LOC", "PRD", "EXT", "MNR", "DIR", "PRP"];
        let fits = |child: NodeId| {
            scene.is(child, &["NP"]) && !other.iter().any(|function| scene.has_function(child, function))
        };
        let verb = tree.children(clause).find(|&child| scene.is(child, &["VP"]) || is_verb(scene, child));
        let verb = verb.or_else(|| tree.children(clause).find(|&child| scene.has_function(child, "PRD")))?;
        let before = scene.before(verb).find(|&child| fits(child));
        let inverted = || {
            (scene.is(clause, &["SQ", "SINV"]) && is_verb(scene, verb))
                .then(|| scene.after(verb).find(|&child| fits(child)))
                .flatten()
        };
        before.or_else(inverted)
    })
}
