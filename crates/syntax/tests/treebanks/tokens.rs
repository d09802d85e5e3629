//! The words and sentences of masc-train are found again in its text.

use tracebank_syntax::dialect::Dialect;

use crate::tokenisation::detokenise::Layout;
use crate::tokenisation::{evaluate, gold};

#[test]
#[ignore = "needs TREEBANKS"]
fn masc_is_cut_as_its_annotators_did() {
    let path = tracebank_testdata::treebank("masc-train.mrg.gz");
    let style = Dialect::named("masc").unwrap().tokens;
    let outcome = evaluate(&gold(&path, Layout::Paragraphs), style);
    let (tokens, ends, inner) = (outcome.tokens.f1(), outcome.ends.f1(), outcome.inner_ends.f1());
    let bare = evaluate(&gold(&path, Layout::OneParagraph), style).ends.f1();
    println!(
        "tokens {tokens:.2}, ends of sentences {ends:.2}, those inside paragraphs {inner:.2}, without paragraphs {bare:.2}"
    );
    assert!(tokens >= 99.5, "token F1 is {tokens:.2}");
    assert!(ends >= 97.0, "sentence F1 is {ends:.2}");
    assert!(inner >= 97.0, "sentence F1 inside paragraphs is {inner:.2}");
}
