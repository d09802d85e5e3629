//! Tools that the tests of this crate and of `tracebank-chart-dense` share: random scores, every structure of a class with its
//! score, and the comparison of all that a worker answers with those structures.

#![allow(dead_code, reason = "each test file uses a part of it")]

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_chart::engine::Engine;
use tracebank_chart::expand::Rules;
use tracebank_chart::reference::Reference;
use tracebank_chart::semiring::{LogSum, Max};
use tracebank_chart::{
    Class, DecodeError, Edge, EdgeKind, Grammar, Graph, Node, Nodes, Request, Scores, Worker, exhaustive,
};

/// A small random number generator, alike everywhere.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Between -2 and 2.
    pub(crate) fn score(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 22) as f32 - 2.0
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// Random scores; `forbidden` percent of the parts are forbidden.
pub(crate) fn scores(random: &mut Random, spines: &[usize], forbidden: u64) -> Scores {
    let mut scores = Scores::new(Nodes::new(spines.iter().copied()), 0.0);
    let draw = |random: &mut Random| {
        let score = random.score();
        if random.chance(forbidden) { f32::NEG_INFINITY } else { score }
    };
    for kind in EdgeKind::ALL {
        scores.edges_mut(kind).iter_mut().for_each(|score| *score = draw(random));
    }
    for score in scores.spines_mut() {
        *score = random.score();
    }
    scores
}

/// Every structure of the class over these nodes, with its score: each choice of spines, and with a structural tree each
/// choice of structural edges that have a trace edge beside them.
pub(crate) fn all_structures(class: Class, scores: &Scores) -> Vec<(f64, Graph)> {
    let nodes = scores.nodes();
    let mut choices: Vec<Vec<Node>> = vec![Vec::new()];
    for word in 0..nodes.words() {
        let longer = |choice: &Vec<Node>| {
            let choice = choice.clone();
            nodes
                .of_word(word)
                .map(move |node| [choice.clone(), vec![Node(node as u32)]].concat())
                .collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    let mut all = Vec::new();
    exhaustive::structures(class, nodes.words(), |plain| {
        let structural: Vec<usize> = (0..plain.edges.len())
            .filter(|&e| class.structural && plain.edges[e].kind == EdgeKind::Structural)
            .collect();
        for spines in &choices {
            let node = |word: Node| *spines.get(word.index()).unwrap_or(&nodes.root());
            for beside in 0..1u32 << structural.len() {
                let mut edges = plain.edges.clone();
                for (bit, &edge) in structural.iter().enumerate() {
                    if beside >> bit & 1 == 1 {
                        edges[edge].kind = EdgeKind::Both;
                    }
                }
                let mut edges: Vec<Edge> =
                    edges.iter().map(|e| Edge { from: node(e.from), to: node(e.to), kind: e.kind }).collect();
                edges.sort_unstable();
                let graph = Graph { spines: spines.clone(), edges };
                let score = graph.score(scores);
                if score > f64::NEG_INFINITY {
                    all.push((score, graph));
                }
            }
        }
    });
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

/// The logarithm of a sum of exponentials.
pub(crate) fn log_sum(scores: impl Iterator<Item = f64> + Clone) -> f64 {
    let best = scores.clone().fold(f64::NEG_INFINITY, f64::max);
    if best == f64::NEG_INFINITY { best } else { best + scores.map(|s| (s - best).exp()).sum::<f64>().ln() }
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    // Two times -∞ are as close as can be, though their difference is no number.
    a.total_cmp(&b).is_eq() || (a - b).abs() < 1e-4 * (1.0 + a.abs())
}

pub(crate) fn has(graph: &Graph, edge: Edge) -> bool {
    graph.edges.contains(&edge)
}

pub(crate) fn every_edge(nodes: &Nodes) -> impl Iterator<Item = Edge> {
    let count = nodes.len() as u32;
    EdgeKind::ALL.into_iter().flat_map(move |kind| {
        (0..count)
            .flat_map(move |from| (0..count).map(move |to| Edge { from: Node(from), to: Node(to), kind }))
    })
}

/// Compares all that a worker answers with the structures that enumeration leaves.
pub(crate) fn check<E: Engine>(
    worker: &mut Worker<E>,
    grammar: &Grammar,
    request: &Request<'_>,
    all: &[(f64, Graph)],
) {
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
    assert_eq!(worker.best_graph(grammar, request), Ok((best.score, best.graph)), "{class}");
    assert_eq!(worker.count(grammar, request).unwrap(), all.len().to_string(), "{class}");

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

/// Compares the best score and the sum of a worker with those of the plain interpreter.
pub(crate) fn compare<E: Engine>(worker: &mut Worker<E>, rules: &Rules, grammar: &Grammar, scores: &Scores) {
    let request = Request::new(scores);
    let class = grammar.class();
    let expected = f64::from(Reference::inside(rules, Max, scores).total());
    let expected_sum = Reference::inside(rules, LogSum, scores).total();
    let best = worker.best(grammar, &request);
    assert!(close(best.as_ref().map_or(f64::NEG_INFINITY, |parse| parse.score), expected), "{class}");
    if let Ok(parse) = best {
        parse.derivation.certify(grammar, scores, parse.score).unwrap();
    }
    let sum = worker.log_sum(grammar, &request).unwrap_or(f64::NEG_INFINITY);
    assert!(close(sum, expected_sum), "{class}");
}
