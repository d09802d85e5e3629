//! The uncased word-piece tokeniser of BERT, for words that are already tokens of a treebank.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::list::WordList;
use crate::words::plain;

/// Pieces of one word beyond these are dropped.
pub(crate) const MOST_PIECES: usize = 8;
/// Longer stretches are unknown, as in BERT.
const MOST_CHARS: usize = 100;

/// The vocabulary of pieces.
#[derive(Clone, Debug)]
pub struct WordPiece {
    /// By their ids.
    pieces: WordList,
    unknown: u32,
    /// Opens a sentence.
    pub(crate) open: u32,
    /// Closes a sentence.
    pub(crate) close: u32,
}

impl WordPiece {
    /// The vocabulary with these pieces, in the order of their ids; none if `[UNK]`, `[CLS]` or `[SEP]` is missing.
    pub fn new(pieces: WordList) -> Option<Self> {
        let (unknown, open, close) = (pieces.place("[UNK]")?, pieces.place("[CLS]")?, pieces.place("[SEP]")?);
        Some(Self { pieces, unknown, open, close })
    }

    /// All pieces in the order of their ids.
    pub fn pieces(&self) -> &WordList {
        &self.pieces
    }

    /// The ids of a word's pieces, at least one.
    pub fn split(&self, word: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        for part in parts(plain(word)) {
            self.split_part(&part, &mut ids);
        }
        ids.truncate(MOST_PIECES);
        if ids.is_empty() {
            ids.push(self.unknown);
        }
        ids
    }

    /// Takes the longest piece that fits again and again; if none fits, all of the part is unknown.
    fn split_part(&self, part: &str, ids: &mut Vec<u32>) {
        let first = ids.len();
        let mut rest = part;
        if part.chars().count() > MOST_CHARS {
            rest = "";
            ids.push(self.unknown);
        }
        let mut key = String::new();
        while !rest.is_empty() {
            let ends = rest.char_indices().rev().map(|(at, c)| at + c.len_utf8());
            let found = ends.into_iter().find_map(|end| {
                key.clear();
                if rest.len() < part.len() {
                    key.push_str("##");
                }
                key.push_str(&rest[..end]);
                self.pieces.place(&key).map(|id| (id, end))
            });
            let Some((id, end)) = found else {
                ids.truncate(first);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            rest = &rest[end..];
        }
    }
}

/// Lower case without accents, cut around punctuation and ideographs.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for c in word.chars().flat_map(char::to_lowercase).nfd() {
        if c.is_whitespace() {
            parts.push(String::new());
        } else if is_punctuation(c) || is_ideograph(c) {
            parts.push(c.into());
            parts.push(String::new());
        } else if !is_combining_mark(c) && !c.is_control() && c != '\u{FFFD}' {
            parts.last_mut().expect("there is always a part").push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Punctuation as BERT sees it: all ASCII signs, and the punctuation of the common blocks of Unicode.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}'
            | '\u{2045}'..='\u{2051}' | '\u{2053}'..='\u{205E}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301F}' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<String> {
        let pieces = ["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "(", "\"", "cafe", "-", "##s", "a"];
        let vocabulary = WordPiece::new(pieces.iter().collect()).expect("the special pieces are there");
        let piece = |id: u32| vocabulary.pieces().word(id as usize).to_owned();
        vocabulary.split(word).into_iter().map(piece).collect()
    }

    #[test]
    fn the_longest_piece_wins() {
        assert_eq!(split("Unaffable"), ["un", "##aff", "##able"]);
        assert_eq!(split("unknown"), ["[UNK]"]);
    }

    #[test]
    fn accents_and_case_are_dropped_and_punctuation_is_cut() {
        assert_eq!(split("Café-Cafés"), ["cafe", "-", "cafe", "##s"]);
    }

    #[test]
    fn treebank_escapes_are_undone() {
        assert_eq!(split("-LRB-"), ["("]);
        assert_eq!(split("``"), ["\""]);
        assert_eq!(split("''"), ["\""]);
    }

    #[test]
    fn no_word_is_empty_and_none_is_endless() {
        assert_eq!(split(""), ["[UNK]"]);
        assert_eq!(split(&"-".repeat(50)).len(), MOST_PIECES);
        assert_eq!(split(&"a".repeat(101)), ["[UNK]"]);
    }
}
