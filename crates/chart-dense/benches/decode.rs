//! Class × length × semiring, every edge permitted: `cargo bench -p tracebank-chart-dense`, with `--features jit` as machine code.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tracebank_chart::{Class, EdgeKind, Grammar, Nodes, Request};
use tracebank_chart_dense::{Worker, random_scores};

fn decode(criterion: &mut Criterion) {
    let classes = [
        Class::PROJECTIVE_TREE,
        Class::ONE_ENDPOINT_TREE,
        Class::PROJECTIVE_GRAPH,
        Class::ONE_ENDPOINT_GRAPH,
        Class::ONE_ENDPOINT_GRAPH.with_structural_tree(),
    ];
    for class in classes {
        let mut group = criterion.benchmark_group(class.to_string());
        group.sample_size(10);
        for words in [12, 25] {
            let mut scores = random_scores(Nodes::single(words), 1);
            scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
            let (grammar, mut worker) = (Grammar::of(class), Worker::default());
            let request = Request::new(&scores);
            group.bench_function(BenchmarkId::new("max", words), |b| {
                b.iter(|| black_box(worker.best(&grammar, &request)));
            });
            group.bench_function(BenchmarkId::new("sum", words), |b| {
                b.iter(|| black_box(worker.log_sum(&grammar, &request)));
            });
            group.bench_function(BenchmarkId::new("marginals", words), |b| {
                b.iter(|| black_box(worker.marginals(&grammar, &request)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, decode);
criterion_main!(benches);
