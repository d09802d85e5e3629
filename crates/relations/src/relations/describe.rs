//! Null elements in words: the role that each has, or the reason why it has none.

use std::collections::BTreeMap;
use std::ops::Range;

use tracebank_syntax::tree::{NodeId, Tree};

use crate::scene::Scene;

use super::resolve::{self, End};
use super::{Filler, Relation, Step};

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

/// The place of an argument: its relation, and its number there.
type Place = (usize, usize);

/// The readings of all null elements and gaps, in order.
pub(crate) fn all(scene: &Scene<'_>, relations: &[Relation]) -> Vec<NullReading> {
    let tree = scene.tree;
    let places = Places::of(relations);
    let reading = |node: NodeId| {
        let place = if tree.is_null_element(node) {
            places.passing.get(&node).map(|(_, place)| place)
        } else if tree.label(node).gap().is_some() && tree.can_carry_index(node) {
            places.at.get(&node)
        } else {
            return None;
        };
        Some(place.map_or_else(|| no_argument(scene, node), |&place| argument(relations, node, place)))
    };
    tree.preorder(tree.top()).filter_map(reading).collect()
}

/// The arguments of all relations by their nodes.
#[derive(Default)]
struct Places {
    /// The first argument that stands at each node.
    at: BTreeMap<NodeId, Place>,
    /// For each null, how far it is from the argument that it leads to, and that argument: the one whose own place the null is comes before those that
    /// only pass it.
    passing: BTreeMap<NodeId, (usize, Place)>,
}

impl Places {
    fn of(relations: &[Relation]) -> Places {
        let mut places = Places::default();
        for (at, relation) in relations.iter().enumerate() {
            for (number, argument) in relation.arguments.iter().enumerate() {
                let place = (at, number);
                places.at.entry(argument.node).or_insert(place);
                for (passed, step) in argument.via.iter().enumerate() {
                    let Step::Null(null) = step else { continue };
                    let nearest = (argument.via.len() - passed, place);
                    let known = places.passing.entry(*null).or_insert(nearest);
                    *known = nearest.min(*known);
                }
            }
        }
        places
    }
}

/// The reading of `node` as an argument.
fn argument(relations: &[Relation], node: NodeId, place: Place) -> NullReading {
    let relation = &relations[place.0];
    let found = &relation.arguments[place.1];
    let role = Some((found.role, relation.predicate.token, found.preposition.clone()));
    NullReading { node, argument: Some(place), reason: None, filler: Some(found.filler.clone()), role }
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
            Filler::Phrase { tokens, .. } => shortened(
                &around_aside(tree, self.node, tokens)
                    .map_or_else(|| show(tokens.clone()), |parts| parts.map(show).join(" ")),
            ),
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

/// The two parts of a clause before and behind the aside that a null stands in, without the stop: what *he said* of *Prices, he said, rose.*
fn around_aside(tree: &Tree, null: NodeId, clause: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let aside = tree.ancestors(null).find(|&above| tree.label(above).category() == "PRN")?;
    let words: Vec<NodeId> = tree.leaves(tree.top()).filter(|&leaf| tree.is_word(leaf)).collect();
    let first = tree.leaves(aside).find(|&leaf| tree.is_word(leaf))?;
    let start = words.iter().position(|&word| word == first)?;
    let behind = start + tree.leaves(aside).filter(|&leaf| tree.is_word(leaf)).count();
    let has_stop = tree.label(words[clause.end - 1]).category() == ".";
    let end = clause.end - usize::from(has_stop);
    (clause.start < start && behind < end).then_some([clause.start..start, behind..end])
}

/// The most words of a phrase that are shown.
const LONGEST: usize = 8;

fn shortened(words: &str) -> String {
    match words.match_indices(' ').nth(LONGEST - 1) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words.to_owned(),
    }
}
