//! Arguments and their predicates: who did what to whom, as relations between nodes.
//!
//! `A -subject> B` says that A is the subject of the predicate B. The roles are those of [`tracebank_relations`], every null resolved: the role is
//! what a phrase is to the predicate (the object, in a passive), and `-surface-subject>` what it looks like. `-argument>` is any role.
//!
//! An argument is several nodes: the phrase where it stands, the nulls passed on the way to its words, and those words. As everywhere in this
//! language, nodes that hold nothing else are one with it. A predicate is its tag and its word.

use std::fmt;
use std::sync::LazyLock;

use tracebank_relations::{Filler, Step, relations, role_names};
use tracebank_syntax::tree::{NodeId, Tree};

use crate::relation::Relation;
use crate::view::View;

/// The names of the roles as they are written, a hyphen for a blank.
static NAMES: LazyLock<Vec<(String, &'static str)>> =
    LazyLock::new(|| role_names().into_iter().map(|name| (name.replace(' ', "-"), name)).collect());

const ANY: &str = "argument";
const SURFACE: &str = "surface-";

/// A role, or any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// Its name in the table of roles; `None` for any.
    name: Option<&'static str>,
    /// Whether the surface is meant.
    surface: bool,
}

impl Role {
    fn named(text: &str) -> Option<Role> {
        let (surface, text) = text.strip_prefix(SURFACE).map_or((false, text), |rest| (true, rest));
        if text == ANY && !surface {
            return Some(Role { name: None, surface });
        }
        let (_, name) = NAMES.iter().find(|(written, _)| written == text)?;
        Some(Role { name: Some(name), surface })
    }

    fn is(self, edge: &RoleEdge) -> bool {
        self.name.is_none_or(|name| name == if self.surface { edge.surface } else { edge.role })
    }

    /// All names, for those who asked for one that there is not.
    pub(crate) fn list() -> String {
        let names: Vec<&str> = NAMES.iter().map(|(written, _)| written.as_str()).chain([ANY]).collect();
        names.join(", ")
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.unwrap_or(ANY).replace(' ', "-");
        write!(f, "{}{name}", if self.surface { SURFACE } else { "" })
    }
}

/// The name between the signs of `-name>` or `-name<` at the start of `text`, if that is its form.
pub(crate) fn arrow_at(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('-')?;
    let length = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-')?;
    let name = &rest[..length];
    let shaped = name.starts_with(|c: char| c != '-') && !name.ends_with('-');
    (shaped && rest[length..].starts_with(['>', '<'])).then_some(name)
}

/// The relation of a role at the start of `text`, and how long it is written.
pub(crate) fn role_at(text: &str) -> Option<(usize, Relation)> {
    let name = arrow_at(text)?;
    let role = Role::named(name)?;
    let length = name.len() + 2;
    let inverse = text[..length].ends_with('<');
    Some((length, if inverse { Relation::HasArgument(role) } else { Relation::IsArgument(role) }))
}

/// An argument and its predicate, as nodes of a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RoleEdge {
    argument: u32,
    predicate: u32,
    role: &'static str,
    surface: &'static str,
}

impl View {
    /// Finds out who does what in `tree`, the tree that this is the view of.
    pub fn find_roles(&mut self, tree: &Tree) {
        let mut number = vec![0; tree.arena_len()];
        for (at, place) in View::tree_nodes(tree).iter().enumerate().rev() {
            number[place.node.index()] = at as u32;
        }
        let of = |node: NodeId| number[node.index()];
        let words: Vec<u32> = tree.preorder(tree.top()).filter(|&node| tree.is_word(node)).map(of).collect();
        // how many words are before each node, and in all
        let mut before = vec![0; self.nodes.len() + 1];
        words
            .iter()
            .filter_map(|&word| self.leaves(word).next())
            .for_each(|leaf| before[leaf as usize + 1] = 1);
        (1..before.len()).for_each(|node| before[node] += before[node - 1]);
        let span = |node: u32| before[node as usize]..before[self.node(node).end as usize];
        let mut edges = Vec::new();
        for relation in relations(tree) {
            let predicate = words[relation.predicate.token];
            for argument in relation.arguments {
                let mut nodes = self.alike(of(argument.node));
                for step in &argument.via {
                    if let Step::Null(null) = step {
                        nodes.extend(self.alike(of(*null)));
                    }
                }
                if let Filler::Phrase { whole, .. } = argument.filler
                    && !whole.is_empty()
                {
                    let those = |&node: &u32| span(node) == whole && !self.is_wrapper(node);
                    nodes.extend((0..self.len()).filter(those));
                }
                let (role, surface) = (argument.role, argument.surface);
                for argument in nodes {
                    // the tag of the predicate and its word
                    let predicates = predicate..self.node(predicate).end;
                    edges.extend(predicates.map(|predicate| RoleEdge { argument, predicate, role, surface }));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        self.roles = Some(edges);
    }

    /// The nodes above and below `node` that hold just what it holds, it included; not the wrapper around the sentence.
    fn alike(&self, node: u32) -> Vec<u32> {
        let only = |&below: &u32| self.only_parent(below).filter(|&above| !self.is_wrapper(above));
        let top = std::iter::successors(Some(node), only).last().unwrap_or(node);
        std::iter::successors(Some(top), |&above| self.only_child(above)).collect()
    }

    fn roles(&self) -> &[RoleEdge] {
        self.roles.as_deref().unwrap_or(&[])
    }

    /// The predicates to which `node` has this role.
    pub(crate) fn predicates(&self, node: u32, role: Role) -> impl Iterator<Item = u32> {
        let start = self.roles().partition_point(|edge| edge.argument < node);
        let mine = self.roles()[start..].iter().take_while(move |edge| edge.argument == node);
        each_once(mine.filter(move |edge| role.is(edge)).map(|edge| edge.predicate))
    }

    /// The nodes that have this role to `node`.
    pub(crate) fn arguments(&self, node: u32, role: Role) -> impl Iterator<Item = u32> {
        let mine = self.roles().iter().filter(move |edge| edge.predicate == node);
        each_once(mine.filter(move |edge| role.is(edge)).map(|edge| edge.argument))
    }
}

/// Numbers that rise, each once: one phrase may have two roles to a predicate.
fn each_once(rising: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut last = None;
    rising.filter(move |&number| last.replace(number) != Some(number))
}
