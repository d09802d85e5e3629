//! Output forms: parses as text.

mod conllu;
mod graph;
mod json;
mod spines;

use std::fmt::Write as _;

use crate::input::{Id, Origin};
use crate::parse::Parse;

/// A form in which parses are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Penn brackets, a tree a line.
    Penn,
    /// Penn brackets over several lines.
    Pretty,
    /// The graph form of `docs/graph-format.md`.
    Graph,
    /// JSON lines; `docs/json-format.md`.
    Json,
    /// Universal Dependencies in CoNLL-U; `docs/conllu-format.md`.
    Conllu,
    /// Spines, structural edges and trace edges in the columns of CoNLL-U; `docs/conllu-format.md`.
    Spines,
    /// The words, a sentence a line.
    Words,
    /// Predicates with their arguments, a line each; `docs/relations.md`.
    Relations,
}

/// A parse to be written, with what is known about where it is from.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The parse.
    pub parse: &'a Parse,
    /// The name its input came with.
    pub id: Option<&'a Id>,
    /// The origin of its input.
    pub origin: Option<&'a Origin>,
}

impl<'a> From<&'a Parse> for Record<'a> {
    fn from(parse: &'a Parse) -> Record<'a> {
        Record { parse, id: None, origin: None }
    }
}

impl OutputFormat {
    /// Every form.
    pub const ALL: [OutputFormat; 8] = [
        OutputFormat::Penn,
        OutputFormat::Pretty,
        OutputFormat::Graph,
        OutputFormat::Json,
        OutputFormat::Conllu,
        OutputFormat::Spines,
        OutputFormat::Words,
        OutputFormat::Relations,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OutputFormat::Penn => "penn",
            OutputFormat::Pretty => "pretty",
            OutputFormat::Graph => "graph",
            OutputFormat::Json => "json",
            OutputFormat::Conllu => "conllu",
            OutputFormat::Spines => "spines",
            OutputFormat::Words => "words",
            OutputFormat::Relations => "relations",
        }
    }

    /// The form in a few words.
    pub fn description(self) -> &'static str {
        match self {
            OutputFormat::Penn => "Penn brackets, a tree a line",
            OutputFormat::Pretty => "Penn brackets over several lines",
            OutputFormat::Graph => "the graph form of docs/graph-format.md",
            OutputFormat::Json => "JSON lines; docs/json-format.md",
            OutputFormat::Conllu => {
                "Universal Dependencies, basic and enhanced, in CoNLL-U; docs/conllu-format.md"
            }
            OutputFormat::Spines => {
                "spines, edges and trace edges in the columns of CoNLL-U; docs/conllu-format.md"
            }
            OutputFormat::Words => "the words, a sentence a line",
            OutputFormat::Relations => "who did what to whom: a line for each predicate; docs/relations.md",
        }
    }

    /// The text behind each parse, which stands nowhere within one.
    pub fn terminator(self) -> &'static str {
        match self {
            OutputFormat::Penn | OutputFormat::Json | OutputFormat::Words => "\n",
            OutputFormat::Pretty
            | OutputFormat::Graph
            | OutputFormat::Conllu
            | OutputFormat::Spines
            | OutputFormat::Relations => "\n\n",
        }
    }

    /// Writes one parse, with its terminator. CoNLL-U has nothing for a sentence without words.
    pub fn write(self, record: Record<'_>, out: &mut String) {
        let Parse { tree, tokens, .. } = record.parse;
        match self {
            OutputFormat::Penn => write!(out, "{tree}").expect("writing to a string"),
            OutputFormat::Pretty => write!(out, "{tree:#}").expect("writing to a string"),
            OutputFormat::Graph => out.push_str(graph::text(record.parse).trim_end_matches('\n')),
            OutputFormat::Json => out.push_str(&json::value(record).to_string()),
            OutputFormat::Conllu => return out.push_str(&conllu::text(record)),
            OutputFormat::Spines => spines::write(record, out),
            OutputFormat::Relations => {
                let parse = record.parse;
                out.push_str(&tracebank_relations::table(&parse.relations(), &|tokens| parse.words(tokens)));
            }
            OutputFormat::Words => {
                let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
                out.push_str(&words.join(" "));
            }
        }
        out.push_str(self.terminator());
    }
}

impl Parse {
    /// The parse as JSON; `docs/json-format.md` says what is in it.
    pub fn to_json(&self) -> serde_json::Value {
        json::value(self.into())
    }

    /// The parse as Universal Dependencies, a sentence of CoNLL-U; `docs/conllu-format.md` says what is where. They are read off
    /// [`Parse::model_tree`] if there is one, so they are the same in every dialect that is a rewriting.
    ///
    /// ```
    /// let parse = tracebank::Parser::embedded()?.parse("She wants to leave.");
    /// let rows: Vec<String> = parse.to_conllu().lines().skip(3).map(str::to_owned).collect();
    /// assert_eq!(rows[0], "1\tShe\tshe\tPRON\tPRP\tCase=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs\t2\tnsubj\t2:nsubj|4:nsubj:xsubj\tTokenRange=0:3");
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn to_conllu(&self) -> String {
        let mut text = String::new();
        OutputFormat::Conllu.write(self.into(), &mut text);
        text
    }
}
