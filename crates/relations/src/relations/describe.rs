//! Null elements in words: the role that each has, or the reason why it has none.

use std::ops::Range;

use tracebank_syntax::tree::{NodeId, Tree};

use crate::scene::Scene;

use super::resolve::{self, End};
use super::{Argument, Filler, Relation, Step};

/// The reading of a null element, or of a phrase that fills a gap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NullReading {
    /// The null element, or the phrase.
    pub node: NodeId,
    /// The relation and the argument in it, where the null is one or was passed on the way to one.
    pub argument: Option<(usize, usize)>,
    /// The reason why it is no argument, where it is none.
    pub reason: Option<&'static str>,
    /// Its words.
    pub filler: Option<Filler>,
    /// Its role, its predicate's token, and its preposition.
    pub role: Option<(&'static str, usize, Option<String>)>,
}

/// Reasons for being no argument: the kind of the null, the category of the phrase it hangs in, and the reason. The first row that fits
/// counts; a dash is anything.
const REASONS: [(&str, &str, &str); 15] = [
    ("=", "-", "in the place of its like"),
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

/// The readings of all null elements and gaps, in order.
pub(crate) fn all(scene: &Scene<'_>, relations: &[Relation]) -> Vec<NullReading> {
    let tree = scene.tree;
    let reading = |node: NodeId| {
        if tree.is_null_element(node) {
            let passes = |argument: &Argument| {
                let passed = argument.via.iter().position(|step| *step == Step::Null(node))?;
                // the argument whose own place the null is comes before those that only pass it
                Some(argument.via.len() - passed)
            };
            Some(argument(relations, node, passes).unwrap_or_else(|| no_argument(scene, node)))
        } else if tree.label(node).gap().is_some() && tree.can_carry_index(node) {
            let here = |argument: &Argument| (argument.node == node).then_some(0);
            Some(argument(relations, node, here).unwrap_or_else(|| no_argument(scene, node)))
        } else {
            None
        }
    };
    tree.preorder(tree.top()).filter_map(reading).collect()
}

/// The reading of `node` as the argument to which it is nearest.
fn argument(
    relations: &[Relation],
    node: NodeId,
    distance: impl Fn(&Argument) -> Option<usize>,
) -> Option<NullReading> {
    let distance = &distance;
    let places = relations.iter().enumerate().flat_map(|(at, relation)| {
        let arguments = relation.arguments.iter().enumerate();
        arguments.filter_map(move |(place, argument)| Some((distance(argument)?, (at, place))))
    });
    let (_, (at, place)) = places.min()?;
    let (relation, found) = (&relations[at], &relations[at].arguments[place]);
    let role = Some((found.role, relation.predicate.token, found.preposition.clone()));
    Some(NullReading {
        node,
        argument: Some((at, place)),
        reason: None,
        filler: Some(found.filler.clone()),
        role,
    })
}

fn no_argument(scene: &Scene<'_>, node: NodeId) -> NullReading {
    let tree = scene.tree;
    let kind = tree.null_element(node).map_or("=", |null| null.kind);
    let empty = tree.ancestors(node).take_while(|&above| scene.is_empty(above)).last();
    let above = if kind == "0" { tree.parent(node) } else { tree.parent(empty.unwrap_or(node)) };
    let host = above.map_or("", |above| scene.category(above));
    let fits = |row: &&(&str, &str, &str)| (row.0 == "-" || row.0 == kind) && (row.1 == "-" || row.1 == host);
    let reason = REASONS.iter().find(fits).map(|row| row.2);
    let end = empty
        .filter(|_| !matches!(kind, "*U*" | "*?*" | "*NOT*" | "=") && (kind, host) != ("0", "SBAR"))
        .map(|empty| resolve::follow(scene, empty).end);
    // what is done to something that is not named is not done to nobody
    let reason = if matches!(end, Some(End::Anyone)) { Some("something that is not named") } else { reason };
    let filler = match end {
        Some(End::Node(end)) => resolve::filler(scene, end),
        Some(End::Addressee) => Some(Filler::Addressee),
        _ if kind == "=" => resolve::filler(scene, node),
        _ => None,
    };
    NullReading { node, argument: None, reason, filler, role: None }
}

impl NullReading {
    /// The reading in words: `*T*-1 = Which book, object of buy`.
    pub fn describe(&self, tree: &Tree, show: &dyn Fn(Range<usize>) -> String) -> String {
        let gap = tree.label(self.node).gap().filter(|_| !tree.is_null_element(self.node));
        let null =
            gap.map_or_else(|| tree.word(self.node).unwrap_or_default().to_owned(), |gap| format!("={gap}"));
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
