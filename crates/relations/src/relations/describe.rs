//! Null elements in words: the role that each has, or the reason why it has none.

use std::ops::Range;

use tracebank_syntax::tree::{NodeId, Tree};

use crate::scene::Scene;

use super::resolve::{self, End};
use super::{Filler, Relation, Step};

/// The reading of a null element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NullReading {
    /// The null element.
    pub node: NodeId,
    /// The relation and the argument in it, where the null is one or was passed on the way to one.
    pub argument: Option<(usize, usize)>,
    /// Why it is no argument, where it is none.
    pub reason: Option<&'static str>,
    /// Its words.
    pub filler: Option<Filler>,
    /// Its role, its predicate's token, and its preposition.
    pub role: Option<(&'static str, usize, Option<String>)>,
}

/// Reasons for being no argument: the kind of the null, the category of the phrase it hangs in, and the reason. The first row that fits
/// counts; a dash is anything.
const REASONS: [(&str, &str, &str); 14] = [
    ("*U*", "-", "a unit"),
    ("0", "SBAR", "a complementiser left out"),
    ("0", "-", "a relative pronoun left out"),
    ("*?*", "-", "something left out"),
    ("*NOT*", "-", "nothing, where the parallel phrase has something"),
    ("-", "NP", "part of a noun phrase"),
    ("-", "NX", "part of a noun phrase"),
    ("-", "NML", "part of a noun phrase"),
    ("-", "PP", "part of a prepositional phrase"),
    ("-", "ADJP", "part of an adjective phrase"),
    ("-", "ADVP", "part of an adverb phrase"),
    ("*EXP*", "-", "an extraposed clause"),
    ("-", "VP", "part of a verb phrase"),
    ("-", "-", "part of a phrase without a predicate"),
];

/// The readings of all null elements, in order.
pub(crate) fn all(scene: &Scene<'_>, relations: &[Relation]) -> Vec<NullReading> {
    let tree = scene.tree;
    let nulls = tree.leaves(tree.top()).filter(|&leaf| tree.is_null_element(leaf));
    nulls.map(|node| reading(scene, relations, node)).collect()
}

fn reading(scene: &Scene<'_>, relations: &[Relation], node: NodeId) -> NullReading {
    let tree = scene.tree;
    let places = relations.iter().enumerate().flat_map(|(at, relation)| {
        relation.arguments.iter().enumerate().filter_map(move |(place, argument)| {
            let passed = argument.via.iter().position(|step| *step == Step::Null(node))?;
            // the argument whose own place the null is comes before those that only pass it
            Some((argument.via.len() - passed, (at, place)))
        })
    });
    let argument = places.min().map(|(_, place)| place);
    if let Some((at, place)) = argument {
        let (relation, found) = (&relations[at], &relations[at].arguments[place]);
        let role = Some((found.role, relation.predicate.token, found.preposition.clone()));
        return NullReading { node, argument, reason: None, filler: Some(found.filler.clone()), role };
    }
    let kind = tree.null_element(node).map_or("", |null| null.kind);
    let empty = tree.ancestors(node).take_while(|&above| scene.is_empty(above)).last();
    let above = if kind == "0" { tree.parent(node) } else { tree.parent(empty.unwrap_or(node)) };
    let host = above.map_or("", |above| scene.category(above));
    let fits = |row: &&(&str, &str, &str)| (row.0 == "-" || row.0 == kind) && (row.1 == "-" || row.1 == host);
    let reason = REASONS.iter().find(fits).map(|row| row.2);
    let end = empty
        .filter(|_| !matches!(kind, "*U*" | "*?*" | "*NOT*") && (kind, host) != ("0", "SBAR"))
        .map(|empty| resolve::follow(scene, empty).end);
    // what is done to something that is not named is not done to nobody
    let reason = if matches!(end, Some(End::Anyone)) { Some("something that is not named") } else { reason };
    let filler = match end {
        Some(End::Node(end)) => resolve::filler(scene, end),
        Some(End::Addressee) => Some(Filler::Addressee),
        _ => None,
    };
    NullReading { node, argument: None, reason, filler, role: None }
}

impl NullReading {
    /// The reading in words: *which book, object of buy*.
    pub fn describe(&self, tree: &Tree, show: &dyn Fn(Range<usize>) -> String) -> String {
        let null = tree.word(self.node).unwrap_or_default();
        let filler = self.filler.as_ref().map(|filler| match filler {
            Filler::Phrase { tokens, .. } => shortened(&show(tokens.clone())),
            other => other.show(show),
        });
        let what = match (&self.role, self.reason) {
            (Some((role, predicate, preposition)), _) => {
                let predicate = show(*predicate..*predicate + 1);
                let preposition = preposition.as_ref().map(|word| format!(" ({word})")).unwrap_or_default();
                format!("{role}{preposition} of {predicate}")
            }
            (None, reason) => reason.unwrap_or("left out").to_owned(),
        };
        match filler {
            Some(filler) => format!("{null} = {filler}, {what}"),
            None => format!("{null} = {what}"),
        }
    }
}

/// The most words of a phrase that are shown.
const LONGEST: usize = 8;

fn shortened(words: &str) -> String {
    match words.match_indices(' ').nth(LONGEST - 1) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words.to_owned(),
    }
}
