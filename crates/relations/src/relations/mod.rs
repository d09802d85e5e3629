//! Predicates and their arguments, every null resolved.
//!
//! A *relation* is a predicate with its arguments. The way there has six steps, each in its own file: `predicates`
//! finds what is said (verbs, and adjectives and nouns said with *be*) and the phrases around it; `form` looks at the verbs before it; `roles` names what each
//! phrase is to it, by a table; `resolve` goes from a null through the whole chain to the words it stands for; and
//! `gather` puts these together, passives, raising and extraposition included, and
//! `gapping` reads a predicate again.
//!
//! ```
//! use tracebank_relations::relations;
//! let tree = "( (S (NP-SBJ-1 (DT The) (NN plant)) (VP (VBD was) (VP (VBN sold) (NP (-NONE- *-1)) (PP (IN by) (NP-LGS (NNP Google))))) (. .)))".parse()?;
//! let found = relations(&tree);
//! assert_eq!(found[0].to_text(&tree), "sold  subject=Google (by)  object=The plant");
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod describe;
mod form;
mod gapping;
mod gather;
mod predicates;
mod resolve;
mod roles;
mod text;

use std::ops::Range;

use tracebank_syntax::tree::{NodeId, Tree};

use crate::scene::Scene;

pub use describe::NullReading;
pub use text::table;

/// Whether the subject that is seen is who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// *She bought it.*
    Active,
    /// *It was bought*, and *the shop bought by her*.
    Passive,
}

/// A predicate: a verb, or a predicative adjective or noun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Its token, counted from 0.
    pub token: usize,
    /// Its lemma.
    pub lemma: String,
    /// Its voice.
    pub voice: Voice,
    /// Whether *not* or *never* goes with it.
    pub negated: bool,
    /// The lemmas of its modal verbs: `can`, `must`.
    pub modality: Vec<String>,
    /// The verbs before it in full, with *be* of `copula`: `would`, `have`.
    pub auxiliaries: Vec<String>,
    /// Whether it is *be*, or an auxiliary whose verb is left out, and so the last of `auxiliaries` itself: *she can*.
    pub is_auxiliary: bool,
    /// The token of its particle: *up* in *give up*.
    pub particle: Option<usize>,
    /// The token of the *be* with which an adjective or noun is said.
    pub copula: Option<usize>,
    /// Whether it was left out, and is to be read again: *and John coffee*.
    pub gapped: bool,
}

/// The words that an argument stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filler {
    /// A phrase of the sentence.
    Phrase {
        /// Its tokens, without the preposition and without clauses that modify it.
        tokens: Range<usize>,
        /// All its tokens.
        whole: Range<usize>,
        /// Its head; of a clause, the predicate.
        head: usize,
        /// Whether it is a clause.
        clause: bool,
    },
    /// Whoever is spoken to, in an imperative.
    Addressee,
    /// Nobody in particular.
    Anyone,
}

/// A step on the way from an argument's place to its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A relative pronoun, or the *it* of extraposition: its tokens.
    Pronoun(Range<usize>),
    /// A null element.
    Null(NodeId),
}

/// A phrase that belongs to a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its deep role: the object, in a passive.
    pub role: &'static str,
    /// Its surface role: the subject, in a passive.
    pub surface: &'static str,
    /// The preposition in front of it, in small letters.
    pub preposition: Option<String>,
    /// Its words.
    pub filler: Filler,
    /// The nulls and pronouns passed on the way to its words, words first.
    pub via: Vec<Step>,
    /// The node where it stands.
    pub node: NodeId,
}

/// A predicate with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The predicate.
    pub predicate: Predicate,
    /// Of whom, and of what: subject, objects, complements, then the others as they stand.
    pub arguments: Vec<Argument>,
}

/// The relations of a tree, and the readings of its nulls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The relations, in the order of their predicates.
    pub relations: Vec<Relation>,
    /// The reading of each null element and of each phrase that fills a gap, in the order of the tree.
    pub nulls: Vec<NullReading>,
}

impl Reading {
    /// The reading of a tree in the project's dialect.
    pub fn of(tree: &Tree) -> Reading {
        let scene = Scene::of(tree);
        let relations = gather::all(&scene);
        Reading { nulls: describe::all(&scene, &relations), relations }
    }
}

/// The relations of a tree in the project's dialect, in the order of their predicates.
pub fn relations(tree: &Tree) -> Vec<Relation> {
    gather::all(&Scene::of(tree))
}

/// The reading of each null element of a tree: an argument, or the reason why it is none.
pub fn nulls(tree: &Tree) -> Vec<NullReading> {
    Reading::of(tree).nulls
}

/// The names of all roles, in the order of their table.
pub fn role_names() -> Vec<&'static str> {
    roles::names()
}

pub(crate) use predicates::{find_subject, is_has, is_verb};
pub(crate) use resolve::{End, follow, is_imperative};
