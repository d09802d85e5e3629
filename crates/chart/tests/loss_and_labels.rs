//! Losses and labels folded into part scores, against enumeration.

mod common;

use common::{Random, all_structures, log_sum, scores};
use tracebank_chart::label::Labels;
use tracebank_chart::loss::{EdgeLoss, Loss};
use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Graph, Node, Nodes, Request, Scores, Worker};

#[test]
fn the_augmented_best_maximises_score_plus_loss() {
    let (mut random, mut worker) = (Random(6), Worker::new());
    let loss = Loss {
        spine: 0.7,
        structural: EdgeLoss { extra: 0.9, missing: 0.4, different: 1.7 },
        trace: EdgeLoss { extra: 0.3, missing: 1.1, different: 0.8 },
    };
    for class in [Class::ONE_ENDPOINT_GRAPH, Class::ONE_ENDPOINT_GRAPH.with_structural_tree()] {
        for spines in [vec![1, 2], vec![2, 1, 2], vec![1, 1, 1, 1]] {
            let scores = scores(&mut random, &spines, 10);
            let all = all_structures(class, &scores);
            let gold = &all[random.next() as usize % all.len()].1;
            let augmented = loss.augment(&scores, gold);
            let nodes = scores.nodes();
            let value = |graph: &Graph| graph.score(&scores) + loss.between(nodes, graph, gold);
            for (_, graph) in all.iter().step_by(1 + all.len() / 200) {
                let difference = graph.score(&augmented.scores) + augmented.constant - value(graph);
                assert!(difference.abs() < 1e-4, "{class} {graph:?} {difference}");
            }
            let best = all.iter().map(|(_, graph)| value(graph)).fold(f64::NEG_INFINITY, f64::max);
            let parse = worker.best(&Grammar::of(class), &Request::new(&augmented.scores)).unwrap();
            assert!((parse.score + augmented.constant - best).abs() < 1e-4);
        }
    }
}

#[test]
fn labels_sum_and_spread() {
    let (mut random, mut worker) = (Random(7), Worker::new());
    let (class, nodes, count) = (Class::PROJECTIVE_TREE, Nodes::single(3), 3);
    let mut labels = Labels::new(nodes.clone(), EdgeKind::Structural, count, 0.0);
    for from in (0..4).map(Node) {
        for to in (0..4).map(Node) {
            labels.of_mut(from, to).fill_with(|| random.score());
        }
    }
    let mut scores = Scores::new(nodes.clone(), 0.0);
    labels.sum_into(&mut scores);
    let marginals = worker.marginals(&Grammar::of(class), &Request::new(&scores)).unwrap();
    let spread = labels.spread(&marginals.table);
    let all = all_structures(class, &scores);
    let total = log_sum(all.iter().map(|(score, _)| *score));
    for from in (0..4).map(Node) {
        for to in (0..4).map(Node) {
            let edge = Edge { from, to, kind: EdgeKind::Structural };
            for label in 0..count {
                let with = all.iter().filter(|(_, graph)| graph.edges.contains(&edge));
                let rescored = with.map(|(score, _)| {
                    score - f64::from(scores[edge]) + f64::from(labels.of(from, to)[label])
                });
                let share = (log_sum(rescored) - total).exp();
                assert!((f64::from(spread.of(from, to)[label]) - share).abs() < 1e-4);
            }
        }
    }
    labels.best_into(&mut scores);
    let parse = worker.best(&Grammar::of(class), &Request::new(&scores)).unwrap();
    for edge in parse.graph.edges {
        let best = labels.best(edge.from, edge.to).unwrap();
        assert!((labels.of(edge.from, edge.to)[best] - scores[edge]).abs() < 1e-6);
    }
}
