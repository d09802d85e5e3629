//! The enhanced graph, one tree a kind of edge.
//!
//! The trees are in `enhanced.txt`, their words in `enhanced.expected.txt`: each with its governor and relation in the basic tree, and its edges in the
//! enhanced graph where they are others.

use std::fmt::Write as _;

use tracebank_relations::ud;

const CASES: &str = include_str!("enhanced.txt");
const EXPECTED: &str = include_str!("enhanced.expected.txt");

#[test]
fn every_kind_of_edge_is_there() {
    let mut shown = String::new();
    for block in CASES.trim().split("\n\n") {
        let (title, tree) = block.split_once('\n').unwrap();
        writeln!(shown, "{title}").unwrap();
        for token in ud::convert(&tree.parse().unwrap()) {
            let edge = |(head, label): &(usize, String)| format!("{head}:{label}");
            let (basic, deps) = (edge(&(token.head, token.deprel)), token.deps.iter().map(edge));
            let deps = deps.collect::<Vec<_>>().join(" ");
            let enhanced = if deps == basic { String::new() } else { format!("  → {deps}") };
            writeln!(shown, "{} {basic}{enhanced}", token.form).unwrap();
        }
        shown.push('\n');
    }
    assert!(shown.trim() == EXPECTED.trim(), "{shown}");
}
