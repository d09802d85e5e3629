//! Any text can be put together again from its tokens, whatever the options.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tracebank_text::{CharOffsets, Options, Token, Tokeniser};

fn check<'a>(text: &str, tokens: impl Iterator<Item = &'a Token>) {
    let characters = CharOffsets::new(text);
    let mut end = 0;
    for token in tokens {
        assert!(token.start >= end && token.end > token.start);
        assert!(text[end..token.start].chars().all(char::is_whitespace));
        assert!(!token.text.is_empty() && !token.text.contains(char::is_whitespace) && !token.text.contains(['(', ')']));
        assert_eq!(characters.at(token.end) - characters.at(token.start), text[token.range()].chars().count());
        end = token.end;
    }
    assert!(text[end..].chars().all(char::is_whitespace));
}

fuzz_target!(|text: &str| {
    for name in Options::names() {
        let tokeniser = Tokeniser::new(Options::named(name).expect("a name of the list"));
        check(text, tokeniser.tokens(text).iter());
        let sentences = tokeniser.sentences(text);
        assert!(sentences.iter().all(|sentence| !sentence.tokens.is_empty()));
        check(text, sentences.iter().flat_map(|sentence| &sentence.tokens));
    }
});
