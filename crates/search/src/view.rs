//! A tree as patterns see it.
//!
//! Every bracket is a node and every word is a node below its tag, null elements too: `(NN dog)` is two nodes. Nodes are numbered in pre-order,
//! so what a node dominates is the interval behind it, and what follows it is all behind that interval. An outermost bracket without a label
//! counts as `ROOT`.

use tracebank_syntax::graph::WRAPPERS;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};

use crate::gist::{Gist, OTHER};
use crate::lexicon::Lexicon;
use crate::reference::References;
use crate::role::RoleEdge;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The label of an outermost bracket that has none.
pub const ROOT: &str = "ROOT";

/// A node of a [`View`]: its links, all of them numbers in pre-order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links {
    /// The number of the label in the lexicon.
    pub(crate) label: u32,
    pub(crate) parent: u32,
    /// One behind the last node below.
    pub(crate) end: u32,
    pub(crate) previous: u32,
    pub(crate) last_child: u32,
    /// Its place among its sisters, from 1.
    pub(crate) rank: u32,
    pub(crate) children: u32,
    /// How many leaves are before it, and how many are before its end.
    pub(crate) left: u32,
    pub(crate) right: u32,
}

/// The nodes of a tree, and the labels they have.
#[derive(Default, Debug)]
pub struct View {
    pub(crate) nodes: Vec<Links>,
    /// The leaves from left to right.
    pub(crate) leaves: Vec<u32>,
    /// For each node its head child; only if a pattern asks for heads.
    pub(crate) heads: Option<Vec<u32>>,
    pub(crate) references: Option<References>,
    /// Who does what; only if a pattern asks for it.
    pub(crate) roles: Option<Vec<RoleEdge>>,
    /// Whether the outermost bracket only wraps the sentence.
    wrapped: bool,
    open: Vec<u32>,
}

/// A bracket that is wrong, so that the text is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Malformed;

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
        for event in tree.walk(tree.top()) {
            match event {
                Event::Enter(node) => {
                    if tree.kind(node) != Kind::BareWord {
                        self.enter(tree.label_text(node), lexicon);
                    }
                    if let Some(word) = tree.word(node) {
                        self.leaf(word, lexicon);
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

    /// Makes this the view of the tree in `bytes`, the brackets of one tree. Labels that a gist rules out are all one.
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        gist: Option<&Gist>,
        lexicon: &mut Lexicon,
    ) -> Result<(), Malformed> {
        self.clear();
        let counts = |label: &str| gist.is_none_or(|gist| gist.has(label.as_bytes()));
        let text = std::str::from_utf8(bytes).map_err(|_| Malformed)?;
        let mut at = 0;
        let mut just_opened = false;
        while at < bytes.len() {
            match bytes[at] {
                b'(' if self.open.is_empty() && !self.nodes.is_empty() => return Err(Malformed),
                b'(' => {
                    let start = at + 1;
                    at = atom_end(bytes, start);
                    let label = &text[start..at];
                    self.enter(if counts(label) { label } else { OTHER }, lexicon);
                    just_opened = true;
                }
                b')' => {
                    if just_opened || self.open.is_empty() {
                        return Err(Malformed);
                    }
                    self.leave();
                    at += 1;
                }
                byte if is_space(byte) => at += 1,
                _ => {
                    if self.open.is_empty() {
                        return Err(Malformed);
                    }
                    let start = at;
                    at = atom_end(bytes, start);
                    let word = &text[start..at];
                    self.leaf(if counts(word) { word } else { OTHER }, lexicon);
                    just_opened = false;
                }
            }
        }
        if self.open.is_empty() && !self.nodes.is_empty() { Ok(()) } else { Err(Malformed) }
    }

    /// Finds out what nulls stand for, for those who ask the definition; a matcher does so by itself.
    #[cfg(feature = "testing")]
    pub fn find_references(&mut self, lexicon: &Lexicon) {
        self.refer(lexicon);
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.leaves.clear();
        self.open.clear();
        self.heads = None;
        self.references = None;
        self.roles = None;
    }

    fn enter(&mut self, label: &str, lexicon: &mut Lexicon) {
        let label = if label.is_empty() && self.nodes.is_empty() { ROOT } else { label };
        self.wrapped = if self.nodes.is_empty() { WRAPPERS.contains(&label) } else { self.wrapped };
        let node = self.push(lexicon.number(label));
        self.open.push(node);
    }

    fn leaf(&mut self, word: &str, lexicon: &mut Lexicon) {
        let node = self.push(lexicon.number(word));
        self.leaves.push(node);
        self.close(node);
    }

    fn leave(&mut self) {
        let node = self.open.pop().expect("what is left was entered");
        self.close(node);
    }

    fn push(&mut self, label: u32) -> u32 {
        let number = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        let (mut previous, mut rank) = (NONE, 1);
        if let Some(above) = self.nodes.get_mut(parent as usize) {
            previous = above.last_child;
            above.last_child = number;
            above.children += 1;
            rank = above.children;
        }
        let left = self.leaves.len() as u32;
        let links =
            Links { label, parent, end: 0, previous, last_child: NONE, rank, children: 0, left, right: 0 };
        self.nodes.push(links);
        number
    }

    fn close(&mut self, node: u32) {
        let (end, right) = (self.nodes.len() as u32, self.leaves.len() as u32);
        let node = &mut self.nodes[node as usize];
        (node.end, node.right) = (end, right);
    }

    pub(crate) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub(crate) fn node(&self, node: u32) -> &Links {
        &self.nodes[node as usize]
    }

    pub(crate) fn parent(&self, node: u32) -> Option<u32> {
        Some(self.node(node).parent).filter(|&parent| parent != NONE)
    }

    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        self.node(node).children == 0
    }

    /// Whether `node` is the tag of one word.
    pub(crate) fn is_token(&self, node: u32) -> bool {
        self.node(node).children == 1 && self.is_leaf(node + 1)
    }

    /// The nodes below `node` are the interval behind it; its children are found by going from end to end.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let end = self.node(node).end;
        let from = move |child: u32| (child < end).then_some(child);
        std::iter::successors(from(node + 1), move |&child| from(self.node(child).end))
    }

    pub(crate) fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    pub(crate) fn next_sister(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        let next = self.node(node).end;
        (next < self.node(parent).end).then_some(next)
    }

    pub(crate) fn previous_sister(&self, node: u32) -> Option<u32> {
        Some(self.node(node).previous).filter(|&previous| previous != NONE)
    }

    pub(crate) fn last_child(&self, node: u32) -> Option<u32> {
        Some(self.node(node).last_child).filter(|&last| last != NONE)
    }

    /// The child with this number, from 1; from -1 backwards.
    pub(crate) fn nth_child(&self, node: u32, nth: i32) -> Option<u32> {
        let place = nth_of(self.node(node).children, nth)?;
        self.children(node).nth(place as usize)
    }

    /// The leaf below `node` with this number, from 1; from -1 backwards.
    pub(crate) fn nth_leaf(&self, node: u32, nth: i32) -> Option<u32> {
        let Links { left, right, .. } = *self.node(node);
        if self.is_leaf(node) {
            return None;
        }
        Some(self.leaves[(left + nth_of(right - left, nth)?) as usize])
    }

    /// The highest node that begins with the leaf number `leaf`; those that do are it and all down to the leaf.
    pub(crate) fn beginning(&self, leaf: u32) -> std::ops::RangeInclusive<u32> {
        let Some(&bottom) = self.leaves.get(leaf as usize) else {
            // no leaf, no nodes
            return std::ops::RangeInclusive::new(1, 0);
        };
        let mut top = bottom;
        while top > 0 && self.node(top - 1).left == leaf {
            top -= 1;
        }
        top..=bottom
    }

    /// The nodes that end with the last of the first `leaves` leaves, from the bottom up.
    pub(crate) fn ending(&self, leaves: u32) -> impl Iterator<Item = u32> {
        let bottom = leaves.checked_sub(1).map(|last| self.leaves[last as usize]);
        let up = move |&node: &u32| self.parent(node).filter(|&above| self.node(above).right == leaves);
        std::iter::successors(bottom, up)
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

/// The place, from 0, that a number from 1 (or from -1 backwards) names among `many`.
fn nth_of(many: u32, nth: i32) -> Option<u32> {
    let place = if nth > 0 { i64::from(nth) - 1 } else { i64::from(many) + i64::from(nth) };
    u32::try_from(place).ok().filter(|&place| place < many)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The bytes that end a label or a word.
static ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b"() \t\n\r\x0b\x0c";
    let mut place = 0;
    while place < signs.len() {
        ends[signs[place] as usize] = true;
        place += 1;
    }
    ends
};

fn atom_end(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().position(|&byte| ENDS[byte as usize]);
    length.map_or(bytes.len(), |length| start + length)
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
