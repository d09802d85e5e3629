//! Tests over whole treebanks. With the scores of an oracle, how much of each comes back: what the vocabulary of its training part, the class and the
//! places of nulls allow.

#![expect(clippy::print_stdout, reason = "the figures are for whoever runs the test")]

mod common;

use common::oracle;
use tracebank_parser::decode::{Decoder, Optimality, Settings};
use tracebank_parser::gold::{ALPHABET, RestorationTable, TrainingExample, build};
use tracebank_parser::vocabulary::{Vocabulary, VocabularyCounter};
use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_report::metric::Metric;
use tracebank_syntax::class::Structure;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;

fn trees(file: &str, dialect: &str) -> Vec<Tree> {
    let path = tracebank_testdata::treebank(file);
    let dialect = Dialect::named(dialect).unwrap();
    let read = Reader::new(Input::open(&path).unwrap().stream).map(|tree| {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        tree
    });
    read.collect()
}

#[test]
#[ignore = "needs TREEBANKS"]
fn an_oracle_brings_the_trees_back() {
    let heads = HeadTable::named("penn").unwrap();
    for (name, train, dev, dialect, least) in [
        ("wsj", "wsj-train.mrg.gz", "wsj-dev.mrg.gz", "penn", [98.0, 97.0, 95.0]),
        ("masc", "masc-train.mrg.gz", "masc-dev.mrg.gz", "masc", [98.0, 97.0, 95.0]),
    ] {
        let mut counter = VocabularyCounter::default();
        let mut restoration = RestorationTable::default();
        for tree in trees(train, dialect) {
            let example = TrainingExample::of(&tree, &heads).unwrap();
            counter.add(&example.projection, &example.functions);
            restoration.learn(&example);
        }
        let vocabulary = Vocabulary::new(counter.names(1)).unwrap();
        let mut decoder = Decoder::new(&vocabulary, Settings::default());
        let mut evaluation = Evaluation::new(Options::default());
        let mut certain = [0; 3];
        for mut tree in trees(dev, dialect) {
            let example = TrainingExample::of(&tree, &heads).unwrap();
            let scores = oracle(&example.gold(&vocabulary), &vocabulary);
            let decoded = decoder.decode(&scores, Structure::OneEndpointCrossing, None, 1);
            certain[match decoded.optimality {
                Optimality::ProvedByRelaxation => 0,
                Optimality::ProvedByChart => 1,
                Optimality::Unproved => 2,
            }] += 1;
            let forms: Vec<String> = example.projection.words.iter().map(|word| word.form.clone()).collect();
            let graph = build(&decoded.best().analysis, &forms, &vocabulary, &restoration).unwrap();
            let guess = graph::decode(&graph).unwrap();
            ALPHABET.strip(&mut tree);
            for pair in pair_up(std::iter::once(Ok(tree)), std::iter::once(Ok(guess))) {
                evaluation.add(&pair);
            }
        }
        let f1 = [Metric::Brackets, Metric::Null, Metric::Coindex]
            .map(|metric| evaluation.tallies()[metric].total.f1());
        println!(
            "{name}: {f1:.2?}, by relaxation, chart, approximation: {certain:?}; {} spines {} traces",
            vocabulary.names().spines.len(),
            vocabulary.names().traces.len()
        );
        assert!(f1.iter().zip(least).all(|(f1, least)| *f1 >= least), "{name}: {f1:?}");
    }
}
