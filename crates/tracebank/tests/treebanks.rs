//! Measurements on whole treebanks, which are not in the repository.

mod common;

use common::{record, shown};
use tracebank::{Options, Parser};
use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{self, Evaluation};
use tracebank_report::metric::Metric;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn;
use tracebank_syntax::tree::Tree;

#[test]
#[ignore = "needs TREEBANKS"]
fn the_models_in_the_box_have_the_recorded_figures() {
    let mut wrong = Vec::new();
    for (name, model) in record() {
        let file = tracebank::embedded_model(&name).expect("a name of a model").unwrap();
        let mut parser = Parser::with_model(&file).unwrap();
        for trees in ["masc-test.mrg.gz", "wsj-test.mrg.gz"] {
            let figures = &model.figures[trees];
            let options = Options { dialect: Some(figures.dialect.clone()), ..Options::default() };
            parser = parser.with_options(options).unwrap();
            let measured = measure(&parser, &gold(trees, &figures.dialect));
            if shown(measured, 2) != shown(figures.f1, 2) {
                wrong.push(format!("{name} on {trees}: {}", shown(measured, 4)));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "measured, and otherwise than docs/lab/figures.toml has it");
}

fn gold(file: &str, dialect: &str) -> Vec<Tree> {
    let dialect = Dialect::named(dialect).unwrap();
    let input = penn::Input::open(&tracebank_testdata::treebank(file)).unwrap();
    let trees = penn::Reader::new(input.stream).map(|tree| {
        let mut tree = tree.unwrap();
        dialect.normalise(&mut tree);
        tree
    });
    trees.collect()
}

/// F1 of brackets, of null elements, and of null elements with their references.
fn measure(parser: &Parser, gold: &[Tree]) -> [f64; 3] {
    let sentences = gold.iter().map(|tree| tracebank::Sentence::of_words(&tree.words().collect::<Vec<_>>()));
    let sentences: Vec<tracebank::Sentence> = sentences.collect();
    let guesses = parser.parse_sentences(&sentences).into_iter().map(|parse| Ok(parse.tree));
    let mut evaluation = Evaluation::new(evaluation::Options::default());
    for pair in pair_up(gold.iter().cloned().map(Ok), guesses) {
        evaluation.add(&pair);
    }
    [Metric::Brackets, Metric::Null, Metric::Coindex].map(|metric| evaluation.tallies()[metric].total.f1())
}
