//! Output forms of `tracebank parse` and `tracebank convert`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use tracebank::{OutputFormat, Record, Tree};
use tracebank_report::draw::{NodeMarks, outline};

use crate::choice::Choice;
use crate::commands::for_stdout;
use crate::sources::Source;

/// A form of output: those of the library, and the outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// An outline of the tree, with its nulls in words.
    Outline,
    /// A form of the library.
    Format(OutputFormat),
}

impl Choice for Form {
    fn all() -> Vec<Form> {
        OutputFormat::all().into_iter().map(Form::Format).chain([Form::Outline]).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Form::Outline => "outline",
            Form::Format(format) => format.name(),
        }
    }

    fn description(self) -> &'static str {
        match self {
            Form::Outline => "an outline of the tree, and what its nulls stand for in words",
            Form::Format(format) => format.description(),
        }
    }
}

impl Form {
    /// An outline for somebody who types a text and looks at the answer, brackets for everything else.
    pub(crate) fn usual(sources: &[Source], to_file: bool) -> Form {
        let typed = sources.iter().any(|source| matches!(source, Source::Text(_)) || source.is_typed());
        if typed && !to_file && io::stdout().is_terminal() {
            Form::Outline
        } else {
            Form::Format(OutputFormat::Penn)
        }
    }

    /// Whether it has room for several trees of one sentence.
    pub(crate) fn holds_alternatives(self) -> bool {
        matches!(self, Form::Outline | Form::Format(OutputFormat::Json))
    }

    /// Writes an answer.
    pub(crate) fn write(self, record: Record<'_>, out: &mut String) {
        match self {
            Form::Format(format) => format.write(record, out),
            Form::Outline => out.push_str(&for_stdout(&in_words(record))),
        }
    }
}

fn in_words(record: Record<'_>) -> String {
    let parse = record.parse;
    let mut text = String::new();
    if parse.alternatives.is_empty() {
        show_tree(&parse.tree, &mut text);
    }
    for (number, other) in (1..).zip(&parse.alternatives) {
        let (score, probability) = (other.score, other.probability);
        writeln!(text, "\x1b[1m{number}\x1b[0m  probability {probability:.3}  score {score:.2}")
            .expect("writing to a string");
        show_tree(&other.tree, &mut text);
    }
    for null in parse.nulls() {
        let sure = null.probability.map_or_else(String::new, |probability| format!("  ({probability:.2})"));
        writeln!(text, "  \x1b[3m{}\x1b[0m{sure}", null.describe()).expect("writing to a string");
    }
    text.push('\n');
    text
}

fn show_tree(tree: &Tree, text: &mut String) {
    for line in outline(tree, &NodeMarks::default()) {
        writeln!(text, "{}", line.coloured()).expect("writing to a string");
    }
}
