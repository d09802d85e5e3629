//! Sets of the nodes of a tree, a bit each.

/// A set of small numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Set {
    words: Vec<u64>,
}

impl Set {
    /// Makes it empty, with room for numbers below `length`.
    pub(crate) fn reset(&mut self, length: u32) {
        self.words.clear();
        self.words.resize(length.div_ceil(64) as usize, 0);
    }

    pub(crate) fn insert(&mut self, number: u32) {
        self.words[(number / 64) as usize] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The first number from `start` on, and below `end`.
    pub(crate) fn first_in(&self, start: u32, end: u32) -> Option<u32> {
        let mut place = (start / 64) as usize;
        let mut word = self.words.get(place)? & (u64::MAX << (start % 64));
        while word == 0 {
            place += 1;
            if place as u32 * 64 >= end {
                return None;
            }
            word = *self.words.get(place)?;
        }
        let first = place as u32 * 64 + word.trailing_zeros();
        (first < end).then_some(first)
    }

    /// The numbers in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let after = |start: u32| self.first_in(start, u32::MAX);
        std::iter::successors(after(0), move |&last| after(last + 1))
    }
}
