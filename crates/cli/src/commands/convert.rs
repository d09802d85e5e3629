//! `tracebank convert`.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use miette::Result;
use tracebank::{Origin, OutputFormat, Parse, Record};
use tracebank_shp as shp;
use tracebank_syntax::graph::{self, Graph, Targets, text};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::choice::{Choice, one_of};
use crate::input::{TreeRead, TreeSource, Verdict};
use crate::output::OutputArguments;
use crate::show::Form;

/// Convert between treebank formats
///
/// Trees come in any dialect and go out in the Penn Treebank's, or as all that is made of a parse: relations, Universal Dependencies, JSON.
/// The graph form holds spines, structural edges and trace edges, one word a line, and converts back to the very tree it was made of
/// (with its indices numbered from 1).
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank convert --from craft --to penn craft.released.mrg.gz -o craft.mrg
  tracebank convert --from craft --to relations craft.released.mrg.gz
  tracebank convert --to conllu trees.mrg -o trees.conllu
  tracebank convert --to graph < trees.mrg | less -S
  tracebank convert --from graph --to pretty graphs.txt
  tracebank convert --to penn --strip-traces --strip-functions trees.mrg")]
pub(crate) struct Convert {
    #[command(flatten)]
    source: TreeSource,

    /// The form of the output
    #[arg(long, value_parser = one_of::<To>(), default_value = "penn", value_name = "FORM")]
    to: To,

    /// Leave out null elements, and the indices that then point to nothing
    #[arg(long)]
    strip_traces: bool,

    /// Leave out function tags: NP-SBJ-1 becomes NP-1
    #[arg(long)]
    strip_functions: bool,

    /// For graphs: the head rules; the dialect's own unless given (the split-head form has its own)
    #[arg(long, value_parser = HeadTable::NAMES)]
    heads: Option<String>,

    /// For graphs: where edges of gaps and pseudo-attachments end
    #[arg(long, value_enum, default_value_t = Ends::Referent)]
    targets: Ends,

    #[command(flatten)]
    output: OutputArguments,
}

/// A form of output: those of parses, and two for trees alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Form(Form),
    Shp,
    Tagged,
}

impl Choice for To {
    fn all() -> Vec<To> {
        Form::all().map(To::Form).chain([To::Shp, To::Tagged]).collect()
    }

    fn name(self) -> &'static str {
        match self {
            To::Form(form) => form.name(),
            To::Shp => "shp",
            To::Tagged => "tagged",
        }
    }

    fn description(self) -> &'static str {
        match self {
            To::Form(form) => form.description(),
            To::Shp => "the split-head form of the paper's authors, which loses some of the tree",
            To::Tagged => "`word_TAG`, a sentence a line",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ends {
    /// on the nodes that have the indices
    Referent,
    /// for gaps, on the parent (the paper's shift)
    Parent,
    /// on phrases that several edges share
    Common,
}

impl Ends {
    fn targets(self) -> Targets {
        match self {
            Ends::Referent => Targets::Referent,
            Ends::Parent => Targets::Parent,
            Ends::Common => Targets::Common,
        }
    }
}

pub(crate) fn run(arguments: &Convert) -> Result<ExitCode> {
    let dialect = arguments.source.from.dialect();
    let table_name = arguments.heads.as_deref().unwrap_or(dialect.head_table);
    let table = HeadTable::named(table_name).expect("the argument parser knows the names");
    let mut output = arguments.output.open()?;
    let mut text = String::new();
    arguments.source.for_each(|mut sentence| {
        if arguments.strip_traces {
            sentence.tree.strip_traces();
        }
        if arguments.strip_functions {
            sentence.tree.strip_functions();
        }
        if arguments.strip_traces || arguments.strip_functions {
            sentence.forget_graph();
        }
        text.clear();
        let verdict = arguments.write(&sentence, &table, &mut text);
        output.write(&text)?;
        Ok(verdict)
    })?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl Convert {
    fn write(&self, sentence: &TreeRead, table: &HeadTable, out: &mut String) -> Verdict {
        let tree = &sentence.tree;
        let written = match self.to {
            To::Form(Form::Format(OutputFormat::Penn)) => writeln!(out, "{tree}"),
            To::Form(Form::Format(OutputFormat::Pretty)) => writeln!(out, "{tree:#}\n"),
            To::Form(Form::Format(OutputFormat::Graph)) => {
                writeln!(out, "{}", text::write(&self.graph(sentence, table)))
            }
            To::Form(form) => {
                let mut parse = Parse::of_tree(tree.clone());
                parse.graph = self.graph(sentence, table);
                let origin =
                    Origin { file: sentence.file.clone(), number: sentence.number, part: None, place: None };
                let record = Record { parse: &parse, id: None, origin: Some(&origin) };
                form.write(record, self.output.shows_colours(), out);
                Ok(())
            }
            To::Tagged => writeln!(out, "{}", tagged(tree)),
            To::Shp => {
                let redirect_gaps = self.targets != Ends::Referent;
                let style =
                    shp::Style { functions: !self.strip_functions, redirect_gaps, ..shp::Style::default() };
                out.push_str(&shp::write(tree, &style).map_err(|error| error.to_string())?);
                Ok(())
            }
        };
        written.map_err(|error| error.to_string())
    }

    fn graph(&self, sentence: &TreeRead, table: &HeadTable) -> Graph {
        let made = || graph::encode(&sentence.tree, table, self.targets.targets());
        sentence.graph().cloned().unwrap_or_else(made)
    }
}

fn tagged(tree: &Tree) -> String {
    let tokens = tree
        .word_nodes()
        .map(|leaf| format!("{}_{}", tree.word(leaf).unwrap_or_default(), tree.label(leaf).stem()));
    tokens.collect::<Vec<_>>().join(" ")
}
