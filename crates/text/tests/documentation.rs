//! The examples of `docs/tokenisation.md` are true.

use std::path::Path;

use tracebank_text::Tokeniser;

#[test]
fn examples_in_the_document_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tokenisation.md");
    let document = std::fs::read_to_string(path).unwrap();
    let examples: Vec<_> = document.lines().filter_map(|line| line.split_once(" => ")).collect();
    assert!(examples.len() > 20);
    for (text, wanted) in examples {
        let tokens = Tokeniser::default().tokens(text);
        let found: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(found.join(" "), wanted, "{text}");
    }
}
