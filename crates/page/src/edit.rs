//! Changes of a tree by hand, and the check of what came out.

use std::collections::BTreeMap;

use serde::Deserialize;
use tracebank::Tree;
use tracebank_syntax::tree::{Kind, Label, NULL_TAG, NodeId, NullElement};

use crate::problem::Problem;
use crate::{Answer, inspect, trees};

/// A request to change a tree. The answer is all about the new one; its brackets are what `convert` reads.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Edit {
    /// The tree, in Penn brackets
    pub tree: String,
    /// The change
    pub change: Change,
}

/// A change. Nodes are numbered as `inspect` and the attributes of a named picture number them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Change {
    /// Give a phrase or a tag another label, its indices included
    Relabel {
        /// The node
        node: usize,
        /// The label
        label: String,
    },
    /// Hang a node below another phrase, where the order of the words allows it
    Move {
        /// The node
        node: usize,
        /// The phrase
        to: usize,
    },
    /// Put a phrase around a node
    Wrap {
        /// The node
        node: usize,
        /// The label of the phrase
        label: String,
    },
    /// Take a phrase away; its children stay in its place
    Unwrap {
        /// The phrase
        node: usize,
    },
    /// Put a null element, in a phrase of its own if it has a label, before a child of a phrase or at its end
    Null {
        /// The phrase
        parent: usize,
        /// The child
        before: Option<usize>,
        /// The label of the phrase of its own
        #[serde(default)]
        label: String,
        /// The null: `*`, `*T*`, `0`
        null: String,
    },
    /// Remove a null element, and the phrases that hold nothing else
    Remove {
        /// The null
        node: usize,
    },
    /// Give a null the index of its antecedent
    Link {
        /// The null
        null: usize,
        /// The antecedent
        to: usize,
    },
    /// Take the index of a null away, and that of an antecedent that nothing points to any more
    Unlink {
        /// The null
        null: usize,
    },
}

fn refused(why: impl Into<String>) -> Problem {
    Problem::new(422, "edit", why)
}

impl Edit {
    /// All about the changed tree.
    pub fn answer(&self) -> Result<Answer, Problem> {
        let tree = self.change.apply(trees::tree(&self.tree)?)?;
        // Read again, so that nodes have the numbers that the next change will find.
        Ok(Answer::json(&inspect::all_about(trees::tree(&tree.to_string())?)))
    }
}

impl Change {
    fn apply(&self, mut tree: Tree) -> Result<Tree, Problem> {
        match self {
            Change::Relabel { node, label } => {
                let node = trees::node(&tree, *node)?;
                sound(label)?;
                if tree.is_null_element(node) {
                    tree.set_word(node, label);
                } else {
                    tree.set_label(node, label);
                }
            }
            Change::Wrap { node, label } => {
                let node = inner(&tree, *node)?;
                sound(label)?;
                let parent = tree.parent(node).expect("it is not the top");
                let phrase = tree.new_phrase(label);
                tree.insert_before(parent, Some(node), phrase);
                tree.detach(node);
                tree.append(phrase, node);
            }
            Change::Unwrap { node } => {
                let node = inner(&tree, *node)?;
                if tree.kind(node) != Kind::Phrase {
                    return Err(refused("only a phrase can be taken away"));
                }
                let parent = tree.parent(node).expect("it is not the top");
                let children: Vec<NodeId> = tree.children(node).collect();
                for child in children {
                    tree.detach(child);
                    tree.insert_before(parent, Some(node), child);
                }
                tree.detach(node);
            }
            Change::Move { node, to } => {
                let (node, to) = (inner(&tree, *node)?, trees::node(&tree, *to)?);
                hang(&mut tree, node, to)?;
            }
            Change::Null { parent, before, label, null } => {
                let parent = trees::node(&tree, *parent)?;
                if tree.kind(parent) != Kind::Phrase {
                    return Err(refused("a null hangs in a phrase"));
                }
                sound(null)?;
                let before = before.map(|number| trees::node(&tree, number)).transpose()?;
                if before.is_some_and(|next| tree.parent(next) != Some(parent)) {
                    return Err(refused(
                        "the node before which the null is to stand is no child of the phrase",
                    ));
                }
                let leaf = tree.new_token(NULL_TAG, null);
                if label.is_empty() {
                    tree.insert_before(parent, before, leaf);
                } else {
                    sound(label)?;
                    let phrase = tree.new_phrase(label);
                    tree.append(phrase, leaf);
                    tree.insert_before(parent, before, phrase);
                }
            }
            Change::Remove { node } => {
                let node = null_of(&tree, *node)?;
                tree.prune_leaves(|_, leaf| leaf == node);
                forget_lone_indices(&mut tree);
            }
            Change::Link { null, to } => {
                let (null, to) = (null_of(&tree, *null)?, trees::node(&tree, *to)?);
                link(&mut tree, null, to)?;
            }
            Change::Unlink { null } => {
                let null = null_of(&tree, *null)?;
                let kind = tree.null_element(null).map(|null| null.kind.to_owned()).unwrap_or_default();
                tree.set_word(null, &kind);
                forget_lone_indices(&mut tree);
            }
        }
        Ok(tree)
    }
}

/// A label or a word that a bracket can hold.
fn sound(text: &str) -> Result<(), Problem> {
    let bad =
        text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control() || "()".contains(c));
    if bad || text.len() > 200 {
        return Err(refused(format!(
            "{text:?} cannot stand in a tree: no blanks, no brackets, and not nothing"
        )));
    }
    Ok(())
}

/// A node that is not the top.
fn inner(tree: &Tree, number: usize) -> Result<NodeId, Problem> {
    let node = trees::node(tree, number)?;
    if tree.parent(node).is_none() {
        Err(refused("this cannot be done with the top of the tree"))
    } else {
        Ok(node)
    }
}

/// The null element that is this node, or that is all it holds.
fn null_of(tree: &Tree, number: usize) -> Result<NodeId, Problem> {
    let node = trees::node(tree, number)?;
    let mut leaves = tree.leaves(node);
    match (leaves.next(), leaves.next()) {
        (Some(leaf), None) if tree.is_null_element(leaf) => Ok(leaf),
        _ => Err(refused("this is no null element")),
    }
}

/// Moves `node` below `to`, to the place at which the order of the leaves stays as it is.
fn hang(tree: &mut Tree, node: NodeId, to: NodeId) -> Result<(), Problem> {
    if tree.kind(to) != Kind::Phrase {
        return Err(refused("only a phrase can hold a node"));
    }
    if to == node || tree.ancestors(to).any(|above| above == node) {
        return Err(refused("a phrase cannot hang in itself"));
    }
    let old = tree.parent(node).expect("it is not the top");
    let before: Vec<NodeId> = tree.leaves(tree.top()).collect();
    let place = |leaf: NodeId| before.iter().position(|&known| known == leaf);
    let first = tree.leaves(node).next().and_then(place);
    let next =
        tree.children(to).find(|&child| child != node && tree.leaves(child).next().and_then(place) > first);
    tree.detach(node);
    tree.insert_before(to, next, node);
    let after: Vec<NodeId> = tree.leaves(tree.top()).collect();
    if before != after {
        return Err(refused("there it would change the order of the words"));
    }
    // A phrase that has lost its last child goes.
    let mut empty = old;
    while tree.first_child(empty).is_none() {
        let Some(above) = tree.parent(empty) else { break };
        tree.detach(empty);
        empty = above;
    }
    Ok(())
}

fn link(tree: &mut Tree, null: NodeId, to: NodeId) -> Result<(), Problem> {
    if !tree.can_carry_index(to) || tree.parent(to).is_none() || tree.label_text(to).is_empty() {
        return Err(refused("an antecedent is a phrase or a word"));
    }
    if tree.ancestors(null).any(|above| above == to) {
        return Err(refused("a null cannot refer to a phrase that it is part of"));
    }
    let index = tree.label(to).index().unwrap_or_else(|| {
        let labels = tree.preorder(tree.top()).filter_map(|node| {
            let slots = tree.label(node).slots().map(|slot| slot.number).max();
            slots.max(tree.null_element(node).and_then(|null| null.index))
        });
        labels.max().unwrap_or(0) + 1
    });
    if tree.label(to).index().is_none() {
        let label = format!("{}-{index}", tree.label_text(to));
        tree.set_label(to, &label);
    }
    let kind = tree.null_element(null).map(|null| null.kind.to_owned()).unwrap_or_default();
    tree.set_word(null, &format!("{kind}-{index}"));
    forget_lone_indices(tree);
    Ok(())
}

/// Takes away the indices of phrases that no null and no gap has.
fn forget_lone_indices(tree: &mut Tree) {
    let nodes: Vec<NodeId> = tree.preorder(tree.top()).collect();
    let mut used: Vec<u32> = Vec::new();
    for &node in &nodes {
        used.extend(tree.null_element(node).and_then(|null| null.index));
        if tree.can_carry_index(node) {
            used.extend(tree.label(node).gap());
        }
    }
    for node in nodes {
        let Some(index) = tree.label(node).index().filter(|_| tree.can_carry_index(node)) else { continue };
        if !used.contains(&index) {
            let label = tree.label_text(node).to_owned();
            let without = label.strip_suffix(&format!("-{index}")).unwrap_or(&label).to_owned();
            tree.set_label(node, &without);
        }
    }
}

/// The faults of a tree, each in a sentence, that `convert` reads but nobody wants.
pub(crate) fn problems(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let mut carriers: BTreeMap<u32, usize> = BTreeMap::new();
    for node in tree.preorder(tree.top()).filter(|&node| tree.can_carry_index(node)) {
        if let Some(index) = tree.label(node).index() {
            *carriers.entry(index).or_default() += 1;
        }
        if node != tree.top() && Label::parse(tree.label_text(node)).category().is_empty() {
            problems.push("a bracket has no label".to_owned());
        }
    }
    for (index, _) in carriers.iter().filter(|(_, count)| **count > 1) {
        problems.push(format!("more than one phrase has the index {index}"));
    }
    for leaf in tree.leaves(tree.top()) {
        if let Some(NullElement { kind, index: Some(index) }) = tree.null_element(leaf)
            && !carriers.contains_key(&index)
        {
            problems.push(format!("{kind}-{index} refers to a phrase that is not there"));
        }
    }
    if tree.words().next().is_none() {
        problems.push("the tree has no words".to_owned());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "( (S (NP-SBJ (PRP We)) (VP (VBP like) (S (VP (VBG running)))) (. .)))";

    fn number(tree: &Tree, label: &str) -> usize {
        tree.preorder(tree.top()).filter(|&node| tree.label_text(node) == label).last().unwrap().index()
    }

    fn changed(text: &str, change: impl Fn(&Tree) -> Change) -> Result<String, String> {
        let tree: Tree = text.parse().unwrap();
        let change = change(&tree);
        change.apply(tree).map(|tree| tree.to_string()).map_err(|problem| problem.detail)
    }

    #[test]
    fn a_null_is_added_linked_and_removed() {
        let added = changed(TREE, |tree| Change::Null {
            parent: number(tree, "S"),
            before: Some(
                tree.children(trees::node(tree, number(tree, "S")).unwrap()).next().unwrap().index(),
            ),
            label: "NP-SBJ".to_owned(),
            null: "*".to_owned(),
        })
        .unwrap();
        assert!(added.contains("(S (NP-SBJ (-NONE- *)) (VP (VBG running)))"), "{added}");
        let linked = changed(&added, |tree| Change::Link {
            null: number(tree, NULL_TAG),
            to: tree.parent(tree.leaves(tree.top()).next().unwrap()).unwrap().index(),
        })
        .unwrap();
        assert!(linked.contains("NP-SBJ-1 (PRP We)") && linked.contains("*-1"), "{linked}");
        let unlinked = changed(&linked, |tree| Change::Unlink { null: number(tree, NULL_TAG) }).unwrap();
        assert_eq!(unlinked, added);
        assert_eq!(changed(&linked, |tree| Change::Remove { node: number(tree, NULL_TAG) }).unwrap(), TREE);
    }

    #[test]
    fn a_move_keeps_the_words_in_order() {
        let moved = changed(TREE, |tree| Change::Move { node: number(tree, "."), to: number(tree, "S") });
        assert_eq!(moved.unwrap(), "( (S (NP-SBJ (PRP We)) (VP (VBP like) (S (VP (VBG running)) (. .)))))");
        let refused =
            changed(TREE, |tree| Change::Move { node: number(tree, "NP-SBJ"), to: number(tree, "S") });
        assert_eq!(refused.unwrap_err(), "there it would change the order of the words");
        let itself = changed(TREE, |tree| Change::Move { node: number(tree, "S"), to: number(tree, "S") });
        assert!(itself.is_err());
    }

    #[test]
    fn labels_that_no_bracket_can_hold_are_refused() {
        for label in ["", "a b", "(", "NP)"] {
            let change = |tree: &Tree| Change::Relabel { node: number(tree, "VBP"), label: label.to_owned() };
            assert!(changed(TREE, change).is_err(), "{label:?}");
        }
        let wrapped =
            changed(TREE, |tree| Change::Wrap { node: number(tree, "VBP"), label: "X".to_owned() }).unwrap();
        assert!(wrapped.contains("(X (VBP like))"), "{wrapped}");
        assert_eq!(changed(&wrapped, |tree| Change::Unwrap { node: number(tree, "X") }).unwrap(), TREE);
    }

    #[test]
    fn dangling_and_doubled_indices_are_told() {
        let tree: Tree =
            "( (S (NP-1 (NN a)) (NP-1 (NN b)) (VP (VB c) (NP (-NONE- *T*-7)))))".parse().unwrap();
        assert_eq!(
            problems(&tree),
            ["more than one phrase has the index 1", "*T*-7 refers to a phrase that is not there"]
        );
    }
}
