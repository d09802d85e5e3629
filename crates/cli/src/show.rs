//! What `tracebank parse` writes.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use clap::ValueEnum;
use tracebank::{OutputFormat, Record};
use tracebank_report::draw::{NodeMarks, outline};

use crate::commands::for_stdout;
use crate::sources::Source;

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Form {
    /// Penn brackets, a tree a line
    Penn,
    /// Penn brackets over several lines
    Pretty,
    /// an outline of the tree, and what its nulls stand for in words
    Outline,
    /// the graph form of docs/graph-format.md
    Graph,
    /// JSON lines; docs/json-format.md
    Json,
    /// CoNLL-U; docs/conllu-format.md
    Conllu,
    /// the words, a sentence a line
    Words,
}

impl Form {
    /// An outline for somebody who types a text and looks at the answer, brackets for everything else.
    pub(crate) fn usual(sources: &[Source], to_file: bool) -> Form {
        let typed = sources.iter().any(|source| matches!(source, Source::Text(_)) || source.is_typed());
        if typed && !to_file && io::stdout().is_terminal() { Form::Outline } else { Form::Penn }
    }

    /// The form of the library; the outline is ours.
    fn format(self) -> Option<OutputFormat> {
        match self {
            Form::Penn => Some(OutputFormat::Penn),
            Form::Pretty => Some(OutputFormat::Pretty),
            Form::Graph => Some(OutputFormat::Graph),
            Form::Json => Some(OutputFormat::Json),
            Form::Conllu => Some(OutputFormat::Conllu),
            Form::Words => Some(OutputFormat::Words),
            Form::Outline => None,
        }
    }

    /// What stands behind each answer.
    pub(crate) fn terminator(self) -> &'static str {
        self.format().map_or("\n\n", OutputFormat::terminator)
    }

    /// Writes an answer.
    pub(crate) fn write(self, record: Record<'_>, out: &mut String) {
        match self.format() {
            Some(format) => format.write(record, out),
            None => out.push_str(&for_stdout(&in_words(record))),
        }
    }
}

fn in_words(record: Record<'_>) -> String {
    let lines = outline(&record.parse.tree, &NodeMarks::default());
    let mut text = lines.iter().fold(String::new(), |text, line| text + &line.coloured() + "\n");
    for null in record.parse.nulls() {
        writeln!(text, "  \x1b[3m{}\x1b[0m", null.describe()).expect("writing to a string");
    }
    text.push('\n');
    text
}
