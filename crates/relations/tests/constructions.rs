//! One tree a construction, with the relations that are read off it.
//!
//! The trees are in `constructions.txt`, the relations in `constructions.expected.txt`; every role of the table is in one of them.

#![allow(clippy::print_stdout)] // figures are shown with --nocapture

use std::fmt::Write as _;

use tracebank_relations::{nulls, relations, role_names};
use tracebank_syntax::tree::Tree;

const CASES: &str = include_str!("constructions.txt");
const EXPECTED: &str = include_str!("constructions.expected.txt");

fn shown() -> String {
    let mut out = String::new();
    for block in CASES.trim().split("\n\n") {
        let (title, tree) = block.split_once('\n').unwrap();
        let tree: Tree = tree.parse().unwrap();
        let words: Vec<&str> = tree.words().collect();
        writeln!(out, "{title}\n# {}", words.join(" ")).unwrap();
        for relation in relations(&tree) {
            writeln!(out, "{}", relation.to_text(&tree)).unwrap();
        }
        for null in nulls(&tree) {
            writeln!(out, "  {}", null.describe(&tree, &|tokens| words[tokens].join(" "))).unwrap();
        }
        out.push('\n');
    }
    out
}

#[test]
fn every_construction_is_read() {
    let shown = shown();
    if shown.trim() != EXPECTED.trim() {
        println!("{shown}");
        for (found, wanted) in shown.lines().zip(EXPECTED.lines()) {
            assert_eq!(found, wanted);
        }
        panic!("more or fewer lines than expected");
    }
}

#[test]
fn every_role_has_an_example() {
    for role in role_names() {
        assert!(EXPECTED.contains(&format!("  {role}=")), "{role}");
    }
}
