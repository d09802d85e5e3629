//! The authors' edits to a tree before anything else.

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::index::unnumbered;
use super::{ROOT, ShpError};

/// The categories of the Penn Treebank, one of which the sentence under the root must have.
const CATEGORIES: [&str; 27] = [
    "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX",
    "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHADVP", "WHNP", "WHPP", "X", "NML",
];

/// Cleans the tree and puts a ROOT on top of it that has one child.
pub(super) fn prepare(tree: &mut Tree) -> Result<(), ShpError> {
    if let Some(word) = tree.leaves(tree.top()).find(|&leaf| tree.kind(leaf) == Kind::BareWord) {
        return Err(ShpError::BareWord(tree.word(word).unwrap_or_default().to_owned()));
    }
    // DIVERGENCE: for the authors every leaf but a null element is a word, which marks such as `(CODE x)` are not
    tree.prune_leaves(|tree, leaf| !tree.is_word(leaf) && !tree.is_null_element(leaf));
    if tree.word_nodes().next().is_none() {
        return Err(ShpError::NoWords);
    }
    clean(tree);
    plant(tree)?;
    check_labels(tree)
}

/// Whether all labels can stand in a line: a field that is empty would be missing, and a word whose tag is that of a mark (`CODE`, once a function
/// tag or what follows a bar is gone) would not be read again.
pub(super) fn check_labels(tree: &Tree) -> Result<(), ShpError> {
    let unwritable = |node: &NodeId| {
        let label = tree.label_text(*node);
        let is_phrase = tree.kind(*node) == Kind::Phrase;
        let is_mark = !is_phrase && !tree.is_word(*node) && !tree.is_null_element(*node);
        label.is_empty()
            || is_mark
            || (is_phrase && (label.contains('_') || unnumbered(label).ends_with('*')))
    };
    match tree.preorder(tree.top()).find(unwritable) {
        Some(node) => Err(ShpError::Label(tree.label_text(node).to_owned())),
        None => Ok(()),
    }
}

/// Gives every label one category, and punctuation the tag that its form calls for.
///
/// DIVERGENCE: a tag ought to come from the treebank and not from the word; theirs are overwritten on reading any format.
pub(super) fn clean(tree: &mut Tree) {
    let nodes: Vec<NodeId> = tree.preorder(tree.top()).collect();
    for node in nodes {
        // A label with nothing before the bar would be empty, and a field of a line would be missing.
        let cut = tree.label_text(node).split_once('|').filter(|(first, _)| !first.is_empty());
        if let Some((first, _)) = cut {
            let adverbial = tree.label_text(node).contains("ADVP");
            let label = if adverbial { "ADVP" } else { first }.to_owned();
            tree.set_label(node, &label);
        }
        let Some(word) = tree.word(node) else { continue };
        let curly = match word {
            "{" => Some("-LCB-"),
            "}" => Some("-RCB-"),
            _ => None,
        };
        if let Some(tag) = tag_of_form(curly.unwrap_or(word)) {
            tree.set_label(node, tag);
        }
        if let Some(word) = curly {
            tree.set_word(node, word);
        }
    }
}

fn tag_of_form(word: &str) -> Option<&'static str> {
    match word {
        "--" | "-" | ";" | ":" => Some(":"),
        "-LRB-" | "-LCB-" => Some("-LRB-"),
        "-RRB-" | "-RCB-" => Some("-RRB-"),
        "Wa" => Some("NNP"),
        _ => None,
    }
}

/// Puts ROOT over the first phrase from the top with a category of the Penn Treebank.
///
/// DIVERGENCE: phrases of other categories above it are lost, unless the tree has a ROOT already.
fn plant(tree: &mut Tree) -> Result<(), ShpError> {
    let top = tree.top();
    if tree.label_text(top) != ROOT {
        let mut sentence = top;
        while !CATEGORIES.contains(&tree.label(sentence).category()) {
            sentence = only_child(tree, sentence)?;
        }
        if tree.kind(sentence) != Kind::Phrase {
            return Err(ShpError::NoPhrase);
        }
        if sentence == top {
            let label = tree.label_text(top).to_owned();
            sentence = tree.new_phrase(&label);
            for child in detach_children(tree, top) {
                tree.append(sentence, child);
            }
        } else {
            tree.detach(sentence);
            detach_children(tree, top);
        }
        tree.set_label(top, ROOT);
        tree.append(top, sentence);
    }
    let sentence = only_child(tree, top)?;
    if tree.kind(sentence) == Kind::Phrase { Ok(()) } else { Err(ShpError::NoPhrase) }
}

fn only_child(tree: &Tree, node: NodeId) -> Result<NodeId, ShpError> {
    let mut children = tree.children(node);
    match (children.next(), children.count()) {
        (None, _) => Err(ShpError::NoPhrase),
        (Some(child), 0) => Ok(child),
        (Some(_), others) => Err(ShpError::SeveralTops(others + 1)),
    }
}

fn detach_children(tree: &mut Tree, node: NodeId) -> Vec<NodeId> {
    let children: Vec<NodeId> = tree.children(node).collect();
    for &child in &children {
        tree.detach(child);
    }
    children
}

/// Drops the function tags of phrases and of words.
pub(super) fn drop_functions(tree: &mut Tree) {
    let nodes: Vec<NodeId> = tree.preorder(tree.top()).collect();
    for node in nodes {
        let label = tree.label(node).without_functions();
        tree.set_label(node, &label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> Result<String, ShpError> {
        let mut tree: Tree = text.parse().unwrap();
        prepare(&mut tree).map(|()| tree.to_string())
    }

    #[test]
    fn labels_and_tags_are_cleaned() {
        let cases = [
            ("(S (ADVP|PRT (RB up)))", "(ROOT (S (ADVP (RB up))))"),
            ("(S (NP|NX-SBJ (NN|JJ up)))", "(ROOT (S (NP (NN up))))"),
            ("(S (|NP (|VBP up)))", "(ROOT (S (|NP (|VBP up))))"),
            ("(S (-LRB- {) (NN x) (-RRB- }))", "(ROOT (S (-LRB- -LCB-) (NN x) (-RRB- -RCB-)))"),
            ("(S (X -LRB-) (X -) (X ;) (FW Wa))", "(ROOT (S (-LRB- -LRB-) (: -) (: ;) (NNP Wa)))"),
            ("(S (CODE x) (NP (SU /)) (NN y))", "(ROOT (S (NN y)))"),
        ];
        for (text, wanted) in cases {
            assert_eq!(prepared(text).unwrap(), wanted);
        }
    }

    #[test]
    fn the_root_has_one_phrase() {
        let cases = [
            ("( (S (NN a)))", Ok("(ROOT (S (NN a)))")),
            ("( (TOP (FOO (NP-1 (NN a)))))", Ok("(ROOT (NP-1 (NN a)))")),
            ("(ROOT (FOO (NN a)))", Ok("(ROOT (FOO (NN a)))")),
            ("(S (S (NN a)))", Ok("(ROOT (S (S (NN a))))")),
            ("( (FOO (NN a) (NN b)))", Err(ShpError::SeveralTops(2))),
            ("( (S (NN a)) (NP (-NONE- *)))", Err(ShpError::SeveralTops(2))),
            ("(ROOT (S (NN a)) (S (NN b)))", Err(ShpError::SeveralTops(2))),
            ("( (NN a))", Err(ShpError::NoPhrase)),
            ("(ROOT (NN a))", Err(ShpError::NoPhrase)),
            ("(ROOT a)", Err(ShpError::NoPhrase)),
            ("(X a)", Err(ShpError::NoPhrase)),
            ("( a)", Err(ShpError::BareWord("a".into()))),
            ("( (S (NN b) a))", Err(ShpError::BareWord("a".into()))),
            ("( (S (NP (-NONE- *))))", Err(ShpError::NoWords)),
            ("( (S (NP_X (NN a))))", Err(ShpError::Label("NP_X".into()))),
            ("( (S (NP;*-1 (NN a))))", Err(ShpError::Label("NP;*-1".into()))),
            ("( (S ( (NN a))))", Err(ShpError::Label(String::new()))),
            ("( (S (CODE|NN a)))", Err(ShpError::Label("CODE".into()))),
        ];
        for (text, wanted) in cases {
            assert_eq!(prepared(text), wanted.map(str::to_owned), "{text}");
        }
    }

    #[test]
    fn function_tags_go_and_indices_stay() {
        let mut tree: Tree = "(S-TTL-3-FRM (NP=1-3 (NN-X a)) (-LRB- -LRB-))".parse().unwrap();
        drop_functions(&mut tree);
        assert_eq!(tree.to_string(), "(S-3 (NP=1-3 (NN a)) (-LRB- -LRB-))");
        let mut mark: Tree = "(ROOT (S (CODE-8V0 sleep)))".parse().unwrap();
        assert_eq!(check_labels(&mark), Ok(()));
        drop_functions(&mut mark);
        assert_eq!(check_labels(&mark), Err(ShpError::Label("CODE".into())));
    }
}
