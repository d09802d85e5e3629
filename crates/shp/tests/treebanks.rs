//! The authors' format against their own output, there and back on the WSJ sample, and on the other treebanks.

mod support;

use std::fs;

use support::{VARIANTS, assert_written_or_refused, read, trees, written};
use tracebank_shp::Style;
use tracebank_syntax::tree::Tree;
use tracebank_testdata::{oracle, treebank};

#[test]
#[ignore = "needs TREEBANKS"]
fn every_line_is_the_authors() {
    for part in ["wsj-dev", "wsj-test"] {
        let trees = trees(&treebank(&format!("{part}.mrg.gz")));
        for (ending, style) in VARIANTS {
            let theirs = fs::read_to_string(oracle(&format!("shp/{part}.{ending}"))).unwrap();
            // not written here: these sets come in the order of Python's hash tables
            let theirs = theirs.lines().filter(|line| !line.starts_with("# 1EC_violation"));
            let ours: String = trees.iter().map(|tree| written(tree, style)).collect();
            for (number, (theirs, ours)) in theirs.clone().zip(ours.lines()).enumerate() {
                assert_eq!(theirs, ours, "{part}.{ending}, line {number}");
            }
            assert_eq!(theirs.count(), ours.lines().count(), "{part}.{ending}");
        }
    }
}

/// The tree as far as the authors' program takes it in: their top, and tags by the word.
fn cleaned(mut tree: Tree, style: Style) -> Tree {
    if !style.functions {
        tree.strip_functions();
    }
    tree.set_label(tree.top(), "ROOT");
    let nodes: Vec<_> = tree.preorder(tree.top()).collect();
    for node in nodes {
        let label = match tree.word(node) {
            Some("--" | "-" | ";" | ":") => ":",
            Some("-LRB-" | "-LCB-") => "-LRB-",
            Some("-RRB-" | "-RCB-") => "-RRB-",
            Some("Wa") => "NNP",
            None if tree.label_text(node) == "ADVP|PRT" => "ADVP",
            _ => continue,
        };
        tree.set_label(node, label);
    }
    tree.renumber();
    tree
}

/// Of 3,774 trees: with function tags 95.7 % come back whole, without 93.1 %, and with gaps redirected 92.8 %. What is lost
/// otherwise is the place of nulls among their siblings, and four nulls that refer to nothing.
#[test]
#[ignore = "needs TREEBANKS"]
fn words_and_brackets_come_back_and_most_nulls_to_their_place() {
    for ((_, style), wanted) in VARIANTS.into_iter().zip([3612, 3512, 3501]) {
        let parts =
            ["wsj-train", "wsj-dev", "wsj-test"].map(|part| trees(&treebank(&format!("{part}.mrg.gz"))));
        let mut exact = 0;
        for gold in parts.into_iter().flatten() {
            let mut back = read(&written(&gold, style)).unwrap();
            let mut gold = cleaned(gold, style);
            back.renumber();
            exact += usize::from(back == gold);
            gold.strip_traces();
            back.strip_traces();
            assert!(back == gold, "\n{gold}\n{back}");
        }
        assert_eq!(exact, wanted, "{style:?}");
    }
}

#[test]
#[ignore = "needs TREEBANKS"]
fn every_tree_is_written_and_read_or_refused_with_a_reason() {
    let names = ["craft-dev.released", "farpahc-all", "genia-dev", "icepahc-dev", "keyaki-dev", "masc-dev"];
    for name in names {
        trees(&treebank(&format!("{name}.mrg.gz"))).iter().for_each(assert_written_or_refused);
    }
}
