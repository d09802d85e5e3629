//! Function tags: `-SBJ`, `-TMP` and the like.
//!
//! An item is one function tag of one phrase. A phrase that holds words is known by its category and its words, punctuation included; a
//! phrase of nothing but nulls by its category, the type of its first null and the number of words before it. So a tag is right only on a
//! phrase that is. Items are matched as multisets.
//!
//! ```
//! use tracebank_report::functions::{Phrases, compare};
//! let gold = "( (S (NP-SBJ (PRP We)) (VP (VBD met) (NP-TMP (NN today)))))".parse()?;
//! let guess = "( (S (NP-SBJ (PRP We)) (VP (VBD met) (NP (NN today)))))".parse()?;
//! let counts = compare(&gold, Some(&guess), Phrases::Overt).counts();
//! assert_eq!((counts.matched, counts.gold, counts.test), (1, 2, 1));
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use crate::nulls::{Comparison, Found, Matching, Typed};

/// The phrases whose tags are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrases {
    /// Those that hold words.
    Overt,
    /// Those that hold nothing but nulls.
    Null,
}

/// A function tag of a phrase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item<'t> {
    /// The tag.
    pub function: &'t str,
    /// The category of the phrase.
    pub category: &'t str,
    /// The type of its first null; nothing if it holds words.
    pub null: &'t str,
    /// The numbers of words before its start and before its end.
    pub span: (usize, usize),
}

impl Typed for Item<'_> {
    fn write_type(&self, out: &mut String) {
        out.push_str(self.function);
    }
}

fn items(tree: &Tree, phrases: Phrases) -> Vec<Found<Item<'_>>> {
    let spans = tree.word_spans();
    let wanted = |node: &NodeId| {
        tree.kind(*node) == Kind::Phrase
            && tree.label_text(*node).contains('-')
            && spans[node.index()].is_empty() == (phrases == Phrases::Null)
    };
    let mut items = Vec::new();
    for node in tree.preorder(tree.top()).filter(wanted) {
        let null = match phrases {
            Phrases::Overt => "",
            Phrases::Null => {
                tree.leaves(node).find_map(|leaf| tree.null_element(leaf)).map_or("", |null| null.kind)
            }
        };
        let span = (spans[node.index()].start, spans[node.index()].end);
        let label = tree.label(node);
        let item = |function| Item { function, category: label.category(), null, span };
        items.extend(label.functions().map(|function| Found { item: item(function), node, matched: false }));
    }
    items
}

/// Compares the function tags of two trees over the same words; without a guess all are missed.
pub fn compare<'t>(gold: &'t Tree, guess: Option<&'t Tree>, phrases: Phrases) -> Comparison<Item<'t>> {
    let guessed = guess.map_or_else(Vec::new, |guess| items(guess, phrases));
    Comparison::new(items(gold, phrases), guessed, Matching::Multiset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Counts, Tally};

    #[test]
    fn tags_of_phrases_are_counted_by_name_and_those_of_words_not_at_all() {
        let tree = "( (S (NP-SBJ-1 (NN-TMP x)) (VP (V go) (NP-LOC-CLR (N y)) (NP-SBJ (-NONE- *-1)))))"
            .parse()
            .unwrap();
        let names = |phrases: Phrases| {
            let mut tally = Tally::default();
            compare(&tree, Some(&tree), phrases).add_to(&mut tally);
            assert!(tally.by_type.values().all(|&counts| counts == Counts { matched: 1, gold: 1, test: 1 }));
            tally.by_type.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(names(Phrases::Overt), ["CLR", "LOC", "SBJ"]);
        assert_eq!(names(Phrases::Null), ["SBJ"]);
    }
}
