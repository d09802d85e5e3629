//! `tracebank convert`.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use miette::Result;
use tracebank_shp as shp;
use tracebank_syntax::graph::{self, Targets, text};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::input::{TreeRead, TreeSource, Verdict};
use crate::output::OutputArguments;

/// Convert between treebank formats
///
/// Trees come in any dialect and go out in the Penn Treebank's. The graph form holds spines, structural edges and trace edges,
/// one word a line, and converts back to the very tree it was made of (with its indices numbered from 1).
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank convert --from craft --to penn craft.released.mrg.gz -o craft.mrg
  tracebank convert --to graph < trees.mrg | less -S
  tracebank convert --from graph --to pretty graphs.txt
  tracebank convert --to penn --strip-traces --strip-functions trees.mrg")]
pub(crate) struct Convert {
    #[command(flatten)]
    source: TreeSource,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = To::Penn)]
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Penn brackets, a tree a line
    Penn,
    /// Penn brackets over several lines
    Pretty,
    /// the graph form of docs/graph-format.md
    Graph,
    /// the split-head form of the paper's authors, which loses some of the tree
    Shp,
    /// the words, a sentence a line
    Words,
    /// `word_TAG`, a sentence a line
    Tagged,
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
            To::Penn => writeln!(out, "{tree}"),
            To::Pretty => writeln!(out, "{tree:#}\n"),
            To::Words => writeln!(out, "{}", tree.words().collect::<Vec<_>>().join(" ")),
            To::Tagged => writeln!(out, "{}", tagged(tree)),
            To::Graph => {
                let made = || graph::encode(tree, table, self.targets.targets());
                let graph = sentence.graph().cloned().unwrap_or_else(made);
                writeln!(out, "{}", text::write(&graph))
            }
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
}

fn tagged(tree: &Tree) -> String {
    let tokens = tree
        .word_nodes()
        .map(|leaf| format!("{}_{}", tree.word(leaf).unwrap_or_default(), tree.label(leaf).stem()));
    tokens.collect::<Vec<_>>().join(" ")
}
