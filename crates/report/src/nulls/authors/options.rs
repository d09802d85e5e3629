//! The options of the authors' scorer.

use std::borrow::Cow;

use tracebank_syntax::tree::{Kind, Label, NodeId, Tree};

use super::Chains;

/// The choices, with the authors' defaults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Keep `-TMP` in `NP-TMP`. Categories never show it, so it tells only the remnants of gaps apart.
    pub keep_functions: bool,
    /// Leave out what stands above the first phrase with a label of the Penn Treebank: `TOP`, `S1`, `ROOT`.
    pub homogenise_top: bool,
    /// Read `(NP (NP …))` as `(NP …)`.
    pub collapse_unaries: bool,
    /// Labels to read as the first of their pair.
    pub equivalent_labels: Vec<(String, String)>,
    /// Words, null elements among them, to read as the first of their pair.
    pub equivalent_words: Vec<(String, String)>,
    /// Labels of words and phrases that are left out. Phrases leave their children behind.
    pub remove: Vec<String>,
    /// The antecedent of a trace whose nearest antecedent is a trace.
    pub chains: Chains,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            keep_functions: false,
            homogenise_top: false,
            collapse_unaries: false,
            equivalent_labels: vec![("ADVP".to_owned(), "PRT".to_owned())],
            equivalent_words: Vec::new(),
            remove: ["#", "''", ",", ".", "``", ":"].map(str::to_owned).to_vec(),
            chains: Chains::Direct,
        }
    }
}

/// The tag that a word has whatever the tree says. The last is a slip in the Penn Treebank.
fn fixed_tag(word: &str) -> Option<&'static str> {
    match word {
        "--" | "-" | ";" | ":" => Some(":"),
        "-LRB-" | "-LCB-" | "{" => Some("-LRB-"),
        "-RRB-" | "-RCB-" | "}" => Some("-RRB-"),
        "Wa" => Some("NNP"),
        _ => None,
    }
}

impl Options {
    /// The label or tag of `node` as it is compared.
    pub(super) fn label<'t>(&self, tree: &'t Tree, node: NodeId) -> Cow<'t, str> {
        let text = tree.word(node).and_then(fixed_tag).unwrap_or_else(|| tree.label_text(node));
        let is_plain = !text.bytes().any(|byte| matches!(byte, b'-' | b'=' | b'|'));
        let label = if is_plain || tree.kind(node) == Kind::BareWord {
            Cow::Borrowed(text)
        } else if self.keep_functions {
            Cow::Borrowed(first_alternative(text))
        } else {
            without_functions(first_alternative(text))
        };
        equivalent(&self.equivalent_labels, label)
    }

    /// The word of `leaf` as it is compared.
    pub(super) fn word<'t>(&self, tree: &'t Tree, leaf: NodeId) -> Cow<'t, str> {
        equivalent(&self.equivalent_words, Cow::Borrowed(tree.word(leaf).unwrap_or_default()))
    }

    /// Whether `node` is left out by its label. Nearly all labels are ruled out by how they begin.
    pub(super) fn removes(&self, tree: &Tree, node: NodeId) -> bool {
        let text = tree.word(node).and_then(fixed_tag).unwrap_or_else(|| tree.label_text(node));
        let begins_alike = |label: &String| label.as_bytes().first() == text.as_bytes().first();
        let is_read_as_another = || {
            text.bytes().any(|byte| byte == b'|')
                || self.equivalent_labels.iter().any(|(_, second)| second == text)
        };
        (self.remove.iter().any(begins_alike) || is_read_as_another())
            && self.remove.iter().any(|removed| *removed == self.label(tree, node))
    }
}

/// A few labels of the Penn Treebank name two categories: `ADVP|PRT`.
fn first_alternative(label: &str) -> &str {
    match label.split_once('|') {
        None => label,
        Some(_) if label.contains("ADVP") => "ADVP",
        Some((first, _)) => first,
    }
}

fn without_functions(text: &str) -> Cow<'_, str> {
    let label = Label::parse(text);
    if label.category().len() == text.len() {
        Cow::Borrowed(text)
    } else if label.slots().next().is_none() {
        Cow::Borrowed(label.category())
    } else {
        Cow::Owned(label.without_functions())
    }
}

fn equivalent<'t>(pairs: &[(String, String)], text: Cow<'t, str>) -> Cow<'t, str> {
    match pairs.iter().find(|(_, second)| *second == text) {
        Some((first, _)) => Cow::Owned(first.clone()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_labels_are_read_as_the_authors_read_them() {
        for (text, label) in [
            ("(X --)", ":"),
            ("(X -LRB-)", "-LRB-"),
            ("(X {)", "-LRB-"),
            ("(X -RCB-)", "-RRB-"),
            ("(X Wa)", "NNP"),
            ("(. .)", "."),
            ("(PRT up)", "ADVP"),
            ("(NP|ADVP up)", "ADVP"),
            ("(ADJP|NP up)", "ADJP"),
            ("(NP-TMP now)", "NP"),
            ("(NP-TMP-1 now)", "NP-1"),
        ] {
            let tree = text.parse().unwrap();
            let node = Tree::top(&tree);
            for removed in [":", "ADVP"] {
                let options = Options { remove: vec![removed.to_owned()], ..Options::default() };
                let (read, is_removed) = (options.label(&tree, node), options.removes(&tree, node));
                assert_eq!((&*read, is_removed), (label, label == removed), "{text}");
            }
        }
    }
}
