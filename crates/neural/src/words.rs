//! Features of the spelling of a word: its shape and its character n-grams.

use std::hash::Hasher as _;

use fnv::FnvHasher;

/// The token a treebank's escape stands for.
pub fn plain(word: &str) -> &str {
    match word {
        "-LRB-" => "(",
        "-RRB-" => ")",
        "-LSB-" => "[",
        "-RSB-" => "]",
        "-LCB-" => "{",
        "-RCB-" => "}",
        "``" | "''" => "\"",
        "\\/" => "/",
        "\\*" => "*",
        _ => word,
    }
}

/// The number of shape classes.
pub const SHAPES: usize = 12;

/// The class of a word's shape, below [`SHAPES`].
pub fn shape(word: &str) -> u32 {
    let word = plain(word);
    let has = |test: fn(char) -> bool| word.chars().any(test);
    let (upper, lower) = (has(char::is_uppercase), has(char::is_lowercase));
    let first_upper = word.chars().next().is_some_and(char::is_uppercase);
    let single = word.chars().nth(1).is_none();
    if !has(char::is_alphanumeric) {
        return u32::from(!single);
    }
    if !has(char::is_alphabetic) {
        return if word.chars().all(char::is_numeric) { 2 } else { 3 };
    }
    if has(char::is_numeric) {
        return 4;
    }
    if word.contains('-') {
        return if first_upper { 5 } else { 6 };
    }
    match (upper, lower) {
        (true, false) if single => 7,
        (true, false) => 8,
        (true, true) if first_upper && !word.chars().skip(1).any(char::is_uppercase) => 9,
        (true, true) => 10,
        _ => 11,
    }
}

/// Adds the buckets of a word's character n-grams (two to five, with marks at its ends) and of the whole word.
pub fn ngrams(word: &str, buckets: usize, out: &mut Vec<u32>) {
    let marked = format!("^{}$", plain(word));
    let starts: Vec<usize> = marked.char_indices().map(|(at, _)| at).chain([marked.len()]).collect();
    let mut push = |text: &str| out.push((fnv1a(text.as_bytes()) % buckets as u64) as u32);
    for length in 2..=5 {
        for window in starts.windows(length + 1) {
            push(&marked[window[0]..window[length]]);
        }
    }
    if starts.len() > 6 {
        push(&marked);
    }
}

/// The hash of Fowler, Noll and Vo: trained tables depend on it.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn shapes_are_told_apart() {
        let words = [
            ",",
            "--",
            "1990",
            "1,000",
            "80s",
            "Anglo-Saxon",
            "well-known",
            "A",
            "USA",
            "The",
            "McKay",
            "dog",
        ];
        let shapes: Vec<u32> = words.iter().map(|word| shape(word)).collect();
        assert_eq!(shapes, (0..SHAPES as u32).collect::<Vec<_>>());
    }

    #[test]
    fn ngrams_of_a_short_word() {
        let mut found = Vec::new();
        ngrams("at", 1000, &mut found);
        // ^a at t$, ^at at$, ^at$
        assert_eq!(found.len(), 6);
        found.clear();
        ngrams("-LRB-", 1000, &mut found);
        assert_eq!(found.len(), 3);
    }
}
