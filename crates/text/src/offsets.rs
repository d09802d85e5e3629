//! Byte offsets → character offsets.

/// How far apart the stored counts are, in bytes.
const STRIDE: usize = 64;

/// A converter of byte offsets of one text to offsets in characters (Unicode scalar values). Made in one pass; each question then costs at
/// most a few dozen bytes.
#[derive(Clone, Debug)]
pub struct CharOffsets<'t> {
    text: &'t str,
    /// The number of characters that begin before byte `STRIDE * i`; empty for ASCII, where there is nothing to convert.
    counts: Vec<usize>,
}

impl<'t> CharOffsets<'t> {
    /// Counts the characters of `text`.
    pub fn new(text: &'t str) -> CharOffsets<'t> {
        let mut counts = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for block in text.as_bytes().chunks(STRIDE) {
                counts.push(count);
                count += first_bytes(block);
            }
        }
        CharOffsets { text, counts }
    }

    /// The number of characters that begin before byte `offset`; one beyond the end counts as the end.
    pub fn at(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let block = offset / STRIDE;
        match self.counts.get(block) {
            Some(&count) => count + first_bytes(&self.text.as_bytes()[block * STRIDE..offset]),
            None if self.counts.is_empty() => offset,
            // the end of a text whose last block is full
            None => self.counts[block - 1] + first_bytes(&self.text.as_bytes()[(block - 1) * STRIDE..offset]),
        }
    }
}

/// How many bytes are the first of a character.
fn first_bytes(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_end_of_a_full_block_has_an_offset() {
        let text = "é".repeat(STRIDE);
        assert_eq!(CharOffsets::new(&text).at(2 * STRIDE), STRIDE);
        assert_eq!(CharOffsets::new("").at(5), 0);
    }

    proptest! {
        #[test]
        fn offsets_are_those_of_counting(text in "[aé日😀]{0,200}") {
            let offsets = CharOffsets::new(&text);
            for (count, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(offsets.at(byte), count);
            }
            prop_assert_eq!(offsets.at(text.len()), text.chars().count());
        }
    }
}
