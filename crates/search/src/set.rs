//! Sets of the nodes of a tree, a bit each.

/// A set of small numbers.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Set {
    words: Vec<u64>,
}

impl Clone for Set {
    fn clone(&self) -> Set {
        Set { words: self.words.clone() }
    }

    /// Copies into the room that is there.
    fn clone_from(&mut self, other: &Set) {
        self.words.clone_from(&other.words);
    }
}

impl Set {
    /// Makes it empty, with room for numbers below `length`.
    pub(crate) fn reset(&mut self, length: u32) {
        self.words.clear();
        self.words.resize(length.div_ceil(64) as usize, 0);
    }

    /// Makes it all numbers below `length`.
    pub(crate) fn reset_full(&mut self, length: u32) {
        self.reset(length);
        (0..length).for_each(|number| self.insert(number));
    }

    /// Keeps the numbers that pass a test.
    pub(crate) fn retain(&mut self, mut test: impl FnMut(u32) -> bool) {
        for (place, word) in (0..).zip(&mut self.words) {
            let mut left = *word;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                if !test(64 * place + bit.trailing_zeros()) {
                    *word ^= bit;
                }
                left ^= bit;
            }
        }
    }

    /// Keeps those that are the image of some number of another set; an image that there is no room for counts for nothing. `images` is room to work in.
    pub(crate) fn retain_images(&mut self, other: &Set, images: &mut Set, image: impl Fn(u32) -> u32) {
        images.reset(64 * self.words.len() as u32);
        for number in other.iter() {
            let image = image(number);
            if let Some(word) = images.words.get_mut((image / 64) as usize) {
                *word |= 1 << (image % 64);
            }
        }
        self.words.iter_mut().zip(&images.words).for_each(|(word, images)| *word &= images);
    }

    #[inline]
    pub(crate) fn insert(&mut self, number: u32) {
        self.words[(number / 64) as usize] |= 1 << (number % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    pub(crate) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
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
