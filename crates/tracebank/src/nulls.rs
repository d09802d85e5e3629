//! Null elements of a tree, each with its antecedent and its place.

use std::ops::Range;

use tracebank_syntax::tree::{Antecedents, NodeId, Tree};

use crate::describe;

/// A phrase, or a word, of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    /// Its label, with function tags and without indices; the tag of a word.
    pub label: String,
    /// Its tokens, counted from 0.
    pub tokens: Range<usize>,
    /// Those tokens as they stand in the text.
    pub words: String,
}

/// A null element, or (as kind `=`) a phrase that fills a gap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Null {
    /// Its type: `*T*`, `*`, `0`, `*U*`, …; `=` for a phrase that fills a gap.
    pub kind: String,
    /// The number it shares with its antecedent.
    pub index: Option<u32>,
    /// The phrase right above it, if that holds no word: `NP-SBJ`. Of a gap, the phrase itself.
    pub label: Option<String>,
    /// The token before which it stands, counted from 0; behind the last token it is their number.
    pub before: usize,
    /// The lowest phrase around it that holds a word.
    pub host: Phrase,
    /// The phrase it stands for; that may be another null, whose `tokens` are then an empty range.
    pub antecedent: Option<Phrase>,
    /// The phrase at the end of the chain of antecedents, if that holds a word.
    pub overt: Option<Phrase>,
    description: String,
}

impl Null {
    /// A description in words: `*T*-1 = Which book, object of buy`.
    pub fn describe(&self) -> &str {
        &self.description
    }
}

/// A tree with what is asked about its nodes again and again.
pub(crate) struct Scene<'a> {
    pub(crate) tree: &'a Tree,
    /// For each node, its tokens.
    spans: Vec<Range<usize>>,
    antecedents: Antecedents,
    /// The text of a range of tokens.
    show: &'a dyn Fn(Range<usize>) -> String,
}

/// The null elements of `tree` from left to right. `show` gives a range of tokens as it stands in the text.
pub(crate) fn nulls(tree: &Tree, show: &dyn Fn(Range<usize>) -> String) -> Vec<Null> {
    let scene = Scene::of(tree, show);
    tree.preorder(tree.top()).filter_map(|node| scene.null(node)).collect()
}

impl<'a> Scene<'a> {
    fn of(tree: &'a Tree, show: &'a dyn Fn(Range<usize>) -> String) -> Scene<'a> {
        Scene { tree, spans: tree.word_spans(), antecedents: tree.antecedents(), show }
    }

    /// The tokens of a node.
    pub(crate) fn span(&self, node: NodeId) -> Range<usize> {
        self.spans[node.index()].clone()
    }

    /// The tokens of a node as they stand in the text.
    pub(crate) fn words(&self, node: NodeId) -> String {
        (self.show)(self.span(node))
    }

    fn phrase(&self, node: NodeId) -> Phrase {
        Phrase { label: self.tree.label(node).stem(), tokens: self.span(node), words: self.words(node) }
    }

    /// The lowest node above `node` that holds a word; the top if none does.
    pub(crate) fn host(&self, node: NodeId) -> NodeId {
        let mut above = self.tree.ancestors(node);
        above.find(|&above| !self.span(above).is_empty()).unwrap_or(self.tree.top())
    }

    fn null(&self, node: NodeId) -> Option<Null> {
        let (kind, index, labelled) = match self.tree.null_element(node) {
            Some(null) => {
                (null.kind, null.index, self.tree.parent(node).filter(|&above| self.span(above).is_empty()))
            }
            None => ("=", Some(self.gap(node)?), Some(node)),
        };
        let antecedent = index.and_then(|index| self.antecedents.get(index));
        let end = antecedent.map(|first| self.end_of_chain(first));
        Some(Null {
            kind: kind.to_owned(),
            index,
            label: labelled.map(|above| self.tree.label(above).stem()),
            before: self.span(node).start,
            host: self.phrase(self.host(node)),
            antecedent: antecedent.map(|node| self.phrase(node)),
            overt: end.filter(|&end| !self.span(end).is_empty()).map(|end| self.phrase(end)),
            description: describe::null(self, node, labelled, end),
        })
    }

    fn gap(&self, node: NodeId) -> Option<u32> {
        self.tree.label(node).gap().filter(|_| self.tree.can_carry_index(node))
    }

    /// Follows the indices of nulls from antecedent to antecedent.
    fn end_of_chain(&self, first: NodeId) -> NodeId {
        self.antecedents.end_of_chain(first, |node| {
            let nulls = self.tree.leaves(node).filter_map(|leaf| self.tree.null_element(leaf)?.index);
            if self.span(node).is_empty() { nulls.last() } else { None }
        })
    }
}
