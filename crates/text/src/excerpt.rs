//! Excerpts: the part of an input that an error shows.

/// A line with a place in it, or the part of it around the place if it is long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The text; what is not UTF-8 is replaced.
    pub text: String,
    /// The place in it, in bytes from 0.
    pub offset: usize,
    /// The place in the whole line, in characters from 1.
    pub column: usize,
}

/// How many characters of a long line an excerpt shows on each side of the place.
const EXCERPT_REACH: usize = 60;

impl Excerpt {
    /// Around byte `offset` of `bytes`, which begin with a line.
    pub fn around(bytes: &[u8], offset: usize) -> Excerpt {
        let (before, after) = bytes.split_at(offset.min(bytes.len()));
        let line = &before[memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)..];
        let rest = &after[..memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len())];
        let line = String::from_utf8_lossy(line);
        let from = line.char_indices().rev().take(EXCERPT_REACH).last().map_or(0, |(at, _)| at);
        let rest = String::from_utf8_lossy(rest).chars().take(EXCERPT_REACH).collect::<String>();
        Excerpt {
            text: format!("{}{rest}", &line[from..]),
            offset: line.len() - from,
            column: 1 + line.chars().count(),
        }
    }
}
