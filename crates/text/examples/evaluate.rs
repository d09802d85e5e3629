//! Prints how well the words and sentences of treebanks are found again in their text, and with `--errors` what is not:
//! `cargo run --release -p tracebank-text --example evaluate -- [--errors] masc-dev:masc craft-dev.released:craft`.

#![allow(clippy::print_stdout)] // it is a program

#[path = "../tests/evaluation/mod.rs"]
mod evaluation;

use std::collections::BTreeSet;

use evaluation::detokenise::{Gold, Layout};
use evaluation::{evaluate, gold, treebank};
use tracebank_text::{Options, Tokeniser};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let errors = arguments.first().is_some_and(|argument| argument == "--errors");
    if errors {
        arguments.remove(0);
    }
    println!("| treebank | options | tokens | sentences | inside paragraphs | all in one paragraph |");
    println!("|---|---|---|---|---|---|");
    for argument in arguments {
        let (name, options_name) = argument.split_once(':').unwrap_or((&argument, "penn"));
        let (Some(path), Some(options)) = (treebank(name), Options::named(options_name)) else {
            println!("there is no {argument}");
            continue;
        };
        let text = gold(&path, Layout::Paragraphs);
        let outcome = evaluate(&text, options);
        let without_layout = evaluate(&gold(&path, Layout::OneParagraph), options);
        println!(
            "| {name} | {options_name} | {:.2} | {:.2} | {:.2} | {:.2} |",
            outcome.tokens.f1(),
            outcome.ends.f1(),
            outcome.inner_ends.f1(),
            without_layout.ends.f1()
        );
        if errors {
            print_errors(&text, options);
        }
    }
}

/// A token or an end of a sentence that only one side has, in its context: `-` what was missed, `+` what is too much.
fn print_errors(gold: &Gold, options: Options) {
    let sentences = Tokeniser::new(options).sentences(&gold.text);
    let wanted: BTreeSet<(usize, usize)> = gold.tokens.iter().map(|range| (range.start, range.end)).collect();
    let tokens = sentences.iter().flat_map(|sentence| &sentence.tokens);
    let found: BTreeSet<(usize, usize)> = tokens.map(|token| (token.start, token.end)).collect();
    for (start, end) in wanted.symmetric_difference(&found) {
        let sign = if wanted.contains(&(*start, *end)) { '-' } else { '+' };
        println!("token {sign} {:?} {}", &gold.text[*start..*end], context(&gold.text, *start, *end));
    }
    let wanted: BTreeSet<usize> = gold.ends.iter().copied().collect();
    let found: BTreeSet<usize> = sentences.iter().map(|sentence| sentence.end).collect();
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
