//! From words to the ids the encoders look up, computed once for each sentence.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::list::WordList;
use crate::wordpiece::WordPiece;
use crate::words::{ngrams, plain, shape};

/// A sentence as ids. Only what the encoder needs is filled in.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub(crate) length: usize,
    pub(crate) dialect: u32,
    /// Word pieces with the marks around each window.
    pub(crate) pieces: Vec<u32>,
    /// How many pieces each window has; nearly always there is one.
    pub(crate) windows: Vec<usize>,
    /// The pieces of each word.
    pub(crate) segments: Vec<(u32, u32)>,
    /// Ids of frequent words.
    pub(crate) words: Vec<u32>,
    pub(crate) shapes: Vec<u32>,
    pub(crate) ngrams: Vec<u32>,
    /// How many n-grams each word has.
    pub(crate) ngram_counts: Vec<usize>,
}

impl Prepared {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The number of rows the encoder computes: pieces or words.
    pub fn encoder_rows(&self) -> usize {
        self.pieces.len().max(self.length)
    }
}

/// The words or pieces an encoder knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "StoredLexicon", try_from = "StoredLexicon")]
pub enum Lexicon {
    /// For the pretrained encoder.
    Pieces(WordPiece),
    /// For the LSTM: frequent words, with ids from 1; 0 is for all others.
    Words(WordList),
}

/// A lexicon as a list in the order of ids.
#[derive(Serialize, Deserialize)]
enum StoredLexicon {
    Pieces(WordList),
    Words(WordList),
}

impl Lexicon {
    /// Knows the words that occur at least `least` times, in order of frequency.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>, least: usize) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in words {
            *counts.entry(plain(word)).or_default() += 1;
        }
        let mut frequent: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= least).collect();
        frequent.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        Self::Words(frequent.into_iter().map(|(word, _)| word).collect())
    }

    /// The number of ids.
    pub fn size(&self) -> usize {
        match self {
            Self::Pieces(pieces) => pieces.pieces().len(),
            Self::Words(words) => words.len() + 1,
        }
    }

    /// Looks up the words of a sentence. `buckets` is the number of buckets for n-grams, `longest` of pieces in one window.
    pub(crate) fn prepare<W: AsRef<str>>(
        &self,
        sentence: &[W],
        dialect: usize,
        buckets: usize,
        longest: usize,
    ) -> Prepared {
        let mut prepared =
            Prepared { length: sentence.len(), dialect: dialect as u32, ..Prepared::default() };
        for word in sentence.iter().map(AsRef::as_ref) {
            let before = prepared.ngrams.len();
            ngrams(word, buckets, &mut prepared.ngrams);
            prepared.ngram_counts.push(prepared.ngrams.len() - before);
            prepared.shapes.push(shape(word));
        }
        match self {
            Self::Pieces(pieces) => add_pieces(&mut prepared, pieces, sentence, longest),
            Self::Words(words) => {
                let id = |word: &W| {
                    let word = plain(word.as_ref());
                    let place = words.place(word).or_else(|| words.place(&word.to_lowercase()));
                    place.map_or(0, |place| place + 1)
                };
                prepared.words = sentence.iter().map(id).collect();
            }
        }
        prepared
    }
}

/// Splits into windows of at most `longest` pieces with their marks, never inside a word. A sentence that one window does not hold has several
/// that overlap, so that every word sees an eighth of a window on both sides of it, and its vector is from the window in which it does.
fn add_pieces<W: AsRef<str>>(prepared: &mut Prepared, vocabulary: &WordPiece, words: &[W], longest: usize) {
    let (room, context) = (longest - 2, longest / 8);
    let mut ids = Vec::new();
    // Where the pieces of each word begin, and where the last ends.
    let mut starts = vec![0];
    for word in words {
        ids.extend(vocabulary.split(word.as_ref()));
        starts.push(ids.len());
    }
    let mut next = 0;
    loop {
        let is_near = |start: &usize| start + context < starts[next];
        let mut first = starts[..=next].partition_point(is_near);
        while next < words.len() && starts[next + 1] - starts[first] > room {
            first += 1;
        }
        let last = starts.partition_point(|end| end - starts[first].min(*end) <= room) - 1;
        let known = starts.partition_point(|end| end + context <= starts[last]).saturating_sub(1);
        let upto = if last == words.len() { last } else { known.max(next + 1) };
        let before = prepared.pieces.len();
        prepared.pieces.push(vocabulary.open);
        let shift = |place: usize| (before + 1 + starts[place] - starts[first]) as u32;
        prepared.segments.extend((next..upto).map(|word| (shift(word), shift(word + 1))));
        prepared.pieces.extend(&ids[starts[first]..starts[last]]);
        prepared.pieces.push(vocabulary.close);
        prepared.windows.push(prepared.pieces.len() - before);
        next = upto;
        if next == words.len() {
            return;
        }
    }
}

impl From<Lexicon> for StoredLexicon {
    fn from(lexicon: Lexicon) -> Self {
        match lexicon {
            Lexicon::Pieces(pieces) => Self::Pieces(pieces.pieces().clone()),
            Lexicon::Words(words) => Self::Words(words),
        }
    }
}

impl TryFrom<StoredLexicon> for Lexicon {
    type Error = &'static str;

    fn try_from(stored: StoredLexicon) -> Result<Self, Self::Error> {
        match stored {
            StoredLexicon::Pieces(pieces) => {
                WordPiece::new(pieces).map(Self::Pieces).ok_or("the vocabulary lacks [UNK], [CLS] or [SEP]")
            }
            StoredLexicon::Words(words) if words.has_repetitions() => Err("the vocabulary has a word twice"),
            StoredLexicon::Words(words) => Ok(Self::Words(words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_cut_into_windows_between_words() {
        let pieces = ["[UNK]", "[CLS]", "[SEP]", "a", "##b"].iter().collect();
        let lexicon = Lexicon::Pieces(WordPiece::new(pieces).expect("complete"));
        let words = ["a", "ab", "ab", "a", "ab"].map(str::to_owned);
        let prepared = lexicon.prepare(&words, 0, 10, 6);
        assert_eq!(prepared.windows, [5, 5, 4]);
        assert_eq!(prepared.segments, [(1, 2), (2, 4), (6, 8), (8, 9), (11, 13)]);
        assert_eq!(prepared.pieces, [1, 3, 3, 4, 2, 1, 3, 4, 3, 2, 1, 3, 4, 2]);
    }

    #[test]
    fn windows_overlap_and_words_see_both_sides() {
        let pieces = ["[UNK]", "[CLS]", "[SEP]", "a", "##b"].iter().collect();
        let lexicon = Lexicon::Pieces(WordPiece::new(pieces).expect("complete"));
        for length in 0..200 {
            let words: Vec<&str> = (0..length).map(|word| if word % 3 == 0 { "ab" } else { "a" }).collect();
            let (longest, context) = (40, 5);
            let prepared = lexicon.prepare(&words, 0, 10, longest);
            let total: usize = words.iter().map(|word| word.len()).sum();
            assert_eq!(prepared.windows.len() == 1, total <= longest - 2, "{length} words");
            assert_eq!(prepared.windows.iter().sum::<usize>(), prepared.pieces.len());
            assert_eq!(prepared.segments.len(), length);
            assert!(prepared.pieces.len() <= 2 * total + longest, "memory is linear");
            let mut window = (0, 0);
            let mut windows = prepared.windows.iter();
            for (word, &(from, to)) in prepared.segments.iter().enumerate() {
                let (from, to) = (from as usize, to as usize);
                while from >= window.1 {
                    window = (window.1, window.1 + windows.next().expect("each word is in a window"));
                }
                assert!(window.1 - window.0 <= longest);
                assert_eq!(prepared.pieces[from..to], [3, 4][..words[word].len()]);
                let (before, after) = (from - window.0 - 1, window.1 - 1 - to);
                // A word of two pieces is no part of the context if one of them is too far away.
                assert!(before + 1 >= context || window.0 == 0, "{length}: {word}");
                assert!(after >= context || window.1 == prepared.pieces.len(), "{length}: {word}");
            }
        }
    }

    #[test]
    fn frequent_words_have_ids_by_frequency() {
        let lexicon = Lexicon::from_words("b a a b a c".split(' '), 2);
        let words = ["a", "b", "c", "A"].map(str::to_owned);
        assert_eq!(lexicon.prepare(&words, 0, 10, 512).words, [1, 2, 0, 1]);
        let text = serde_json::to_string(&lexicon).expect("plain data");
        assert_eq!(text, r#"{"Words":["a","b"]}"#);
    }
}
