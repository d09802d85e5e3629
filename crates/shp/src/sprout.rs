//! The text of a spine → nodes.

use std::collections::BTreeMap;

use tracebank_syntax::graph::text::{check_form, check_tag};
use tracebank_syntax::tree::{NULL_TAG, NodeId, Tree};

use super::row::{Fault, Field, NodeName, Row};

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
    /// The node that `name` names.
    pub(super) fn find(&self, name: NodeName<'a>) -> Result<NodeId, Fault> {
        let NodeName { word, field, label, count, is_null } = name;
        self.nodes.get(&(word, is_null, label, count)).copied().ok_or_else(|| {
            let null = if is_null { "null " } else { "" };
            field.fault(format!("the spine of word {word} has no {null}node {}", field.text))
        })
    }

    /// Adds the spine of the next word.
    pub(super) fn grow(&mut self, tree: &mut Tree, row: &Row<'a>) -> Result<(), Fault> {
        check_form(row.form.text).map_err(|why| row.form.fault(why))?;
        check_tag(row.tag.text).map_err(|why| row.tag.fault(why))?;
        let leaf = tree.new_token(row.tag.text, row.form.text);
        self.leaves.push(leaf);
        // a phrase labelled as the tag is counted from 0 too, and takes the name
        self.nodes.insert((self.leaves.len(), false, row.tag.text, 0), leaf);
        let mut spine = SpineReader {
            tree,
            word: self.leaves.len(),
            field: row.spine,
            rest: row.spine.text,
            counts: BTreeMap::new(),
            sprouts: self,
        };
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
                if let (Some(whole), true) = (open.pop(), open.is_empty()) {
                    return Ok(whole);
                }
                let next = self.rest.strip_prefix('_').filter(|next| next.starts_with('('));
                self.rest = next.unwrap_or(self.rest);
            } else {
                return Err(self.fault("a null is not closed"));
            }
        }
    }

    /// The node behind an opening bracket: the word of a null element, or a label if there are brackets in it.
    fn null_node(&mut self) -> Result<NodeId, Fault> {
        let text = self.atom(['(', ')'])?;
        if !self.rest.starts_with('(') {
            return Ok(self.tree.new_token(NULL_TAG, text));
        }
        let label = text.strip_suffix('_').filter(|label| !label.is_empty());
        let label = label.ok_or_else(|| self.fault("a null phrase has no label before its brackets"))?;
        let phrase = self.tree.new_phrase(label);
        self.name(true, label, phrase);
        Ok(phrase)
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

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn read(spine: &str) -> String {
        let tree = Reader::new(format!("1 a X {spine} 0 ROOT_0").as_bytes()).next().unwrap();
        tree.map_or_else(|error| error.to_string(), |tree| tree.to_string())
    }

    #[test]
    fn spines_are_nested_from_the_bottom() {
        assert_eq!(read("_"), "(ROOT (X a))");
        assert_eq!(read("NP_NP-SBJ_S"), "(ROOT (S (NP-SBJ (NP (X a)))))");
        assert_eq!(
            read("(SBAR_(0)_(S_(NP_(*))_(VP_(*T*))))_(*U*)_VP_(0)_SBAR"),
            "(ROOT (SBAR (-NONE- 0) (VP (X a) (SBAR (-NONE- 0) (S (NP (-NONE- *)) (VP (-NONE- *T*)))) (-NONE- *U*))))"
        );
        assert_eq!(read("(a_b)_NP"), "(ROOT (NP (X a) (-NONE- a_b)))");
    }

    #[test]
    fn a_spine_that_is_none_is_told() {
        let cases = [
            ("__NP", 7, "a label is missing"),
            ("NP_", 10, "a label is missing"),
            ("NP)", 9, "a bracket stands where _ should be"),
            ("NP_(*)", 13, "a null has no phrase to be in"),
            ("()_NP", 8, "a label is missing"),
            ("(_(*))_NP", 9, "a null phrase has no label before its brackets"),
            ("(NP(*))_NP", 10, "a null phrase has no label before its brackets"),
            ("(*)NP", 10, "a bracket stands where _ should be"),
            ("(NP_(*)_NP", 14, "a null is not closed"),
            ("(NP_(*)x)_NP", 14, "a null is not closed"),
            ("(NP", 10, "a null is not closed"),
            ("NP_)_NP", 10, "a label is missing"),
        ];
        for (spine, column, problem) in cases {
            assert_eq!(read(spine), format!("1:{column}: {problem} in the spine {spine:?}"));
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = 100_000;
        let spine = format!("{}(*){}_{}S", "(X_".repeat(deep), ")".repeat(deep), "S_".repeat(deep));
        assert_eq!(read(&spine).matches('(').count(), 2 * deep + 4);
    }
}
