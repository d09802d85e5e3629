//! `tracebank draw`: pictures of trees.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use miette::Result;
use tracebank_report::draw::{Marks, comparison_picture, outline, spine_picture, tree_picture};
use tracebank_report::{evaluation, graph};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::choice::one_of;
use crate::failure::Failure;
use crate::input::{TreeFormat, USUAL};
use crate::output::OutputArguments;

/// Draw a tree with its null elements and their antecedents
///
/// With `--out` an SVG file is written. Without it the tree is shown in the terminal; `--view spines` needs it.
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
    /// The form of the trees
    #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
    from: TreeFormat,
    /// The number of the tree, from 1
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    number: usize,
    /// The view to draw
    #[arg(long, value_enum, default_value_t = View::Tree)]
    view: View,
    /// Parser output, to be drawn below with what differs marked
    #[arg(long, value_name = "FILE", conflicts_with = "view")]
    against: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    /// Head rules for the spines; those of the dialect unless given
    #[arg(long, value_name = "TABLE", value_parser = HeadTable::NAMES)]
    heads: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// The tree, with an arc from each null to its antecedent
    Tree,
    /// Words with spines, structural edges and trace edges
    Spines,
}

pub(crate) fn run(arguments: &Draw) -> Result<ExitCode> {
    let read = |path: &Path| read_tree(path, arguments.from, arguments.number);
    let tree = read(&arguments.file)?;
    let guess = arguments.against.as_deref().map(read).transpose()?;
    is_svg(arguments.output.path())?;
    let picture = match &arguments.output.out {
        Some(_) => arguments.picture(&tree, guess.as_ref())?,
        None if arguments.view == View::Tree => for_stdout(&lines(&tree, guess.as_ref())),
        None => return Err(Failure("spines are drawn to a file: give one with --out".to_owned()).into()),
    };
    let mut output = arguments.output.open()?;
    output.write(&picture)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a file whose name promises another kind of picture.
pub(super) fn is_svg(path: Option<&Path>) -> Result<()> {
    let name = path.map(|path| path.to_string_lossy().trim_end_matches(".gz").to_lowercase());
    match name.as_deref().and_then(|name| name.rsplit_once('.')) {
        Some((_, ending @ ("png" | "pdf" | "jpg" | "jpeg" | "gif" | "webp" | "ps" | "eps"))) => {
            Err(Failure(format!("pictures are written as SVG, not as {}", ending.to_uppercase())).into())
        }
        _ => Ok(()),
    }
}

impl Draw {
    fn picture(&self, tree: &Tree, guess: Option<&Tree>) -> Result<String> {
        Ok(match (guess, self.view) {
            (Some(guess), _) => comparison_picture(tree, guess, &evaluation::Options::default()),
            (None, View::Tree) => tree_picture(tree),
            (None, View::Spines) => {
                let table = self.heads.as_deref().unwrap_or(self.from.dialect().head_table);
                let heads = HeadTable::named(table)
                    .ok_or_else(|| Failure(format!("there is no head table {table}")))?;
                spine_picture(&graph::Options { heads, keep_functions: true }.graph(tree))
            }
        })
    }
}

fn read_tree(path: &Path, from: TreeFormat, number: usize) -> Result<Tree> {
    let (name, mut trees) = from.trees(path)?;
    match number.checked_sub(1).and_then(|index| trees.nth(index)) {
        Some(Ok(tree)) => Ok(tree),
        Some(Err(error)) => Err(Failure(format!("{name}:{error}")).into()),
        None => Err(Failure(format!("{name}: there is no tree {number}")).into()),
    }
}

/// The tree, and the guess below it, in lines of text.
fn lines(tree: &Tree, guess: Option<&Tree>) -> String {
    let marks = guess.map(|guess| Marks::between(tree, guess, &evaluation::Options::default()));
    let marks = marks.unwrap_or_default();
    let trees = [(Some(tree), &marks.gold), (guess, &marks.test)];
    let lines = trees.iter().filter_map(|&(tree, marks)| Some(outline(tree?, marks))).flatten();
    lines.fold(String::new(), |text, line| text + &line.coloured() + "\n")
}

/// `text` with its colours if standard output is a terminal that shows them, else without.
pub(crate) fn for_stdout(text: &str) -> String {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => strip_str(text).to_string(),
        _ => text.to_owned(),
    }
}
