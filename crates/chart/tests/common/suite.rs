//! Cases that every engine must pass, written once: enumeration, demands, the plain interpreter, odd inputs. The file that
//! includes this one says which engine is [`Tested`](super::Tested).

use tracebank_chart::expand::Rules;
use tracebank_chart::{
    Class, DecodeError, Edge, EdgeKind, Grammar, Graph, Node, Nodes, Request, Scores, Worker,
};

use super::Tested;
use super::common::{Random, all_structures, check, close, compare, every_edge, has, log_sum, scores};

fn new_worker() -> Worker<Tested> {
    Worker::default()
}

fn limited(limit: usize) -> Worker<Tested> {
    Worker::with_limit(limit)
}

/// Spines for each word, and the percentage of parts forbidden. The larger classes are kept to what takes seconds.
fn cases(class: Class) -> Vec<(Vec<usize>, u64)> {
    let mut cases = vec![
        (vec![1], 0),
        (vec![2], 0),
        (vec![1, 1], 0),
        (vec![2, 1], 20),
        (vec![1, 3], 0),
        (vec![1, 1, 1], 0),
        (vec![2, 1, 2], 10),
        (vec![1, 1, 1, 1], 0),
        (vec![1, 1, 1, 1], 30),
        (vec![1, 1, 1, 1], 60),
        (vec![1, 1, 1, 1], 90),
    ];
    if !class.structural {
        cases.push((vec![1, 2, 1, 1], 0));
        cases.push((vec![1; 5], 40));
    }
    cases
}

#[test]
fn decoders_equal_enumeration_in_every_class() {
    let (mut random, mut worker) = (Random::new(1), new_worker());
    for class in Class::ALL {
        for (spines, forbidden) in cases(class) {
            let scores = scores(&mut random, &spines, forbidden);
            let all = all_structures(class, &scores);
            check(&mut worker, &Grammar::of(class), &Request::new(&scores), &all);
        }
    }
}

#[test]
#[ignore = "slow: every structure over five words with a structural tree"]
fn decoders_equal_enumeration_over_five_words_with_a_structural_tree() {
    let (mut random, mut worker) = (Random::new(6), new_worker());
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    for forbidden in [0, 30, 60] {
        let mut scores = scores(&mut random, &[1; 5], forbidden);
        scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
        let all = all_structures(class, &scores);
        check(&mut worker, &Grammar::of(class), &Request::new(&scores), &all);
    }
}

/// The root has one structural child, and required parts are there as well.
#[test]
fn the_root_has_one_child_where_that_is_asked_for() {
    let (mut random, mut worker) = (Random::new(7), new_worker());
    for class in Class::ALL {
        let grammar = Grammar::of(class).with_single_root();
        for (spines, forbidden) in
            [(vec![], 0), (vec![1], 0), (vec![1, 2, 1], 0), (vec![1; 4], 0), (vec![1; 4], 50)]
        {
            let scores = scores(&mut random, &spines, forbidden);
            let root = scores.nodes().root();
            let mut all = all_structures(class, &scores);
            all.retain(|(_, graph)| {
                let of_root = |edge: &&Edge| edge.from == root || edge.to == root;
                let children = graph.edges.iter().filter(of_root);
                children.filter(|edge| edge.kind != EdgeKind::Trace).count() == 1 || spines.is_empty()
            });
            check(&mut worker, &grammar, &Request::new(&scores), &all);
            let possible: Vec<Edge> = every_edge(scores.nodes())
                .filter(|&edge| all.iter().any(|(_, graph)| has(graph, edge)))
                .collect();
            if let Some(&edge) = possible.get(random.next() as usize % possible.len().max(1)) {
                all.retain(|(_, graph)| {
                    has(graph, edge)
                        || (edge.kind == EdgeKind::Trace && has(graph, Edge { kind: EdgeKind::Both, ..edge }))
                });
                check(&mut worker, &grammar, &Request { scores: &scores, required: &[edge] }, &all);
            }
        }
    }
}

#[test]
fn required_parts_are_there() {
    let (mut random, mut worker) = (Random::new(2), new_worker());
    for class in Class::ALL {
        for spines in [vec![1, 1], vec![1, 1, 1], vec![1, 2, 1], vec![1, 1, 1, 1]] {
            let mut scores = scores(&mut random, &spines, 10);
            scores.require_spine(Node(1));
            let possible: Vec<Edge> =
                every_edge(scores.nodes()).filter(|&edge| scores[edge].is_finite()).collect();
            for wanted in 1..=2 {
                let mut required: Vec<Edge> =
                    (0..wanted).map(|_| possible[random.next() as usize % possible.len()]).collect();
                required.sort_unstable();
                required.dedup();
                let mut all = all_structures(class, &scores);
                all.retain(|(_, graph)| {
                    required.iter().all(|&edge| {
                        let beside = Edge { kind: EdgeKind::Both, ..edge };
                        has(graph, edge) || (edge.kind == EdgeKind::Trace && has(graph, beside))
                    })
                });
                check(
                    &mut worker,
                    &Grammar::of(class),
                    &Request { scores: &scores, required: &required },
                    &all,
                );
            }
        }
    }
}

/// The engine and the plain interpreter, up to twelve words.
#[test]
fn the_engine_equals_the_reference() {
    let (mut random, mut worker) = (Random::new(3), new_worker());
    for class in Class::ALL {
        let (rules, grammar) = (Rules::expand(class).trim(), Grammar::of(class));
        for (words, forbidden) in [(2, 0), (6, 20), (7, 50), (9, 0), (12, 70)] {
            if words > 9 && class.structural {
                continue;
            }
            let spines: Vec<usize> =
                (0..words).map(|word| if words < 7 { 1 + word % 2 } else { 1 }).collect();
            let scores = scores(&mut random, &spines, forbidden);
            compare(&mut worker, &rules, &grammar, &scores);
        }
    }
}

#[test]
#[ignore = "slow: the plain interpreter over twelve words with a structural tree, minutes without optimisation"]
fn the_engine_equals_the_reference_with_a_structural_tree() {
    let (mut random, mut worker) = (Random::new(4), new_worker());
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    let (rules, grammar) = (Rules::expand(class).trim(), Grammar::of(class));
    for forbidden in [0, 30, 60, 90] {
        let scores = scores(&mut random, &[1; 12], forbidden);
        compare(&mut worker, &rules, &grammar, &scores);
    }
}

#[test]
fn odd_inputs_behave() {
    let mut worker = new_worker();
    for class in Class::ALL {
        let grammar = Grammar::of(class);
        // No words: the empty structure.
        let none = Scores::new(Nodes::single(0), 0.0);
        let parse = worker.best(&grammar, &Request::new(&none)).unwrap();
        assert_eq!(parse.graph, Graph::default());
        assert!(close(parse.score, 0.0));
        assert_eq!(worker.log_sum(&grammar, &Request::new(&none)), Ok(0.0));
        assert!(worker.marginals(&grammar, &Request::new(&none)).is_ok());
        // A word without a spine, and everything forbidden.
        let gap = Scores::new(Nodes::new([1, 0, 1]), 0.0);
        assert_eq!(worker.best(&grammar, &Request::new(&gap)), Err(DecodeError::NoStructure));
        let forbidden = Scores::new(Nodes::single(3), f32::NEG_INFINITY);
        assert_eq!(worker.best(&grammar, &Request::new(&forbidden)), Err(DecodeError::NoStructure));
        let nonsense = Scores::new(Nodes::single(3), f32::NAN);
        assert_eq!(worker.best(&grammar, &Request::new(&nonsense)), Err(DecodeError::NoStructure));
        // Ties: one of the best, and the same every time.
        let ties = Scores::new(Nodes::single(6), 0.0);
        let first = worker.best(&grammar, &Request::new(&ties)).unwrap();
        assert_eq!(first, new_worker().best(&grammar, &Request::new(&ties)).unwrap());
        // Scores far beyond what exp can hold.
        let huge = Scores::new(Nodes::single(4), -5000.0);
        let expected = log_sum(all_structures(class, &huge).iter().map(|(score, _)| *score));
        assert!(close(worker.log_sum(&grammar, &Request::new(&huge)).unwrap(), expected), "{class}");
        assert!(worker.marginals(&grammar, &Request::new(&huge)).is_ok());
    }
    let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH);
    let long = Scores::new(Nodes::single(40), 0.0);
    let refused = limited(1 << 20).best(&grammar, &Request::new(&long));
    assert!(matches!(refused, Err(DecodeError::TooLong { nodes: 41, .. })), "{refused:?}");
}
