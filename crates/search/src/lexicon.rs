//! Labels and words by number.
//!
//! A corpus has a few hundred thousand different labels and words and a hundred million nodes. Each label is looked at once, when it is first
//! seen; from then on a pattern knows by its number which of its descriptions it fits.

use rustc_hash::FxHashMap;

/// More than this many labels at once are not kept, so that memory stays flat whatever is read.
const MOST: usize = 1 << 20;

/// The labels and words seen so far.
#[derive(Default, Debug)]
pub struct Lexicon {
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// How often all was forgotten: numbers of an earlier time mean something else.
    generation: u32,
}

impl Lexicon {
    /// The number of a label.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
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
            self.numbers.clear();
            self.texts.clear();
            self.generation += 1;
        }
    }
}
