//! Brackets read into a view, without a tree between them.
//!
//! This is where a search without an index spends most of its time. Brackets and blanks of 64 bytes are found together, as bits; from these it is seen at
//! once where a label ends, and whether it is a tag with its word. What stands otherwise (a word without a tag, a bracket without a label, whatever is longer) is
//! read by itself.

use std::ops::Range;

use crate::gist::{Gist, OTHER};
use crate::lexicon::Lexicon;
use crate::signs::{Marks, STRIDE};
use crate::view::{Links, NONE, ROOT, View};

/// A bracket that is wrong, so that the text is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Malformed;

impl View {
    /// Makes this the view of the tree at a place of `bytes`, the brackets of one tree.
    ///
    /// Labels that a gist rules out are all one, and a word that is ruled out and stands alone below its tag is left out, if the gist says that no one asks for it.
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        place: &Range<usize>,
        gist: Option<&Gist>,
        lexicon: &mut Lexicon,
    ) -> Result<(), Malformed> {
        self.clear();
        let text = std::str::from_utf8(&bytes[place.clone()]).map_err(|_| Malformed)?;
        let root = lexicon.number(ROOT, 0..ROOT.len());
        let other = lexicon.number(OTHER, 0..OTHER.len());
        let left_out = if gist.is_some_and(Gist::drops_words) { other } else { NONE };
        let nodes = std::mem::take(&mut self.nodes);
        let labels = Labels { text, gist, lexicon, other };
        let mut reading =
            Reading { text: &bytes[place.start..], labels, root, left_out, nodes, open: NONE, at: 0 };
        let well = reading.run(true);
        let open = reading.open;
        self.nodes = reading.nodes;
        well?;
        if open == NONE && !self.nodes.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// A tree while it is read.
struct Reading<'a> {
    /// The text from the start of the tree on, and what is behind it.
    text: &'a [u8],
    labels: Labels<'a>,
    /// The label of an outermost bracket without one.
    root: u32,
    /// The label of words that are not kept.
    left_out: u32,
    nodes: Vec<Links>,
    /// The innermost bracket that is open.
    open: u32,
    at: usize,
}

impl Reading<'_> {
    /// Reads all of the tree; with whole strides where that is possible, or step by step.
    #[inline]
    fn run(&mut self, strides: bool) -> Result<(), Malformed> {
        while self.at < self.labels.text.len() {
            if strides {
                self.strides();
            }
            self.step()?;
        }
        Ok(())
    }

    /// Goes on as long as brackets, labels and words stand as usual and within one stride of text.
    #[inline]
    fn strides(&mut self) {
        let end = self.labels.text.len();
        while let Some(stride) = self.text.get(self.at..).and_then(|rest| rest.first_chunk())
            && self.at < end
        {
            let Marks { open, close, blank } = Marks::of(stride);
            let within = u64::MAX >> STRIDE.saturating_sub(end - self.at);
            let mut brackets = (open | close) & within;
            let atoms = !(open | close | blank);
            let start = self.at;
            // all before this is read
            let mut done = 0;
            while brackets != 0 {
                let first = brackets.trailing_zeros();
                let rest = brackets & (brackets - 1);
                if atoms & between(done, first) != 0 {
                    break;
                }
                let node = self.nodes.len() as u32;
                if close >> first & 1 == 1 {
                    let Some(left) = self.nodes.get_mut(self.open as usize) else { break };
                    if self.open + 1 == node {
                        break;
                    }
                    left.end = node;
                    self.open = left.parent;
                    (brackets, done) = (rest, first + 1);
                    continue;
                }
                // the outermost bracket may have no label
                if rest == 0 || node == 0 || self.open == NONE {
                    break;
                }
                let next = rest.trailing_zeros();
                let blanks = blank & between(first + 1, next);
                let label_end = blanks.trailing_zeros();
                if blanks == 0 || label_end == first + 1 {
                    break;
                }
                let place = |bit: u32| start + bit as usize;
                if close >> next & 1 == 1 {
                    // a tag and its word
                    if blanks & (blanks - 1) != 0 || label_end + 1 == next {
                        break;
                    }
                    let label = self.labels.number(place(first + 1), place(label_end));
                    let word = self.labels.number(place(label_end + 1), place(next));
                    let kept = u32::from(word != self.left_out);
                    self.nodes.push(Links { label, parent: self.open, end: node + 1 + kept });
                    if kept == 1 {
                        self.nodes.push(Links { label: word, parent: node, end: node + 2 });
                    }
                    (brackets, done) = (rest & (rest - 1), next + 1);
                } else {
                    if atoms & between(label_end, next) != 0 {
                        break;
                    }
                    let label = self.labels.number(place(first + 1), place(label_end));
                    self.nodes.push(Links { label, parent: self.open, end: 0 });
                    self.open = node;
                    (brackets, done) = (rest, next);
                }
            }
            self.at += done as usize;
            if done == 0 {
                break;
            }
        }
    }

    /// Reads what comes next, whatever it is: a bracket with its label, a closing bracket, a word, a blank.
    fn step(&mut self) -> Result<(), Malformed> {
        let bytes = self.labels.text.as_bytes();
        let Some(&byte) = bytes.get(self.at) else { return Ok(()) };
        let node = self.nodes.len() as u32;
        match byte {
            b'(' => {
                if self.open == NONE && node > 0 {
                    return Err(Malformed);
                }
                let start = self.at + 1;
                self.at = atom_end(bytes, start);
                let nameless = start == self.at && node == 0;
                let label = if nameless { self.root } else { self.labels.number(start, self.at) };
                self.nodes.push(Links { label, parent: self.open, end: 0 });
                self.open = node;
            }
            b')' => {
                let left = self.nodes.get_mut(self.open as usize).ok_or(Malformed)?;
                // nothing came behind the bracket
                if self.open + 1 == node {
                    return Err(Malformed);
                }
                left.end = node;
                self.open = left.parent;
                self.at += 1;
            }
            byte if ENDS[byte as usize] => self.at += 1,
            _ if self.open == NONE => return Err(Malformed),
            _ => {
                let start = self.at;
                self.at = atom_end(bytes, start);
                let label = self.labels.number(start, self.at);
                self.nodes.push(Links { label, parent: self.open, end: node + 1 });
            }
        }
        Ok(())
    }
}

/// The bits from `start` up to `end`, which is no less.
#[inline]
fn between(start: u32, end: u32) -> u64 {
    (1 << end) - (1 << start)
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
    #[inline]
    fn number(&mut self, start: usize, end: usize) -> u32 {
        if self.gist.is_none_or(|gist| gist.has(&self.text.as_bytes()[start..end])) {
            self.find(start, end)
        } else {
            self.other
        }
    }

    /// Most labels are ruled out, and what is done with the others is kept out of the way.
    #[inline(never)]
    fn find(&mut self, start: usize, end: usize) -> u32 {
        self.lexicon.number(self.text, start..end)
    }
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
fn atom_end(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().position(|&byte| ENDS[byte as usize]);
    length.map_or(bytes.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Nodes = Vec<(String, u32, u32)>;

    /// The nodes of the tree at a place, with their labels as texts.
    fn nodes(bytes: &[u8], place: &Range<usize>, strides: bool) -> Option<Nodes> {
        let mut lexicon = Lexicon::default();
        let text = std::str::from_utf8(&bytes[place.clone()]).unwrap();
        let [root, other] = [ROOT, OTHER].map(|label| lexicon.number(label, 0..label.len()));
        let labels = Labels { text, gist: None, lexicon: &mut lexicon, other };
        let text = &bytes[place.start..];
        let mut reading =
            Reading { text, labels, root, left_out: NONE, nodes: Vec::new(), open: NONE, at: 0 };
        let well = reading.run(strides).is_ok() && reading.open == NONE;
        let nodes = reading.nodes;
        let shown = |node: &Links| (lexicon.text(node.label).to_owned(), node.parent, node.end);
        well.then(|| nodes.iter().map(shown).collect())
    }

    #[test]
    fn strides_and_steps_read_the_same() {
        let mut state = 7_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let labels =
            ["NP", "S", "", "NP-SBJ-1", "é", "-NONE-", "a\u{1}b", "ADJP-PRD-TPC-LONGER-THAN-SIXTEEN"];
        let words = [
            "dog",
            "*T*-1",
            "x",
            "été",
            "a\u{1f}",
            "a-word-that-is-longer-than-a-stride-of-sixty-four-bytes-can-ever-be",
        ];
        let blanks = [" ", " ", " ", " ", "  ", "\n  ", "\t", "\u{b}", ""];
        let (mut well, mut bad) = (0, 0);
        for round in 0..20_000 {
            let mut text = String::from("\n(");
            let mut depth = 1;
            for _ in 0..next(40) {
                match next(8) {
                    0..4 => {
                        text.extend(["(", labels[next(8)], blanks[next(9)], words[next(6)], ")"]);
                    }
                    4 | 5 => {
                        text.extend(["(", labels[next(8)]]);
                        depth += 1;
                    }
                    6 if depth > 1 || round % 7 == 0 => {
                        text.push(')');
                        depth -= 1;
                    }
                    _ => text += words[next(6)],
                }
                text += blanks[next(9)];
            }
            text.extend((0..depth).map(|_| ')'));
            let place = 1..text.len();
            // with a neighbour, and with none
            let behind =
                if next(2) == 0 { " (S (NP (NN dog)) (VP (VBZ barks)))".repeat(3) } else { String::new() };
            let bytes = [text.as_bytes(), behind.as_bytes()].concat();
            let read = nodes(&bytes, &place, true);
            assert_eq!(read, nodes(&bytes, &place, false), "{text:?}");
            *(if read.is_some() { &mut well } else { &mut bad }) += 1;
        }
        assert!(well > 2000 && bad > 2000, "{well} {bad}");
    }
}
