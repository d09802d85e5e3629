//! The pattern language: what a pattern says, and its text.
//!
//! A [`Pattern`] is a row of nodes in the order in which they stand in the text; the first is the one whose matches are counted. A node has a
//! description, maybe a name, and conditions; a condition joins it by a [`Relation`] to another node of the row.

mod contradict;
mod describe;
mod error;
mod parse;
mod print;

pub(crate) use describe::Text;
pub use describe::{Description, basic_category};
pub use error::PatternError;

use crate::relation::{DescriptionId, Relation};

/// The number of a node in its pattern, of a name among its names, of a variable among its variables.
pub(crate) type Id = usize;

/// A pattern over trees.
///
/// ```
/// use tracebank_search::Pattern;
/// use tracebank_syntax::tree::Tree;
/// let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running))))))".parse()?;
/// let pattern = Pattern::parse("/NP-SBJ/=empty => NP-SBJ-1=overt")?;
/// let found = pattern.matches(&tree);
/// assert_eq!(found.len(), 1);
/// assert_eq!(tree.label_text(found[0].get("overt").unwrap().node), "NP-SBJ-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(crate) text: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) descriptions: Vec<Description>,
    pub(crate) names: Vec<String>,
    pub(crate) variables: Vec<String>,
}

/// A node of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) what: What,
    pub(crate) name: Option<Id>,
    /// The conditions that must all hold of it.
    pub(crate) conditions: Vec<Condition>,
}

/// The way a node of the tree is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// By its label; groups of the regular expression may be kept in variables.
    Described(DescriptionId, Vec<(usize, Id)>),
    /// As the node that has this name already: `=x`.
    Named(Id),
    /// As a node with the label of the one that has this name already: `~x`.
    Alike(Id),
}

/// Something that must hold of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Condition {
    /// There is a node in this relation to it that matches a node of the pattern.
    Link(Relation, Id),
    /// All of these hold.
    All(Vec<Condition>),
    /// One of these holds.
    Any(Vec<Condition>),
    /// It does not hold: `!`.
    Not(Box<Condition>),
    /// It may hold, and then its names are bound: `?`.
    Maybe(Box<Condition>),
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        parse::parse(text)
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of its nodes, in the order in which they stand.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether heads are asked for, so that a table of head rules is needed.
    pub fn needs_heads(&self) -> bool {
        self.any_relation(Relation::needs_heads)
    }

    /// Whether roles are asked for, so that the view of a tree must [have them](crate::View::find_roles).
    pub fn needs_roles(&self) -> bool {
        self.any_relation(Relation::needs_roles)
    }

    pub(crate) fn needs_references(&self) -> bool {
        self.any_relation(Relation::needs_references)
    }

    pub(crate) fn any_relation(&self, test: fn(Relation) -> bool) -> bool {
        self.nodes.iter().any(|node| node.conditions.iter().any(|condition| condition.any_relation(test)))
    }

    pub(crate) fn description(&self, id: DescriptionId) -> &Description {
        &self.descriptions[id.0 as usize]
    }
}

/// Patterns are equal when they say the same, whatever their blanks.
impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        (&self.nodes, &self.descriptions, &self.names, &self.variables)
            == (&other.nodes, &other.descriptions, &other.names, &other.variables)
    }
}

impl Condition {
    fn any_relation(&self, test: fn(Relation) -> bool) -> bool {
        match self {
            Condition::Link(relation, _) => test(*relation),
            Condition::All(list) | Condition::Any(list) => list.iter().any(|one| one.any_relation(test)),
            Condition::Not(one) | Condition::Maybe(one) => one.any_relation(test),
        }
    }
}

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Pattern::parse(text)
    }
}
