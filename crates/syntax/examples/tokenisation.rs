//! A table of how well the words and sentences of treebanks are found again in their text, and with `--errors` a list of those that are not:
//! `TREEBANKS=… cargo run --release -p tracebank-syntax --example tokenisation -- [--errors] masc-dev:masc craft-dev.released:craft`.

#![allow(clippy::print_stdout)] // it is a program

#[path = "../tests/tokenisation/mod.rs"]
mod tokenisation;

use std::collections::BTreeSet;

use tokenisation::detokenise::{Gold, Layout};
use tokenisation::{evaluate, gold, token_ranges};
use tracebank_syntax::dialect::Dialect;
use tracebank_text::{TokenStyle, Tokeniser};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let errors = arguments.first().is_some_and(|argument| argument == "--errors");
    if errors {
        arguments.remove(0);
    }
    println!("| treebank | dialect | tokens | sentences | inside paragraphs | all in one paragraph |");
    println!("|---|---|---|---|---|---|");
    for argument in arguments {
        let (name, dialect_name) = argument.split_once(':').unwrap_or((&argument, "penn"));
        let Some(dialect) = Dialect::named(dialect_name) else {
            println!("there is no dialect {dialect_name}");
            continue;
        };
        let path = tracebank_testdata::treebank(&format!("{name}.mrg.gz"));
        let text = gold(&path, Layout::Paragraphs);
        let outcome = evaluate(&text, dialect.tokens);
        let without_layout = evaluate(&gold(&path, Layout::OneParagraph), dialect.tokens);
        println!(
            "| {name} | {dialect_name} | {:.2} | {:.2} | {:.2} | {:.2} |",
            outcome.tokens.f1(),
            outcome.ends.f1(),
            outcome.inner_ends.f1(),
            without_layout.ends.f1()
        );
        if errors {
            print_errors(&text, dialect.tokens);
        }
    }
}

/// A token or an end of a sentence that only one side has, in its context: `-` what was missed, `+` what is too much.
fn print_errors(gold: &Gold, style: TokenStyle) {
    let sentences = Tokeniser::new(style).sentences(&gold.text);
    let wanted: BTreeSet<(usize, usize)> = gold.tokens.iter().map(|range| (range.start, range.end)).collect();
    let found: BTreeSet<(usize, usize)> = sentences.iter().flat_map(token_ranges).collect();
    for (start, end) in wanted.symmetric_difference(&found) {
        let sign = if wanted.contains(&(*start, *end)) { '-' } else { '+' };
        println!("token {sign} {:?} {}", &gold.text[*start..*end], context(&gold.text, *start, *end));
    }
    let wanted: BTreeSet<usize> = gold.ends.iter().copied().collect();
    let found: BTreeSet<usize> = sentences.iter().map(|sentence| sentence.range().end).collect();
    for end in wanted.symmetric_difference(&found) {
        let sign = if wanted.contains(end) { '-' } else { '+' };
        println!("end {sign} {}", context(&gold.text, *end, *end));
    }
}

fn context(text: &str, start: usize, end: usize) -> String {
    let reach = 30;
    let from = (0..=start.saturating_sub(reach)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let to = (end + reach..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{} ¦{}¦ {}", &text[from..start], &text[start..end], &text[end..to]).replace('\n', "⏎")
}
