//! Words in the order of their ids, with a way back from word to id.
//!
//! A model begins with tens of thousands of them. One text holds all, so that reading takes no memory for each.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of words that can be asked for the place of one.
#[derive(Clone, Debug, Default)]
pub struct WordList {
    text: String,
    /// Where each word ends in the text.
    ends: Vec<usize>,
    /// Places, each at or behind the slot that the hash of its word says; their number is a power of two, and most of them are free.
    slots: Vec<Option<Place>>,
    /// Drawn anew for each list: nobody can write one whose words all want the same slot.
    hasher: RandomState,
}

/// A place in a list, plus one: so an empty slot takes no room of its own.
type Place = std::num::NonZeroU32;

impl WordList {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word at a place.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn word(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[place]]
    }

    /// All words in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|place| self.word(place))
    }

    /// The place of a word; the last, if it is there more than once.
    pub fn place(&self, word: &str) -> Option<u32> {
        self.slots[self.slot(word)?].map(|place| place.get() - 1)
    }

    /// Whether a word is there more than once.
    pub fn has_repetitions(&self) -> bool {
        self.slots.iter().flatten().count() < self.len()
    }

    /// The slot of a word, or the free one where it would be put; none if there are no slots.
    fn slot(&self, word: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hasher.hash_one(word) as usize & mask;
        while self.slots[slot].is_some_and(|place| self.word(place.get() as usize - 1) != word) {
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }

    /// Fills the slots when all words are there.
    fn numbered(mut self) -> Self {
        self.slots = vec![None; (2 * self.len()).next_power_of_two()];
        for place in 0..self.len() {
            let slot = self.slot(self.word(place)).expect("there are slots");
            self.slots[slot] = Place::new(place as u32 + 1);
        }
        self
    }
}

impl<W: AsRef<str>> FromIterator<W> for WordList {
    fn from_iter<I: IntoIterator<Item = W>>(words: I) -> Self {
        let mut list = Self::default();
        words.into_iter().for_each(|word| list.push(word.as_ref()));
        list.numbered()
    }
}

impl Serialize for WordList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut list = Self::default();
        deserializer.deserialize_seq(Words(&mut list))?;
        Ok(list.numbered())
    }
}

/// Takes the words of a sequence.
struct Words<'l>(&'l mut WordList);

impl<'de> Visitor<'de> for Words<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of words")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<(), A::Error> {
        while words.next_element_seed(Word(self.0))?.is_some() {}
        Ok(())
    }
}

/// Takes one word, however the deserializer holds it.
struct Word<'l>(&'l mut WordList);

impl<'de> DeserializeSeed<'de> for Word<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Word<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E>(self, word: &str) -> Result<(), E> {
        self.0.push(word);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places() {
        let words: Vec<String> = (0..1000).map(|n| format!("{:x}", n * 7)).collect();
        let list: WordList = words.iter().collect();
        assert_eq!(list.iter().collect::<Vec<_>>(), words);
        for (place, word) in (0..).zip(&words) {
            assert_eq!(list.place(word), Some(place));
        }
        for other in ["", "0x", "fff0"] {
            assert_eq!(list.place(other), None);
        }
        assert_eq!(WordList::default().place("a"), None);
        assert!(!list.has_repetitions());
    }

    #[test]
    fn of_a_word_that_is_there_twice_the_last_counts() {
        let list: WordList = ["a", "", "a"].iter().collect();
        assert_eq!((list.place("a"), list.place(""), list.has_repetitions()), (Some(2), Some(1), true));
    }

    #[test]
    fn json_comes_back() {
        let text = r#"["\"","a\\u","é",""]"#;
        let list: WordList = serde_json::from_str(text).unwrap();
        assert_eq!((list.word(0), list.word(2), list.place("a\\u")), ("\"", "é", Some(1)));
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        assert!(serde_json::from_str::<WordList>(r#"["a",3]"#).is_err());
    }
}
