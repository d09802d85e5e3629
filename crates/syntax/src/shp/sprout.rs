//! The text of a spine → nodes.

use std::collections::BTreeMap;

use super::row::{Fault, Field, Reference, Row};
use crate::tree::{NULL_TAG, NodeId, Tree};

/// The nodes of all spines, not joined yet.
#[derive(Default)]
pub(super) struct Sprouts<'a> {
    /// The token of each word.
    pub(super) leaves: Vec<NodeId>,
    /// The topmost node of each word's spine.
    pub(super) tops: Vec<NodeId>,
    /// The phrases that are to hold a null, with the null, in the order of words and from the bottom of each spine.
    pub(super) nulls: Vec<(NodeId, NodeId)>,
    /// The nodes by word, whether they are null, label and count.
    nodes: BTreeMap<(usize, bool, &'a str, usize), NodeId>,
}

impl<'a> Sprouts<'a> {
    /// The node that `reference` names.
    pub(super) fn find(&self, reference: Reference<'a>) -> Result<NodeId, Fault> {
        let Reference { word, field, label, count, is_null } = reference;
        self.nodes.get(&(word, is_null, label, count)).copied().ok_or_else(|| {
            let null = if is_null { "null " } else { "" };
            field.fault(format!("the spine of word {word} has no {null}node {}", field.text))
        })
    }

    /// Adds the spine of the next word.
    pub(super) fn grow(&mut self, tree: &mut Tree, row: &Row<'a>) -> Result<(), Fault> {
        if row.tag.text == NULL_TAG {
            return Err(row.tag.fault("a word cannot be tagged as a null element"));
        }
        let leaf = tree.new_token(row.tag.text, row.form.text);
        self.leaves.push(leaf);
        let mut spine = SpineReader {
            tree,
            word: self.leaves.len(),
            field: row.spine,
            rest: row.spine.text,
            counts: BTreeMap::new(),
            sprouts: self,
        };
        spine.name(false, row.tag.text, leaf);
        // a phrase labelled as the tag is counted from 0 too, and takes the name
        spine.counts.clear();
        let top = if row.spine.text == "_" { leaf } else { spine.read(leaf)? };
        self.tops.push(top);
        Ok(())
    }
}

struct SpineReader<'s, 'a> {
    tree: &'s mut Tree,
    sprouts: &'s mut Sprouts<'a>,
    word: usize,
    field: Field<'a>,
    rest: &'a str,
    counts: BTreeMap<(bool, &'a str), usize>,
}

impl<'a> SpineReader<'_, 'a> {
    /// Reads phrases and nulls with `_` between them, and gives the topmost phrase.
    fn read(&mut self, leaf: NodeId) -> Result<NodeId, Fault> {
        let mut top = leaf;
        let mut waiting = Vec::new();
        loop {
            if self.rest.starts_with('(') {
                waiting.push(self.null()?);
            } else {
                let label = self.atom(['_', '(', ')'])?;
                let phrase = self.tree.new_phrase(label);
                self.name(false, label, phrase);
                self.tree.append(phrase, top);
                self.sprouts.nulls.extend(waiting.drain(..).map(|null| (phrase, null)));
                top = phrase;
            }
            match (self.rest.strip_prefix('_'), waiting.is_empty()) {
                (Some(rest), _) => self.rest = rest,
                (None, true) if self.rest.is_empty() => return Ok(top),
                (None, false) if self.rest.is_empty() => {
                    return Err(self.fault("a null has no phrase to be in"));
                }
                (None, _) => return Err(self.fault("a bracket stands where _ should be")),
            }
        }
    }

    /// Reads `(*)` or `(NP_(*)_(0))`.
    fn null(&mut self) -> Result<NodeId, Fault> {
        let mut open: Vec<NodeId> = Vec::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix('(') {
                self.rest = rest;
                let node = self.null_node()?;
                if let Some(&parent) = open.last() {
                    self.tree.append(parent, node);
                }
                open.push(node);
            } else if let Some(rest) = self.rest.strip_prefix(')') {
                self.rest = rest;
                match (open.pop(), open.is_empty()) {
                    (Some(whole), true) => return Ok(whole),
                    _ => {
                        self.rest = self
                            .rest
                            .strip_prefix('_')
                            .filter(|rest| rest.starts_with('('))
                            .unwrap_or(self.rest)
                    }
                }
            } else {
                return Err(self.fault("a bracket of a null is not closed, or something else is in it"));
            }
        }
    }

    /// What follows an opening bracket: the word of a null element, or a label if there are brackets in it.
    fn null_node(&mut self) -> Result<NodeId, Fault> {
        let text = self.atom(['(', ')'])?;
        let (label, node) = if self.rest.starts_with('(') {
            let label = text.strip_suffix('_').filter(|label| !label.is_empty());
            let label = label.ok_or_else(|| self.fault("a null phrase has no label before its brackets"))?;
            (label, self.tree.new_phrase(label))
        } else {
            (NULL_TAG, self.tree.new_token(NULL_TAG, text))
        };
        self.name(true, label, node);
        Ok(node)
    }

    /// The text before any of `ends`, which must be some.
    fn atom<const N: usize>(&mut self, ends: [char; N]) -> Result<&'a str, Fault> {
        let (atom, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        if atom.is_empty() {
            return Err(self.fault("a label is missing"));
        }
        self.rest = rest;
        Ok(atom)
    }

    fn name(&mut self, is_null: bool, label: &'a str, node: NodeId) {
        let count = self.counts.entry((is_null, label)).or_default();
        self.sprouts.nodes.insert((self.word, is_null, label, *count), node);
        *count += 1;
    }

    fn fault(&self, message: &str) -> Fault {
        let read = self.field.text.len() - self.rest.len();
        self.field.fault_at(read, format!("{message} in the spine {:?}", self.field.text))
    }
}
