//! Brackets read into a view, without a tree between them.
//!
//! This is where a search without an index spends most of its time, so the ends of labels are found sixteen bytes at a time, and a tag with its word
//! is one step.

use crate::gist::{Gist, OTHER};
use crate::lexicon::Lexicon;
use crate::signs::brackets_and_low;
use crate::view::{Links, NONE, ROOT, View};

/// A bracket that is wrong, so that the text is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Malformed;

impl View {
    /// Makes this the view of the tree in `bytes`, the brackets of one tree.
    ///
    /// Labels that a gist rules out are all one, and a word that is ruled out and stands alone below its tag is left out, if the gist says that no one asks for it.
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        gist: Option<&Gist>,
        lexicon: &mut Lexicon,
    ) -> Result<(), Malformed> {
        let text = std::str::from_utf8(bytes).map_err(|_| Malformed)?;
        let root = lexicon.number(ROOT, 0..ROOT.len());
        let other = lexicon.number(OTHER, 0..OTHER.len());
        let left_out = if gist.is_some_and(Gist::drops_words) { other } else { NONE };
        let mut labels = Labels { text, gist, lexicon, other };
        self.clear();
        let mut nodes = std::mem::take(&mut self.nodes);
        // the innermost bracket that is open
        let mut open = NONE;
        let mut at = 0;
        let well = loop {
            let Some(&byte) = bytes.get(at) else { break open == NONE && !nodes.is_empty() };
            match byte {
                b'(' => {
                    if open == NONE && !nodes.is_empty() {
                        break false;
                    }
                    let (end, word_end) = two_ends(bytes, at + 1);
                    let nameless = end == at + 1 && nodes.is_empty();
                    let label = if nameless { root } else { labels.number(at + 1, end) };
                    let node = nodes.len() as u32;
                    at = end;
                    if word_end > end {
                        // a tag, a blank, a word and the bracket behind it
                        let word = labels.number(end + 1, word_end);
                        let kept = u32::from(word != left_out);
                        nodes.push(Links { label, parent: open, end: node + 1 + kept });
                        if kept == 1 {
                            nodes.push(Links { label: word, parent: node, end: node + 2 });
                        }
                        at = word_end + 1;
                        at += usize::from(bytes.get(at) == Some(&b' '));
                    } else {
                        nodes.push(Links { label, parent: open, end: 0 });
                        open = node;
                        at += usize::from(bytes.get(at) == Some(&b' '));
                    }
                }
                b')' => {
                    let length = nodes.len() as u32;
                    let Some(left) = nodes.get_mut(open as usize) else { break false };
                    // nothing came behind the bracket
                    if open + 1 == length {
                        break false;
                    }
                    left.end = length;
                    open = left.parent;
                    at += 1;
                }
                byte if ENDS[byte as usize] => at += 1,
                _ => {
                    if open == NONE {
                        break false;
                    }
                    let start = at;
                    at = atom_end(bytes, start);
                    let end = nodes.len() as u32 + 1;
                    nodes.push(Links { label: labels.number(start, at), parent: open, end });
                }
            }
        };
        self.nodes = nodes;
        if well { Ok(()) } else { Err(Malformed) }
    }
}

/// The labels of a text, by number.
struct Labels<'a> {
    text: &'a str,
    gist: Option<&'a Gist>,
    lexicon: &'a mut Lexicon,
    /// The number of all that are ruled out.
    other: u32,
}

impl Labels<'_> {
    #[inline(always)]
    fn number(&mut self, start: usize, end: usize) -> u32 {
        let label = &self.text.as_bytes()[start..end];
        if self.gist.is_none_or(|gist| gist.has(label)) {
            self.lexicon.number(self.text, start..end)
        } else {
            self.other
        }
    }
}

/// Where the label that begins at `start` ends, and where the word behind it, if a blank is between them and a closing bracket behind it; else 0.
#[inline(always)]
fn two_ends(bytes: &[u8], start: usize) -> (usize, usize) {
    if let Some(some) = bytes.get(start..).and_then(|rest| rest.first_chunk()) {
        let ends = brackets_and_low(some);
        let rest = ends & ends.wrapping_sub(1);
        if rest != 0 {
            // sixteen bytes have a bit each
            let (end, word_end) = (ends.trailing_zeros() as usize & 15, rest.trailing_zeros() as usize & 15);
            match (some[end], some[word_end]) {
                (b' ', b'(') => return (start + end, 0),
                (b' ', b')') if end + 1 < word_end => return (start + end, start + word_end),
                _ => {}
            }
        }
    }
    far_ends(bytes, start)
}

/// The same, whatever stands there.
#[cold]
#[inline(never)]
fn far_ends(bytes: &[u8], start: usize) -> (usize, usize) {
    let end = atom_end(bytes, start);
    let word_end = if bytes.get(end) == Some(&b' ') { atom_end(bytes, end + 1) } else { 0 };
    let is_token = word_end > end + 1 && bytes.get(word_end) == Some(&b')');
    (end, if is_token { word_end } else { 0 })
}

/// The bytes that end a label or a word: brackets and blanks.
static ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b"() \t\n\r\x0b\x0c";
    let mut place = 0;
    while place < signs.len() {
        ends[signs[place] as usize] = true;
        place += 1;
    }
    ends
};

/// Where the label or word that begins at `start` ends.
#[inline]
fn atom_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(some) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let maybe = brackets_and_low(some);
        if maybe == 0 {
            at += some.len();
            continue;
        }
        at += maybe.trailing_zeros() as usize;
        if ENDS[bytes[at] as usize] {
            return at;
        }
        // some other sign below the blank
        at += 1;
    }
    let length = bytes[at..].iter().position(|&byte| ENDS[byte as usize]);
    length.map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_as_byte_by_byte() {
        let plainly = |bytes: &[u8], start: usize| {
            (start..bytes.len()).find(|&at| ENDS[bytes[at] as usize]).unwrap_or(bytes.len())
        };
        // every byte at every place, among letters and bytes of other alphabets
        for fill in [b'a', b'*', b'\'', 0x7f, 0x80, 0xa8, 0xff, 1] {
            for byte in 0..=255 {
                for place in 0..40 {
                    let mut bytes = [fill; 40];
                    bytes[place] = byte;
                    for start in 0..=40 {
                        assert_eq!(atom_end(&bytes, start), plainly(&bytes, start), "{bytes:?} {start}");
                    }
                }
            }
        }
    }
}
