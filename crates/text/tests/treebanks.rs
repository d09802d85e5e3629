//! The words and sentences of masc-train must be found again in its text (`../shared/treebanks`). Without it there is nothing to do.

#![allow(clippy::print_stderr)] // a skipped test says so

mod evaluation;

use evaluation::detokenise::Layout;
use evaluation::{evaluate, gold, treebank};
use tracebank_text::Options;

#[test]
fn masc_is_cut_as_its_annotators_did() {
    let Some(path) = treebank("masc-train") else {
        eprintln!("skipped: there is no masc-train");
        return;
    };
    let options = Options::named("masc").unwrap();
    let outcome = evaluate(&gold(&path, Layout::Paragraphs), options);
    let (tokens, ends, inner) = (outcome.tokens.f1(), outcome.ends.f1(), outcome.inner_ends.f1());
    let bare = evaluate(&gold(&path, Layout::OneParagraph), options).ends.f1();
    eprintln!(
        "tokens {tokens:.2}, ends of sentences {ends:.2}, those inside paragraphs {inner:.2}, without paragraphs {bare:.2}"
    );
    assert!(tokens >= 99.5, "token F1 is {tokens:.2}");
    assert!(ends >= 97.0, "sentence F1 is {ends:.2}");
    assert!(inner >= 97.0, "sentence F1 inside paragraphs is {inner:.2}");
}
