//! Aligned columns for people. Colour is written as ANSI codes, to be stripped by whoever writes to something else than a terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::bootstrap::Difference;
use crate::evalb::Summary;
use crate::evaluation::Evaluation;
use crate::metric::Metric;
use crate::score::Counts;

const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// Differences with a smaller p-value are shown in bold.
const SIGNIFICANT: f64 = 0.05;

/// A table whose first column is text and whose others are numbers.
struct Table {
    head: Vec<String>,
    rows: Vec<(Style, Vec<String>)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Bold,
    Faint,
}

impl Table {
    fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|&cell| cell.to_owned()).collect(), rows: Vec::new() }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut widths: Vec<usize> = self.head.iter().map(|cell| cell.width()).collect();
        for (_, row) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        write_row(&self.head, &widths, Style::Bold, out)?;
        for (style, row) in &self.rows {
            write_row(row, &widths, *style, out)?;
        }
        Ok(())
    }
}

fn write_row(row: &[String], widths: &[usize], style: Style, out: &mut impl Write) -> io::Result<()> {
    let (on, off) = match style {
        Style::Plain => ("", ""),
        Style::Bold => (BOLD, PLAIN),
        Style::Faint => (FAINT, PLAIN),
    };
    write!(out, "{on}")?;
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        let padding = width.saturating_sub(cell.width());
        match column {
            0 if row.len() == 1 => write!(out, "{cell}")?,
            0 => write!(out, "{cell}{:padding$}", "")?,
            _ => write!(out, "  {:padding$}{cell}", "")?,
        }
    }
    writeln!(out, "{off}")
}

/// The metrics, with their types if `by_type`.
pub fn evaluation(evaluation: &Evaluation, by_type: bool, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(&["", "match", "gold", "guess", "P", "R", "F1"]);
    for metric in Metric::all() {
        let tally = &evaluation.tallies()[metric];
        let title = match metric {
            Metric::BracketsShort => format!("brackets, ≤ {} words", evaluation.options().evalb.cutoff),
            other => other.title().to_owned(),
        };
        let style = if by_type { Style::Bold } else { Style::Plain };
        table.rows.push((style, row(title, tally.total)));
        if by_type {
            for (kind, &counts) in &tally.by_type {
                table.rows.push((Style::Plain, row(format!("  {kind}"), counts)));
            }
        }
    }
    table.write(out)?;
    writeln!(out)?;
    summaries(evaluation, out)?;
    let unaligned = evaluation.unaligned().len();
    if unaligned > 0 {
        writeln!(out, "\n{unaligned} of {} sentences did not line up.", evaluation.sentences())?;
    }
    Ok(())
}

fn row(title: String, counts: Counts) -> Vec<String> {
    let Counts { matched, gold, test } = counts;
    let mut row = vec![title];
    row.extend([matched, gold, test].map(|count| count.to_string()));
    row.extend([counts.precision(), counts.recall(), counts.f1()].map(|value| format!("{value:.2}")));
    row
}

/// The lines of `evalb` besides precision and recall.
fn summaries(evaluation: &Evaluation, out: &mut impl Write) -> io::Result<()> {
    type Line = (&'static str, fn(&Summary) -> String);
    const LINES: [Line; 9] = [
        ("sentences", |summary| summary.sentences.to_string()),
        ("error sentences", |summary| summary.errors.to_string()),
        ("skipped sentences", |summary| summary.skipped.to_string()),
        ("valid sentences", |summary| summary.valid().to_string()),
        ("complete match", |summary| format!("{:.2}", summary.complete_match())),
        ("average crossing", |summary| format!("{:.2}", summary.average_crossing())),
        ("no crossing", |summary| format!("{:.2}", summary.no_crossing())),
        ("2 or less crossing", |summary| format!("{:.2}", summary.two_or_less_crossing())),
        ("tagging accuracy", |summary| format!("{:.2}", summary.tagging_accuracy())),
    ];
    let short = format!("≤ {} words", evaluation.options().evalb.cutoff);
    let mut table = Table::new(&["evalb", "all", &short]);
    for (title, value) in LINES {
        let cells = vec![title.to_owned(), value(evaluation.evalb()), value(evaluation.evalb_short())];
        table.rows.push((Style::Plain, cells));
    }
    table.write(out)
}

/// Two systems side by side.
pub fn differences(differences: &[Difference], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(&["F1", "first", "second", "difference", "95 % interval", "p"]);
    for row in differences {
        let (low, high) = row.interval;
        let style = if row.p_value < SIGNIFICANT { Style::Bold } else { Style::Faint };
        let cells = vec![
            row.metric.title().to_owned(),
            format!("{:.2}", row.first),
            format!("{:.2}", row.second),
            format!("{:+.2}", row.difference),
            format!("{low:+.2} to {high:+.2}"),
            format!("{:.4}", row.p_value),
        ];
        table.rows.push((style, cells));
    }
    table.write(out)
}
