//! Random trees for property tests.

use proptest::prelude::*;

/// A phrase label: with function tags, with indices, with both, with neither.
fn label() -> impl Strategy<Value = String> {
    let category = prop::sample::select(vec!["S", "NP", "VP", "SBAR", "WHNP", "PP", "ADVP", "PRT", "NP|NX"]);
    let function = prop::sample::select(vec!["", "", "", "-SBJ", "-TMP"]);
    let index = prop::sample::select(vec!["", "", "", "-1", "-2", "=1", "=2-1", "-1-2"]);
    (category, function, index).prop_map(|(category, function, index)| format!("{category}{function}{index}"))
}

/// Everything of a tree but its words: these come later, so that two trees can have the same ones.
fn skeleton() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec!["NN", "VBD", "CC", ",", ".", "''", "POS", "DT"]);
    let null = prop::sample::select(vec!["*", "*-1", "*T*-1", "*T*-2", "0", "*U*", "*-7"]);
    let leaf = prop_oneof![
        4 => tag.prop_map(|tag| format!("({tag} WORD)")),
        1 => null.clone().prop_map(|null| format!("(-NONE- {null})")),
        1 => null.prop_map(|null| format!("(NP (-NONE- {null}))")),
        1 => Just("(CODE x)".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        (label(), prop::collection::vec(inner, 1..4))
            .prop_map(|(label, children)| format!("({label} {})", children.join(" ")))
    })
}

/// Two trees over the same words; there is at least one.
pub(crate) fn tree_pair() -> impl Strategy<Value = (String, String)> {
    let top = prop::sample::select(vec!["", "TOP", "S-3", "VP"]);
    (top.clone(), skeleton(), top, skeleton()).prop_map(|(mine, gold, theirs, guess)| {
        let length = count(&gold).max(count(&guess)).max(1);
        (fill(mine, &gold, length), fill(theirs, &guess, length))
    })
}

fn count(skeleton: &str) -> usize {
    skeleton.matches("WORD").count()
}

/// The words `w0 w1 …` in the skeleton, and behind it as many more as are needed.
fn fill(top: &str, skeleton: &str, length: usize) -> String {
    let mut number = 0;
    let mut next_word = || {
        number += 1;
        format!("w{}", number - 1)
    };
    let mut tree = format!("({top} ");
    for (place, piece) in skeleton.split("WORD").enumerate() {
        if place > 0 {
            tree.push_str(&next_word());
        }
        tree.push_str(piece);
    }
    for _ in count(skeleton)..length {
        tree.extend([" (NN ", &next_word(), ")"]);
    }
    tree + ")"
}
