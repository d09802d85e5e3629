//! `tracebank eval`: how good is a guess?

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use miette::Result;
use tracebank_report::align::{Pair, Pairing, pair_up};
use tracebank_report::bootstrap::{self, Bootstrap};
use tracebank_report::evalb::Settings;
use tracebank_report::evaluation::{Evaluation, Options, SentenceResult, Unaligned};
use tracebank_report::graph;
use tracebank_report::metric::MetricCounts;
use tracebank_report::nulls::{Chains, authors};
use tracebank_report::output::errors::Worst;
use tracebank_report::output::{json, table, tsv};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::Problem;

use super::draw::for_stdout;
use crate::choice::one_of;
use crate::failure::{self, Failure};
use crate::input::{TreeFormat, USUAL};
use crate::output::Output;
use crate::range::within;
use crate::small;

/// Compare parser output with gold trees: brackets, null elements, traces, spines and edges.
///
/// Files hold Penn-style trees, plain or gzip; `-` is standard input. A sentence whose guess is missing, broken or over other
/// words is reported by its number and counts as missed.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank eval gold.mrg guess.mrg                       all metrics as a table
  tracebank eval gold.mrg guess.mrg --by-type             and each null, trace and bracket type
  tracebank eval gold.mrg guess.mrg --errors 5            the five worst sentences side by side
  tracebank eval gold.mrg guess.mrg --against other.mrg   is the first better, and is it luck?
  tracebank eval gold.mrg guess.mrg --json | jq .coindex.f1
What each number counts: docs/metrics.md")]
pub(crate) struct Eval {
    /// The gold trees
    gold: PathBuf,
    /// The trees to be scored
    test: PathBuf,
    /// The form of the gold trees
    #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
    from: TreeFormat,
    /// The form of the trees to be scored; that of the gold trees unless given
    #[arg(long, value_parser = one_of::<TreeFormat>(), value_name = "FORM")]
    test_from: Option<TreeFormat>,
    /// A second system's trees: compare F1 by paired bootstrap
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Samples of the bootstrap
    #[arg(long, default_value_t = 10_000, requires = "against", value_parser = within(1..=1_000_000))]
    samples: usize,
    /// Seed of the bootstrap
    #[arg(long, default_value_t = 1, requires = "against")]
    seed: u64,

    #[command(flatten)]
    format: Format,
    /// Show the N sentences with the largest loss, gold and guess side by side
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "tsv", "per_sentence", "against"])]
    errors: Option<usize>,

    /// End at the first sentence that does not line up
    #[arg(long)]
    strict: bool,
    /// The treatment of sentences that do not line up, or that evalb calls errors
    #[arg(long, value_enum, default_value_t = UnalignedChoice::Miss)]
    unaligned: UnalignedChoice,

    #[command(flatten)]
    counting: Counting,
}

#[derive(Args)]
#[group(multiple = false)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of the command line
struct Format {
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Tab-separated rows, one a metric and type
    #[arg(long)]
    tsv: bool,
    /// Tab-separated rows, one a sentence
    #[arg(long, conflicts_with = "against")]
    per_sentence: bool,
    /// Show each type in the table
    #[arg(long, conflicts_with = "against")]
    by_type: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum UnalignedChoice {
    /// All that is in their gold counts as missed
    Miss,
    /// They are left out, as evalb and the authors' scorer do it
    Skip,
}

/// Options of counting.
#[derive(Args)]
#[command(next_help_heading = "How to count")]
#[allow(clippy::struct_excessive_bools)] // each is a switch of the command line
struct Counting {
    /// Settings for the brackets, an evalb parameter file [default: those of COLLINS.prm]
    #[arg(long, value_name = "FILE")]
    prm: Option<PathBuf>,
    /// Follow chains: a trace of a trace stands for what that stands for
    #[arg(long)]
    follow_chains: bool,
    /// Keep function tags (NP-TMP) in gaps, spines and edges
    #[arg(long)]
    keep_functions: bool,
    /// Leave out what stands above the first phrase with a Penn label
    #[arg(long)]
    homogenise_top: bool,
    /// Read (NP (NP …)) as (NP …) when scoring nulls
    #[arg(long)]
    collapse_unaries: bool,
    /// Labels to read as others when scoring nulls
    #[arg(long, value_name = "A:B", value_delimiter = ',', default_value = "ADVP:PRT", value_parser = pair)]
    equivalent_labels: Vec<(String, String)>,
    /// Words (or null elements) to read as others when scoring nulls
    #[arg(long, value_name = "A:B", value_delimiter = ',', value_parser = pair)]
    equivalent_words: Vec<(String, String)>,
    /// Tags to leave out when scoring nulls, with spaces between
    #[arg(long, value_name = "TAGS", default_value = "# '' , . `` :")]
    remove_labels: String,
    /// Head rules for spines and edges
    #[arg(long, value_name = "TABLE", default_value = "authors", value_parser = HeadTable::NAMES)]
    heads: String,
}

/// `A:B`, B to be read as A.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((first, second)) if !first.is_empty() && !second.is_empty() => {
            Ok((first.to_owned(), second.to_owned()))
        }
        _ => Err("two labels with a colon between are needed, as ADVP:PRT".to_owned()),
    }
}

pub(crate) fn run(arguments: &Eval) -> Result<ExitCode> {
    let options = arguments.options()?;
    let mut output = Output::stdout();
    match &arguments.against {
        Some(other) => arguments.compare(other, &options, &mut output)?,
        None => arguments.evaluate(options, &mut output)?,
    }
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl Eval {
    fn options(&self) -> Result<Options> {
        let counting = &self.counting;
        let nulls = authors::Options {
            keep_functions: counting.keep_functions,
            homogenise_top: counting.homogenise_top,
            collapse_unaries: counting.collapse_unaries,
            equivalent_labels: counting.equivalent_labels.clone(),
            equivalent_words: counting.equivalent_words.clone(),
            remove: counting.remove_labels.split_whitespace().map(str::to_owned).collect(),
            chains: if counting.follow_chains { Chains::Followed } else { Chains::Direct },
        };
        let heads = HeadTable::named(&counting.heads)
            .ok_or_else(|| Failure(format!("there is no head table {}", counting.heads)))?;
        let unaligned = match self.unaligned {
            UnalignedChoice::Miss => Unaligned::Miss,
            UnalignedChoice::Skip => Unaligned::Skip,
        };
        let graph = graph::Options { heads, keep_functions: counting.keep_functions };
        Ok(Options { evalb: counting.settings()?, nulls, graph, unaligned })
    }

    /// Scores one system.
    fn evaluate(&self, options: Options, output: &mut Output) -> Result<()> {
        let format = &self.format;
        let mut worst = Worst::new(self.errors.unwrap_or(0));
        if format.per_sentence {
            output.write(&text(tsv::sentence_head))?;
        }
        let evaluation = self.each_sentence(&self.test, options, |pair, result| {
            worst.offer(pair, result);
            if format.per_sentence {
                let aligned = pair.pairing.misfit().is_none();
                output.write(&text(|out| tsv::sentence(pair.number, aligned, result, out)))?;
            }
            Ok(())
        })?;
        output.write(&text(|out| {
            if format.per_sentence {
                Ok(())
            } else if self.errors.is_some() {
                worst.write(evaluation.options(), out)
            } else if format.json {
                writeln!(out, "{:#}", json::evaluation(&evaluation))
            } else if format.tsv {
                tsv::evaluation(&evaluation, out)
            } else {
                table::evaluation(&evaluation, format.by_type, out)
            }
        }))
    }

    /// Scores two systems and compares them.
    fn compare(&self, other: &Path, options: &Options, output: &mut Output) -> Result<()> {
        if [&self.gold, &self.test, other].iter().any(|path| *path == Path::new("-")) {
            let reason = "--against reads the gold twice, so it needs files and not standard input";
            return Err(Failure(reason.to_owned()).into());
        }
        let counts = |path: &Path| -> Result<Vec<MetricCounts>> {
            let mut counts = Vec::new();
            self.each_sentence(path, options.clone(), |_, result| {
                counts.push(result.counts);
                Ok(())
            })?;
            Ok(counts)
        };
        let (first, second) = (counts(&self.test)?, counts(other)?);
        let bootstrap = Bootstrap { samples: self.samples, seed: self.seed };
        let differences = bootstrap::compare(&first, &second, &bootstrap);
        output.write(&text(|out| {
            if self.format.json {
                writeln!(out, "{:#}", json::differences(&differences))
            } else if self.format.tsv {
                tsv::differences(&differences, out)
            } else {
                table::differences(&differences, out)
            }
        }))
    }

    /// Evaluates the trees of `test` and hands each gold sentence with its numbers to `visit`.
    fn each_sentence(
        &self,
        test: &Path,
        options: Options,
        mut visit: impl FnMut(&Pair, &SentenceResult) -> Result<()>,
    ) -> Result<Evaluation> {
        let mut evaluation = Evaluation::new(options);
        let (_, gold_trees) = self.from.trees(&self.gold)?;
        let (_, test_trees) = self.test_from.unwrap_or(self.from).trees(test)?;
        let mut scored = 0_usize;
        for pair in pair_up(gold_trees, test_trees) {
            let result = evaluation.add(&pair);
            if let Some(problem) = problem(&pair, result.as_ref()) {
                let file =
                    if matches!(pair.pairing, Pairing::NoGold { error: None }) { test } else { &self.gold };
                let message = format!("{}: sentence {}: {problem}", file.display(), pair.number);
                if self.strict || is_broken(&pair.pairing) {
                    return Err(Failure(message).into());
                }
                failure::say(&message);
            }
            if let Some(result) = result {
                scored += 1;
                visit(&pair, &result)?;
            }
        }
        if scored == 0 {
            return Err(
                Failure(format!("{}: there are no gold trees to compare with", self.gold.display())).into()
            );
        }
        Ok(evaluation)
    }
}

impl Counting {
    fn settings(&self) -> Result<Settings> {
        let Some(path) = &self.prm else { return Ok(Settings::default()) };
        let failed = |reason: &dyn std::fmt::Display| Failure(format!("{}: {reason}", path.display()));
        Ok(small::text(path)?.parse::<Settings>().map_err(|error| failed(&error))?)
    }
}

/// The text that `write` writes, with its colours if it goes to a terminal.
fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("a vector takes everything");
    let text = String::from_utf8_lossy(&bytes);
    for_stdout(&text)
}

/// Whether a file cannot be read from here on. Figures of what was read so far would look like those of the whole.
fn is_broken(pairing: &Pairing) -> bool {
    match pairing {
        Pairing::NoGuess { error: Some(error), .. } | Pairing::NoGold { error: Some(error) } => {
            matches!(error.problem, Problem::Io(_))
        }
        _ => false,
    }
}

/// The reason why a sentence cannot be scored as it should be.
fn problem(pair: &Pair, result: Option<&SentenceResult>) -> Option<String> {
    if let Some(misfit) = pair.pairing.misfit() {
        return Some(misfit.to_string());
    }
    let mismatch = result?.evalb_mismatch?;
    Some(format!("no score for its brackets: {mismatch}"))
}
