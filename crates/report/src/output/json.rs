//! The evaluation as one JSON object.

use serde_json::{Map, Value, json};

use crate::bootstrap::Difference;
use crate::evalb::Summary;
use crate::evaluation::Evaluation;
use crate::metric::{Metric, MetricTallies};
use crate::score::{Counts, Tally};

/// The parts of the graph, by the names they have below `graph`.
const GRAPH: [(&str, Metric); 5] = [
    ("spine", Metric::Spines),
    ("edge", Metric::Edges),
    ("edge_unlabelled", Metric::UnlabelledEdges),
    ("trace", Metric::Traces),
    ("trace_unlabelled", Metric::UnlabelledTraces),
];

const JOHNSON: [(&str, Metric); 4] = [
    ("full", Metric::JohnsonFull),
    ("dependency", Metric::JohnsonDependency),
    ("empty_element", Metric::JohnsonEmptyElement),
    ("empty_terminal", Metric::JohnsonEmptyTerminal),
];

/// The numbers of `evaluation`.
///
/// The keys are `sentences`, `unaligned` (the numbers of sentences that did not line up), `evalb`, `evalb_40` (named after the cut-off
/// length), `tags`, `null`, `coindex`, `johnson`, `graph`, `functions` and `null_functions`. Each metric has `match`, `gold`, `test`, `precision`, `recall`
/// and `f1`, the last three in percent, and where it applies the same for each type under `by_type`.
pub fn evaluation(evaluation: &Evaluation) -> Value {
    let tallies = evaluation.tallies();
    let short = format!("evalb_{}", evaluation.options().evalb.cutoff);
    let mut object = Map::new();
    object.insert("sentences".into(), json!(evaluation.sentences()));
    object.insert("unaligned".into(), json!(evaluation.unaligned()));
    object.insert("evalb".into(), brackets(&tallies[Metric::Brackets], evaluation.evalb()));
    object.insert(short, brackets(&tallies[Metric::BracketsShort], evaluation.evalb_short()));
    object.insert("tags".into(), tally(&tallies[Metric::Tags]));
    object.insert("null".into(), tally(&tallies[Metric::Null]));
    object.insert("coindex".into(), tally(&tallies[Metric::Coindex]));
    object.insert("johnson".into(), several(&JOHNSON, tallies).into());
    object.insert("graph".into(), graph(tallies));
    for metric in [Metric::Functions, Metric::NullFunctions] {
        object.insert(metric.name().into(), tally(&tallies[metric]));
    }
    object.into()
}

/// The comparison of two systems: a list with an object a metric.
pub fn differences(differences: &[Difference]) -> Value {
    let row = |difference: &Difference| {
        json!({
            "metric": difference.metric.name(),
            "first_f1": difference.first,
            "second_f1": difference.second,
            "difference": difference.difference,
            "interval_95": [difference.interval.0, difference.interval.1],
            "p_value": difference.p_value,
        })
    };
    differences.iter().map(row).collect()
}

fn brackets(brackets: &Tally, summary: &Summary) -> Value {
    let mut object = numbers(brackets.total);
    for (name, value) in [
        ("sentences", json!(summary.sentences)),
        ("error_sentences", json!(summary.errors)),
        ("skipped_sentences", json!(summary.skipped)),
        ("valid_sentences", json!(summary.valid())),
        ("complete_match", json!(summary.complete_match())),
        ("average_crossing", json!(summary.average_crossing())),
        ("no_crossing", json!(summary.no_crossing())),
        ("two_or_less_crossing", json!(summary.two_or_less_crossing())),
        ("tagging_accuracy", json!(summary.tagging_accuracy())),
        ("by_type", by_type(brackets)),
    ] {
        object.insert(name.into(), value);
    }
    object.into()
}

/// The labelled parts together, and each kind of part by its name.
fn graph(tallies: &MetricTallies) -> Value {
    let mut total = Counts::default();
    for metric in [Metric::Spines, Metric::Edges, Metric::Traces] {
        total += tallies[metric].total;
    }
    let mut object = numbers(total);
    object.insert("by_type".into(), several(&GRAPH, tallies).into());
    object.into()
}

fn several(metrics: &[(&str, Metric)], tallies: &MetricTallies) -> Map<String, Value> {
    metrics.iter().map(|&(name, metric)| (name.to_owned(), tally(&tallies[metric]))).collect()
}

fn tally(tally: &Tally) -> Value {
    let mut object = numbers(tally.total);
    if !tally.by_type.is_empty() {
        object.insert("by_type".into(), by_type(tally));
    }
    object.into()
}

fn by_type(tally: &Tally) -> Value {
    let rows = tally.by_type.iter().map(|(kind, &counts)| (kind.clone(), numbers(counts).into()));
    Value::Object(rows.collect())
}

fn numbers(counts: Counts) -> Map<String, Value> {
    let pairs = [
        ("match", json!(counts.matched)),
        ("gold", json!(counts.gold)),
        ("test", json!(counts.test)),
        ("precision", json!(counts.precision())),
        ("recall", json!(counts.recall())),
        ("f1", json!(counts.f1())),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
