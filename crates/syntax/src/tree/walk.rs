//! Ways through a tree, none of which recurses.

use std::ops::Range;

use super::{NodeId, Tree};

/// A step of a walk around a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// On the way down: parents before children.
    Enter(NodeId),
    /// On the way up: children before parents.
    Leave(NodeId),
}

/// The walk around a subtree, left to right; see [`Tree::walk`].
pub struct Walk<'a> {
    tree: &'a Tree,
    root: NodeId,
    upcoming: Option<Event>,
}

impl Walk<'_> {
    /// Goes on behind `node`, leaving out all below it and its [`Event::Leave`] too.
    pub fn skip_subtree(&mut self, node: NodeId) {
        self.upcoming = Some(Event::Leave(node));
        self.next();
    }
}

impl Iterator for Walk<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.upcoming?;
        self.upcoming = match event {
            Event::Enter(node) => Some(self.tree.first_child(node).map_or(Event::Leave(node), Event::Enter)),
            Event::Leave(node) if node == self.root => None,
            Event::Leave(node) => match self.tree.next_sibling(node) {
                Some(sibling) => Some(Event::Enter(sibling)),
                None => self.tree.parent(node).map(Event::Leave),
            },
        };
        Some(event)
    }
}

/// The children of a node, from either end; see [`Tree::children`].
pub struct Children<'a> {
    tree: &'a Tree,
    front: Option<NodeId>,
    back: Option<NodeId>,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let node = self.front?;
        if self.front == self.back {
            (self.front, self.back) = (None, None);
        } else {
            self.front = self.tree.next_sibling(node);
        }
        Some(node)
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<NodeId> {
        let node = self.back?;
        if self.front == self.back {
            (self.front, self.back) = (None, None);
        } else {
            self.back = self.tree.previous_sibling(node);
        }
        Some(node)
    }
}

impl Tree {
    /// Every node below and at `root`, once going down and once going up.
    pub fn walk(&self, root: NodeId) -> Walk<'_> {
        Walk { tree: self, root, upcoming: Some(Event::Enter(root)) }
    }

    /// The nodes at and below `root`, parents first.
    pub fn preorder(&self, root: NodeId) -> impl Iterator<Item = NodeId> {
        self.walk(root).filter_map(|event| match event {
            Event::Enter(node) => Some(node),
            Event::Leave(_) => None,
        })
    }

    /// The nodes at and below `root`, children first.
    pub fn postorder(&self, root: NodeId) -> impl Iterator<Item = NodeId> {
        self.walk(root).filter_map(|event| match event {
            Event::Enter(_) => None,
            Event::Leave(node) => Some(node),
        })
    }

    /// The tokens and bare words at and below `root`, left to right.
    pub fn leaves(&self, root: NodeId) -> impl Iterator<Item = NodeId> {
        self.preorder(root).filter(|&node| self.word(node).is_some())
    }

    /// The words below each node, counted from 0: a table by [`NodeId::index`].
    ///
    /// ```
    /// use tracebank_syntax::tree::Tree;
    /// let tree: Tree = "(S (NP (-NONE- *)) (VP (VB go) (RB home)))".parse()?;
    /// let spans = tree.word_spans();
    /// assert!(tree.preorder(tree.top()).map(|node| spans[node.index()].clone()).eq([0..2, 0..0, 0..0, 0..2, 0..1, 1..2]));
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn word_spans(&self) -> Vec<Range<usize>> {
        let mut spans = vec![0..0; self.arena_len()];
        let mut words = 0;
        for event in self.walk(self.top()) {
            match event {
                Event::Enter(node) => {
                    spans[node.index()].start = words;
                    words += usize::from(self.is_word(node));
                }
                Event::Leave(node) => spans[node.index()].end = words,
            }
        }
        spans
    }

    /// The children of `node`, left to right.
    pub fn children(&self, node: NodeId) -> Children<'_> {
        let links = self.node(node);
        Children { tree: self, front: super::link(links.first_child), back: super::link(links.last_child) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_agree() {
        let t: Tree = "( (S (NP (NN a)) (VP (VB b) c)))".parse().unwrap();
        let name = |n: NodeId| t.word(n).unwrap_or(t.label_text(n)).to_owned();
        let down: Vec<_> = t.preorder(t.top()).map(name).collect();
        let up: Vec<_> = t.postorder(t.top()).map(name).collect();
        assert_eq!(down, ["", "S", "NP", "a", "VP", "b", "c"]);
        assert_eq!(up, ["a", "NP", "b", "c", "VP", "S", ""]);
        let s = t.first_child(t.top()).unwrap();
        assert_eq!(t.children(s).rev().map(name).collect::<Vec<_>>(), ["VP", "NP"]);
    }
}
