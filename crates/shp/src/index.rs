//! The index numbers of a tree, and the nodes they are on.

use std::collections::BTreeMap;

use tracebank_syntax::tree::{NodeId, SlotKind, Tree};

/// The number behind the last `sign` of `text`, which is a label or the word of a null element.
///
/// DIVERGENCE: its digits come in reverse order, 12 as "21". The authors collect them from the end. It shows in comments
/// and when gaps are redirected; otherwise both sides of a pair are reversed alike.
pub(super) fn number(text: &str, sign: SlotKind) -> Option<String> {
    let mut digits = String::new();
    for char in text.chars().rev() {
        match char {
            _ if char == sign.sign() => return (!digits.is_empty()).then_some(digits),
            '-' | '=' => digits.clear(),
            '0'..='9' => digits.push(char),
            _ => {}
        }
    }
    None
}

/// `text` without the numbers at its end: `NP` for `NP-1=2`. Numbers in the middle (`S-3-FRM`) stay.
pub(super) fn unnumbered(text: &str) -> &str {
    if !text.ends_with(|char: char| char.is_ascii_digit()) {
        return text;
    }
    match text.trim_end_matches(|char: char| char.is_ascii_digit() || matches!(char, '-' | '=')) {
        // of `0-1`, which the authors' program cannot write, the null element is left
        "" => text.split_once('-').map_or(text, |(first, _)| if first.is_empty() { text } else { first }),
        stem => stem,
    }
}

/// The word of a null element without the number of what it refers to.
pub(super) fn null_kind(word: &str) -> &str {
    if number(word, SlotKind::Index).is_some() { unnumbered(word) } else { word }
}

/// Values by number, in the order in which the numbers first came.
#[derive(Default)]
pub(super) struct ByNumber<T> {
    places: BTreeMap<String, usize>,
    items: Vec<(String, T)>,
}

impl<T: Default> ByNumber<T> {
    fn entry(&mut self, number: String) -> &mut T {
        let place = *self.places.entry(number.clone()).or_insert(self.items.len());
        if place == self.items.len() {
            self.items.push((number, T::default()));
        }
        &mut self.items[place].1
    }
}

impl<T> ByNumber<T> {
    pub(super) fn get(&self, number: &str) -> Option<&T> {
        self.places.get(number).map(|&place| &self.items[place].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.items.iter().map(|(number, value)| (number.as_str(), value))
    }
}

/// Every number of a tree.
#[derive(Default)]
pub(super) struct Indices {
    /// The nodes with `-1`. Where several have the same number, all but the last in post-order are forgotten.
    pub(super) antecedents: ByNumber<Option<NodeId>>,
    /// The nodes with `=1`.
    pub(super) gaps: ByNumber<Vec<NodeId>>,
    /// The null elements with a number.
    pub(super) references: ByNumber<Vec<NodeId>>,
    /// The null elements without.
    pub(super) empty: Vec<NodeId>,
}

impl Indices {
    pub(super) fn of(tree: &Tree) -> Indices {
        let mut indices = Indices::default();
        for node in tree.postorder(tree.top()) {
            let label = tree.label_text(node);
            if let Some(number) = number(label, SlotKind::Index) {
                *indices.antecedents.entry(number) = Some(node);
            }
            if let Some(number) = number(label, SlotKind::Gap) {
                indices.gaps.entry(number).push(node);
            }
            if tree.is_null_element(node) {
                match number(tree.word(node).unwrap_or_default(), SlotKind::Index) {
                    Some(number) => indices.references.entry(number).push(node),
                    None => indices.empty.push(node),
                }
            }
        }
        indices
    }

    pub(super) fn antecedent(&self, number: &str) -> Option<NodeId> {
        self.antecedents.get(number).copied().flatten()
    }

    /// Whether the null element `leaf` refers to something that is not there.
    pub(super) fn dangles(&self, tree: &Tree, leaf: NodeId) -> bool {
        tree.word(leaf)
            .and_then(|word| number(word, SlotKind::Index))
            .is_some_and(|number| self.antecedent(&number).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_end() {
        let cases = [
            ("NP-SBJ-1", Some("1"), None, "NP-SBJ"),
            ("NP-12", Some("21"), None, "NP"),
            ("NP=1-3", Some("3"), Some("1"), "NP"),
            ("NP-1=3", Some("1"), Some("3"), "NP"),
            ("S-TTL-3-FRM", None, None, "S-TTL-3-FRM"),
            ("-LRB-", None, None, "-LRB-"),
            ("0", None, None, "0"),
            ("*T*-1", Some("1"), None, "*T*"),
            ("0-1", Some("1"), None, "0"),
            ("-1", Some("1"), None, "-1"),
        ];
        for (text, index, gap, stem) in cases {
            assert_eq!(number(text, SlotKind::Index).as_deref(), index, "{text}");
            assert_eq!(number(text, SlotKind::Gap).as_deref(), gap, "{text}");
            assert_eq!(unnumbered(text), stem, "{text}");
        }
    }

    #[test]
    fn the_last_of_two_antecedents_counts() {
        let tree: Tree = "(S (NP-1 (N a)) (VP-1 (V b) (NP (-NONE- *-1)) (NP (-NONE- *-2)) (NP (-NONE- 0))))"
            .parse()
            .unwrap();
        let indices = Indices::of(&tree);
        let label = tree.label_text(indices.antecedent("1").unwrap());
        assert_eq!((label, indices.empty.len()), ("VP-1", 1));
        let dangling: Vec<_> = tree.leaves(tree.top()).filter(|&leaf| indices.dangles(&tree, leaf)).collect();
        assert_eq!(dangling.len(), 1);
    }
}
