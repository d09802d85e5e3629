//! The dense engine against enumeration, the plain interpreter and the engine of a parse. With the feature `jit` the maps run as
//! machine code, without it as loops; the tests are the same.

#[path = "../../chart/tests/common/mod.rs"]
mod common;
#[path = "../../chart/tests/common/suite.rs"]
mod suite;

use common::{Random, close, every_edge, scores};
use tracebank_chart::{Class, EdgeKind, Grammar, Nodes, Request, Worker as Sparse};
use tracebank_chart_dense::{Dense as Tested, Worker, random_scores};

/// Blocks of lanes end in the middle of words that have several spines.
#[test]
fn the_engines_agree_where_words_have_several_spines() {
    let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
    let (mut dense, mut sparse) = (Worker::default(), Sparse::new());
    for (seed, spines) in [(1, vec![2; 9]), (2, vec![3; 7]), (3, vec![1, 4, 2, 3, 5, 1, 2, 3])] {
        let scores = scores(&mut Random::new(seed), &spines, 40);
        let request = Request::new(&scores);
        let best =
            [dense.best_score(&grammar, &request), sparse.best_score(&grammar, &request)].map(Result::unwrap);
        assert!(close(best[0], best[1]), "{spines:?}: {best:?}");
        let sums =
            [dense.marginals(&grammar, &request), sparse.marginals(&grammar, &request)].map(Result::unwrap);
        assert!(close(sums[0].log_total, sums[1].log_total), "{spines:?}");
        for (a, b) in sums[0].table.spines().iter().zip(sums[1].table.spines()) {
            assert!((a - b).abs() < 1e-4, "{spines:?}: {a} and {b}");
        }
    }
}

/// Sums in short numbers, in long ones and in logarithms: which of them are used depends on how far apart scores are.
#[test]
fn marginals_are_the_same_however_large_the_scores() {
    let graph = Class::ONE_ENDPOINT_GRAPH;
    for class in [Class::PROJECTIVE_TREE, graph, graph.with_structural_tree()] {
        let grammar = Grammar::of(class);
        let (mut dense, mut sparse) = (Worker::default(), Sparse::new());
        for (seed, (factor, more)) in
            [(1.0, 0.0), (1.0, -4.0), (1.0, 12.0), (6.0, 0.0), (60.0, 0.0), (900.0, 0.0)]
                .into_iter()
                .enumerate()
        {
            let mut scores = random_scores(Nodes::new([1, 2, 1, 1, 1, 2, 1, 1, 1, 1]), seed as u64);
            for kind in EdgeKind::ALL {
                scores.edges_mut(kind).iter_mut().for_each(|score| *score = *score * factor + more);
            }
            let request = Request::new(&scores);
            let [a, b] = [dense.marginals(&grammar, &request), sparse.marginals(&grammar, &request)]
                .map(Result::unwrap);
            assert!(
                close(a.log_total, b.log_total),
                "{class}, {factor}: {} and {}",
                a.log_total,
                b.log_total
            );
            for edge in every_edge(scores.nodes()) {
                let (a, b) = (a.table[edge], b.table[edge]);
                assert!((a - b).abs() < 1e-4, "{class}, {factor}, {edge:?}: {a} and {b}");
            }
        }
    }
}

/// Trees have a program of their own in the engine of a parse; ties are broken alike.
#[test]
fn the_engines_give_the_same_trees() {
    let grammar = Grammar::of(Class::PROJECTIVE_TREE);
    let (mut random, mut dense, mut sparse) = (Random::new(9), Worker::default(), Sparse::new());
    for round in 0..200 {
        let spines: Vec<usize> = (0..=round % 12).map(|_| 1 + random.next() as usize % 3).collect();
        let mut scores = scores(&mut random, &spines, [0, 30, 60][round % 3]);
        // Scores of one bit, so that most sentences have several best trees.
        let coarse = |score: f32| if score.is_finite() { f32::from(i8::from(score > 0.0)) } else { score };
        if round % 2 == 0 {
            scores = scores.map(coarse);
        }
        let request = Request::new(&scores);
        assert_eq!(dense.best(&grammar, &request), sparse.best(&grammar, &request), "{spines:?}");
        let [a, b] = [dense.max_marginals(&grammar, &request), sparse.max_marginals(&grammar, &request)];
        match (a, b) {
            (Ok(a), Ok(b)) => {
                let close = |(a, b): (&f32, &f32)| close(f64::from(*a), f64::from(*b));
                let kind = EdgeKind::Structural;
                assert!(a.spines().iter().zip(b.spines()).all(close), "{spines:?}");
                assert!(a.edges(kind).iter().zip(b.edges(kind)).all(close), "{spines:?}");
            }
            (a, b) => assert_eq!(a.err(), b.err()),
        }
    }
}
