//! Whatever the text, it can be put together again from its tokens.

use proptest::prelude::*;
use tracebank_text::{Brackets, Hyphens, Quotes, Token, TokenStyle, Tokeniser, WordBrackets};

/// Tokens are in order, not empty, without white space in their form, and only white space is between them.
fn check(text: &str, tokens: &[Token]) {
    let mut end = 0;
    for token in tokens {
        assert!(token.start >= end && token.end > token.start, "{text:?} {token:?}");
        assert!(text[end..token.start].chars().all(char::is_whitespace), "{text:?} {token:?}");
        assert!(!token.text.is_empty() && !token.text.contains(char::is_whitespace), "{text:?} {token:?}");
        assert!(!token.text.contains(['(', ')']), "{text:?} {token:?}");
        end = token.end;
    }
    assert!(text[end..].chars().all(char::is_whitespace), "{text:?}");
}

fn check_all(text: &str) {
    let split = TokenStyle { hyphens: Hyphens::Split, quotes: Quotes::Keep, ..TokenStyle::PENN };
    let whole =
        TokenStyle { brackets: Brackets::Round, word_brackets: WordBrackets::Keep, ..TokenStyle::PENN };
    for style in [TokenStyle::PENN, split, whole] {
        let tokeniser = Tokeniser::new(style);
        check(text, &tokeniser.tokens(text));
        let mut all = Vec::new();
        for sentence in tokeniser.iter(text) {
            assert_eq!(sentence.text, text[sentence.range()]);
            check(&sentence.text, &sentence.tokens);
            let start = sentence.start;
            let moved = |token: Token| Token { start: token.start + start, end: token.end + start, ..token };
            all.extend(sentence.tokens.into_iter().map(moved));
        }
        check(text, &all);
    }
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        check_all(&text);
    }

    /// Text of what the rules look at.
    #[test]
    fn any_text_of_marks(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "a", "I", "The", "in", "n", "t", "s", "1", "25", "000", "can", "not", "'", "’", "\"", "“", "”", "`", "‘", ".", "..",
            "…", ",", ":", ";", "?", "!", "-", "--", "–", "—", "/", "&", "@", "+", "*", "#", "$", "%", "°", "(", ")", "[", "]",
            "<", "=", "U.S.", "Mr.", "No.", "e.g.", "http://", "www.", "é", "日", "\u{301}", "\u{200b}", "\0", " ", " ", "\n",
            "\n\n", "\r", "\u{a0}", "\u{2028}", "•", "😀",
        ]),
        0..40,
    )) {
        check_all(&pieces.concat());
    }
}
