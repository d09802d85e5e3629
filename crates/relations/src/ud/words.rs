//! Classes of words that the rules of labels ask for, from `data/ud/words.tsv`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::lemma::rows;

type Class = LazyLock<BTreeSet<&'static str>>;

pub(crate) static TITLES: Class = LazyLock::new(|| class("title"));
pub(crate) static RECEIVERS_OF_CLAUSES: Class = LazyLock::new(|| class("receiver-of-clause"));
pub(crate) static RECEIVERS: Class = LazyLock::new(|| class("receiver"));
pub(crate) static ASK_OBJECT: Class = LazyLock::new(|| class("asks-object"));
pub(crate) static GO_FOR: Class = LazyLock::new(|| class("goes-for"));
pub(crate) static ABLE: Class = LazyLock::new(|| class("able"));
pub(crate) static DIRECTIONS: Class = LazyLock::new(|| class("direction"));
pub(crate) static SEEM: Class = LazyLock::new(|| class("seems"));
pub(crate) static GIVE: Class = LazyLock::new(|| class("gives"));
static FOREIGN_ADVERBS: Class = LazyLock::new(|| class("foreign-adverb"));
static NAME_ADJECTIVES: Class = LazyLock::new(|| class("name-adjective"));
static NAME_NOUNS: Class = LazyLock::new(|| class("name-noun"));

fn class(name: &str) -> BTreeSet<&'static str> {
    let mut rows = rows(include_str!("../../data/ud/words.tsv"));
    let row = rows.find(|row| row[0] == name).expect("a class of the table");
    row[1].split(' ').collect()
}

/// Whether a word says what is meant, in Latin: *i.e.*
pub(crate) fn is_foreign_adverb(word: &str) -> bool {
    FOREIGN_ADVERBS.contains(word)
}

/// Whether a word in a name is an adjective: *National*, *Regulatory*.
pub(crate) fn is_adjective_in_name(word: &str) -> bool {
    const ENDINGS: [&str; 7] = ["al", "ic", "ous", "ive", "ary", "ory", "ful"];
    let lower = word.to_lowercase();
    NAME_ADJECTIVES.contains(lower.as_str())
        || lower.len() > 5
            && ENDINGS.iter().any(|ending| lower.ends_with(ending))
            && !NAME_NOUNS.contains(lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_in_names_are_told_from_nouns() {
        for (word, wanted) in
            [("National", true), ("Regulatory", true), ("Capital", false), ("Music", false), ("Bank", false)]
        {
            assert_eq!(is_adjective_in_name(word), wanted, "{word}");
        }
    }
}
