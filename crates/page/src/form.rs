//! Output forms: those of the library, and the outline.

use std::fmt::Write as _;

use tracebank::{OutputFormat, Record, Tree};
use tracebank_report::draw::{NodeMarks, outline};

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// An outline of the tree, with its nulls in words.
    Outline,
    /// A form of the library.
    Format(OutputFormat),
}

impl Form {
    /// Every form.
    pub fn all() -> impl Iterator<Item = Form> {
        OutputFormat::ALL.into_iter().map(Form::Format).chain([Form::Outline])
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Outline => "outline",
            Form::Format(format) => format.name(),
        }
    }

    /// The form in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Form::Outline => "an outline of the tree, and what its nulls stand for in words",
            Form::Format(format) => format.description(),
        }
    }

    /// The form with this name.
    pub fn named(name: &str) -> Option<Form> {
        Form::all().find(|form| form.name() == name)
    }

    /// Whether it has room for several trees of one sentence.
    pub fn holds_alternatives(self) -> bool {
        matches!(self, Form::Outline | Form::Format(OutputFormat::Json))
    }

    /// Writes an answer; `coloured` outlines have ANSI codes.
    pub fn write(self, record: Record<'_>, coloured: bool, out: &mut String) {
        match self {
            Form::Format(format) => format.write(record, out),
            Form::Outline => in_words(record, coloured, out),
        }
    }
}

fn in_words(record: Record<'_>, coloured: bool, out: &mut String) {
    let parse = record.parse;
    let (bold, italic, end) = if coloured { ("\x1b[1m", "\x1b[3m", "\x1b[0m") } else { ("", "", "") };
    if parse.alternatives.is_empty() {
        show_tree(&parse.tree, coloured, out);
    }
    for (number, other) in (1..).zip(&parse.alternatives) {
        let (score, probability) = (other.score, other.probability);
        writeln!(out, "{bold}{number}{end}  probability {probability:.3}  score {score:.2}")
            .expect("writing to a string");
        show_tree(&other.tree, coloured, out);
    }
    for null in parse.nulls() {
        let sure = null.probability.map_or_else(String::new, |probability| format!("  ({probability:.2})"));
        writeln!(out, "  {italic}{}{end}{sure}", null.describe()).expect("writing to a string");
    }
    out.push('\n');
}

fn show_tree(tree: &Tree, coloured: bool, out: &mut String) {
    for line in outline(tree, &NodeMarks::default()) {
        let line = if coloured { line.coloured() } else { line.plain() };
        writeln!(out, "{line}").expect("writing to a string");
    }
}
