//! `tracebank bench`.

use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand, ValueEnum};
use miette::{IntoDiagnostic, Result};
use serde::Serialize;
use tracebank_chart::expand::Rules;
use tracebank_chart::reference::Reference;
use tracebank_chart::semiring::{LogSum, Max};
use tracebank_chart::{EdgeKind, Grammar, Nodes, Request, Scores};
use tracebank_chart_dense::{Worker, random_scores};

use super::rules::ClassArguments;
use crate::failure::Misuse;
use crate::output::Output;
use crate::range::within;

/// Measure speed and memory
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank bench decode --class 1ec-graph --structural --words 25
  tracebank bench decode --class projective-tree --words 25 --semiring sum
  tracebank bench decode --class 1ec-graph --words 20 --reference")]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Decode random score tables, every edge permitted, on one core; print JSON
    Decode(Decode),
}

#[derive(Args)]
struct Decode {
    #[command(flatten)]
    class: ClassArguments,

    /// How many words, the root apart
    #[arg(long, value_parser = within(0..=1000))]
    words: usize,

    /// Spines for each word
    #[arg(long, default_value_t = 1, value_parser = within(1..=1000))]
    spines: usize,

    /// The best structure with its derivation, or the sum over all
    #[arg(long, value_enum, default_value_t = Which::Max)]
    semiring: Which,

    /// Compute marginals as well (with max: max-marginals), by the outside pass
    #[arg(long)]
    outside: bool,

    /// How many random tables; the time is the median over them
    #[arg(long, default_value_t = 11, value_parser = within(1..=10_000))]
    tables: usize,

    /// Run the plain interpreter of the expanded rules on the same tables too
    #[arg(long)]
    reference: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    Max,
    Sum,
}

#[derive(Serialize)]
struct Measured {
    class: String,
    words: usize,
    spines: usize,
    semiring: &'static str,
    outside: bool,
    tables: usize,
    micros_per_sentence: f64,
    fastest_micros: f64,
    peak_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_micros_per_sentence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// The most bytes of all tables together.
const MOST_BYTES: u64 = 4 << 30;

pub(crate) fn run(arguments: &Bench) -> Result<ExitCode> {
    let What::Decode(arguments) = &arguments.what;
    let nodes = arguments.words as u64 * arguments.spines as u64 + 1;
    let edges = EdgeKind::ALL.len() as u64 * nodes * nodes;
    let bytes = arguments.tables as u64 * edges * size_of::<f32>() as u64;
    if bytes > MOST_BYTES {
        let why = format!("the tables would take {bytes} bytes, and may take {MOST_BYTES}");
        return Err(Misuse(format!("{why}: ask for fewer --words, --spines or --tables")).into());
    }
    let class = arguments.class.class()?;
    let grammar = Grammar::of(class);
    let mut worker = Worker::default();
    let tables: Vec<Scores> = (0..arguments.tables.max(1) as u64)
        .map(|seed| {
            let nodes = Nodes::new(std::iter::repeat_n(arguments.spines, arguments.words));
            let mut scores = random_scores(nodes, seed + 1);
            scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
            scores
        })
        .collect();
    // The first sentence of a length pays for its memory; it is not measured.
    decode(&mut worker, &grammar, &tables[0], arguments)?;
    let mut times = Vec::new();
    for scores in &tables {
        let start = Instant::now();
        decode(&mut worker, &grammar, scores, arguments)?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    let fast = median(&mut times);
    let fastest = times[0];
    let slow = arguments.reference.then(|| {
        let rules = Rules::expand(class).trim();
        let mut times: Vec<f64> =
            tables.iter().map(|scores| interpret(&rules, scores, arguments.semiring)).collect();
        median(&mut times)
    });
    let measured = Measured {
        class: class.to_string(),
        words: arguments.words,
        spines: arguments.spines,
        semiring: if arguments.semiring == Which::Max { "max" } else { "sum" },
        outside: arguments.outside,
        tables: tables.len(),
        micros_per_sentence: fast,
        fastest_micros: fastest,
        peak_bytes: worker.bytes(),
        reference_micros_per_sentence: slow,
        ratio: slow.map(|slow| slow / fast),
    };
    let mut output = Output::stdout();
    output.write(&format!("{}\n", serde_json::to_string(&measured).into_diagnostic()?))?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn decode(worker: &mut Worker, grammar: &Grammar, scores: &Scores, arguments: &Decode) -> Result<()> {
    let request = Request::new(scores);
    match (arguments.semiring, arguments.outside) {
        (Which::Max, false) => worker.best(grammar, &request).map(|_| ()),
        (Which::Max, true) => worker.max_marginals(grammar, &request).map(|_| ()),
        (Which::Sum, false) => worker.log_sum(grammar, &request).map(|_| ()),
        (Which::Sum, true) => worker.marginals(grammar, &request).map(|_| ()),
    }
    .into_diagnostic()
}

/// The plain interpreter's time in microseconds.
fn interpret(rules: &Rules, scores: &Scores, semiring: Which) -> f64 {
    let start = Instant::now();
    match semiring {
        Which::Max => {
            std::hint::black_box(Reference::inside(rules, Max, scores).total());
        }
        Which::Sum => {
            std::hint::black_box(Reference::inside(rules, LogSum, scores).total());
        }
    }
    start.elapsed().as_secs_f64() * 1e6
}

/// Sorts, and gives the one in the middle.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
