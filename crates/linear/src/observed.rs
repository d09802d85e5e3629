//! A sentence as features see it, in hashes: fields of single words, and facts about two words and what is between them.

use crate::hash::{mix, text};

/// A property of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Field {
    /// The word as it is.
    Word,
    /// The word in small letters, its digits as 0.
    Lower,
    /// Its tag.
    Tag,
    /// The first letter of its tag, verbs apart from their forms: `N`, `V`, `J`.
    Coarse,
    /// Its last two letters.
    Suffix2,
    /// Its last three letters.
    Suffix3,
    /// Its first two letters.
    Prefix2,
    /// Its letters as `X`, `x`, `0` and themselves, runs shortened.
    Shape,
}

/// All fields, by the names they have in feature tables.
pub const FIELDS: [(&str, Field); 8] = [
    ("word", Field::Word),
    ("lower", Field::Lower),
    ("tag", Field::Tag),
    ("coarse", Field::Coarse),
    ("suffix2", Field::Suffix2),
    ("suffix3", Field::Suffix3),
    ("prefix2", Field::Prefix2),
    ("shape", Field::Shape),
];

/// A property of two words together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Relation {
    /// Which of the two comes first, or that the first is the root.
    Side,
    /// How far apart they are: 1 to 5 words, up to 10, more.
    Distance,
    /// How many verbs are between them, up to 3.
    Verbs,
    /// How many commas and the like, up to 3.
    Commas,
    /// How many question words, up to 2.
    Questions,
}

/// All relations, by the names they have in feature tables.
pub const RELATIONS: [(&str, Relation); 5] = [
    ("side", Relation::Side),
    ("distance", Relation::Distance),
    ("verbs", Relation::Verbs),
    ("commas", Relation::Commas),
    ("questions", Relation::Questions),
];

/// Positions before the root, so that features may look beyond the sentence.
const BEFORE: usize = 3;

/// The words of a sentence as hashes. Words are counted from 1; 0 is the root, and whatever is outside looks the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    words: usize,
    /// The fields at each position, from `BEFORE` positions before the root on.
    fields: Vec<[u64; FIELDS.len()]>,
    /// For each kind of word that relations count, how many there are before each position.
    counts: [Vec<u32>; 3],
}

impl Observed {
    /// The sentence with its tags.
    pub fn new(words: &[String], tags: &[&str]) -> Observed {
        let outside = [text("<outside>"); FIELDS.len()];
        let mut fields = vec![outside; BEFORE];
        fields.push([text("<root>"); FIELDS.len()]);
        fields.extend(words.iter().map(|word| look(word)));
        fields.extend([outside; BEFORE]);
        let mut sentence =
            Observed { words: words.len(), fields, counts: std::array::from_fn(|_| vec![0; 2]) };
        for (word, tag) in (1..).zip(tags) {
            sentence.set_tag(word, tag);
            let kinds = [is_verb(tag), is_comma(tag), is_question(tag)];
            for (counts, is_one) in sentence.counts.iter_mut().zip(kinds) {
                counts.push(counts[word] + u32::from(is_one));
            }
        }
        sentence
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Puts a tag on a word; relations do not see it.
    pub(crate) fn set_tag(&mut self, word: usize, tag: &str) {
        let fields = &mut self.fields[word + BEFORE];
        fields[Field::Tag as usize] = text(tag);
        fields[Field::Coarse as usize] = text(tag.get(..1).unwrap_or(tag));
    }

    /// A field of the word at a distance from another.
    #[inline]
    pub fn field(&self, word: usize, offset: isize, field: Field) -> u64 {
        let position = (word + BEFORE).wrapping_add_signed(offset).min(self.fields.len() - 1);
        self.fields[position][field as usize]
    }

    /// All relations of two words.
    pub fn relations(&self, first: usize, second: usize) -> [u64; RELATIONS.len()] {
        let (low, high) = (first.min(second), first.max(second));
        let side = if first == 0 { 0 } else { 1 + u64::from(first < second) };
        let distance = match high - low {
            _ if low == 0 => 0,
            near @ 1..=5 => near as u64,
            6..=10 => 6,
            _ => 7,
        };
        let between = |kind: usize, most: u32| {
            let counts = &self.counts[kind];
            u64::from(if low == 0 || low == high { 0 } else { (counts[high] - counts[low + 1]).min(most) })
        };
        [side, distance, between(0, 3), between(1, 3), between(2, 2)]
    }

    /// The different values of a field between two words; nothing is between the root and a word.
    pub fn between(&self, first: usize, second: usize, field: Field) -> impl Iterator<Item = u64> + '_ {
        let (low, high) = (first.min(second), first.max(second));
        let low = if low == 0 { high } else { low };
        let inner = &self.fields[(low + 1 + BEFORE).min(high + BEFORE)..high + BEFORE];
        let value = move |at: usize| inner[at][field as usize];
        // Beyond a certain length, all the usual values have been seen.
        let seen = inner.len().min(LONGEST_BETWEEN);
        (0..seen).filter(move |&at| (0..at).all(|before| value(before) != value(at))).map(value)
    }
}

/// How many of the words between two others are looked at.
const LONGEST_BETWEEN: usize = 24;

fn is_verb(tag: &str) -> bool {
    tag.starts_with("VB") || tag == "MD"
}

fn is_comma(tag: &str) -> bool {
    matches!(tag, "," | ":" | "-LRB-" | "-RRB-" | "``" | "''")
}

fn is_question(tag: &str) -> bool {
    tag.starts_with('W')
}

/// The fields of a word without its tag.
fn look(word: &str) -> [u64; FIELDS.len()] {
    let lower: String = word
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect::<String>()
        .to_lowercase();
    let letters: Vec<char> = lower.chars().collect();
    let last =
        |count: usize| text(&letters[letters.len().saturating_sub(count)..].iter().collect::<String>());
    let first = text(&letters[..letters.len().min(2)].iter().collect::<String>());
    [text(word), text(&lower), 0, 0, last(2), last(3), first, text(&shape(word))].map(|hash| mix(hash, 1))
}

/// `Mr.` as `Xx.`, `1990s` as `0x`.
fn shape(word: &str) -> String {
    let class = |letter: char| match letter {
        _ if letter.is_uppercase() => 'X',
        _ if letter.is_alphabetic() => 'x',
        _ if letter.is_numeric() => '0',
        _ => letter,
    };
    let mut shape = String::new();
    for class in word.chars().map(class) {
        if !shape.ends_with(class) {
            shape.push(class);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_is_between_them() {
        let words = ["What", "did", "he", ",", "then", ",", "say"].map(String::from);
        let sentence = Observed::new(&words, &["WP", "VBD", "PRP", ",", "RB", ",", "VB"]);
        let of = |first, second| sentence.relations(first, second);
        assert_eq!(of(7, 1), [1, 6, 1, 2, 0]);
        assert_eq!(of(1, 7)[0], 2);
        assert_eq!(of(0, 3), [0; 5]);
        assert_eq!(of(3, 2), [1, 1, 0, 0, 0]);
        assert_eq!(sentence.between(7, 2, Field::Tag).count(), 3);
        assert_eq!(sentence.between(2, 3, Field::Tag).count(), 0);
        assert_eq!(sentence.between(0, 7, Field::Tag).count(), 0);
        assert_eq!(sentence.field(1, -1, Field::Tag), sentence.field(0, 0, Field::Tag));
        assert_eq!(sentence.field(7, 2, Field::Tag), sentence.field(0, -3, Field::Word));
        assert_eq!(shape("Mr."), "Xx.");
    }
}
