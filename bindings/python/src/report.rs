//! Scores of guesses against gold trees.

use pyo3::prelude::*;
use tracebank_report::align::pair_up;
use tracebank_report::bootstrap::{self, Bootstrap};
use tracebank_report::draw::comparison_picture;
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_report::metric::MetricCounts;
use tracebank_report::output::{json, table};

use crate::tree::Tree;

fn counted(gold: &[Tree], guess: &[Tree]) -> (Evaluation, Vec<MetricCounts>) {
    let trees =
        |trees: &[Tree]| trees.iter().map(|tree| Ok(tree.tree().clone())).collect::<Vec<_>>().into_iter();
    let mut evaluation = Evaluation::new(Options::default());
    let counts = pair_up(trees(gold), trees(guess)).filter_map(|pair| evaluation.add(&pair));
    let counts = counts.map(|result| result.counts).collect();
    (evaluation, counts)
}

/// The scores as JSON, and as a table for people.
#[pyfunction]
pub(crate) fn evaluate(py: Python<'_>, gold: Vec<Tree>, guess: Vec<Tree>) -> (String, String) {
    py.detach(|| {
        let (evaluation, _) = counted(&gold, &guess);
        let mut shown = Vec::new();
        table::evaluation(&evaluation, false, &mut shown).expect("a vector takes everything");
        (json::evaluation(&evaluation).to_string(), String::from_utf8_lossy(&shown).into_owned())
    })
}

/// The comparison of two systems by bootstrap, as JSON and as a table.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    gold: Vec<Tree>,
    first: Vec<Tree>,
    second: Vec<Tree>,
    samples: usize,
    seed: u64,
) -> (String, String) {
    py.detach(|| {
        let counts = |guess: &[Tree]| counted(&gold, guess).1;
        let bootstrap = Bootstrap { samples, seed };
        let differences = bootstrap::compare(&counts(&first), &counts(&second), &bootstrap);
        let mut shown = Vec::new();
        table::differences(&differences, &mut shown).expect("a vector takes everything");
        (json::differences(&differences).to_string(), String::from_utf8_lossy(&shown).into_owned())
    })
}

/// The picture of a gold tree and a guess, with their differences marked.
#[pyfunction]
pub(crate) fn draw_comparison(gold: &Tree, guess: &Tree) -> String {
    comparison_picture(gold.tree(), guess.tree(), &Options::default())
}
