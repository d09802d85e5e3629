//! `tracebank coverage`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use miette::Result;
use rayon::prelude::*;
use serde::Serialize;
use tracebank_report::coverage::{Count, Coverage, Encoder, Explanation, PAPER_ROWS, ROWS, Row, explain};

use crate::failure::Failure;
use crate::input::{TreeRead, TreeSource};
use crate::output::Output;

/// Show how much of a treebank each representation covers
///
/// The paper's Table 1: the share of sentences, and of edges, that a parser for each class of structures could get right; the last rows are
/// ours. A sentence is covered when its graph is acyclic, one-endpoint-crossing and lock-free (or a projective graph, or tree). Trees are made
/// into graphs by the rules of each row; graphs (--from graph, shp) are judged as they are.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank coverage trees.mrg
  tracebank coverage --from craft craft-*.released.mrg.gz --json
  tracebank coverage --from shp dev.shp             of the edges that stand in the file
  tracebank coverage --explain trees.mrg            each sentence outside the last row, what our models learn, and why
  tracebank coverage --explain --row 7 trees.mrg    the same for the paper's last row")]
pub(crate) struct CoverageArguments {
    #[command(flatten)]
    source: TreeSource,

    /// Write one JSON object
    #[arg(long)]
    json: bool,

    /// List each sentence that a row does not cover, with the edges that are in the way
    #[arg(long)]
    explain: bool,

    /// The row to explain, counted from 1 [default: the last]
    #[arg(long, value_name = "N", requires = "explain", value_parser = clap::value_parser!(u8).range(1..=ROWS.len() as i64))]
    row: Option<u8>,
}

/// The number of trees that are read before they are counted, all at once, on all cores.
const BATCH: usize = 4096;

pub(crate) fn run(arguments: &CoverageArguments) -> Result<ExitCode> {
    let mut report = Report::new(arguments)?;
    let mut batch = Vec::with_capacity(BATCH);
    arguments.source.for_each(|sentence| {
        batch.push(sentence);
        if batch.len() == BATCH {
            report.add(&batch);
            batch.clear();
        }
        Ok(Ok(()))
    })?;
    report.add(&batch);
    if report.coverage.trees() == 0 {
        return Err(Failure("there are no trees to count".to_owned()).into());
    }
    let mut output = Output::stdout();
    output.write(&if arguments.json { report.json() } else { report.table() })?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

struct Report {
    coverage: Coverage,
    empty: Coverage,
    /// How many of the rows are the paper's, and the row that our models learn; graphs that are given have neither.
    paper_rows: usize,
    learnt_row: usize,
    encoder: Encoder,
    /// The row to explain.
    row: Option<&'static Row>,
    outside: Vec<Outside>,
}

/// A sentence that is not covered.
#[derive(Serialize)]
struct Outside {
    file: String,
    sentence: usize,
    reason: String,
    edges: Vec<String>,
    dropped: Vec<String>,
}

impl Report {
    fn new(arguments: &CoverageArguments) -> Result<Report> {
        let from = arguments.source.from;
        let coverage = if from.is_graph() { Coverage::of_graphs() } else { Coverage::of_trees() };
        let rows = coverage.rows();
        let number = arguments.row.map_or(rows.len(), usize::from);
        let row = rows.get(number - 1);
        if row.is_none() {
            let message =
                format!("there is no row {number}: of graphs that are given there are {}", rows.len());
            return Err(Failure(message).into());
        }
        let row = row.filter(|_| arguments.explain);
        let (paper_rows, learnt_row) = if from.is_graph() { (0, 0) } else { (PAPER_ROWS, ROWS.len() - 1) };
        let (empty, encoder) = (coverage.clone(), Encoder::new(from.dialect()));
        Ok(Report { coverage, empty, paper_rows, learnt_row, encoder, row, outside: Vec::new() })
    }

    fn add(&mut self, batch: &[TreeRead]) {
        let parts: Vec<Coverage> = batch
            .par_chunks(64)
            .map(|chunk| {
                let mut coverage = self.empty.clone();
                for sentence in chunk {
                    match sentence.edges() {
                        Some(edges) => coverage.add_given(&edges),
                        None => coverage.add(&self.encoder, &sentence.tree),
                    }
                }
                coverage
            })
            .collect();
        parts.iter().for_each(|part| self.coverage.merge(part));
        if let Some(row) = self.row {
            let outside: Vec<Outside> = batch
                .par_iter()
                .filter_map(|sentence| {
                    let explanation = explain(&sentence.edges_of(&self.encoder, row), row)?;
                    Some(Outside::new(sentence, explanation))
                })
                .collect();
            self.outside.extend(outside);
        }
    }

    fn table(&self) -> String {
        let mut out = format!("{:<40} {:>10} {:>8}\n", "Representation", "Sentences", "Edges");
        for (index, (row, count)) in self.coverage.rows().iter().zip(self.coverage.counts()).enumerate() {
            if index > 0 && (index == self.paper_rows || index == self.learnt_row) {
                writeln!(out, "{:-<60}", "").expect("writing to a string");
            }
            let [sentences, edges] = self.percentages(count);
            writeln!(out, "{:<40} {sentences:>9.2}% {edges:>7.2}%", row.name).expect("writing to a string");
        }
        writeln!(out, "{} sentences", self.coverage.trees()).expect("writing to a string");
        if self.row.is_some() {
            self.write_explanation(&mut out);
        }
        out
    }

    fn write_explanation(&self, out: &mut String) {
        for outside in &self.outside {
            let Outside { file, sentence, reason, edges, .. } = outside;
            writeln!(out, "\n{file}, sentence {sentence}: {reason}\n    {}", edges.join("\n    "))
                .expect("writing to a string");
        }
        for (title, counts) in
            [("By reason", self.by_reason()), ("By type of trace left out", self.by_trace_type())]
        {
            let all: usize = counts.values().sum();
            writeln!(out, "\n{title}").expect("writing to a string");
            let mut rows: Vec<(&String, &usize)> = counts.iter().collect();
            rows.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), name.clone()));
            for (name, count) in rows {
                writeln!(out, "  {name:<24} {count:>6} {:>6.1}%", percent(*count, all))
                    .expect("writing to a string");
            }
        }
    }

    fn json(&self) -> String {
        let rows: Vec<serde_json::Value> = self
            .coverage
            .rows()
            .iter()
            .zip(self.coverage.counts())
            .enumerate()
            .map(|(index, (row, count))| {
                let [sentences, edges] = self.percentages(count);
                serde_json::json!({
                    "name": row.name,
                    "from_paper": index < self.paper_rows,
                    "sentences": count.sentences,
                    "sentences_percent": sentences,
                    "edges": count.edges,
                    "all_edges": count.all_edges,
                    "edges_within_spines": count.within_spines,
                    "edges_percent": edges,
                })
            })
            .collect();
        let mut object = serde_json::json!({ "trees": self.coverage.trees(), "rows": rows });
        if self.row.is_some() {
            object["outside"] = serde_json::json!(self.outside);
            object["by_reason"] = serde_json::json!(self.by_reason());
            object["by_trace_type"] = serde_json::json!(self.by_trace_type());
        }
        format!("{object:#}\n")
    }

    fn percentages(&self, count: &Count) -> [f64; 2] {
        [percent(count.sentences, self.coverage.trees()), percent(count.edges, count.all_edges)]
    }

    fn by_reason(&self) -> BTreeMap<String, usize> {
        tally(self.outside.iter().map(|outside| &outside.reason))
    }

    fn by_trace_type(&self) -> BTreeMap<String, usize> {
        tally(self.outside.iter().flat_map(|outside| &outside.dropped))
    }
}

impl Outside {
    fn new(sentence: &TreeRead, explanation: Explanation) -> Outside {
        let Explanation { reason, edges, dropped } = explanation;
        Outside {
            file: sentence.file.clone(),
            sentence: sentence.number,
            reason: reason.to_string(),
            edges,
            dropped,
        }
    }
}

fn tally<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.clone()).or_default() += 1;
    }
    counts
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}
