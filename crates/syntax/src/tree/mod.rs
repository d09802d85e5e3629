//! The arena tree.
//!
//! A [`Tree`] keeps all its text in one string and all its nodes in one vector, so that reading a treebank costs two growing
//! buffers and not a million small ones, dropping a tree never recurses, and a tree a million brackets deep is as good
//! as any other. Nodes are named by [`NodeId`]; the links between them are plain indices.
//!
//! There are three kinds of node ([`Kind`]): a *phrase* has children, a *token* is `(NN dog)`, and a *bare word* is a word that
//! stands straight under a phrase. A null element is a token whose tag is `-NONE-`.

mod antecedents;
mod edit;
mod label;
mod walk;

use std::ops::Range;

pub use antecedents::Antecedents;
pub use label::{Label, NullElement, Slot, SlotKind};
pub use walk::{Children, Event, Walk};

/// A node of one [`Tree`]. Ids are small integers in the order in which the nodes were made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The id as an index, for tables that run beside the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A bracket with brackets (or bare words) inside.
    Phrase,
    /// A bracket with one word inside: `(NN dog)`, `(-NONE- *T*-1)`.
    Token,
    /// A word with no bracket of its own, as `dog` in `(NP (DT the) dog)`.
    BareWord,
}

/// Tags of leaves that are no words of the sentence: null elements, and the marks that transcribed speech (`SU`, `CODE`) and the
/// historical corpora (`CODE`, `ID`) keep inside the tree.
pub const NON_WORD_TAGS: [&str; 4] = [NULL_TAG, "SU", "CODE", "ID"];

/// The tag of a null element.
pub const NULL_TAG: &str = "-NONE-";

const NIL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct TextSpan {
    start: u32,
    end: u32,
}

impl TextSpan {
    fn new(range: Range<usize>) -> TextSpan {
        let end = u32::try_from(range.end).expect("at most 4 GiB of text in a tree");
        TextSpan { start: range.start as u32, end }
    }
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    label: TextSpan,
    word: TextSpan,
    parent: u32,
    first_child: u32,
    last_child: u32,
    previous: u32,
    next: u32,
}

/// A tree with labels on its phrases and words at its leaves.
///
/// ```
/// use tracebank_syntax::tree::Tree;
/// let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running))))))".parse()?;
/// assert_eq!(tree.words().collect::<Vec<_>>(), ["We", "like", "running"]);
/// let subject = tree.children(tree.children(tree.top()).next().unwrap()).next().unwrap();
/// assert_eq!(tree.label(subject).category(), "NP");
/// assert_eq!(tree.label(subject).index(), Some(1));
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of one phrase with nothing in it yet; the label of Penn's outermost bracket is empty.
    pub fn with_top(label: &str) -> Tree {
        let mut tree = Tree { text: String::new(), nodes: Vec::new() };
        tree.new_phrase(label);
        tree
    }

    /// The outermost node.
    #[allow(clippy::unused_self)] // the top is a property of a tree, although it is the same id in each
    pub fn top(&self) -> NodeId {
        NodeId(0)
    }

    /// How many nodes were ever made here: the length of a table indexed by [`NodeId::index`].
    pub fn arena_len(&self) -> usize {
        self.nodes.len()
    }

    /// The kind of `node`.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// The label as it stands in the treebank; the tag of a token, empty for a bare word.
    pub fn label_text(&self, node: NodeId) -> &str {
        self.slice(self.node(node).label)
    }

    /// The label, split into its pieces.
    pub fn label(&self, node: NodeId) -> Label<'_> {
        Label::parse(self.label_text(node))
    }

    /// The word of a token or a bare word; `None` for a phrase.
    pub fn word(&self, node: NodeId) -> Option<&str> {
        (self.kind(node) != Kind::Phrase).then(|| self.slice(self.node(node).word))
    }

    /// The null element at `node`, if it is one.
    pub fn null_element(&self, node: NodeId) -> Option<NullElement<'_>> {
        self.is_null_element(node).then(|| NullElement::parse(self.slice(self.node(node).word)))
    }

    /// Whether `node` is a token tagged `-NONE-`.
    pub fn is_null_element(&self, node: NodeId) -> bool {
        self.kind(node) == Kind::Token && self.label_text(node) == NULL_TAG
    }

    /// Whether `node` is a word of the sentence: a leaf that is neither a null element nor a transcriber's mark.
    pub fn is_word(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Phrase => false,
            Kind::BareWord => true,
            Kind::Token => {
                // most tags are told from all of those by their first letter
                let tag = self.label_text(node);
                !tag.starts_with(['-', 'S', 'C', 'I']) || !NON_WORD_TAGS.contains(&tag)
            }
        }
    }

    /// Whether the label of `node` is one on which `-1` and `=1` mean something: a phrase's, or the tag of a word.
    pub fn can_carry_index(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Phrase => true,
            Kind::Token => self.is_word(node),
            Kind::BareWord => false,
        }
    }

    /// The node above, `None` for the top (and for a node that was taken out).
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).parent)
    }

    /// The sibling to the left.
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).previous)
    }

    /// The sibling to the right.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).next)
    }

    /// The leftmost child.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).first_child)
    }

    /// The nodes above `node`, nearest first.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// The words of the sentence, in order: no null elements, no marks.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.word_nodes().map(|leaf| self.slice(self.node(leaf).word))
    }

    /// The leaves that are words of the sentence, in order.
    pub fn word_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.leaves(self.top()).filter(|&leaf| self.is_word(leaf))
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn slice(&self, span: TextSpan) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

fn link(raw: u32) -> Option<NodeId> {
    (raw != NIL).then_some(NodeId(raw))
}

/// Trees are equal when they look equal: the same labels and words in the same places. Node ids do not count.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mine = self.walk(self.top()).map(|event| self.face(event));
        mine.eq(other.walk(other.top()).map(|event| other.face(event)))
    }
}

impl Eq for Tree {}

impl Tree {
    /// The visible part of a step of the walk.
    fn face(&self, event: Event) -> (bool, Kind, &str, Option<&str>) {
        let (entering, node) = match event {
            Event::Enter(node) => (true, node),
            Event::Leave(node) => (false, node),
        };
        (entering, self.kind(node), self.label_text(node), self.word(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        text.parse().unwrap()
    }

    #[test]
    fn words_leave_out_nulls_and_marks() {
        let t = tree("( (S (CODE A.1) (NP (-NONE- *PRO*)) (VP (VB go) dog) (SU /)))");
        assert_eq!(t.words().collect::<Vec<_>>(), ["go", "dog"]);
    }

    #[test]
    fn equality_looks_at_the_tree_and_not_at_the_arena() {
        let mut a = tree("( (S (NP (NN a)) (VP (VB b))))");
        let s = a.first_child(a.top()).unwrap();
        let np = a.first_child(s).unwrap();
        a.detach(np);
        assert_eq!(a, tree("( (S (VP (VB b))))"));
        assert_ne!(a, tree("( (S (VP (VB c))))"));
        assert_ne!(a, tree("( (S (VP (VB b)) (NP (NN a))))"));
    }
}
