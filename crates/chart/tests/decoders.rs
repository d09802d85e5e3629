//! Every decoder against enumeration, in every class: the best, the k best, sums, marginals, max-marginals; with one
//! spine a word and with several; with parts forbidden and required.

mod common;

use common::{Random, all_structures, log_sum, scores};
use tracebank_chart::expand::Rules;
use tracebank_chart::reference::Reference;
use tracebank_chart::semiring::{LogSum, Max};
use tracebank_chart::{
    Class, DecodeError, Edge, EdgeKind, Engine, Grammar, Graph, Node, Nodes, Request, Scores, Worker,
};

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

fn close(a: f64, b: f64) -> bool {
    // Two times -∞ are as close as can be, though their difference is no number.
    a.total_cmp(&b).is_eq() || (a - b).abs() < 1e-4 * (1.0 + a.abs())
}

fn has(graph: &Graph, edge: Edge) -> bool {
    graph.edges.contains(&edge)
}

fn every_edge(nodes: &Nodes) -> impl Iterator<Item = Edge> {
    let count = nodes.len() as u32;
    EdgeKind::ALL.into_iter().flat_map(move |kind| {
        (0..count)
            .flat_map(move |from| (0..count).map(move |to| Edge { from: Node(from), to: Node(to), kind }))
    })
}

/// A worker for each engine.
fn workers() -> [Worker; 2] {
    [Engine::Dense, Engine::Sparse].map(|engine| Worker::new().with_engine(engine))
}

/// Compares all decoders of all engines with the structures that enumeration leaves.
fn check(
    workers: &mut [Worker; 2],
    grammar: &Grammar,
    scores: &Scores,
    required: &[Edge],
    all: &[(f64, Graph)],
) {
    for worker in workers {
        check_with(worker, grammar, &Request { scores, required }, all);
    }
}

fn check_with(worker: &mut Worker, grammar: &Grammar, request: &Request<'_>, all: &[(f64, Graph)]) {
    let (class, scores) = (grammar.class(), request.scores);
    assert_eq!(worker.exists(grammar, request), Ok(!all.is_empty()));
    if all.is_empty() {
        assert_eq!(worker.best(grammar, request), Err(DecodeError::NoStructure));
        assert_eq!(worker.log_sum(grammar, request), Err(DecodeError::NoStructure));
        assert_eq!(worker.marginals(grammar, request).map(|m| m.log_total), Err(DecodeError::NoStructure));
        assert!(worker.max_marginals(grammar, request).is_err());
        return;
    }
    assert!(close(worker.best_score(grammar, request).unwrap(), all[0].0), "{class}");
    let best = worker.best(grammar, request).unwrap();
    assert!(close(best.score, all[0].0), "{class}");
    best.derivation.certify(grammar, scores, best.score).unwrap();

    let found = worker.k_best(grammar, request, 7).unwrap();
    assert_eq!(found.len(), all.len().min(7));
    for (parse, (score, _)) in found.iter().zip(all) {
        assert!(close(parse.score, *score), "{class}: {} is not {score}", parse.score);
        assert!(close(parse.graph.score(scores), *score));
        parse.derivation.certify(grammar, scores, parse.score).unwrap();
    }
    let mut different: Vec<&Graph> = found.iter().map(|parse| &parse.graph).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), found.len(), "{class}: the k best are different structures");

    let total = log_sum(all.iter().map(|(score, _)| *score));
    assert!(close(worker.log_sum(grammar, request).unwrap(), total), "{class}");
    let marginals = worker.marginals(grammar, request).unwrap();
    assert!(close(marginals.log_total, total));
    let best_with = worker.max_marginals(grammar, request).unwrap();
    let nodes = scores.nodes();
    for edge in every_edge(nodes) {
        let with = || all.iter().filter(|(_, graph)| has(graph, edge)).map(|(score, _)| *score);
        let share = (log_sum(with()) - total).exp();
        assert!((f64::from(marginals.table[edge]) - share).abs() < 1e-4, "{class} {edge:?}");
        let best = with().fold(f64::NEG_INFINITY, f64::max);
        assert!(close(f64::from(best_with[edge]), best), "{class} {edge:?}: {} {best}", best_with[edge]);
    }
    for spine in (0..nodes.len() as u32 - 1).map(Node) {
        let with = || all.iter().filter(|(_, graph)| graph.spines.contains(&spine)).map(|(score, _)| *score);
        let share = (log_sum(with()) - total).exp();
        assert!((f64::from(marginals.table[spine]) - share).abs() < 1e-4, "{class} {spine:?}");
        assert!(
            close(f64::from(best_with[spine]), with().fold(f64::NEG_INFINITY, f64::max)),
            "{class} {spine:?}"
        );
    }
}

#[test]
fn decoders_equal_enumeration_in_every_class() {
    let (mut random, mut workers) = (Random(1), workers());
    for class in Class::ALL {
        for (spines, forbidden) in cases(class) {
            let scores = scores(&mut random, &spines, forbidden);
            check(&mut workers, &Grammar::of(class), &scores, &[], &all_structures(class, &scores));
        }
    }
}

#[test]
#[ignore = "slow: every structure over five words with a structural tree"]
fn decoders_equal_enumeration_over_five_words_with_a_structural_tree() {
    let (mut random, mut workers) = (Random(6), workers());
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    for forbidden in [0, 30, 60] {
        let mut scores = scores(&mut random, &[1; 5], forbidden);
        scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
        check(&mut workers, &Grammar::of(class), &scores, &[], &all_structures(class, &scores));
    }
}

/// The root has one structural child, and required parts are there as well.
#[test]
fn the_root_has_one_child_where_that_is_asked_for() {
    let (mut random, mut workers) = (Random(7), workers());
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
            check(&mut workers, &grammar, &scores, &[], &all);
            let possible: Vec<Edge> = every_edge(scores.nodes())
                .filter(|&edge| all.iter().any(|(_, graph)| has(graph, edge)))
                .collect();
            if let Some(&edge) = possible.get(random.next() as usize % possible.len().max(1)) {
                all.retain(|(_, graph)| {
                    has(graph, edge)
                        || (edge.kind == EdgeKind::Trace && has(graph, Edge { kind: EdgeKind::Both, ..edge }))
                });
                check(&mut workers, &grammar, &scores, &[edge], &all);
            }
        }
    }
}

#[test]
fn required_parts_are_there() {
    let (mut random, mut workers) = (Random(2), workers());
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
                check(&mut workers, &Grammar::of(class), &scores, &required, &all);
            }
        }
    }
}

/// The fast engine and the plain interpreter, up to twelve words.
#[test]
fn the_fast_engine_equals_the_reference() {
    let (mut random, mut workers) = (Random(3), workers());
    for class in Class::ALL {
        let (rules, grammar) = (Rules::expand(class).trim(), Grammar::of(class));
        for (words, forbidden) in [(2, 0), (6, 20), (7, 50), (9, 0), (12, 70)] {
            if words > 9 && class.structural {
                continue;
            }
            let spines: Vec<usize> =
                (0..words).map(|word| if words < 7 { 1 + word % 2 } else { 1 }).collect();
            let scores = scores(&mut random, &spines, forbidden);
            compare(&mut workers, &rules, &grammar, &scores);
        }
    }
}

#[test]
#[ignore = "slow: the plain interpreter over twelve words with a structural tree, minutes without optimisation"]
fn the_fast_engine_equals_the_reference_with_a_structural_tree() {
    let (mut random, mut workers) = (Random(4), workers());
    let class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    let (rules, grammar) = (Rules::expand(class).trim(), Grammar::of(class));
    for forbidden in [0, 30, 60, 90] {
        let scores = scores(&mut random, &[1; 12], forbidden);
        compare(&mut workers, &rules, &grammar, &scores);
    }
}

fn compare(workers: &mut [Worker; 2], rules: &Rules, grammar: &Grammar, scores: &Scores) {
    let request = Request::new(scores);
    let class = grammar.class();
    let expected = f64::from(Reference::inside(rules, Max, scores).total());
    let expected_sum = Reference::inside(rules, LogSum, scores).total();
    for worker in workers {
        let best = worker.best(grammar, &request);
        assert!(close(best.as_ref().map_or(f64::NEG_INFINITY, |parse| parse.score), expected), "{class}");
        if let Ok(parse) = best {
            parse.derivation.certify(grammar, scores, parse.score).unwrap();
        }
        let sum = worker.log_sum(grammar, &request).unwrap_or(f64::NEG_INFINITY);
        assert!(close(sum, expected_sum), "{class}");
    }
}

/// Blocks of lanes end in the middle of words that have several spines.
#[test]
fn the_engines_agree_where_words_have_several_spines() {
    let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
    let [mut dense, mut sparse] = workers();
    for (seed, spines) in [(1, vec![2; 9]), (2, vec![3; 7]), (3, vec![1, 4, 2, 3, 5, 1, 2, 3])] {
        let scores = scores(&mut Random(seed), &spines, 40);
        let request = Request::new(&scores);
        let best = [&mut dense, &mut sparse].map(|worker| worker.best_score(&grammar, &request).unwrap());
        assert!(close(best[0], best[1]), "{spines:?}: {best:?}");
        let sums = [&mut dense, &mut sparse].map(|worker| worker.marginals(&grammar, &request).unwrap());
        assert!(close(sums[0].log_total, sums[1].log_total), "{spines:?}");
        for (a, b) in sums[0].table.spines().iter().zip(sums[1].table.spines()) {
            assert!((a - b).abs() < 1e-4, "{spines:?}: {a} and {b}");
        }
    }
}

/// Sums in short numbers, in long ones and in logarithms: which of them are used depends on how far apart scores are.
#[test]
fn marginals_are_the_same_however_large_the_scores() {
    for class in [Class::ONE_ENDPOINT_GRAPH, Class::ONE_ENDPOINT_GRAPH.with_structural_tree()] {
        let grammar = Grammar::of(class);
        let [mut dense, mut sparse] = workers();
        for (seed, (factor, more)) in
            [(1.0, 0.0), (1.0, -4.0), (1.0, 12.0), (6.0, 0.0), (60.0, 0.0), (900.0, 0.0)]
                .into_iter()
                .enumerate()
        {
            let mut scores = tracebank_chart::verify::random_scores(
                Nodes::new([1, 2, 1, 1, 1, 2, 1, 1, 1, 1]),
                seed as u64,
            );
            for kind in EdgeKind::ALL {
                scores.edges_mut(kind).iter_mut().for_each(|score| *score = *score * factor + more);
            }
            let request = Request::new(&scores);
            let [a, b] =
                [&mut dense, &mut sparse].map(|worker| worker.marginals(&grammar, &request).unwrap());
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

#[test]
fn odd_inputs_behave() {
    let mut worker = Worker::new();
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
        assert_eq!(first, Worker::new().best(&grammar, &Request::new(&ties)).unwrap());
        // Scores far beyond what exp can hold.
        let huge = Scores::new(Nodes::single(4), -5000.0);
        let expected = log_sum(all_structures(class, &huge).iter().map(|(score, _)| *score));
        assert!(close(worker.log_sum(&grammar, &Request::new(&huge)).unwrap(), expected), "{class}");
        assert!(worker.marginals(&grammar, &Request::new(&huge)).is_ok());
    }
    let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH);
    let long = Scores::new(Nodes::single(40), 0.0);
    let refused = Worker::with_limit(1 << 20).best(&grammar, &Request::new(&long));
    assert!(matches!(refused, Err(DecodeError::TooLong { nodes: 41, .. })), "{refused:?}");
}
