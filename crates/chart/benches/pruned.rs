//! Sentences as the parser asks for them, of which pruning leaves little: `cargo bench -p tracebank-chart`.
//!
//! Most words have one spine and a few have two or three; each word has one to four possible structural parents, among them
//! those of a random tree; there are up to six possible trace edges.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    fn score(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1u64 << 22) as f32 - 2.0
    }
}

/// Gives the words of a range to subtrees of `parent`.
fn tree(random: &mut Random, mut words: std::ops::Range<usize>, parent: usize, parents: &mut [usize]) {
    while !words.is_empty() {
        let length = if random.below(2) == 0 { words.len() } else { 1 + random.below(words.len()) };
        let (head, end) = (words.start + random.below(length), words.start + length);
        parents[head] = parent;
        tree(random, words.start..head, head, parents);
        tree(random, head + 1..end, head, parents);
        words.start = end;
    }
}

/// A word at most `most` words away.
fn near(random: &mut Random, word: usize, most: usize, last: usize) -> usize {
    let distance = 1 + random.below(most);
    if random.below(2) == 0 { word.saturating_sub(distance) } else { (word + distance).min(last) }
}

fn pruned(random: &mut Random, words: usize, traces: usize) -> Scores {
    let spines = (0..words).map(|_| [3, 2, 2, 1, 1, 1, 1, 1, 1, 1][random.below(10)]);
    let nodes = Nodes::new(spines.collect::<Vec<usize>>());
    let mut scores = Scores::new(nodes.clone(), f32::NEG_INFINITY);
    scores.spines_mut().fill_with(|| random.score());
    let mut parents = vec![0; words];
    tree(random, 0..words, words, &mut parents);
    for (word, &parent) in parents.iter().enumerate() {
        let mut possible = vec![parent];
        for _ in 0..random.below(4) {
            let far = random.below(4) == 0;
            possible.push(if far { random.below(words + 1) } else { near(random, word, 5, words) });
        }
        for parent in possible.into_iter().filter(|&parent| parent != word) {
            for from in nodes.of_word(parent) {
                for to in nodes.of_word(word) {
                    let [from, to] = [from, to].map(|node| Node(node as u32));
                    scores[Edge { from, to, kind: EdgeKind::Structural }] = random.score();
                }
            }
        }
    }
    for _ in 0..traces {
        let word = random.below(words);
        let other = near(random, word, 10, words - 1);
        if word != other {
            let [from, to] = [word, other].map(|word| Node(nodes.of_word(word).start as u32));
            scores[Edge { from, to, kind: EdgeKind::Trace }] = random.score() + 2.0;
        }
    }
    scores
}

fn decode(criterion: &mut Criterion) {
    let graph = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();
    for (class, traces) in [(Class::PROJECTIVE_TREE, 0), (graph, 0), (graph, 3), (graph, 6)] {
        let mut group = criterion.benchmark_group(format!("{class}, {traces} traces"));
        group.sample_size(10);
        let grammar = Grammar::of(class);
        for words in [20, 40, 60] {
            let mut random = Random(SplitMix64::seed_from_u64(7));
            let sentences: Vec<Scores> = (0..10).map(|_| pruned(&mut random, words, traces)).collect();
            let mut worker = Worker::new();
            group.bench_function(BenchmarkId::new("ten best", words), |b| {
                b.iter(|| {
                    for scores in &sentences {
                        black_box(worker.best_graph(&grammar, &Request::new(scores))).ok();
                    }
                });
            });
            group.bench_function(BenchmarkId::new("ten marginals", words), |b| {
                b.iter(|| {
                    for scores in &sentences {
                        black_box(worker.marginals(&grammar, &Request::new(scores))).ok();
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, decode);
criterion_main!(benches);
