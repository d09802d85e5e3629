//! `tracebank derive`: how the chart puts a sentence together.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use miette::{Report, Result};
use tracebank::{BrokenStream, Input, InputFormat, Limits, Parse, Parser};
use tracebank_chart::decompose::Stopped;
use tracebank_chart::{Class, Derivation, Edge, Grammar, Node, UnknownClass, Worker, explain};
use tracebank_report::coverage::{Encoder, ROWS};
use tracebank_report::draw::{derivation_picture, edge_picture};
use tracebank_report::edges::Edges;
use tracebank_syntax::dialect::Dialect;

use super::model::open_model;
use super::picture::Canvas;
use crate::choice::one_of;
use crate::failure::{self, Failure};
use crate::input::{TreeFormat, TreeSource, USUAL};
use crate::output::Output;
use crate::sources::{inputs, sources};

/// Show how a sentence is derived: items over the words, step by step
///
/// Without --from, texts and files are parsed, as by `parse`. With it, files hold gold trees or graphs. A step is an item with the place where
/// it stands (the numbers of its first and last word and, behind a dot, of the word outside that it looks at), its kind, and what it is made
/// of. The root stands behind the last word. A graph outside the class has no derivation, and the reason is told.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank derive 'We like running.' --draw steps.svg
  tracebank derive --from penn trees.mrg -n 12
  tracebank derive --from shp example.shp -n 1 --draw locked.svg    a graph outside the class, with the edges that are in the way marked
  tracebank derive --class projective-tree 'They slept.'

`tracebank rules explain 12` says in words what the template (12) of a step does.")]
pub(crate) struct DeriveArguments {
    /// Texts, files or patterns of file names; `-` or none for standard input
    #[arg(value_name = "TEXT|FILE")]
    what: Vec<String>,

    /// Read gold trees or graphs in this form instead of parsing
    #[arg(long, value_parser = one_of::<TreeFormat>(), value_name = "FORM", conflicts_with_all = ["input", "model"])]
    from: Option<TreeFormat>,
    /// Go on behind a bad tree, and say at the end how many were left out
    #[arg(long, requires = "from")]
    skip_bad: bool,
    /// The form of the input to parse
    #[arg(short, long, value_parser = one_of::<InputFormat>(), default_value = InputFormat::Text.name(), value_name = "FORM")]
    input: InputFormat,
    /// A model file, or one of those built in: default, fast
    #[arg(short, long, default_value = tracebank::DEFAULT_MODEL, value_name = "MODEL")]
    model: String,

    /// The number of the sentence, from 1 [default: all of them, with --draw the first]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// The class of structures: projective-tree, projective-graph, 1ec-tree or 1ec-graph, with +structural or +undirected
    #[arg(long, default_value = "1ec-graph+structural")]
    class: String,
    /// For trees: the row of the coverage table by whose rules a graph is made [default: the last, what our models learn]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=ROWS.len() as i64))]
    row: Option<u8>,
    /// Also draw the derivation: as SVG, or as PNG or PDF if the name ends so
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Overwrite the picture if there is one
    #[arg(long, requires = "draw")]
    force: bool,
}

pub(crate) fn run(arguments: &DeriveArguments) -> Result<ExitCode> {
    let class: Class = arguments.class.parse().map_err(|error: UnknownClass| Failure(error.to_string()))?;
    let canvas = arguments.draw.as_ref().map(|path| Canvas::open(path, arguments.force)).transpose()?;
    let number = arguments.number.or(arguments.draw.is_some().then_some(1));
    let mut deriver = Deriver {
        grammar: Grammar::of(class),
        worker: Worker::new(),
        number,
        seen: 0,
        picture: None,
        output: Output::stdout(),
    };
    let result = match arguments.from {
        Some(from) => arguments.derive_trees(from, &mut deriver),
        None => arguments.derive_parses(&mut deriver),
    };
    match result {
        Err(error) if !error.is::<Enough>() => return Err(error),
        _ => {}
    }
    if let Some(number) = number.filter(|&number| number > deriver.seen) {
        return Err(Failure(format!("there is no sentence {number}: there are {}", deriver.seen)).into());
    }
    if let (Some(canvas), Some(picture)) = (canvas, &deriver.picture) {
        canvas.write(picture)?;
    }
    deriver.output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The end of reading: the sentence asked for has been derived.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("enough")]
struct Enough;

/// The end of parsing, for whatever reason.
struct Ended(Report);

impl From<BrokenStream> for Ended {
    fn from(error: BrokenStream) -> Ended {
        Ended(Failure(error.to_string()).into())
    }
}

impl DeriveArguments {
    fn derive_trees(&self, from: TreeFormat, deriver: &mut Deriver) -> Result<()> {
        let encoder = Encoder::new(from.dialect());
        let row = &ROWS[self.row.map_or(ROWS.len(), usize::from) - 1];
        let files = self.what.iter().map(PathBuf::from).collect();
        let source = TreeSource { files, from, skip_bad: self.skip_bad };
        source.for_each(|sentence| {
            // A graph is derived as it is.
            let edges = sentence.edges().unwrap_or_else(|| encoder.edges(&sentence.tree, row));
            deriver.add(&edges).map(Ok)
        })
    }

    fn derive_parses(&self, deriver: &mut Deriver) -> Result<()> {
        let sources = sources(&self.what)?;
        let parser = Parser::with_model(&open_model(&self.model)?)
            .map_err(|error| Failure(format!("model {}: {error}", self.model)))?;
        let encoder = Encoder::new(Dialect::named(USUAL).expect("the project's own dialect"));
        let row = &ROWS[self.row.map_or(ROWS.len(), usize::from) - 1];
        let each = |input: &Input, parse: &Parse| -> Result<(), Ended> {
            match &input.sentence {
                Err(bad) => failure::say(&format!("left out: {bad}")),
                Ok(_) if parse.outcome.is_failure() => failure::say("left out: a sentence without a parse"),
                Ok(_) => deriver.add(&encoder.edges(&parse.tree, row)).map_err(Ended)?,
            }
            Ok(())
        };
        let limits = Limits::for_words(parser.options().max_words);
        let inputs = inputs(sources, self.input, parser.tokeniser(), limits);
        let summary =
            tracebank::parse_stream(&parser, inputs, tracebank::BLOCK, &AtomicBool::new(false), each);
        summary.map(|_| ()).map_err(|Ended(error)| error)
    }
}

/// Derives one sentence after another and writes what it finds.
struct Deriver {
    grammar: Arc<Grammar>,
    worker: Worker,
    /// The one sentence that is asked for.
    number: Option<u64>,
    seen: u64,
    picture: Option<String>,
    output: Output,
}

impl Deriver {
    fn add(&mut self, edges: &Edges) -> Result<()> {
        self.seen += 1;
        if self.number.is_some_and(|number| number != self.seen) {
            return Ok(());
        }
        let derived = edges.derivation(&mut self.worker, &self.grammar);
        self.output.write(&match &derived {
            Ok(derivation) => in_words(&self.grammar, derivation, &edges.words),
            Err(stopped) => refused(stopped, &edges.words),
        })?;
        if self.number.is_none() {
            return Ok(());
        }
        self.picture = Some(match &derived {
            Ok(derivation) => derivation_picture(&edges.words, &self.grammar, derivation),
            Err(stopped) => {
                let graph = edges.chart_graph(self.grammar.class());
                edge_picture(&edges.words, &graph.edges, &offending(stopped), &stopped.to_string())
            }
        });
        Err(Enough.into())
    }
}

/// The words with their numbers.
fn legend(words: &[String]) -> String {
    let numbered = words.iter().map(String::as_str).chain(["ROOT"]).enumerate();
    let numbered: Vec<String> = numbered.map(|(number, word)| format!("{number} {word}")).collect();
    format!("{}\n", numbered.join("  "))
}

fn in_words(grammar: &Grammar, derivation: &Derivation, words: &[String]) -> String {
    let mut text = legend(words);
    let steps = explain::steps(grammar, derivation);
    let width = |of: fn(&explain::StepText) -> &str| steps.iter().map(|step| of(step).chars().count()).max();
    let (place, kind) = (width(|step| &step.place).unwrap_or(0), width(|step| &step.kind).unwrap_or(0));
    for (number, step) in steps.iter().enumerate() {
        let _ = writeln!(text, "{number:>3}  {:<place$}  {:<kind$}  {}", step.place, step.kind, step.how);
    }
    text.push('\n');
    text
}

fn refused(stopped: &Stopped, words: &[String]) -> String {
    let name = |node: Node| words.get(node.index()).map_or("ROOT", String::as_str);
    let mut text = format!("{}no derivation: {stopped}\n", legend(words));
    for edge in offending(stopped) {
        let _ = writeln!(text, "    {edge}  {} → {}", name(edge.from), name(edge.to));
    }
    text.push('\n');
    text
}

/// The edges that are in the way.
fn offending(stopped: &Stopped) -> Vec<Edge> {
    match stopped {
        Stopped::Outside { reason, .. } => reason.edges(),
        Stopped::Rules { edges } => edges.clone(),
        Stopped::Decode(_) => Vec::new(),
    }
}
