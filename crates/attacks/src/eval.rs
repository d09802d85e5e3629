//! Nothing that is read as two files of trees can stop an evaluation or a picture. The two files are divided by a zero byte.

use tracebank_report::align::{Pairing, pair_up};
use tracebank_report::draw::{Marks, comparison_picture, outline, spine_picture, tree_picture};
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_report::metric::Metric;
use tracebank_report::output::errors::Worst;
use tracebank_report::output::{json, table, tsv};
use tracebank_syntax::penn::Reader;

/// One attack. Panics where a promise does not hold.
pub fn attack(data: &[u8]) {
    let divide = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (gold, guess) = (&data[..divide], data.get(divide + 1..).unwrap_or_default());
    let mut options = Options::default();
    options.nulls.homogenise_top = data.len().is_multiple_of(2);
    options.nulls.collapse_unaries = data.len().is_multiple_of(3);
    let mut evaluation = Evaluation::new(options);
    let mut worst = Worst::new(2);
    for pair in pair_up(Reader::new(gold), Reader::new(guess)) {
        let Some(result) = evaluation.add(&pair) else { continue };
        for metric in Metric::all() {
            let counts = result.counts[metric];
            assert!(counts.matched <= counts.gold, "{metric:?} {counts:?}");
        }
        worst.offer(&pair, &result);
        if let Pairing::Aligned { gold, guess } = &pair.pairing {
            let marks = Marks::between(gold, guess, evaluation.options());
            outline(gold, &marks.gold);
            tree_picture(gold);
            spine_picture(&evaluation.options().graph.graph(guess));
            comparison_picture(gold, guess, evaluation.options());
        }
    }
    let mut out = Vec::new();
    let written = json::evaluation(&evaluation).to_string().len();
    assert!(written > 0);
    tsv::evaluation(&evaluation, &mut out).expect("a vector takes everything");
    table::evaluation(&evaluation, true, &mut out).expect("a vector takes everything");
    worst.write(evaluation.options(), &mut out).expect("a vector takes everything");
}
