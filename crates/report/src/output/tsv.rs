//! Rows with tabs between their columns.

use std::io::{self, Write};

use crate::bootstrap::Difference;
use crate::evaluation::{Evaluation, SentenceResult};
use crate::metric::Metric;
use crate::score::Counts;

/// A row a metric, and below it a row a type.
pub fn evaluation(evaluation: &Evaluation, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "metric\ttype\tmatch\tgold\ttest\tprecision\trecall\tf1")?;
    for metric in Metric::all() {
        let tally = &evaluation.tallies()[metric];
        row(metric, "all", tally.total, out)?;
        for (kind, &counts) in &tally.by_type {
            row(metric, kind, counts, out)?;
        }
    }
    Ok(())
}

fn row(metric: Metric, kind: &str, counts: Counts, out: &mut impl Write) -> io::Result<()> {
    let Counts { matched, gold, test } = counts;
    let (precision, recall, f1) = (counts.precision(), counts.recall(), counts.f1());
    writeln!(
        out,
        "{}\t{kind}\t{matched}\t{gold}\t{test}\t{precision:.4}\t{recall:.4}\t{f1:.4}",
        metric.name()
    )
}

/// The head of the rows that [`sentence`] writes.
pub fn sentence_head(out: &mut impl Write) -> io::Result<()> {
    write!(out, "sentence\tstatus")?;
    for metric in Metric::all() {
        let name = metric.name();
        write!(out, "\t{name}_match\t{name}_gold\t{name}_test")?;
    }
    writeln!(out)
}

/// A sentence: its number, whether it lined up, and three counts a metric.
pub fn sentence(
    number: usize,
    aligned: bool,
    result: &SentenceResult,
    out: &mut impl Write,
) -> io::Result<()> {
    let status = match result.evalb_mismatch {
        _ if !aligned => "unaligned",
        Some(_) => "evalb_error",
        None => "ok",
    };
    write!(out, "{number}\t{status}")?;
    for metric in Metric::all() {
        let Counts { matched, gold, test } = result.counts[metric];
        write!(out, "\t{matched}\t{gold}\t{test}")?;
    }
    writeln!(out)
}

/// A row a metric for the comparison of two systems.
pub fn differences(differences: &[Difference], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "metric\tfirst_f1\tsecond_f1\tdifference\tlow_95\thigh_95\tp_value")?;
    for row in differences {
        let (low, high) = row.interval;
        writeln!(
            out,
            "{}\t{:.4}\t{:.4}\t{:.4}\t{low:.4}\t{high:.4}\t{:.4}",
            row.metric.name(),
            row.first,
            row.second,
            row.difference,
            row.p_value
        )?;
    }
    Ok(())
}
