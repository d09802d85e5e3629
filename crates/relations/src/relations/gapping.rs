//! Gapping: a predicate that is to be read again, with the remnants of the second clause in the places of the first.

use std::collections::BTreeSet;

use tracebank_syntax::tree::{Kind, NodeId, SlotKind};

use crate::scene::Scene;

use super::gather::inside;
use super::predicates::Site;
use super::resolve::{self, End};
use super::roles::{Place, role};
use super::{Argument, Relation, Step};

/// Relations whose predicate was left out: *and John coffee* has the predicate of *Mary likes tea*.
pub(crate) fn gapped(scene: &Scene<'_>, sites: &[Site], relations: &[Relation]) -> Vec<Relation> {
    let tree = scene.tree;
    let gap = |node: NodeId| {
        let slots = || tree.label(node).slots();
        (tree.kind(node) == Kind::Phrase).then(|| slots().find(|slot| slot.kind == SlotKind::Gap)).flatten()
    };
    let mut remnants: Vec<(NodeId, Vec<(NodeId, u32)>)> = Vec::new();
    for node in tree.preorder(tree.top()) {
        if let (Some(slot), Some(parent)) = (gap(node), tree.parent(node)) {
            // the remnants of one gap stand side by side, or in the verb phrase beside the subject
            let group =
                remnants.iter_mut().find(|(host, _)| *host == parent || tree.parent(parent) == Some(*host));
            match group {
                Some((_, nodes)) => nodes.push((node, slot.number)),
                None => remnants.push((parent, vec![(node, slot.number)])),
            }
        }
    }
    let mut found = Vec::new();
    for (_, nodes) in remnants {
        let template = nodes.iter().find_map(|&(_, number)| scene.antecedent(number));
        let Some(template) = template else { continue };
        // the predicate nearest to the template: the one that has it as an argument, or the innermost around it
        let holds = |relation: &Relation| relation.arguments.iter().any(|argument| argument.node == template);
        let around = |site: &Site| site.layers.iter().any(|&layer| scene.dominates(layer, template));
        let at = relations.iter().position(holds).or_else(|| sites.iter().rposition(around));
        let Some((site, original)) = at.map(|at| (&sites[at], &relations[at])) else { continue };
        // a remnant with a predicate of its own needs no other
        if sites.iter().any(|other| nodes.iter().any(|&(node, _)| scene.dominates(node, other.word))) {
            continue;
        }
        let mut relation = original.clone();
        relation.predicate.gapped = true;
        relation.arguments.clear();
        let mut replaced = BTreeSet::new();
        for &(node, number) in &nodes {
            let Some(parallel) = scene.antecedent(number) else { continue };
            if site.said == Some(parallel)
                && let Some(word) = scene.head(node)
            {
                // *not a cook but a baker*
                relation.predicate.token = scene.token(word);
                relation.predicate.lemma = scene.lemma(word);
                relation.predicate.negated = false;
                relation.predicate.gapped = false;
                continue;
            }
            let like = original.arguments.iter().find(|argument| {
                argument.node == parallel
                    || scene.dominates(parallel, argument.node)
                    || scene.dominates(argument.node, parallel)
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
        let shared =
            original.arguments.iter().filter(|argument| matches!(argument.role, "subject" | "object"));
        for argument in shared.filter(|argument| !replaced.contains(argument.role)) {
            relation.arguments.push(argument.clone());
        }
        relation.arguments.sort_by_key(|argument| argument.role != "subject");
        found.push(relation);
    }
    found
}
