//! Every structure of a class has one derivation, which gives it back; everything else is refused.

mod common;

use common::Random;
use tracebank_chart::decompose::{RuleUse, Stopped, decompose, graph_of};
use tracebank_chart::derivation::How;
use tracebank_chart::expand::Rules;
use tracebank_chart::{
    Class, Derivation, Edge, EdgeKind, Grammar, Graph, Node, Nodes, Scores, Worker, exhaustive, explain,
    rule_file,
};

fn decompose_all(class: Class, words: usize) {
    let (grammar, nodes) = (Grammar::of(class), Nodes::single(words));
    let mut worker = Worker::new();
    exhaustive::structures(class, words, |graph| {
        let derivation = decompose(&mut worker, &grammar, &nodes, graph).unwrap();
        assert_eq!(derivation.graph(), *graph);
        let scores = Scores::new(nodes.clone(), 1.0);
        derivation.certify(&grammar, &scores, graph.score(&scores)).unwrap();
        external_edges_are_crossed(&derivation, graph);
    });
}

/// The property by which the forest leaves most edges to external vertices out.
fn external_edges_are_crossed(derivation: &Derivation, graph: &Graph) {
    let span = |edge: &Edge| (edge.from.min(edge.to), edge.from.max(edge.to));
    for step in &derivation.steps {
        let How::Edge { edge, .. } = &step.how else { continue };
        if step.item.external.is_some_and(|x| x == edge.from || x == edge.to) {
            let (left, right) = span(edge);
            let crosses = |other: &Edge| {
                let (first, last) = span(other);
                (first < left && left < last && last < right)
                    || (left < first && first < right && right < last)
            };
            assert!(graph.edges.iter().any(crosses), "{edge:?} of {graph:?}");
        }
    }
}

#[test]
fn every_structure_is_decomposed_and_rebuilt() {
    for class in Class::ALL {
        for words in 1..=if class.structural { 3 } else { 4 } {
            decompose_all(class, words);
        }
    }
}

#[test]
#[ignore = "slow: all structures over five words, about a minute with optimisation"]
fn every_structure_over_five_words_is_decomposed_and_rebuilt() {
    for class in Class::PLAIN {
        decompose_all(class, 5);
    }
    decompose_all(Class::ONE_ENDPOINT_GRAPH.with_structural_tree(), 4);
}

/// All graphs over three words, and a sample over four, in each class: derived exactly if the definitions say so.
#[test]
fn every_graph_outside_is_refused() {
    let (mut random, mut worker) = (Random::new(5), Worker::new());
    for class in Class::ALL {
        let grammar = Grammar::of(class);
        for (words, every) in [(2, 1), (3, 1), (4, 400)] {
            let nodes = Nodes::single(words);
            let pairs: Vec<(usize, usize)> = (0..=words).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
            let options = if class.structural {
                5
            } else if class.directed {
                3
            } else {
                2
            };
            for number in 0..(options as u64).pow(pairs.len() as u32) {
                if every > 1 && random.next() % every != 0 {
                    continue;
                }
                let mut rest = number;
                let graph = graph_of(
                    words,
                    pairs.iter().filter_map(|&(i, j)| {
                        let choice = (rest % options as u64) as usize;
                        rest /= options as u64;
                        let (from, to) = if choice % 2 == 1 { (i, j) } else { (j, i) };
                        let kind = if choice > 2 { EdgeKind::Trace } else { EdgeKind::Structural };
                        (choice > 0).then_some(Edge { from: Node(from as u32), to: Node(to as u32), kind })
                    }),
                );
                let inside = graph.check(&nodes, class);
                match decompose(&mut worker, &grammar, &nodes, &graph) {
                    Ok(derivation) => {
                        assert_eq!(inside, Ok(()), "{class} {graph:?}");
                        assert_eq!(derivation.graph(), graph);
                    }
                    Err(Stopped::Outside { reason, edges }) => {
                        assert_eq!(inside, Err(reason));
                        if !edges.is_empty() {
                            let rest = graph.edges.iter().filter(|edge| !edges.contains(edge)).copied();
                            assert!(graph_of(words, rest).check(&nodes, class).is_ok(), "{class} {graph:?}");
                        }
                    }
                    Err(other) => panic!("{class} {graph:?}: {other}"),
                }
            }
        }
    }
}

/// The paper's example: "We like running ." with the root at the end.
fn example() -> Graph {
    let edge = |from, to, kind| Edge { from: Node(from), to: Node(to), kind };
    let structural = [(4, 1), (1, 0), (1, 2), (1, 3)].map(|(from, to)| edge(from, to, EdgeKind::Structural));
    graph_of(4, structural.into_iter().chain([edge(2, 0, EdgeKind::Trace)]))
}

#[test]
fn the_example_of_the_paper_is_derived_as_the_readme_says() {
    let (grammar, nodes) = (Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree()), Nodes::single(4));
    let derivation = decompose(&mut Worker::new(), &grammar, &nodes, &example()).unwrap();
    let steps = explain::derivation(&grammar, &derivation);
    for line in steps.lines() {
        assert!(include_str!("../README.md").contains(line), "the README lacks {line:?} of\n{steps}");
    }
}

#[test]
fn restricted_rules_derive_what_they_were_taken_from() {
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    let (grammar, nodes, mut worker) = (Grammar::of(class), Nodes::single(4), Worker::new());
    let derivation = decompose(&mut worker, &grammar, &nodes, &example()).unwrap();
    let mut uses = RuleUse::new(&grammar);
    uses.add(&derivation);
    let (combinations, edges) = uses.used();
    assert!(combinations > 0 && edges > 0);
    let small = Grammar::new(&uses.restrict(&grammar, 1));
    assert_eq!((small.rules().combinations.len(), small.rules().edges.len()), (combinations, edges));
    let again = decompose(&mut worker, &small, &nodes, &example()).unwrap();
    assert_eq!(again.graph(), example());
    // A flat tree needs rules the example did not use.
    let flat = graph_of(4, (0..4).map(|to| Edge { from: Node(4), to: Node(to), kind: EdgeKind::Structural }));
    assert!(matches!(decompose(&mut worker, &small, &nodes, &flat), Err(Stopped::Rules { .. })));
    // What one treebank has not used, another may need.
    let others = decompose(&mut worker, &grammar, &nodes, &flat).unwrap();
    let (combinations, edge_rules) = uses.lacking(&others);
    assert!(!combinations.is_empty() && uses.lacking(&derivation) == (vec![], vec![]));
    uses.add(&others);
    assert_eq!(
        uses.used(),
        (combinations.len() + small.rules().combinations.len(), edges + edge_rules.len())
    );
}

#[test]
fn rules_come_back_from_their_file() {
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    let (grammar, nodes, mut worker) = (Grammar::of(class), Nodes::single(4), Worker::new());
    let mut uses = RuleUse::new(&grammar);
    uses.add(&decompose(&mut worker, &grammar, &nodes, &example()).unwrap());
    let text = format!("# why\n\n{}", rule_file::write(grammar.rules(), &uses));
    assert_eq!(text.matches("\t(edge) ").count(), uses.used().1);
    // From all rules, and from the trimmed ones, which are numbered otherwise.
    for all in [&Rules::expand(class), grammar.rules()] {
        let read = all.restricted_to(&text).unwrap();
        let small = Grammar::new(&read);
        assert_eq!(explain::digest(small.rules()), explain::digest(&uses.restrict(&grammar, 1).trim()));
        assert_eq!(decompose(&mut worker, &small, &nodes, &example()).unwrap().graph(), example());
    }
    let bad = |text: &str| grammar.rules().restricted_to(text).unwrap_err().to_string();
    assert!(bad("").contains("`class`") && bad("4\t(2)\n").contains("`class`"));
    assert!(bad("class tree\n").starts_with("line 1: \"tree\" is no class"));
    assert!(bad("class projective-tree\n").contains("projective-tree, not of 1ec-graph+structural"));
    assert_eq!(bad("class 1ec-graph+structural\n#\n(2) I\n"), "line 3: a line is a count, a tab and a rule");
    let unknown = bad("class 1ec-graph+structural\n1\t(2) I[lr nn] <- I[lr nn]\n");
    assert_eq!(unknown, "line 2: \"(2) I[lr nn] <- I[lr nn]\" is no rule of the class 1ec-graph+structural");
}
