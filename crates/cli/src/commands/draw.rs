//! `tracebank draw`: pictures of trees.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use miette::{IntoDiagnostic, WrapErr, bail, miette};
use tracebank_report::draw::{Marks, NodeMarks, comparison_picture, outline, spine_picture, tree_picture};
use tracebank_report::evaluation;
use tracebank_report::graph;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;

use super::written;

/// Draw a tree with its null elements and what they stand for.
///
/// Without `--output` the tree is shown in the terminal; with it, an SVG file is written.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank draw trees.mrg                                     the first tree, in the terminal
  tracebank draw trees.mrg -n 12 -o tree.svg                   the twelfth, as SVG
  tracebank draw trees.mrg -n 12 --view spines -o spines.svg   its words with spines and edges
  tracebank draw gold.mrg --against guess.mrg -n 3 -o diff.svg gold above guess, errors in red
  echo '(S (NP (NN tea)))' | tracebank draw -")]
pub(crate) struct Draw {
    /// Trees, plain or gzip; `-` is standard input
    file: PathBuf,
    /// Which tree, from 1
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    number: usize,
    /// What to draw
    #[arg(long, value_enum, default_value_t = View::Tree)]
    view: View,
    /// Parser output, to be drawn below with what differs marked
    #[arg(long, value_name = "FILE", conflicts_with = "view")]
    against: Option<PathBuf>,
    /// Where to write the SVG; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Head rules for the spines
    #[arg(long, value_name = "TABLE", default_value = "penn", value_parser = HeadTable::NAMES)]
    heads: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// The tree, with an arc from each null to its antecedent
    Tree,
    /// Words with spines, structural edges and trace edges
    Spines,
}

pub(crate) fn run(arguments: &Draw) -> miette::Result<ExitCode> {
    let tree = read_tree(&arguments.file, arguments.number)?;
    let guess = arguments.against.as_deref().map(|path| read_tree(path, arguments.number)).transpose()?;
    match &arguments.output {
        None if arguments.view == View::Spines => bail!("spines are drawn to a file: give one with --output"),
        None => written(show(&tree, guess.as_ref())),
        Some(path) => {
            let picture = arguments.picture(&tree, guess.as_ref())?;
            if path == Path::new("-") {
                return written(io::stdout().lock().write_all(picture.as_bytes()));
            }
            write_whole(path, &picture).into_diagnostic().wrap_err_with(|| path.display().to_string())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

impl Draw {
    fn picture(&self, tree: &Tree, guess: Option<&Tree>) -> miette::Result<String> {
        Ok(match (guess, self.view) {
            (Some(guess), _) => comparison_picture(tree, guess, &evaluation::Options::default()),
            (None, View::Tree) => tree_picture(tree),
            (None, View::Spines) => {
                let heads =
                    HeadTable::named(&self.heads).ok_or_else(|| miette!("no head table {}", self.heads))?;
                spine_picture(&graph::Options { heads, keep_functions: true }.graph(tree))
            }
        })
    }
}

fn read_tree(path: &Path, number: usize) -> miette::Result<Tree> {
    let mut reader = Reader::new(Input::open(path).into_diagnostic()?.stream);
    let place = || format!("{}: tree {number}", path.display());
    let Some(index) = number.checked_sub(1) else { bail!("trees are counted from 1") };
    let found = reader.nth(index).ok_or_else(|| miette!("there are fewer trees")).wrap_err_with(place)?;
    found.into_diagnostic().wrap_err_with(place)
}

fn show(tree: &Tree, guess: Option<&Tree>) -> io::Result<()> {
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let marks = guess.map(|guess| Marks::between(tree, guess, &evaluation::Options::default()));
    let marks = marks.unwrap_or_default();
    let mut show_one = |tree: &Tree, marks: &NodeMarks| -> io::Result<()> {
        outline(tree, marks).iter().try_for_each(|line| writeln!(out, "{}", line.coloured()))
    };
    show_one(tree, &marks.gold)?;
    if let Some(guess) = guess {
        show_one(guess, &marks.test)?;
    }
    out.flush()
}

/// Writes beside `path` and then renames, so that no one ever finds half a picture there.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let result = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if result.is_err() {
        // the first error is the one to tell
        let _ = fs::remove_file(&part);
    }
    result
}
