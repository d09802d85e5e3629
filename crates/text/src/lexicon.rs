//! The tables in `data/`, read once.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The kind of an abbreviation by what it says about the end of a sentence; `data/abbreviations.txt` explains the names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Abbreviation {
    Name,
    Number,
    Inner,
    Final,
    Any,
    Whole,
    /// A single letter: an initial, or the B of "vitamin B".
    Initial,
}

/// All tables.
pub(crate) struct Lexicon {
    abbreviations: HashMap<&'static str, Abbreviation>,
    starters: HashSet<&'static str>,
    lettered: HashSet<&'static str>,
    /// A contraction without its bar, and where the bar was.
    contractions: Vec<(String, usize)>,
    clitics: Vec<&'static str>,
    elisions: Vec<&'static str>,
    emoticons: HashSet<&'static str>,
    prefixes: Vec<&'static str>,
    suffixes: Vec<&'static str>,
}

/// The longest word that is looked up anywhere, in bytes: words beyond it are in no table, and copying them would be for nothing.
const LONGEST: usize = 16;

pub(crate) static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

impl Lexicon {
    fn new() -> Lexicon {
        let abbreviations = rows(include_str!("../data/abbreviations.txt")).map(|row| {
            let (word, kind) = row.split_once(' ').unwrap_or((row, "any"));
            let kind = match kind {
                "name" => Abbreviation::Name,
                "number" => Abbreviation::Number,
                "inner" => Abbreviation::Inner,
                "final" => Abbreviation::Final,
                "whole" => Abbreviation::Whole,
                _ => Abbreviation::Any,
            };
            (word, kind)
        });
        let contractions = rows(include_str!("../data/contractions.txt"))
            .filter_map(|row| Some((row.replace('|', ""), row.find('|')?)));
        let affixes = || rows(include_str!("../data/affixes.txt"));
        Lexicon {
            abbreviations: abbreviations.collect(),
            starters: rows(include_str!("../data/starters.txt")).collect(),
            lettered: rows(include_str!("../data/lettered.txt")).collect(),
            contractions: contractions.collect(),
            clitics: rows(include_str!("../data/clitics.txt")).collect(),
            elisions: rows(include_str!("../data/elisions.txt")).collect(),
            emoticons: rows(include_str!("../data/emoticons.txt")).collect(),
            prefixes: affixes().filter_map(|row| row.strip_suffix('-')).collect(),
            suffixes: affixes().filter_map(|row| row.strip_prefix('-')).collect(),
        }
    }

    /// The kind of abbreviation that `word` with a full stop behind it is, by the table.
    pub(crate) fn abbreviation(&self, word: &str) -> Option<Abbreviation> {
        if word.len() > LONGEST {
            return None;
        }
        if let Some(&kind) = self.abbreviations.get(word) {
            return Some(kind);
        }
        if word.len() < 2 || !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let mut other = word.to_ascii_lowercase();
        other[..1].make_ascii_uppercase();
        self.abbreviations.get(other.as_str()).copied()
    }

    /// Whether `word`, whatever its case, begins sentences rather than names.
    pub(crate) fn begins_sentences(&self, word: &str) -> bool {
        word.len() <= LONGEST && self.starters.contains(word.to_ascii_lowercase().as_str())
    }

    /// Whether `word` is a noun that is named by a letter; the last part of a compound counts.
    pub(crate) fn is_lettered(&self, word: &str) -> bool {
        let last = word.rfind('-').map_or(word, |at| &word[at + 1..]);
        last.len() <= LONGEST && self.lettered.contains(last.to_ascii_lowercase().as_str())
    }

    /// Where `word` is cut, if it is a contraction without a clitic. The cut is a byte offset of `word` as it is written.
    pub(crate) fn contraction(&self, word: &str) -> Option<usize> {
        let (whole, cut) = self.contractions.iter().find(|(whole, _)| same_word(word, whole))?;
        // a curly apostrophe is two bytes longer than the straight one of the table
        Some(if word.len() > whole.len() && whole[..*cut].contains('\'') { cut + 2 } else { *cut })
    }

    /// The length in bytes of the clitic at the start of `text`, which begins with an apostrophe.
    pub(crate) fn clitic(&self, text: &str) -> Option<usize> {
        let apostrophe = text.chars().next()?.len_utf8();
        let rest = &text[apostrophe..];
        let letters = self.clitics.iter().map(|clitic| &clitic[1..]).find(|letters| {
            rest.get(..letters.len()).is_some_and(|start| start.eq_ignore_ascii_case(letters))
                && !rest[letters.len()..].starts_with(char::is_alphanumeric)
        })?;
        Some(apostrophe + letters.len())
    }

    /// Whether `word` has its apostrophe for lost letters.
    pub(crate) fn is_elision(&self, word: &str) -> bool {
        self.elisions.iter().any(|elision| same_word(word, elision))
    }

    /// Whether `chunk` is an emoticon.
    pub(crate) fn is_emoticon(&self, chunk: &str) -> bool {
        chunk.len() <= 4 && self.emoticons.contains(chunk)
    }

    /// Whether the hyphen between `before` and `after` stays even when hyphens are split.
    pub(crate) fn keeps_hyphen(&self, before: &str, after: &str) -> bool {
        self.prefixes
            .iter()
            .any(|prefix| before == *prefix || (prefix.len() > 1 && before.eq_ignore_ascii_case(prefix)))
            || self.suffixes.iter().any(|suffix| after.eq_ignore_ascii_case(suffix))
    }
}

pub(crate) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}')
}

/// Whether `word` is `entry` but for case and the shape of apostrophes.
fn same_word(word: &str, entry: &str) -> bool {
    let straighten = |c: char| if is_apostrophe(c) { '\'' } else { c.to_ascii_lowercase() };
    // an apostrophe has at most three bytes where the table has one, and no entry has more than two
    word.len() <= entry.len() + 4 && word.chars().map(straighten).eq(entry.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_find_their_entry() {
        assert_eq!(LEXICON.abbreviation("MR"), Some(Abbreviation::Name));
        assert_eq!(LEXICON.abbreviation("ESQ"), Some(Abbreviation::Any));
        assert_eq!(LEXICON.abbreviation("mr"), None);
        assert_eq!(LEXICON.abbreviation("VIZ"), None, "viz. has no capitals");
        assert_eq!(LEXICON.abbreviation("°C"), None, "the first character may be longer than a byte");
    }

    #[test]
    fn contractions_are_cut_at_their_bar() {
        for (word, cut) in [("Cannot", 3), ("’Twas", 4), ("d'ye", 2), ("d’ye", 4), ("GONNA", 3)] {
            assert_eq!(LEXICON.contraction(word), Some(cut), "{word}");
        }
        assert_eq!(LEXICON.contraction("canno"), None);
    }

    #[test]
    fn a_clitic_ends_where_the_letters_end() {
        assert_eq!(LEXICON.clitic("'s"), Some(2));
        assert_eq!(LEXICON.clitic("’LL."), Some(5));
        assert_eq!(LEXICON.clitic("'st"), None);
        assert_eq!(LEXICON.clitic("'é"), None);
    }

    #[test]
    fn tables_have_no_word_that_is_too_long_to_be_found() {
        assert!(LEXICON.abbreviations.keys().chain(&LEXICON.starters).all(|word| word.len() <= LONGEST));
        assert!(LEXICON.emoticons.iter().all(|emoticon| emoticon.len() <= 4));
    }
}
