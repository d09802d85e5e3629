//! Questions that the rules of labels ask about clauses and phrases.

use std::collections::BTreeSet;

use tracebank_syntax::tree::NodeId;

use crate::heads::{is_clause, said_of};
use crate::relations::is_has;
use crate::scene::Scene;

use super::labels::{Site, VERBS};
use super::words::{ABLE, ASK_OBJECT, DIRECTIONS, GIVE, GO_FOR, RECEIVERS, RECEIVERS_OF_CLAUSES, SEEM};

/// Whether `node` is the subject of `clause`, or stands where it would.
pub(crate) fn is_subject(scene: &Scene<'_>, clause: NodeId, node: NodeId) -> bool {
    if scene.has_function(node, "SBJ") {
        return true;
    }
    scene.subject(clause) == Some(node)
}

/// The verb phrase at the bottom of a clause or verb phrase, with its nearest auxiliary above.
pub(crate) fn bottom(scene: &Scene<'_>, clause: NodeId) -> (NodeId, Option<NodeId>) {
    let (mut node, mut auxiliary) = (clause, None);
    let verb = |node: NodeId| {
        scene.tree.children(node).rfind(|&child| {
            scene.is_token(child) && (VERBS.contains(&scene.category(child)) || scene.is(child, &["POS"]))
        })
    };
    loop {
        let first = scene.conjuncts(node).first().copied().filter(|&part| !scene.is_token(part));
        let inner = first.or_else(|| {
            scene.tree.children(node).find(|&child| scene.is(child, &["VP"]) && !scene.is_empty(child))
        });
        let Some(inner) = inner else { return (node, auxiliary) };
        if first.is_none() {
            auxiliary = verb(node).or(auxiliary);
        }
        node = inner;
    }
}

/// Whether the verb of a clause is in the passive.
pub(crate) fn is_passive(scene: &Scene<'_>, clause: NodeId) -> bool {
    let (phrase, auxiliary) = bottom(scene, clause);
    let Some(verb) = scene
        .tree
        .children(phrase)
        .find(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)))
    else {
        return false;
    };
    // the auxiliary may be above a verb phrase that was asked about
    let above = || {
        let outer = scene.tree.parent(clause).filter(|_| scene.is(clause, &["VP"]))?;
        scene
            .tree
            .children(outer)
            .rfind(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)))
    };
    match auxiliary.or_else(above) {
        Some(auxiliary) => {
            let lemma = scene.lemma(auxiliary);
            let has = is_has(scene, auxiliary, verb, phrase);
            scene.is(verb, &["VBN", "VBD"]) && (lemma == "be" && !has || lemma == "get")
        }
        None => scene.is(verb, &["VBN"]),
    }
}

pub(crate) fn is_passive_auxiliary(scene: &Scene<'_>, site: &Site) -> bool {
    let lemma = scene.lemma(site.node);
    if !matches!(lemma.as_str(), "be" | "get") || said_of(scene, site.phrase).is_some() {
        return false;
    }
    let inner = scene.children(site.phrase).iter().copied().find(|&child| scene.is(child, &["VP"]));
    inner.is_some_and(|inner| {
        let (phrase, auxiliary) = bottom(scene, inner);
        let verb = scene
            .tree
            .children(phrase)
            .find(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)));
        auxiliary.is_none()
            && verb.is_some_and(|verb| {
                scene.is(verb, &["VBN", "VBD"]) && !is_has(scene, site.node, verb, phrase)
            })
    })
}

/// Whether a clause has a finite verb.
pub(crate) fn is_finite(scene: &Scene<'_>, clause: NodeId) -> bool {
    let mut node = clause;
    loop {
        let verb = scene.tree.children(node).find(|&child| {
            scene.is_token(child) && (VERBS.contains(&scene.category(child)) || scene.is(child, &["TO"]))
        });
        if let Some(verb) = verb {
            return scene.is(verb, &["VBZ", "VBD", "VBP", "MD"])
                || crate::relations::is_imperative(scene, clause);
        }
        let Some(inner) =
            scene.children(node).iter().copied().find(|&child| scene.is(child, &["VP", "S", "SINV"]))
        else {
            return false;
        };
        node = inner;
    }
}

pub(crate) fn said_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let (phrase, _) = bottom(scene, clause);
    said_of(scene, phrase).is_some_and(|said| is_clause(scene, said) && !scene.is_empty(said))
}

/// Whether an object is the one who gets something, by its verb: *her* in *gave her a book* and *told her*, but not *the truth* in *told the truth*.
pub(crate) fn is_receiver(scene: &Scene<'_>, node: NodeId) -> bool {
    let object =
        |node: NodeId| scene.is(node, &["NP"]) && scene.tree.label(node).functions().next().is_none();
    let verb = scene.before(node).find(|&verb| scene.is_token(verb) && VERBS.contains(&scene.category(verb)));
    let Some(lemma) = verb.map(|verb| scene.lemma(verb)).filter(|_| object(node)) else { return false };
    let is_one_of = |class: &BTreeSet<&str>| class.contains(lemma.as_str());
    let another = scene.after(node).next().is_some_and(object);
    let clause = scene.after(node).any(|other| scene.is(other, &["SBAR", "SBARQ", "S"]));
    let person = scene.head(node).is_some_and(|head| {
        scene.is(head, &["PRP", "NNP"]) && scene.lower(head) != "it" || scene.lower(head).ends_with("one")
    });
    another && is_one_of(&GIVE)
        || clause && is_one_of(&RECEIVERS_OF_CLAUSES)
        || person && is_one_of(&RECEIVERS)
}

pub(crate) fn is_agent(scene: &Scene<'_>, site: &Site) -> bool {
    let by =
        scene.tree.children(site.node).any(|child| scene.is(child, &["IN"]) && scene.lower(child) == "by");
    let adverbial = ["TMP", "LOC", "EXT", "DIR"].iter().any(|tag| scene.has_function(site.node, tag));
    let logical = scene.tree.children(site.node).any(|child| scene.has_function(child, "LGS"));
    by && (logical || !adverbial && is_passive(scene, site.phrase))
}

/// An infinitive that says what for: behind the object of a verb that asks for no infinitive, or behind a verb of going and doing.
pub(crate) fn is_purpose(scene: &Scene<'_>, clause: NodeId) -> bool {
    let object = scene
        .before(clause)
        .any(|node| scene.is(node, &["NP"]) && scene.tree.label(node).functions().next().is_none());
    let Some(verb) =
        scene.before(clause).find(|&node| scene.is_token(node) && VERBS.contains(&scene.category(node)))
    else {
        return false;
    };
    let subject = scene.tree.children(clause).find(|&child| scene.has_function(child, "SBJ"));
    let lemma = scene.lemma(verb);
    is_infinitive(scene, clause)
        && subject.is_none_or(|subject| scene.is_empty(subject))
        && if object { !ASK_OBJECT.contains(lemma.as_str()) } else { GO_FOR.contains(lemma.as_str()) }
}

/// Whether a clause begins with *to*.
pub(crate) fn is_infinitive(scene: &Scene<'_>, clause: NodeId) -> bool {
    scene.words.get(scene.span(clause).start).is_some_and(|&word| scene.is(word, &["TO"]))
}

/// Whether an infinitive goes with an adjective whose subject it shares: *able to go*.
pub(crate) fn is_of_able(scene: &Scene<'_>, site: &Site) -> bool {
    scene.head(site.head).is_none_or(|head| {
        !scene.is(head, &["JJ", "JJR", "JJS"]) || ABLE.contains(scene.lower(head).as_str())
    })
}

/// Whether the verb of a clause says how things seem, and a clause behind it what: *it seems that he left*.
pub(crate) fn is_of_seeming(scene: &Scene<'_>, clause: NodeId) -> bool {
    let (phrase, _) = bottom(scene, clause);
    let verb = scene.tree.children(phrase).find(|&child| scene.is_token(child));
    verb.is_some_and(|verb| {
        SEEM.contains(scene.lemma(verb).as_str()) && scene.after(verb).any(|node| scene.is(node, &["SBAR"]))
    })
}

/// Whether the particle of a verb is an adverb of direction: *came back*.
pub(crate) fn is_direction(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.head(node).is_some_and(|word| DIRECTIONS.contains(scene.lower(word).as_str()))
}

/// Whether a conjunct is joined by *so*, which the guidelines take for no conjunction: *It rained, so we left.*
pub(crate) fn is_joined_by_so(scene: &Scene<'_>, node: NodeId) -> bool {
    let conjunction = scene.before(node).find(|&child| !scene.is_punctuation(child));
    conjunction.is_some_and(|child| scene.is(child, &["CC"]) && scene.lower(child) == "so")
}

pub(crate) fn is_possessive(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.children(node).last().is_some_and(|&child| scene.is(child, &["POS"]))
}

pub(crate) fn is_relative(scene: &Scene<'_>, clause: NodeId) -> bool {
    let inner = scene.conjuncts(clause).first().copied().unwrap_or(clause);
    let wh = scene.tree.children(inner).find(|&child| scene.category(child).starts_with("WH"));
    // without a pronoun an infinitive is a plain modifier: *a book to read*
    wh.is_some_and(|wh| {
        !scene.is_empty(wh) || scene.children(inner).iter().any(|&child| is_finite(scene, child))
    })
}

pub(crate) fn is_which_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let comma = scene.tree.previous_sibling(clause).is_some_and(|node| scene.is(node, &[","]));
    comma && scene.children(clause).first().is_some_and(|&wh| scene.is(wh, &["WHNP", "WHPP"]))
}

pub(crate) fn begins_with(scene: &Scene<'_>, node: NodeId, words: &[&str]) -> bool {
    // a trace has no first word
    let first = scene.words[scene.span(node)].first();
    first.is_some_and(|&word| words.contains(&scene.lower(word).as_str()))
}

pub(crate) fn has_tag(scene: &Scene<'_>, node: NodeId, tag: &str) -> bool {
    scene.head(node).is_some_and(|head| scene.is(head, &[tag]))
}

pub(crate) fn has_extraposed(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.tree.children(node).any(|child| scene.null_kind(child) == Some("*EXP*"))
}

pub(crate) fn parenthesis_is(scene: &Scene<'_>, node: NodeId, names: &[&str]) -> bool {
    scene.head_child(node).is_some_and(|child| scene.is(child, names))
}
