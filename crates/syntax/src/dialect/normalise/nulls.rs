//! Null elements under other tags and other names.

use crate::tree::{Kind, NULL_TAG, NodeId, NullElement, Tree};

/// `(NP-SBJ *con*)` becomes `(NP-SBJ (-NONE- *con*))`.
pub(in crate::dialect) fn wrap(tree: &mut Tree) {
    let nodes: Vec<NodeId> = tree.leaves(tree.top()).filter(|&leaf| is_unwrapped_null(tree, leaf)).collect();
    for leaf in nodes {
        let Some(parent) = tree.parent(leaf) else { continue };
        let label = tree.label_text(leaf).to_owned();
        let phrase = tree.new_phrase(&label);
        tree.insert_before(parent, Some(leaf), phrase);
        tree.detach(leaf);
        tree.set_label(leaf, NULL_TAG);
        tree.append(phrase, leaf);
    }
}

/// A word that looks like a null element and is no numeral.
fn is_unwrapped_null(tree: &Tree, leaf: NodeId) -> bool {
    let tag = tree.label(leaf).category();
    if tree.kind(leaf) != Kind::Token || !tree.is_word(leaf) || tag.starts_with("NUM") || tag == "CD" {
        return false;
    }
    let kind = NullElement::parse(tree.word(leaf).unwrap_or_default()).kind;
    let starred = kind.len() > 2 && kind.starts_with('*') && kind.ends_with('*') && !kind.contains("**");
    kind == "0" || kind == "*" || starred
}

/// Gives the types of null elements that have another name here the project's name.
pub(in crate::dialect) fn rename(tree: &mut Tree, types: &[(&str, &str)]) {
    let leaves: Vec<NodeId> = tree.leaves(tree.top()).collect();
    for leaf in leaves {
        let Some(null) = tree.null_element(leaf) else { continue };
        if let Some(&(_, ours)) = types.iter().find(|(theirs, _)| *theirs == null.kind) {
            let word = NullElement { kind: ours, ..null }.text();
            tree.set_word(leaf, &word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_straight_under_a_phrase_get_their_tag() {
        let mut tree: Tree =
            "( (IP-MAT (NP-SBJ *con*) (C 0) (NP *T*-1) (NP (NUM-N 0)) (NP *) (NP (-NONE- *pro*)) (. **)))"
                .parse()
                .unwrap();
        wrap(&mut tree);
        let wanted = "( (IP-MAT (NP-SBJ (-NONE- *con*)) (C (-NONE- 0)) (NP (-NONE- *T*-1)) (NP (NUM-N 0)) (NP (-NONE- *)) \
                      (NP (-NONE- *pro*)) (. **)))";
        assert_eq!(tree.to_string(), wanted);
    }
}
