//! Rewrites keep trees trees, and put in by rule what the Penn Treebank's annotators put in by hand.

use std::collections::BTreeSet;

use tracebank_syntax::dialect::{Plan, Rewrite, rewrite};
use tracebank_syntax::graph::{self, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::trees;

const UNIT: &str = "*U*";

fn rewritten(tree: &Tree, rewrites: &[Rewrite]) -> Tree {
    let graph = graph::encode(tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
    let (graph, tree) = rewrite(graph, rewrites).unwrap();
    assert_eq!(graph::decode(&graph).as_ref(), Ok(&tree));
    tree
}

#[test]
#[ignore = "needs TREEBANKS"]
fn masc_becomes_penn() {
    let rewrites = Plan::of("penn", &["masc".to_owned()]).unwrap().rewrites;
    for (file, dialect) in [("masc-dev", "masc"), ("masc3-dev", "masc3")] {
        for mut tree in trees(file, dialect) {
            tree.renumber();
            let penn = rewritten(&tree, rewrites);
            assert!(penn.words().eq(tree.words()), "{tree}\n{penn}");
            assert!(!penn.to_string().contains("*PRO*"), "{penn}");
        }
    }
}

/// The WSJ sample is not open: it is read where it lies.
#[test]
#[ignore = "needs TREEBANKS"]
fn unit_marks_taken_out_come_back() {
    let (mut right, mut gold, mut guess) = (0, 0, 0);
    for tree in trees("wsj-train", "penn") {
        let mut bare = tree.clone();
        bare.prune_leaves(|tree, leaf| tree.word(leaf) == Some(UNIT));
        let [wanted, found] = [&tree, &rewritten(&bare, &[Rewrite::Units])].map(places);
        right += wanted.intersection(&found).count();
        gold += wanted.len();
        guess += found.len();
    }
    let (precision, recall) = (right as f64 / guess as f64, right as f64 / gold as f64);
    assert!(precision >= 0.98 && recall >= 0.98, "{right} right of {guess} put in and {gold} wanted");
}

/// Each mark as how many leaves are before it and how many phrases above.
fn places(tree: &Tree) -> BTreeSet<(usize, usize)> {
    let leaves = tree.leaves(tree.top()).enumerate();
    let marks = leaves.filter(|&(_, leaf)| tree.word(leaf) == Some(UNIT));
    marks.map(|(at, leaf)| (at, tree.ancestors(leaf).count())).collect()
}
