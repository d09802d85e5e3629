//! Every row of the tables of roles, held against its example, and `docs/relations.md` against the tables.
//!
//! `roles.mrg` has the tree of each example of `data/roles.tsv`, in its order.

use tracebank_relations::{Argument, Filler, relations};
use tracebank_syntax::tree::Tree;

const ROLES: &str = include_str!("../data/roles.tsv");
const SUBORDINATORS: &str = include_str!("../data/subordinators.tsv");
const TREES: &str = include_str!("roles.mrg");
const DOCUMENT: &str = include_str!("../../../docs/relations.md");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

/// The words of an argument; of a clause, its predicate.
fn words(argument: &Argument, tree: &Tree) -> String {
    let words: Vec<&str> = tree.words().collect();
    match &argument.filler {
        Filler::Phrase { head, clause: true, .. } => words[*head].to_owned(),
        Filler::Phrase { tokens, .. } => words[tokens.clone()].join(" "),
        Filler::Addressee | Filler::Anyone => String::new(),
    }
}

fn has(tree: &Tree, role: &str, wanted: &str) -> bool {
    let found = relations(tree);
    let mut arguments = found.iter().flat_map(|relation| &relation.arguments);
    arguments.any(|argument| argument.role == role && words(argument, tree) == wanted)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '[' | ']')).collect()
}

#[test]
fn every_row_gives_its_example_its_role() {
    assert_eq!(rows(ROLES).count(), TREES.lines().count());
    for (row, line) in rows(ROLES).zip(TREES.lines()) {
        let tree: Tree = line.parse().unwrap();
        let (role, example) = (row[0], row[4]);
        assert_eq!(letters(example), tree.words().collect::<String>());
        let (_, argument) = example.split_once('[').unwrap();
        let (argument, _) = argument.split_once(']').unwrap();
        assert!(has(&tree, role, argument), "{role}: {example} {:?}", relations(&tree));
    }
}

#[test]
fn every_subordinator_gives_its_clause_its_role() {
    for row in rows(SUBORDINATORS) {
        let tree: Tree = format!(
            "( (S (NP-SBJ (PRP They)) (VP (VBD left) (SBAR-ADV (IN {}) (S (NP-SBJ (PRP it)) (VP (VBD rained))))) (. .)))",
            row[0]
        )
        .parse()
        .unwrap();
        assert!(has(&tree, row[1], "rained"), "{row:?} {:?}", relations(&tree));
    }
}

#[test]
fn the_document_has_the_tables() {
    for row in rows(ROLES) {
        let line = format!("| {} | *{}* |", row[0], row[4]);
        assert!(DOCUMENT.contains(&line), "{line}");
    }
    for row in rows(SUBORDINATORS) {
        let line = DOCUMENT
            .lines()
            .find(|line| line.starts_with(&format!("| {} | *", row[1])) && line.contains("*, *"));
        let names = |line: &str| line.contains(&format!("*{}*", row[0]));
        assert!(
            line.is_some_and(names) || DOCUMENT.contains(&format!("| {} | *{}* |", row[1], row[0])),
            "{row:?}"
        );
    }
}
