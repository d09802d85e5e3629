//! The numbers of the original programs, on real parser output. The trees are not open, so they stay outside the repository.

use std::path::PathBuf;

use serde_json::Value;
use tracebank_chart::decompose::RuleUse;
use tracebank_chart::{Class, Grammar, Worker};
use tracebank_report::align::pair_up;
use tracebank_report::coverage::{Coverage, Encoder, PAPER_ROWS, ROWS};
use tracebank_report::evalb::Summary;
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_report::metric::Metric;
use tracebank_report::score::Counts;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;
use tracebank_testdata::{oracle, treebank};

fn evaluate(part: &str) -> Evaluation {
    let read = |path: PathBuf| Reader::new(Input::open(&path).unwrap().stream);
    let gold = read(treebank(&format!("wsj-{part}.mrg.gz")));
    let guess = read(oracle(&format!("eval/wsj-{part}.guess.mrg")));
    let mut evaluation = Evaluation::new(Options::default());
    for pair in pair_up(gold, guess) {
        assert!(pair.pairing.misfit().is_none(), "{part} {}", pair.number);
        evaluation.add(&pair);
    }
    evaluation
}

fn expected() -> Value {
    let text = std::fs::read_to_string(oracle("eval/expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
#[ignore = "needs TREEBANKS"]
fn brackets_equal_those_of_evalb_to_the_last_digit() {
    let expected = expected();
    for part in ["dev", "test"] {
        let evaluation = evaluate(part);
        for (table, summary) in [("all", evaluation.evalb()), ("len<=40", evaluation.evalb_short())] {
            let lines = expected[part]["evalb"][table].as_object().unwrap();
            assert_eq!(lines.len(), 12);
            for (name, value) in lines {
                let ours = format!("{:.2}", evalb_line(summary, name));
                assert_eq!(ours, format!("{:.2}", value.as_f64().unwrap()), "{part}, {table}: {name}");
            }
        }
    }
}

fn evalb_line(summary: &Summary, name: &str) -> f64 {
    match name {
        "Number of sentence" => summary.sentences as f64,
        "Number of Error sentence" => summary.errors as f64,
        "Number of Skip  sentence" => summary.skipped as f64,
        "Number of Valid sentence" => summary.valid() as f64,
        "Bracketing Recall" => summary.brackets.recall(),
        "Bracketing Precision" => summary.brackets.precision(),
        "Bracketing FMeasure" => summary.brackets.f1(),
        "Complete match" => summary.complete_match(),
        "Average crossing" => summary.average_crossing(),
        "No crossing" => summary.no_crossing(),
        "2 or less crossing" => summary.two_or_less_crossing(),
        "Tagging accuracy" => summary.tagging_accuracy(),
        other => panic!("evalb has no line {other:?}"),
    }
}

#[test]
#[ignore = "needs TREEBANKS"]
fn nulls_equal_those_of_the_authors_by_type() {
    let expected = expected();
    for part in ["dev", "test"] {
        let evaluation = evaluate(part);
        let metrics =
            [(Metric::Null, "authors_script_null_only"), (Metric::Coindex, "authors_script_coindex")];
        for (metric, name) in metrics {
            let tally = &evaluation.tallies()[metric];
            let rows = expected[part][name].as_object().unwrap();
            assert_eq!(tally.by_type.len() + 1, rows.len(), "{part} {name}");
            for (kind, row) in rows {
                let ours = if kind == "all" { tally.total } else { tally.by_type[kind] };
                let count = |key: &str| row[key].as_u64().unwrap();
                let theirs = Counts { matched: count("match"), gold: count("gold"), test: count("test") };
                assert_eq!(ours, theirs, "{part} {name} {kind}");
                assert!((ours.f1() - row["f"].as_f64().unwrap()).abs() < 5e-5, "{part} {name} {kind}");
            }
        }
    }
}

#[test]
#[ignore = "needs TREEBANKS"]
fn johnson_equals_the_second_scorer_by_type() {
    let text = std::fs::read_to_string(oracle("eval/johnson-second-scorer.txt")).unwrap();
    let targets = [
        ("FULL", Metric::JohnsonFull),
        ("DEPENDENCY", Metric::JohnsonDependency),
        ("EMPTY-ELEMENT", Metric::JohnsonEmptyElement),
        ("EMPTY-TERMINAL", Metric::JohnsonEmptyTerminal),
    ];
    let mut sections = 0;
    for section in text.split("== ").skip(1) {
        let mut lines = section.lines();
        let (part, target) = lines.next().unwrap().split_once(' ').unwrap();
        let (_, metric) = targets.iter().find(|(name, _)| *name == target).unwrap();
        let evaluation = evaluate(part);
        let tally = &evaluation.tallies()[*metric];
        let mut rows = 0;
        for line in lines {
            if let Some((name, counts)) = line.split_once(':') {
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                let counts: Vec<u64> =
                    counts.split_whitespace().take(3).map(|n| n.parse().unwrap()).collect();
                let theirs = Counts { gold: counts[0], test: counts[1], matched: counts[2] };
                assert_eq!(tally.by_type[&name], theirs, "{part} {target} {name}");
                rows += 1;
            } else if let Some(f1) = line.strip_prefix("f-value = ") {
                assert!(
                    (tally.total.f1() / 100.0 - f1.parse::<f64>().unwrap()).abs() < 1e-6,
                    "{part} {target}"
                );
            }
        }
        assert_eq!(tally.by_type.len(), rows, "{part} {target}");
        sections += 1;
    }
    assert_eq!(sections, 8);
}

/// Made with the authors' programs: `reprint_trees.py -i p -o hr -e fhj0 -h j1` on gold and guess, then `shp-eval.py`.
#[test]
#[ignore = "needs TREEBANKS"]
fn graphs_equal_those_of_the_authors() {
    let rows = [
        ("dev", [(3785, 4234, 4234), (3588, 4234, 4234), (3650, 4234, 4234), (57, 143, 81), (60, 143, 81)]),
        ("test", [(4082, 4607, 4607), (3799, 4607, 4607), (3884, 4607, 4607), (58, 161, 84), (61, 161, 84)]),
    ];
    let metrics =
        [Metric::Spines, Metric::Edges, Metric::UnlabelledEdges, Metric::Traces, Metric::UnlabelledTraces];
    for (part, theirs) in rows {
        let evaluation = evaluate(part);
        for (metric, (matched, gold, test)) in metrics.into_iter().zip(theirs) {
            assert_eq!(
                evaluation.tallies()[metric].total,
                Counts { matched, gold, test },
                "{part} {metric:?}"
            );
        }
    }
}

fn wsj(part: &str) -> Vec<Tree> {
    let path = treebank(&format!("wsj-{part}.mrg.gz"));
    Reader::new(Input::open(&path).unwrap().stream).map(Result::unwrap).collect()
}

/// The figures of EXPERIMENTS.md: 245 of 31,044 rules by the paper's representation, and two more in dev.
#[test]
#[ignore = "needs TREEBANKS"]
fn a_treebank_needs_few_of_the_rules() {
    let encoder = Encoder::new(Dialect::named("penn").unwrap());
    let (grammar, mut worker) = (Grammar::of(Class::ONE_ENDPOINT_GRAPH), Worker::new());
    let mut derivations = |part: &str| {
        let derived = wsj(part)
            .into_iter()
            .map(|tree| encoder.edges(&tree, &ROWS[PAPER_ROWS - 1]).derivation(&mut worker, &grammar).ok());
        derived.collect::<Vec<_>>()
    };
    let train = derivations("train");
    let mut uses = RuleUse::new(&grammar);
    train.iter().flatten().for_each(|derivation| uses.add(derivation));
    assert_eq!(uses.used(), (171, 74));
    assert_eq!(train.iter().filter(|derived| derived.is_none()).count(), 92);
    let lacking: usize = derivations("dev")
        .iter()
        .flatten()
        .map(|derivation| uses.lacking(derivation))
        .map(|(combinations, edges)| combinations.len() + edges.len())
        .sum();
    assert_eq!(lacking, 2);
}

/// The paper's column of edges counts traces inside one spine as edges that no row covers.
#[test]
#[ignore = "needs TREEBANKS"]
fn edges_agree_with_table_1_when_those_inside_spines_count() {
    let encoder = Encoder::new(Dialect::named("penn").unwrap());
    let mut coverage = Coverage::of_trees();
    for part in ["train", "dev", "test"] {
        wsj(part).iter().for_each(|tree| coverage.add(&encoder, tree));
    }
    let paper = [96.67, 98.31, 99.23, 99.45, 99.49];
    for (count, paper) in coverage.counts()[2..PAPER_ROWS].iter().zip(paper) {
        let share = 100.0 * count.edges as f64 / (count.all_edges + count.within_spines) as f64;
        assert!((share - paper).abs() < 0.05, "{share} {paper}");
    }
    let learnt = coverage.counts().last().unwrap();
    assert_eq!((coverage.trees(), learnt.sentences), (3774, 3739));
}
