//! How long an evaluation takes. The trees are made up here, as those of the treebanks may not be given away.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_syntax::penn::Reader;

const SENTENCES: usize = 2000;

/// 24 words with four null elements and three traces, about what a sentence of the Penn Treebank has.
const GOLD: &str = "( (S (S-TPC-1 (NP-SBJ-2 (DT The) (JJ old) (NN committee)) (VP (VBD was) (ADVP (RB partly)) (VP (VBN \
    persuaded) (NP (-NONE- *-2)) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB accept) (NP (NP (DT the) (NNS plans)) (SBAR \
    (WHNP-3 (WDT which)) (S (NP-SBJ (DT the) (NN town)) (VP (VBD proposed) (NP (-NONE- *T*-3)) (PP-TMP (IN in) (NP (NNP \
    June))))))))))))) (, ,) (NP-SBJ (DT a) (NN member)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))\n";

fn evaluate(gold: &str, guess: &str) -> Evaluation {
    let mut evaluation = Evaluation::new(Options::default());
    for pair in pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes())) {
        evaluation.add(&pair);
    }
    evaluation
}

fn all_metrics(criterion: &mut Criterion) {
    let guess = GOLD
        .replace("-SBJ", "")
        .replace("(ADVP (RB partly))", "(RB partly)")
        .replace("(NP (-NONE- *-2))", "");
    let (gold, guess) = (GOLD.repeat(SENTENCES), guess.repeat(SENTENCES));
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(SENTENCES as u64)).sample_size(10);
    group.bench_function("all metrics", |bencher| {
        bencher.iter(|| evaluate(black_box(&gold), black_box(&guess)));
    });
    group.finish();
}

criterion_group!(benches, all_metrics);
criterion_main!(benches);
