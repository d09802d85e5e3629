//! Any text is a parameter file of `evalb` or an error at one of its lines, and any parameters can be used.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tracebank_report::evalb::{Settings, compare, missed};
use tracebank_syntax::tree::Tree;

static TREES: LazyLock<[Tree; 2]> = LazyLock::new(|| {
    ["( (S (NP (DT the) (NN dog)) (ADVP (RB still)) (VP (VBZ barks)) (. .)))", "( (S (NP (DT the)) (NX (NN dog) (PRT (RB still))) (VP (VBZ barks)) (. !)))"]
        .map(|tree| tree.parse().unwrap())
});

fuzz_target!(|text: &str| {
    match text.parse::<Settings>() {
        Ok(settings) => {
            let [gold, guess] = &*TREES;
            let _ = compare(gold, guess, &settings);
            let same = compare(gold, gold, &settings).expect("a tree has its own words");
            assert!(same.score.is_complete());
            missed(gold, &settings);
        }
        Err(error) => assert!(error.line <= text.lines().count()),
    }
});
