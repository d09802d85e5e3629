//! Search in treebanks: patterns over trees, and over what is not there.
//!
//! The language is Tregex's: `NP < (NN $+ SBAR)` is an NP with an NN child that has an SBAR right behind it. What it adds are relations for
//! null elements, `=>` from a null to what it stands for, and for spines and trace edges; `docs/search.md` teaches it. The crate knows
//! trees and no parser.
//!
//! * [`Pattern`]: what is searched for; [`PatternError`] says where a text is none;
//! * [`View`]: a tree as patterns see it, with the labels numbered by a [`Lexicon`];
//! * [`Matcher`]: a pattern made ready to be asked of many trees; [`naive`] defines what it must answer;
//! * [`Searcher`] and [`search()`]: whole files, with all threads and in flat memory;
//! * [`Names`]: constructions by name; [`Index`]: the nodes of a file's trees, and which trees have which labels.

#![deny(unsafe_code)]

mod assign;
mod corpus;
mod gist;
mod index;
mod lexicon;
mod matcher;
pub mod naive;
mod named;
mod needle;
mod pattern;
mod plan;
mod read;
mod reference;
mod relate;
mod relation;
mod role;
mod searcher;
mod seen;
mod set;
mod signs;
mod stored;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
mod view;

use std::sync::Arc;

use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

pub use corpus::Block;
pub use index::{Index, IndexError};
pub use lexicon::Lexicon;
pub use matcher::{Assignment, Matcher};
pub use named::{NamedError, NamedPattern, Names};
pub use pattern::{Description, Pattern, PatternError, basic_category};
pub use relation::{DescriptionId, Relation};
pub use role::Role;
pub use searcher::{Answer, Asked, Found, Hit, Node, Searcher, search};
pub use seen::Seen;
pub use view::{Place, ROOT, View};

/// A match of a pattern in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The node that the pattern's first node matched.
    pub node: Place,
    /// The named nodes, in the order of the pattern's [names](Pattern::names).
    pub names: Vec<(String, Place)>,
}

impl Match {
    /// The node with this name.
    pub fn get(&self, name: &str) -> Option<Place> {
        self.names.iter().find(|(known, _)| known == name).map(|&(_, place)| place)
    }
}

impl Pattern {
    /// Every match in `tree`: each assignment of nodes to the pattern's first node and its names, once. Heads are those of the table `penn`.
    ///
    /// For many trees, a [`Matcher`] is faster: it keeps what it learns about labels.
    pub fn matches(&self, tree: &Tree) -> Vec<Match> {
        let table = self.needs_heads().then(|| HeadTable::named("penn").expect("the project's own table"));
        let mut lexicon = Lexicon::default();
        let mut view = View::of(tree, table.as_ref(), &mut lexicon);
        if self.needs_roles() {
            view.find_roles(tree);
        }
        let places = View::tree_nodes(tree);
        let found = Matcher::new(Arc::new(self.clone())).assignments(&mut view, &lexicon);
        let place = |node: u32| places[node as usize];
        let named = |assignment: &Assignment| {
            let bound = self.names().iter().zip(&assignment.names);
            bound.filter_map(|(name, &node)| Some((name.clone(), place(node?)))).collect()
        };
        found.iter().map(|found| Match { node: place(found.node), names: named(found) }).collect()
    }
}
