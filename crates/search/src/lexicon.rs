//! Labels and words by number.
//!
//! A corpus has a few hundred thousand different labels and words and a hundred million nodes. Each label is looked at once, when it is first
//! seen; from then on a pattern knows by its number which of its descriptions it fits.
//!
//! Most labels are short and come again soon, so a small table of the last ones seen, at places by their hash, answers before the map is asked.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// More than this many labels at once are not kept, so that memory stays flat whatever is read.
const MOST: usize = 1 << 20;

/// How many places the table of recent labels has, as a power of two.
const RECENT: u32 = 14;

/// A short text by value: its bytes, or its first and its last eight, which overlap or meet; and its length. Two texts are the same if these are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Short {
    first: u64,
    last: u64,
    length: u32,
}

impl Short {
    /// The text at a place. What stands behind it is read with it where there is something, so that texts of any length take the same steps.
    #[inline]
    fn at(bytes: &[u8], place: &Range<usize>) -> Option<Short> {
        let eight = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let length = place.len();
        let (first, last) = match length {
            1..8 => {
                let first = eight(place.start).unwrap_or_else(|| {
                    let mut first = [0; 8];
                    first[..length].copy_from_slice(&bytes[place.clone()]);
                    u64::from_le_bytes(first)
                });
                (first << (64 - 8 * length), 0)
            }
            8..=16 => (eight(place.start)?, eight(place.end - 8)?),
            _ => return None,
        };
        Some(Short { first, last, length: length as u32 })
    }

    fn place(self) -> usize {
        let mixed = self.first ^ self.last.rotate_left(25) ^ u64::from(self.length) << 48;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT)) as usize
    }
}

/// The labels and words seen so far.
#[derive(Default, Debug)]
pub struct Lexicon {
    /// Short labels with their numbers, the latest at each place; made when the first is seen.
    recent: Vec<(Short, u32)>,
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// How often all was forgotten: numbers of an earlier time mean something else.
    generation: u32,
}

impl Lexicon {
    /// The number of the label at a place of a text.
    #[inline]
    pub(crate) fn number(&mut self, text: &str, place: Range<usize>) -> u32 {
        let Some(short) = Short::at(text.as_bytes(), &place) else { return self.find(&text[place]) };
        if self.recent.is_empty() {
            self.recent.resize(1 << RECENT, (Short::default(), 0));
        }
        let row = short.place();
        let (there, number) = self.recent[row];
        if there == short {
            return number;
        }
        let number = self.find(&text[place]);
        self.recent[row] = (short, number);
        number
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The label with this number.
    pub(crate) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// Forgets all if there is too much. Only between trees: the nodes of a tree have their labels by number.
    pub(crate) fn trim(&mut self) {
        if self.texts.len() > MOST {
            self.recent.clear();
            self.numbers.clear();
            self.texts.clear();
            self.generation += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_number_of_its_own() {
        let mut lexicon = Lexicon::default();
        let letters = ["a", "b", "é", "ab"];
        let mut texts: Vec<String> = vec![String::new()];
        for round in 0..5 {
            let longer: Vec<String> =
                texts.iter().flat_map(|text| letters.map(|letter| text.clone() + letter)).collect();
            texts.extend(longer);
            texts.sort();
            texts.dedup();
            assert!(texts.len() > round);
        }
        texts.extend(
            ["abcdefgh", "abcdefghabcdefgh", "abcdefghabcdefgha", "abcdefghhabcdefg"].map(str::to_owned),
        );
        for _ in 0..2 {
            for text in &texts {
                // alone, and with something behind it
                let number = lexicon.number(text, 0..text.len());
                assert_eq!(lexicon.text(number), text);
                assert_eq!(lexicon.number(&format!("a{text})))))))))"), 1..text.len() + 1), number);
            }
        }
        assert_eq!(lexicon.len(), texts.len());
    }
}
