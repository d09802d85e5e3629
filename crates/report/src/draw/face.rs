//! The face of a tree: which of its nodes a picture has, and what is written there.

use std::borrow::Cow;
use std::collections::BTreeSet;

use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::marks::NodeMarks;

/// Choices of a tree's picture.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeOptions {
    /// Whether words have their tags above them.
    pub tags: bool,
    /// Whether labels have their function tags.
    pub functions: bool,
    /// Phrases that are drawn as triangles over their words, or over the head of them if they are many.
    pub collapsed: BTreeSet<NodeId>,
    /// Nodes that are marked as differing from another tree.
    pub marks: NodeMarks,
    /// The probability of each node, by its index in the arena: the line above it is as strong. Nodes beyond the end are certain.
    pub probabilities: Vec<f32>,
    /// Whether every node and arc says in an attribute which it is, for programs that make the picture move.
    pub named: bool,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            tags: true,
            functions: true,
            collapsed: BTreeSet::new(),
            marks: NodeMarks::default(),
            probabilities: Vec::new(),
            named: false,
        }
    }
}

impl TreeOptions {
    /// Collapses the phrases with one of these labels or categories, the outermost of each: `NP` is every noun phrase, `NP-SBJ` subjects.
    #[must_use]
    pub fn collapsing<L: AsRef<str>>(mut self, tree: &Tree, labels: &[L]) -> TreeOptions {
        let is_meant = |&node: &NodeId| {
            let label = tree.label(node);
            let names = [label.text(), label.category(), &label.stem()].map(str::to_owned);
            // A triangle over a null would say less than the null.
            tree.leaves(node).any(|leaf| tree.is_word(leaf))
                && tree.kind(node) == Kind::Phrase
                && labels.iter().any(|wanted| names.iter().any(|n| n == wanted.as_ref()))
        };
        self.collapsed.extend(tree.preorder(tree.top()).filter(is_meant));
        self
    }
}

/// The width of a collapsed phrase's words, in characters, up to which all of them are written.
const SHORT: usize = 18;

/// Brackets as treebanks have to write them, and as they are.
const BRACKETS: [(&str, &str); 6] =
    [("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}")];

/// A word as people write it: `-LRB-` is a bracket.
pub(super) fn written(word: &str) -> &str {
    BRACKETS.iter().find(|(escaped, _)| *escaped == word).map_or(word, |(_, bracket)| bracket)
}

/// A tree as a picture shows it.
pub(super) struct Face<'a> {
    pub(super) tree: &'a Tree,
    pub(super) options: &'a TreeOptions,
    pub(super) root: NodeId,
    /// For each node by its index, the collapsed phrase that stands for it.
    inside: Vec<Option<NodeId>>,
}

impl<'a> Face<'a> {
    pub(super) fn new(tree: &'a Tree, options: &'a TreeOptions) -> Face<'a> {
        let mut inside = vec![None; tree.arena_len()];
        for node in tree.preorder(tree.top()) {
            let above = tree.parent(node).and_then(|parent| inside[parent.index()]);
            let here =
                || (tree.kind(node) == Kind::Phrase && options.collapsed.contains(&node)).then_some(node);
            inside[node.index()] = above.or_else(here);
        }
        Face { tree, options, root: drawn_root(tree), inside }
    }

    /// The nodes that are drawn, parents first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.tree.preorder(self.root).filter(|&node| self.is_drawn(node))
    }

    pub(super) fn is_drawn(&self, node: NodeId) -> bool {
        self.inside[node.index()].is_none_or(|collapsed| collapsed == node)
    }

    /// The node that is drawn for `node`: itself, or the collapsed phrase it is in.
    pub(super) fn shown(&self, node: NodeId) -> NodeId {
        self.inside[node.index()].unwrap_or(node)
    }

    pub(super) fn is_collapsed(&self, node: NodeId) -> bool {
        self.inside[node.index()] == Some(node)
    }

    /// The children that are drawn.
    pub(super) fn children(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let collapsed = self.is_collapsed(node);
        self.tree.children(node).filter(move |_| !collapsed)
    }

    /// Whether something of it stands in the row of the words.
    pub(super) fn has_foot(&self, node: NodeId) -> bool {
        self.is_collapsed(node) || self.tree.word(node).is_some()
    }

    /// The leaves of a node that are drawn, collapsed phrases among them.
    pub(super) fn feet(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.preorder(node).filter(|&below| self.is_drawn(below) && self.has_foot(below))
    }

    /// The label of a phrase.
    pub(super) fn label(&self, node: NodeId) -> Cow<'a, str> {
        if self.options.functions {
            Cow::Borrowed(self.tree.label_text(node))
        } else {
            Cow::Owned(self.tree.label(node).without_functions())
        }
    }

    /// The text of a leaf above its word.
    pub(super) fn tag(&self, leaf: NodeId) -> &'a str {
        let hidden = !self.options.tags || self.tree.is_null_element(leaf);
        if hidden { "" } else { written(self.tree.label_text(leaf)) }
    }

    /// The text in the row of the words: a word, a null, or the gist of a collapsed phrase.
    pub(super) fn foot(&self, node: NodeId) -> Option<Cow<'a, str>> {
        if self.is_collapsed(node) {
            return Some(Cow::Owned(gist(self.tree, node)));
        }
        self.tree.word(node).map(|word| Cow::Borrowed(written(word)))
    }
}

/// The words of a phrase if they are short, else its head with dots for the others.
fn gist(tree: &Tree, node: NodeId) -> String {
    let leaves: Vec<NodeId> = tree.leaves(node).filter(|&leaf| tree.is_word(leaf)).collect();
    let words = |leaves: &[NodeId]| {
        let words: Vec<&str> = leaves.iter().filter_map(|&leaf| tree.word(leaf)).map(written).collect();
        words.join(" ")
    };
    if leaves.is_empty() {
        let nulls: Vec<NodeId> = tree.leaves(node).collect();
        return words(&nulls);
    }
    let all = words(&leaves);
    if all.chars().count() <= SHORT {
        return all;
    }
    let head = head_word(tree, node);
    let at = leaves.iter().position(|&leaf| leaf == head).unwrap_or(0);
    let (before, behind) = (if at > 0 { "… " } else { "" }, if at + 1 < leaves.len() { " …" } else { "" });
    format!("{before}{}{behind}", words(&leaves[at..=at]))
}

/// The word at the end of the heads, down from a phrase that holds one.
fn head_word(tree: &Tree, phrase: NodeId) -> NodeId {
    let table = HeadTable::named("penn").expect("the table comes with the crate");
    let spans = tree.word_spans();
    let mut node = phrase;
    while tree.kind(node) == Kind::Phrase {
        let children: Vec<NodeId> =
            tree.children(node).filter(|child| !spans[child.index()].is_empty()).collect();
        node = children[table.head(tree, node, &children)];
    }
    node
}

/// Penn's unlabelled outer bracket is not drawn if it wraps one phrase.
pub(super) fn drawn_root(tree: &Tree) -> NodeId {
    let top = tree.top();
    let mut children = tree.children(top);
    match (children.next(), children.next()) {
        (Some(only), None) if tree.label_text(top).is_empty() => only,
        _ => top,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_phrase_keeps_its_head() {
        let tree: Tree = "( (S (NP (NP (DT The) (JJ extraordinary) (NN book)) (PP (IN about) (NP (NNS traces)))) (VP (VBD fell))))".parse().unwrap();
        let options = TreeOptions::default().collapsing(&tree, &["NP"]);
        let face = Face::new(&tree, &options);
        let feet: Vec<_> = face.feet(tree.top()).filter_map(|node| face.foot(node)).collect();
        assert_eq!(feet, ["… book …", "fell"], "the outermost noun phrase stands for those in it");
    }

    #[test]
    fn brackets_are_brackets_and_functions_can_go() {
        let tree: Tree = "( (NP-SBJ-1 (-LRB- -LRB-) (NN x)))".parse().unwrap();
        let options = TreeOptions { functions: false, ..TreeOptions::default() };
        let face = Face::new(&tree, &options);
        let leaf = tree.leaves(tree.top()).next().unwrap();
        assert_eq!((face.foot(leaf).unwrap().as_ref(), face.tag(leaf)), ("(", "("));
        assert_eq!(face.label(face.root), "NP-1");
    }
}
