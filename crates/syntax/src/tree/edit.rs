//! Edits: making and changing trees.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Kind, Label, NIL, NON_WORD_TAGS, Node, NodeId, NullElement, Slot, TextSpan, Tree, link};

impl Tree {
    /// A phrase that is nowhere in the tree yet.
    pub fn new_phrase(&mut self, label: &str) -> NodeId {
        self.new_node(Kind::Phrase, label, "")
    }

    /// A token that is nowhere in the tree yet.
    pub fn new_token(&mut self, tag: &str, word: &str) -> NodeId {
        self.new_node(Kind::Token, tag, word)
    }

    /// A bare word that is nowhere in the tree yet.
    pub fn new_bare_word(&mut self, word: &str) -> NodeId {
        self.new_node(Kind::BareWord, "", word)
    }

    /// A phrase `label` as the last child of `parent`.
    pub fn push_phrase(&mut self, parent: NodeId, label: &str) -> NodeId {
        let node = self.new_phrase(label);
        self.append(parent, node);
        node
    }

    /// A token as the last child of `parent`.
    pub fn push_token(&mut self, parent: NodeId, tag: &str, word: &str) -> NodeId {
        let node = self.new_token(tag, word);
        self.append(parent, node);
        node
    }

    /// A bare word as the last child of `parent`.
    pub fn push_bare_word(&mut self, parent: NodeId, word: &str) -> NodeId {
        let node = self.new_bare_word(word);
        self.append(parent, node);
        node
    }

    /// Writes a new label (or tag) on `node`.
    pub fn set_label(&mut self, node: NodeId, label: &str) {
        self.nodes[node.index()].label = self.store(label);
    }

    /// Writes a new word on a token or a bare word.
    pub fn set_word(&mut self, node: NodeId, word: &str) {
        debug_assert_ne!(self.kind(node), Kind::Phrase);
        self.nodes[node.index()].word = self.store(word);
    }

    /// Puts the detached `child` behind the last child of `parent`.
    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        self.insert_before(parent, None, child);
    }

    /// Puts the detached `child` under `parent`, in front of `next`, or last if that is `None`.
    pub fn insert_before(&mut self, parent: NodeId, next: Option<NodeId>, child: NodeId) {
        debug_assert!(self.parent(child).is_none() && child != self.top());
        let previous = match next {
            Some(next) => link(self.nodes[next.index()].previous),
            None => link(self.nodes[parent.index()].last_child),
        };
        let raw = child.0;
        match previous {
            Some(previous) => self.nodes[previous.index()].next = raw,
            None => self.nodes[parent.index()].first_child = raw,
        }
        match next {
            Some(next) => self.nodes[next.index()].previous = raw,
            None => self.nodes[parent.index()].last_child = raw,
        }
        let node = &mut self.nodes[child.index()];
        node.parent = parent.0;
        node.previous = previous.map_or(NIL, |id| id.0);
        node.next = next.map_or(NIL, |id| id.0);
    }

    /// Takes `node`, with all below it, out of the tree.
    pub fn detach(&mut self, node: NodeId) {
        let Node { parent, previous, next, .. } = self.nodes[node.index()];
        let Some(parent) = link(parent) else { return };
        match link(previous) {
            Some(previous) => self.nodes[previous.index()].next = next,
            None => self.nodes[parent.index()].first_child = next,
        }
        match link(next) {
            Some(next) => self.nodes[next.index()].previous = previous,
            None => self.nodes[parent.index()].last_child = previous,
        }
        let node = &mut self.nodes[node.index()];
        (node.parent, node.previous, node.next) = (NIL, NIL, NIL);
    }

    /// Takes out the leaves that `unwanted` names, and then every phrase that has nothing left in it. The top stays.
    pub fn prune_leaves(&mut self, unwanted: impl Fn(&Tree, NodeId) -> bool) {
        let order: Vec<NodeId> = self.postorder(self.top()).collect();
        for node in order {
            let gone = match self.kind(node) {
                Kind::Phrase => self.first_child(node).is_none() && node != self.top(),
                Kind::Token | Kind::BareWord => unwanted(self, node),
            };
            if gone {
                self.detach(node);
            }
        }
    }

    /// Makes the detached `node` the top, with all below it, and gives its new id; its own id is then no part of the tree.
    pub(crate) fn become_top(&mut self, node: NodeId) -> NodeId {
        let children: Vec<NodeId> = self.children(node).collect();
        children.iter().for_each(|&child| self.detach(child));
        let Node { kind, label, word, .. } = self.nodes[node.index()];
        let top = &mut self.nodes[0];
        (top.kind, top.label, top.word) = (kind, label, word);
        children.iter().for_each(|&child| self.append(self.top(), child));
        self.top()
    }

    /// Numbers the indices from 1 in the order in which they stand. Indices that were the same stay the same.
    ///
    /// ```
    /// # use tracebank_syntax::tree::Tree;
    /// let mut tree: Tree = "( (S (WHNP-7 (WP who)) (NP-SBJ-3 (PRP they)) (VP (VB x) (NP (-NONE- *T*-7)))))".parse()?;
    /// tree.renumber();
    /// assert_eq!(tree.to_string(), "( (S (WHNP-1 (WP who)) (NP-SBJ-2 (PRP they)) (VP (VB x) (NP (-NONE- *T*-1)))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn renumber(&mut self) {
        let order: Vec<NodeId> = self.preorder(self.top()).collect();
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut renumbered = |old: u32| {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(old).or_insert(next)
        };
        for node in order {
            if let Some(NullElement { kind, index: Some(index) }) = self.null_element(node) {
                let word = NullElement { kind, index: Some(renumbered(index)) }.text();
                self.set_word(node, &word);
            } else if self.can_carry_index(node) {
                let slots: Vec<Slot> = self
                    .label(node)
                    .slots()
                    .map(|slot| Slot { number: renumbered(slot.number), ..slot })
                    .collect();
                if !slots.is_empty() {
                    let label = Label::fill(&self.label(node).shape(), &slots);
                    self.set_label(node, &label);
                }
            }
        }
    }

    /// Takes out null elements and marks, the phrases that hold nothing else, and every index, which then points to nothing.
    ///
    /// ```
    /// # use tracebank_syntax::tree::Tree;
    /// let mut tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP try) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running))))))".parse()?;
    /// tree.strip_traces();
    /// assert_eq!(tree.to_string(), "( (S (NP-SBJ (PRP We)) (VP (VBP try) (S (VP (VBG running))))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn strip_traces(&mut self) {
        self.prune_leaves(|tree, leaf| !tree.is_word(leaf));
        // `ID-1` keeps its index: as `ID` it would be a mark, and its word gone from the sentence.
        let is_safe = |kind, stem: &str| kind == Kind::Phrase || !NON_WORD_TAGS.contains(&stem);
        self.relabel(|kind, label| Some(label.stem()).filter(|stem| is_safe(kind, stem)));
    }

    /// Drops the function tags of every phrase and keeps its indices: `NP-SBJ-1` becomes `NP-1`.
    pub fn strip_functions(&mut self) {
        self.relabel(|kind, label| (kind == Kind::Phrase).then(|| label.without_functions()));
    }

    /// Changes the labels that have more to them than a category.
    fn relabel(&mut self, change: impl Fn(Kind, Label<'_>) -> Option<String>) {
        let order: Vec<NodeId> = self.preorder(self.top()).collect();
        for node in order {
            let label = self.label(node);
            if label.category().len() == label.text().len() {
                continue;
            }
            if let Some(label) = change(self.kind(node), label) {
                self.set_label(node, &label);
            }
        }
    }

    fn new_node(&mut self, kind: Kind, label: &str, word: &str) -> NodeId {
        let (label, word) = (self.store(label), self.store(word));
        self.push_node(kind, label, word)
    }

    fn push_node(&mut self, kind: Kind, label: TextSpan, word: TextSpan) -> NodeId {
        let id =
            u32::try_from(self.nodes.len()).ok().filter(|&id| id != NIL).expect("at most 2^32 - 1 nodes");
        self.nodes.push(Node {
            kind,
            label,
            word,
            parent: NIL,
            first_child: NIL,
            last_child: NIL,
            previous: NIL,
            next: NIL,
        });
        NodeId(id)
    }

    fn store(&mut self, text: &str) -> TextSpan {
        let start = self.text.len();
        self.text.push_str(text);
        TextSpan::new(start..self.text.len())
    }
}

/// For the reader: a tree whose labels and words are spans of the text that it was read from.
impl Tree {
    /// A tree over `text`, without a node yet.
    pub(crate) fn over(text: &str) -> Tree {
        // a node takes some nine bytes of brackets, label and word
        Tree { text: text.to_owned(), nodes: Vec::with_capacity(text.len() / 9 + 2) }
    }

    /// A node as the last child of `parent`, or as the top.
    pub(crate) fn push_span(
        &mut self,
        parent: Option<NodeId>,
        kind: Kind,
        label: Range<usize>,
        word: Range<usize>,
    ) -> NodeId {
        let node = self.push_node(kind, TextSpan::new(label), TextSpan::new(word));
        if let Some(parent) = parent {
            self.append(parent, node);
        }
        node
    }

    /// Makes a phrase that has no children yet a token.
    pub(crate) fn make_token(&mut self, node: NodeId, word: Range<usize>) {
        debug_assert!(self.kind(node) == Kind::Phrase && self.first_child(node).is_none());
        let node = &mut self.nodes[node.index()];
        (node.kind, node.word) = (Kind::Token, TextSpan::new(word));
    }

    /// Where in the text the label of `node` begins.
    pub(crate) fn label_start(&self, node: NodeId) -> usize {
        self.node(node).label.start as usize
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    fn tree(text: &str) -> Tree {
        text.parse().unwrap()
    }

    #[test]
    fn nodes_go_in_and_out_anywhere() {
        let mut t = tree("( (S (A a) (B b) (C c)))");
        let s = t.first_child(t.top()).unwrap();
        let [a, b, c] = t.children(s).collect::<Vec<_>>()[..] else { panic!() };
        t.detach(b);
        t.insert_before(s, Some(a), b);
        assert_eq!(t, tree("( (S (B b) (A a) (C c)))"));
        t.detach(c);
        t.insert_before(s, Some(a), c);
        t.detach(a);
        t.append(s, a);
        assert_eq!(t, tree("( (S (B b) (C c) (A a)))"));
    }

    #[test]
    fn stripping_keeps_what_holds_a_word() {
        let mut t = tree("( (S-TTL-1 (NP-SBJ=2 (NN a)) (SBAR (-NONE- 0) (S (-NONE- *T*-1))) (NNS-4 b)))");
        t.strip_functions();
        assert_eq!(t, tree("( (S-1 (NP=2 (NN a)) (SBAR (-NONE- 0) (S (-NONE- *T*-1))) (NNS-4 b)))"));
        t.strip_traces();
        assert_eq!(t, tree("( (S (NP (NN a)) (NNS b)))"));
    }

    #[test]
    fn stripping_makes_no_mark_of_a_word() {
        let mut t = tree("( (S-1 (ID-1 a) (ID b) (NN-1 c)))");
        t.strip_traces();
        assert_eq!(t, tree("( (S (ID-1 a) (NN c)))"));
    }
}
