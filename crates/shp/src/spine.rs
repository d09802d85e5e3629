//! The spines of a tree as text, and the names that edges call their nodes by.

use std::collections::BTreeMap;

use tracebank_syntax::tree::{Event, NodeId, Tree};

use super::extent::Extents;
use super::index::{Indices, null_kind, unnumbered};

/// The spine of a word with no phrases of its own.
const EMPTY: &str = "_";

/// The spine of every word, and the name of every node.
pub(super) struct Spines {
    texts: Vec<String>,
    names: Vec<String>,
}

impl Spines {
    pub(super) fn of(tree: &Tree, extents: &Extents, indices: &Indices) -> Spines {
        let mut names = vec![String::new(); tree.arena_len()];
        let texts = tree
            .word_nodes()
            .map(|leaf| {
                names[leaf.index()] = format!("{}_0", tag(tree, leaf));
                let mut writer =
                    Writer { tree, indices, names: &mut names, counts: BTreeMap::new(), text: String::new() };
                for node in headed(tree, extents, leaf) {
                    writer.phrase(node, extents);
                }
                if writer.text.is_empty() { EMPTY.to_owned() } else { writer.text }
            })
            .collect();
        Spines { texts, names }
    }

    /// The spines in the order of the words.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// `NP_1` for the second phrase of the spine that is labelled NP, from the bottom. Null phrases are counted apart.
    pub(super) fn name(&self, node: NodeId) -> &str {
        &self.names[node.index()]
    }
}

/// The tag of a word, without an index.
///
/// DIVERGENCE: the authors' program leaves the index where it is and stops if anything refers to it.
pub(super) fn tag(tree: &Tree, leaf: NodeId) -> String {
    tree.label(leaf).stem()
}

/// The phrases that the word `leaf` heads, from the bottom; the root is none.
pub(super) fn headed(tree: &Tree, extents: &Extents, leaf: NodeId) -> impl Iterator<Item = NodeId> {
    let word = extents.head(leaf);
    tree.ancestors(leaf).take_while(move |&node| node != tree.top() && extents.head(node) == word)
}

/// Writes one spine.
struct Writer<'a> {
    tree: &'a Tree,
    indices: &'a Indices,
    names: &'a mut [String],
    /// How often each label has come, apart for null phrases.
    counts: BTreeMap<(bool, &'a str), usize>,
    text: String,
}

impl<'a> Writer<'a> {
    /// Writes the null children of `node` and then `node`. Where they stood among the others is not told.
    fn phrase(&mut self, node: NodeId, extents: &Extents) {
        self.part();
        for child in self.tree.children(node).filter(|&child| extents.is_null(child)) {
            self.null(child);
            self.part();
        }
        let label = self.name(node, false);
        self.text.push_str(label);
    }

    /// Writes the null `root` and all in it, without what refers to nothing and without phrases that this leaves empty.
    ///
    /// DIVERGENCE: a dropped phrase has been counted all the same, so that the names of later ones are one too high.
    fn null(&mut self, root: NodeId) {
        let mut open = Vec::new();
        for event in self.tree.walk(root) {
            match event {
                Event::Enter(node) if self.tree.is_null_element(node) => {
                    if !self.indices.dangles(self.tree, node) {
                        self.part();
                        let kind = null_kind(self.tree.word(node).unwrap_or_default());
                        self.text.extend(["(", kind, ")"]);
                    }
                }
                Event::Enter(node) => {
                    let before = self.text.len();
                    self.part();
                    let label = self.name(node, true);
                    self.text.extend(["(", label]);
                    open.push((before, self.text.len()));
                }
                Event::Leave(node) if self.tree.is_null_element(node) => {}
                Event::Leave(_) => {
                    let (before, inside) = open.pop().expect("what is left was entered");
                    if self.text.len() == inside {
                        self.text.truncate(before);
                    } else {
                        self.text.push(')');
                    }
                }
            }
        }
    }

    /// Parts what was written from what comes now.
    fn part(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('_') {
            self.text.push('_');
        }
    }

    /// Names `node` by its label and gives the label.
    fn name(&mut self, node: NodeId, is_null: bool) -> &'a str {
        let label = unnumbered(self.tree.label_text(node));
        let count = self.counts.entry((is_null, label)).or_default();
        self.names[node.index()] = format!("{label}_{count}");
        *count += 1;
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spines(text: &str) -> (Vec<String>, Vec<String>) {
        let tree: Tree = text.parse().unwrap();
        let spines = Spines::of(&tree, &Extents::of(&tree), &Indices::of(&tree));
        let names = tree.preorder(tree.top()).map(|node| spines.name(node).to_owned());
        (spines.texts.clone(), names.filter(|name| !name.is_empty()).collect())
    }

    #[test]
    fn a_null_stands_before_its_phrase_whatever_its_place() {
        let wanted = ["(NP_(*))_VP_S"];
        assert_eq!(spines("(ROOT (S (VP (VB go) (NP (-NONE- *)))))").0, wanted);
        assert_eq!(spines("(ROOT (S (VP (NP (-NONE- *)) (VB go))))").0, wanted);
    }

    #[test]
    fn nulls_are_nested_and_unnumbered() {
        let text =
            "(ROOT (VP (VB say) (SBAR-1 (-NONE- 0) (S (-NONE- *T*-1))) (-NONE- *U*) (NP (-NONE- *3*))))";
        assert_eq!(spines(text).0, ["(SBAR_(0)_(S_(*T*)))_(*U*)_(NP_(*3*))_VP"]);
    }

    #[test]
    fn names_count_from_the_bottom_and_nulls_apart() {
        let text = "(ROOT (NP (NP (NP-SBJ-1 (NN a)) (NP (-NONE- *-1)) (NP (NP (-NONE- *))))))";
        let (texts, names) = spines(text);
        assert_eq!(texts, ["NP-SBJ_(NP_(*))_(NP_(NP_(*)))_NP_NP"]);
        assert_eq!(names, ["NP_1", "NP_0", "NP-SBJ_0", "NN_0", "NP_0", "NP_1", "NP_2"]);
    }

    #[test]
    fn what_dangles_is_dropped_but_counted() {
        let text =
            "(ROOT (VP (VB a) (NP (-NONE- *-9)) (S (NP (-NONE- *-9)) (PP (-NONE- 0))) (NP (-NONE- *))))";
        let (texts, names) = spines(text);
        assert_eq!(texts, ["(S_(PP_(0)))_(NP_(*))_VP"]);
        assert_eq!(names, ["VP_0", "VB_0", "NP_0", "S_0", "NP_1", "PP_0", "NP_2"]);
    }
}
