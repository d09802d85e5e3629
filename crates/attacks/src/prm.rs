//! Any text is a parameter file of `evalb` or an error at one of its lines, and any parameters can be used.

use std::sync::LazyLock;

use tracebank_report::evalb::{Mismatch, Settings, compare, missed};
use tracebank_syntax::tree::Tree;

static TREES: LazyLock<[Tree; 2]> = LazyLock::new(|| {
    [
        "( (S (NP (DT the) (NN dog)) (ADVP (RB still)) (VP (VBZ barks)) (. .)))",
        "( (S (NP (DT the)) (NX (NN dog) (PRT (RB still))) (VP (VBZ barks)) (. !)))",
    ]
    .map(|tree| tree.parse().unwrap())
});

/// One attack. Panics where a promise does not hold.
pub fn attack(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    match text.parse::<Settings>() {
        Ok(settings) => {
            let [gold, guess] = &*TREES;
            let _ = compare(gold, guess, &settings);
            // Parameters that delete every tag leave no word to compare.
            match compare(gold, gold, &settings) {
                Ok(same) => assert!(same.score.is_complete()),
                Err(problem) => assert_eq!(problem, Mismatch::NoWords),
            }
            missed(gold, &settings);
        }
        Err(error) => assert!(error.line <= text.lines().count()),
    }
}
