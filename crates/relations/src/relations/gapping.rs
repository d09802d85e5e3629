//! Gapping: a predicate that is to be read again, with the remnants of the second clause in the places of the first.

use std::collections::BTreeSet;

use tracebank_syntax::tree::{Kind, NodeId, SlotKind};

use crate::scene::Scene;

use super::gather::inside;
use super::predicates::Site;
use super::resolve::{self, End};
use super::roles::{Place, rank, role};
use super::{Argument, Relation, Step};

/// A phrase of a clause whose predicate was left out, and the phrase of the clause before that it stands parallel to.
#[derive(Clone, Copy)]
struct Remnant {
    node: NodeId,
    parallel: Option<NodeId>,
}

/// Whether a predicate has one argument of this role, and not several.
fn is_core(argument: &Argument) -> bool {
    matches!(argument.role, "subject" | "object")
}

/// Relations whose predicate was left out: *and John coffee* has the predicate of *Mary likes tea*.
pub(crate) fn gapped(scene: &Scene<'_>, sites: &[Site], relations: &[Relation]) -> Vec<Relation> {
    let tree = scene.tree;
    let gap = |node: NodeId| {
        let slots = || tree.label(node).slots();
        (tree.kind(node) == Kind::Phrase).then(|| slots().find(|slot| slot.kind == SlotKind::Gap)).flatten()
    };
    let mut remnants: Vec<(NodeId, Vec<Remnant>)> = Vec::new();
    for node in tree.preorder(tree.top()) {
        if let (Some(slot), Some(parent)) = (gap(node), tree.parent(node)) {
            // the remnants of one gap stand side by side, or in the verb phrase beside the subject
            let group =
                remnants.iter_mut().find(|(host, _)| *host == parent || tree.parent(parent) == Some(*host));
            let remnant = Remnant { node, parallel: scene.antecedent(slot.number) };
            match group {
                Some((_, nodes)) => nodes.push(remnant),
                None => remnants.push((parent, vec![remnant])),
            }
        }
    }
    for (host, nodes) in &mut remnants {
        // in a clause without a verb the noun phrases beside a remnant are remnants as well, if a parser left out their index
        let of = |category: &'static str| {
            tree.children(*host).filter(move |&child| tree.label(child).category() == category)
        };
        if tree.label(*host).category() == "S" && of("VP").next().is_none() {
            let unmarked = of("NP").filter(|&node| gap(node).is_none());
            nodes.extend(unmarked.map(|node| Remnant { node, parallel: None }));
        }
    }
    let mut found = Vec::new();
    for (_, nodes) in remnants {
        let template = nodes.iter().find_map(|remnant| remnant.parallel);
        let Some(template) = template else { continue };
        // the predicate nearest to the template: the one that has it as an argument, or the innermost around it
        let holds = |relation: &Relation| relation.arguments.iter().any(|argument| argument.node == template);
        let around = |site: &Site| site.layers.iter().any(|&layer| scene.dominates(layer, template));
        let at = relations.iter().position(holds).or_else(|| sites.iter().rposition(around));
        let Some((site, original)) = at.map(|at| (&sites[at], &relations[at])) else { continue };
        // a remnant with a predicate of its own needs no other
        if sites.iter().any(|other| nodes.iter().any(|remnant| scene.dominates(remnant.node, other.word))) {
            continue;
        }
        let mut relation = original.clone();
        relation.predicate.gapped = true;
        relation.arguments.clear();
        let mut replaced = BTreeSet::new();
        for &Remnant { node, parallel } in &nodes {
            if parallel.is_some()
                && site.said == parallel
                && let Some(word) = scene.head(node)
            {
                // *not a cook but a baker*
                relation.predicate.token = scene.token(word);
                relation.predicate.lemma = scene.lemma(word);
                relation.predicate.negated = false;
                relation.predicate.gapped = false;
                continue;
            }
            let is_parallel = |argument: &&Argument| {
                parallel.is_some_and(|parallel| {
                    argument.node == parallel
                        || scene.dominates(parallel, argument.node)
                        || scene.dominates(argument.node, parallel)
                })
            };
            // each place is taken once: where it is taken already, or not said, the next one is meant
            let is_free = |argument: &&Argument| is_core(argument) && !replaced.contains(argument.role);
            let like = original.arguments.iter().find(is_parallel);
            let like = like.filter(|argument| !is_core(argument) || is_free(argument)).or_else(|| {
                (like.is_some() || parallel.is_none()).then(|| original.arguments.iter().find(is_free))?
            });
            let (preposition, object) = inside(scene, node);
            let chain = resolve::follow(scene, object);
            let End::Node(end) = chain.end else { continue };
            let Some(filler) = resolve::filler(scene, end) else { continue };
            let (name, surface) = like.map_or_else(
                || {
                    let role = role(scene, node, Place::Verb);
                    (role, role)
                },
                |argument| (argument.role, argument.surface),
            );
            replaced.insert(name);
            let via: Vec<Step> = chain.via.into_iter().rev().collect();
            relation.arguments.push(Argument { role: name, surface, preposition, filler, via, node });
        }
        let shared = original.arguments.iter().filter(|argument| is_core(argument));
        for argument in shared.filter(|argument| !replaced.contains(argument.role)) {
            relation.arguments.push(argument.clone());
        }
        relation.arguments.sort_by_key(|argument| rank(argument.role));
        found.push(relation);
    }
    found
}
