//! Any text can be put together again from its tokens, in the style of every dialect.

use tracebank_syntax::dialect::DIALECTS;
use tracebank_text::{CharOffsets, Token, Tokeniser};

fn check<'a>(text: &str, tokens: impl Iterator<Item = &'a Token>) {
    let characters = CharOffsets::new(text);
    let mut end = 0;
    for token in tokens {
        assert!(token.start >= end && token.end > token.start);
        assert!(text[end..token.start].chars().all(char::is_whitespace));
        assert!(
            !token.text.is_empty()
                && !token.text.contains(char::is_whitespace)
                && !token.text.contains(['(', ')'])
        );
        assert_eq!(
            characters.at(token.end) - characters.at(token.start),
            text[token.range()].chars().count()
        );
        end = token.end;
    }
    assert!(text[end..].chars().all(char::is_whitespace));
}

/// One attack. Panics where a promise does not hold.
pub fn attack(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    for dialect in &DIALECTS {
        let tokeniser = Tokeniser::new(dialect.tokens);
        check(text, tokeniser.tokens(text).iter());
        let mut end = 0;
        for sentence in tokeniser.iter(text) {
            assert!(!sentence.tokens.is_empty() && sentence.text == text[sentence.range()]);
            assert!(text[end..sentence.start].chars().all(char::is_whitespace));
            check(&sentence.text, sentence.tokens.iter());
            end = sentence.range().end;
        }
        assert!(text[end..].chars().all(char::is_whitespace));
    }
}
