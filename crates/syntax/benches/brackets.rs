//! How fast brackets are read and written, and trees turned into graphs and back: `cargo bench -p tracebank-syntax`.

#![allow(missing_docs)] // the macros of criterion write functions without

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tracebank_syntax::graph::{self, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::Reader;
use tracebank_syntax::tree::Tree;

fn brackets(criterion: &mut Criterion) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank/craft-sample.mrg");
    let text = std::fs::read_to_string(file).unwrap().repeat(16);
    let trees: Vec<Tree> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
    let table = HeadTable::named("penn").unwrap();

    let mut group = criterion.benchmark_group("brackets");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("read", |bencher| bencher.iter(|| Reader::new(black_box(text.as_bytes())).count()));
    let mut out = String::with_capacity(text.len());
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            out.clear();
            trees.iter().for_each(|tree| writeln!(out, "{tree}").unwrap());
            black_box(out.len())
        });
    });
    group.bench_function("read and write", |bencher| {
        bencher.iter(|| {
            out.clear();
            for tree in Reader::new(black_box(text.as_bytes())) {
                writeln!(out, "{}", tree.unwrap()).unwrap();
            }
            black_box(out.len())
        });
    });
    group.bench_function("encode and decode", |bencher| {
        bencher.iter(|| {
            for tree in &trees {
                black_box(graph::decode(&graph::encode(tree, &table, Targets::Common)).unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, brackets);
criterion_main!(benches);
