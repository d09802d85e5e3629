//! Any bytes can be read in every format: lines are accounted for, places and offsets are inside the input, and the size of the buffer
//! makes no difference. The first byte chooses the limit.

use std::io::BufReader;

use tracebank_text::Tokeniser;
use tracebank_text::read::{Format, Item, ReadError, Reader};

fn read(bytes: &[u8], format: Format, limit: usize, buffer: usize) -> Vec<Result<Item, ReadError>> {
    let source = BufReader::with_capacity(buffer, bytes);
    Reader::new(source, "fuzz", format, Tokeniser::default()).with_limit(limit).collect()
}

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let limit = if first < 128 { 1 << 20 } else { usize::from(first) };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
    for format in [Format::Text, Format::Lines, Format::Tokens, Format::Tagged, Format::Json] {
        let results = read(bytes, format, limit, 1 << 16);
        assert_eq!(results, read(bytes, format, limit, 3));
        match format {
            // A text, and that of a line of JSON, has any number of sentences.
            Format::Text | Format::Json => {}
            _ => assert_eq!(results.len(), lines),
        }
        for result in results {
            let place = match &result {
                Ok(item) => item.place,
                Err(error) => error.place,
            };
            assert!(place.line <= lines && place.byte <= bytes.len());
            let sentence = match result {
                Ok(item) => item.sentence,
                Err(error) => {
                    let excerpt = error.excerpt.expect("the stream is whole");
                    assert!(excerpt.text.is_char_boundary(excerpt.offset) && excerpt.column > 0);
                    continue;
                }
            };
            assert!(sentence.tags.is_empty() || sentence.tags.len() == sentence.tokens.len());
            let mut end = 0;
            for token in &sentence.tokens {
                assert!(
                    token.start >= end
                        && sentence.text.get(token.range()).is_some_and(|text| !text.is_empty())
                );
                assert!(
                    !token.text.contains(|c: char| c.is_ascii_whitespace())
                        && !token.text.contains(['(', ')'])
                );
                end = token.end;
            }
        }
    }
}
