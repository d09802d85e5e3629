//! The reviewed relations of `treebank/relations/reviewed.txt`: precision and recall from their gold trees, by role.

#![allow(clippy::print_stdout)] // figures are shown with --nocapture

use std::collections::BTreeMap;

use tracebank_relations::relations;
use tracebank_syntax::tree::Tree;

/// An argument as it is compared: the predicate's token, the role and the words.
type Fact = (usize, String, String);

/// The facts of a line: `7 earned  subject=we  object=wages (of)`. What stands in brackets is not compared.
fn facts(line: &str) -> Vec<Fact> {
    let mut parts = line.split("  ");
    let token: usize = parts.next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let fact = |part: &str| {
        let (role, words) = part.split_once('=').unwrap_or_else(|| panic!("a role in {line}"));
        let words = words
            .strip_suffix(')')
            .and_then(|words| words.rsplit_once(" ("))
            .map_or(words, |(words, _)| words);
        (token, role.to_owned(), words.to_owned())
    };
    parts.map(fact).collect()
}

#[derive(Default)]
struct Counts {
    found: u32,
    wanted: u32,
    right: u32,
}

#[test]
fn the_reviewed_set_is_found() {
    let text = std::fs::read_to_string(tracebank_testdata::free("relations/reviewed.txt")).unwrap();
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    let (mut sentences, mut predicates) = (0, Counts::default());
    for block in text.trim().split("\n\n") {
        let mut lines = block.lines().skip(1);
        let tree: Tree = lines.next().unwrap().parse().unwrap();
        let lines: Vec<&str> = lines.collect();
        let wanted: Vec<Fact> = lines.iter().flat_map(|line| facts(line)).collect();
        let relations = relations(&tree);
        let shown = relations
            .iter()
            .map(|relation| format!("{} {}", relation.predicate.token, relation.to_text(&tree)));
        let mut found: Vec<Fact> = shown.flat_map(|line| facts(&line)).collect();
        let tokens = |line: &&str| line.split(' ').next().unwrap().parse::<usize>().unwrap();
        let reviewed: Vec<usize> = lines.iter().map(tokens).collect();
        predicates.wanted += reviewed.len() as u32;
        predicates.found += relations.len() as u32;
        predicates.right +=
            relations.iter().filter(|relation| reviewed.contains(&relation.predicate.token)).count() as u32;
        sentences += 1;
        for fact in &found {
            counts.entry(fact.1.clone()).or_default().found += 1;
        }
        for fact in wanted {
            let count = counts.entry(fact.1.clone()).or_default();
            count.wanted += 1;
            if let Some(at) = found.iter().position(|other| *other == fact) {
                found.swap_remove(at);
                count.right += 1;
            }
        }
    }
    let (mut found, mut wanted, mut right) = (0, 0, 0);
    println!("{:14} {:>6} {:>6} {:>9} {:>9}", "role", "found", "gold", "precision", "recall");
    let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    for (role, count) in &counts {
        let (precision, recall) = (percent(count.right, count.found), percent(count.right, count.wanted));
        println!("{role:14} {:6} {:6} {precision:9.1} {recall:9.1}", count.found, count.wanted);
        found += count.found;
        wanted += count.wanted;
        right += count.right;
    }
    let (precision, recall) = (percent(right, found), percent(right, wanted));
    println!("{:14} {found:6} {wanted:6} {precision:9.1} {recall:9.1}", "all");
    println!(
        "{sentences} sentences; predicates {} found, {} gold, {} right",
        predicates.found, predicates.wanted, predicates.right
    );
    assert!(sentences >= 200);
    assert!(precision > 93.0 && recall > 93.0, "precision {precision:.1}, recall {recall:.1}");
}
