//! A tree as patterns see it.
//!
//! Every bracket is a node and every word is a node below its tag, null elements too: `(NN dog)` is two nodes. Nodes are numbered in pre-order,
//! so what a node dominates is the interval behind it, and what follows it is all behind that interval. An outermost bracket without a label
//! counts as `ROOT`.
//!
//! A node keeps its label, its parent and the end of its interval, and no more, since a corpus has a hundred million of them. The rest follows: a
//! node is a leaf if its interval is empty; the node before one that is no first child is the last leaf of the sister before it.

use std::iter::successors;

use tracebank_syntax::graph::WRAPPERS;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};

use crate::lexicon::Lexicon;
use crate::reference::References;
use crate::role::RoleEdge;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The label of an outermost bracket that has none.
pub const ROOT: &str = "ROOT";

/// A node of a [`View`]: its links, all of them numbers in pre-order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Links {
    /// The number of the label in the lexicon.
    pub(crate) label: u32,
    pub(crate) parent: u32,
    /// One behind the last node below.
    pub(crate) end: u32,
}

/// The nodes of a tree, and the labels they have.
#[derive(Default, Debug)]
pub struct View {
    pub(crate) nodes: Vec<Links>,
    /// For each node its head child; only if a pattern asks for heads.
    pub(crate) heads: Option<Vec<u32>>,
    pub(crate) references: Option<References>,
    /// Who does what; only if a pattern asks for it.
    pub(crate) roles: Option<Vec<RoleEdge>>,
    /// Whether the outermost bracket only wraps the sentence; only if a pattern asks for heads.
    wrapped: bool,
    /// The innermost bracket that is still open, while a tree is read.
    pub(crate) open: u32,
}

impl View {
    /// The view of `tree`; with its heads, if a table is given.
    pub fn of(tree: &Tree, heads: Option<&HeadTable>, lexicon: &mut Lexicon) -> View {
        let mut view = View::default();
        view.set(tree, heads, lexicon);
        view
    }

    /// Makes this the view of `tree`.
    pub(crate) fn set(&mut self, tree: &Tree, heads: Option<&HeadTable>, lexicon: &mut Lexicon) {
        self.clear();
        let top = tree.label_text(tree.top());
        let top = if top.is_empty() { ROOT } else { top };
        self.wrapped = WRAPPERS.contains(&top);
        for event in tree.walk(tree.top()) {
            match event {
                Event::Enter(node) => {
                    if tree.kind(node) != Kind::BareWord {
                        let label = if self.nodes.is_empty() { top } else { tree.label_text(node) };
                        self.enter(lexicon.number(label, 0..label.len()));
                    }
                    if let Some(word) = tree.word(node) {
                        self.leaf(lexicon.number(word, 0..word.len()));
                    }
                }
                Event::Leave(node) if tree.kind(node) != Kind::BareWord => self.leave(),
                Event::Leave(_) => {}
            }
        }
        if let Some(table) = heads {
            self.heads = Some(head_children(tree, table));
        }
    }

    /// Finds out what nulls stand for, for those who ask the definition; a matcher does so by itself.
    #[cfg(feature = "testing")]
    pub fn find_references(&mut self, lexicon: &Lexicon) {
        self.refer(lexicon);
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.open = NONE;
        self.heads = None;
        self.references = None;
        self.roles = None;
    }

    #[inline]
    pub(crate) fn enter(&mut self, label: u32) {
        let number = self.len();
        self.nodes.push(Links { label, parent: self.open, end: 0 });
        self.open = number;
    }

    #[inline]
    pub(crate) fn leaf(&mut self, label: u32) {
        let end = self.len() + 1;
        self.nodes.push(Links { label, parent: self.open, end });
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        let end = self.len();
        let left = &mut self.nodes[self.open as usize];
        left.end = end;
        self.open = left.parent;
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    #[inline]
    pub(crate) fn node(&self, node: u32) -> &Links {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn parent(&self, node: u32) -> Option<u32> {
        Some(self.node(node).parent).filter(|&parent| parent != NONE)
    }

    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        self.node(node).end == node + 1
    }

    /// Whether `node` is the tag of one word.
    pub(crate) fn is_token(&self, node: u32) -> bool {
        self.node(node).end == node + 2
    }

    /// The only child of `node`.
    pub(crate) fn only_child(&self, node: u32) -> Option<u32> {
        self.first_child(node).filter(|&child| self.node(child).end == self.node(node).end)
    }

    /// The parent that `node` is the only child of.
    pub(crate) fn only_parent(&self, node: u32) -> Option<u32> {
        self.parent(node).filter(|&above| above + 1 == node && self.node(above).end == self.node(node).end)
    }

    pub(crate) fn first_child(&self, node: u32) -> Option<u32> {
        (!self.is_leaf(node)).then_some(node + 1)
    }

    /// The nodes below `node` are the interval behind it; its children are found by going from end to end.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let end = self.node(node).end;
        let from = move |child: u32| (child < end).then_some(child);
        successors(from(node + 1), move |&child| from(self.node(child).end))
    }

    pub(crate) fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        successors(self.parent(node), |&above| self.parent(above))
    }

    /// The leaves at and below `node`.
    pub(crate) fn leaves(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> {
        (node..self.node(node).end).filter(|&below| self.is_leaf(below))
    }

    pub(crate) fn next_sister(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        let next = self.node(node).end;
        (next < self.node(parent).end).then_some(next)
    }

    pub(crate) fn previous_sister(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node).filter(|&parent| parent + 1 != node)?;
        self.child_towards(parent, node - 1)
    }

    pub(crate) fn last_child(&self, node: u32) -> Option<u32> {
        self.first_child(node)?;
        self.child_towards(node, self.node(node).end - 1)
    }

    /// The child of `node` that is `below`, a node below it, or dominates it.
    fn child_towards(&self, node: u32, below: u32) -> Option<u32> {
        std::iter::once(below).chain(self.ancestors(below)).find(|&child| self.node(child).parent == node)
    }

    /// The child with this number, from 1; from -1 backwards.
    pub(crate) fn nth_child(&self, node: u32, nth: i32) -> Option<u32> {
        if nth > 0 {
            return self.children(node).nth(nth as usize - 1);
        }
        let backwards = successors(self.last_child(node), |&child| self.previous_sister(child));
        backwards.into_iter().nth(nth.unsigned_abs() as usize - 1)
    }

    /// The leaf below `node` with this number, from 1; from -1 backwards.
    pub(crate) fn nth_leaf(&self, node: u32, nth: i32) -> Option<u32> {
        let place = nth.unsigned_abs() as usize - 1;
        let leaf = if nth > 0 { self.leaves(node).nth(place) } else { self.leaves(node).nth_back(place) };
        leaf.filter(|&leaf| leaf != node)
    }

    /// The nodes that begin with the first leaf of the node `top`, from it down to that leaf; none if there is no such node.
    pub(crate) fn beginning(&self, top: u32) -> impl Iterator<Item = u32> {
        successors((top < self.len()).then_some(top), |&node| self.first_child(node))
    }

    /// The highest node that begins with the first leaf of `node`.
    pub(crate) fn top(&self, node: u32) -> u32 {
        let up = |&node: &u32| self.parent(node).filter(|&above| above + 1 == node);
        successors(Some(node), up).last().unwrap_or(node)
    }

    /// The nodes that end with the leaf before the node `top`, the highest one that begins where it does; from that leaf up.
    pub(crate) fn ending(&self, top: u32) -> impl Iterator<Item = u32> {
        let up = move |&node: &u32| self.parent(node).filter(|&above| self.node(above).end == top);
        successors(top.checked_sub(1), up)
    }

    /// Whether `node` is an outermost bracket that only wraps the sentence.
    pub(crate) fn is_wrapper(&self, node: u32) -> bool {
        node == 0 && self.wrapped
    }

    /// The head child of a node, if heads are known and it has one.
    pub(crate) fn head_child(&self, node: u32) -> Option<u32> {
        self.heads.as_ref().map(|heads| heads[node as usize]).filter(|&head| head != NONE)
    }

    /// The node of `tree` that each node of its view is, in order; the leaf of a token is the token.
    pub fn tree_nodes(tree: &Tree) -> Vec<Place> {
        let mut places = Vec::with_capacity(2 * tree.arena_len());
        for node in tree.preorder(tree.top()) {
            if tree.kind(node) != Kind::BareWord {
                places.push(Place { node, word: false });
            }
            if tree.word(node).is_some() {
                places.push(Place { node, word: true });
            }
        }
        places
    }
}

/// A node of a tree as a pattern finds it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The node.
    pub node: NodeId,
    /// Whether the word is meant, and not its tag.
    pub word: bool,
}

/// For each node of the view its head child. Only what holds a word of the sentence has a head; the head of a token is its word.
fn head_children(tree: &Tree, table: &HeadTable) -> Vec<u32> {
    let places = View::tree_nodes(tree);
    let mut number = vec![NONE; tree.arena_len()];
    for (at, place) in places.iter().enumerate().rev() {
        number[place.node.index()] = at as u32;
    }
    let mut heads = vec![NONE; places.len()];
    let mut overt = vec![false; tree.arena_len()];
    let mut children = Vec::new();
    for node in tree.postorder(tree.top()) {
        let at = number[node.index()];
        if tree.kind(node) == Kind::Phrase {
            children.clear();
            children.extend(tree.children(node).filter(|child| overt[child.index()]));
            if !children.is_empty() {
                overt[node.index()] = true;
                heads[at as usize] = number[children[table.head(tree, node, &children)].index()];
            }
        } else if tree.is_word(node) {
            overt[node.index()] = true;
            if tree.kind(node) == Kind::Token {
                heads[at as usize] = at + 1;
            }
        }
    }
    heads
}
