//! `tracebank draw`: pictures of trees.

use std::io::{self, Cursor};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use miette::Result;
use tracebank::Parser;
use tracebank_report::draw::{
    Latex, Marks, TreeOptions, comparison_with, latex, outline, picture_with, spine_picture,
};
use tracebank_report::{evaluation, graph};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn;
use tracebank_syntax::tree::Tree;

use super::model::open_model;
use super::picture::{Canvas, Kind};
use crate::choice::one_of;
use crate::failure::Failure;
use crate::input::{TreeFormat, USUAL};
use crate::output::{Output, OutputArguments, Place};
use crate::sources::{Source, sources};

/// Draw trees with their null elements and their antecedents
///
/// An argument that names a file is a file of trees (plain or gzip). Any other with a blank in it is a tree, if it begins with a bracket, or a
/// text, which is parsed first. With `--out` a picture is written: SVG, or PNG or PDF if its name ends so. Without it the tree is shown in
/// the terminal; `--view spines` needs it. `--to` writes LaTeX instead.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank draw trees.mrg                                     the first tree, in the terminal
  tracebank draw 'Which book did she buy?' -o book.png         a sentence, parsed and drawn
  tracebank draw trees.mrg -n 12 -o tree.pdf                   the twelfth, as PDF
  tracebank draw trees.mrg -n 1-3 -o tree.svg                  tree-1.svg, tree-2.svg and tree-3.svg
  tracebank draw trees.mrg --collapse NP --no-tags -o tree.svg noun phrases as triangles
  tracebank draw trees.mrg -n 12 --to forest                   for LaTeX
  tracebank draw trees.mrg -n 12 --view spines -o spines.svg   its words with spines and edges
  tracebank draw gold.mrg --against guess.mrg -n 3 -o diff.svg gold above guess, errors in red
  echo '(S (NP (NN tea)))' | tracebank draw -")]
pub(crate) struct Draw {
    /// A file of trees, plain or gzip, a tree, or a text; `-` is standard input
    #[arg(value_name = "TEXT|FILE")]
    what: String,
    /// The form of the trees
    #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
    from: TreeFormat,
    /// The number of the tree, from 1, or of the first and the last: 1-3
    #[arg(short, long, default_value = "1", value_name = "N", value_parser = numbers)]
    number: RangeInclusive<usize>,
    /// The view to draw
    #[arg(long, value_enum, default_value_t = View::Tree)]
    view: View,
    /// Parser output, to be drawn below with what differs marked
    #[arg(long, value_name = "FILE", conflicts_with = "view")]
    against: Option<PathBuf>,
    /// Draw phrases with this label as triangles; `NP` is every noun phrase, `NP-SBJ` subjects. Can be given more than once
    #[arg(long, value_name = "LABEL")]
    collapse: Vec<String>,
    /// Leave out the tags above the words
    #[arg(long)]
    no_tags: bool,
    /// Leave out function tags
    #[arg(long)]
    no_functions: bool,
    /// Write LaTeX for this package
    #[arg(long, value_enum, conflicts_with_all = ["view", "against"])]
    to: Option<Package>,
    /// The model that parses a text: a model file, or one of those built in: default, fast
    #[arg(short, long, default_value = tracebank::DEFAULT_MODEL, value_name = "MODEL")]
    model: String,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Package {
    /// `forest`
    Forest,
    /// `tikz-qtree`
    Qtree,
}

/// The most trees that are drawn at a time.
const MOST: usize = 100_000;

/// A number from 1, or two with a hyphen between them.
fn numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last - first < MOST => Ok(first..=last),
        (Ok(first), Ok(last)) if 1 <= first && first <= last => {
            Err(format!("at most {MOST} trees are drawn at a time"))
        }
        _ => Err("a number from 1 is needed, or the first and the last, as 1-3".to_owned()),
    }
}

pub(crate) fn run(arguments: &Draw) -> Result<ExitCode> {
    let is_picture = arguments.to.is_none() && arguments.output.out.is_some();
    let path = arguments.output.path().filter(|_| is_picture);
    // Before anything is read or parsed: whether all can be written.
    let files = path.map(|path| arguments.files(path)).transpose()?.unwrap_or_default();
    let output = if files.is_empty() { Some(arguments.text_file()?) } else { None };
    let trees = arguments.trees()?;
    let guesses = match &arguments.against {
        Some(path) => read_trees(path, arguments.from, &arguments.number)?.into_iter().map(Some).collect(),
        None => vec![None; trees.len()],
    };
    let both = trees.iter().zip(&guesses);
    let Some(mut output) = output else {
        for (path, (tree, guess)) in files.iter().zip(both) {
            let picture = arguments.picture(tree, guess.as_ref())?;
            Canvas::open(path, arguments.output.force)?.write(&picture)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    for (tree, guess) in both {
        output.write(&match arguments.to {
            Some(package) => arguments.latex(tree, package),
            None if is_picture => arguments.picture(tree, guess.as_ref())?,
            None if arguments.view == View::Tree => for_stdout(&lines(tree, guess.as_ref())),
            None => return Err(Failure("spines are drawn to a file: give one with --out".to_owned()).into()),
        })?;
    }
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// `tree.svg` with the number of its tree: `tree-3.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, "svg"));
    path.with_file_name(format!("{stem}-{number}.{ending}"))
}

impl Draw {
    /// The files of the pictures, one a tree.
    fn files(&self, path: &Path) -> Result<Vec<PathBuf>> {
        Kind::of(path)?;
        let numbers = self.number.clone();
        if numbers.start() == numbers.end() {
            Place::of(path, self.output.force)?;
            return Ok(vec![path.to_owned()]);
        }
        if let Place::Device(_) = Place::of(path, true)? {
            let why = "several pictures need the name of a file, to which their numbers are added";
            return Err(Failure(format!("{}: {why}", path.display())).into());
        }
        let files: Vec<PathBuf> = numbers.map(|number| numbered(path, number)).collect();
        for file in &files {
            Place::of(file, self.output.force)?;
        }
        Ok(files)
    }

    /// The place for what is text.
    fn text_file(&self) -> Result<Output> {
        if self.to.is_some() {
            self.output.path().map_or(Ok(()), Kind::refuse)?;
        }
        self.output.open()
    }

    fn trees(&self) -> Result<Vec<Tree>> {
        let texts = match sources(std::slice::from_ref(&self.what))?.pop() {
            Some(Source::File(path)) => return read_trees(&path, self.from, &self.number),
            Some(Source::Text(text)) => text,
            None => return Ok(Vec::new()),
        };
        let (name, trees) = if texts.trim_start().starts_with('(') {
            let trees: Result<Vec<Tree>, _> =
                penn::Reader::new(Box::new(Cursor::new(texts.into_bytes()))).collect();
            let mut trees = trees.map_err(|error| Failure(format!("<text>:{error}")))?;
            trees.iter_mut().for_each(|tree| self.from.dialect().normalise(tree));
            ("the text", trees)
        } else {
            let parser = Parser::with_model(&open_model(&self.model)?)
                .map_err(|error| Failure(format!("model {}: {error}", self.model)))?;
            ("the text", parser.parse_text(&texts).into_iter().map(|parse| parse.tree).collect())
        };
        chosen(name, trees.into_iter().map(Ok), &self.number)
    }

    fn options(&self, tree: &Tree) -> TreeOptions {
        TreeOptions { tags: !self.no_tags, functions: !self.no_functions, ..TreeOptions::default() }
            .collapsing(tree, &self.collapse)
    }

    fn latex(&self, tree: &Tree, package: Package) -> String {
        let package = match package {
            Package::Forest => Latex::Forest,
            Package::Qtree => Latex::Qtree,
        };
        latex(tree, package, &self.options(tree))
    }

    fn picture(&self, tree: &Tree, guess: Option<&Tree>) -> Result<String> {
        Ok(match (guess, self.view) {
            (Some(guess), _) => {
                if !self.collapse.is_empty() {
                    let why = "two trees that are compared are drawn whole: leave --collapse out";
                    return Err(Failure(why.to_owned()).into());
                }
                comparison_with(tree, guess, &evaluation::Options::default(), &self.options(tree))
            }
            (None, View::Tree) => picture_with(tree, &self.options(tree)),
            (None, View::Spines) => {
                let table = self.heads.as_deref().unwrap_or(self.from.dialect().head_table);
                let heads = HeadTable::named(table)
                    .ok_or_else(|| Failure(format!("there is no head table {table}")))?;
                spine_picture(&graph::Options { heads, keep_functions: !self.no_functions }.graph(tree))
            }
        })
    }
}

fn read_trees(path: &Path, from: TreeFormat, numbers: &RangeInclusive<usize>) -> Result<Vec<Tree>> {
    let (name, trees) = from.trees(path)?;
    chosen(&name, trees, numbers)
}

/// The trees with these numbers.
fn chosen(
    name: &str,
    trees: impl Iterator<Item = std::result::Result<Tree, penn::SyntaxError>>,
    numbers: &RangeInclusive<usize>,
) -> Result<Vec<Tree>> {
    let mut found = Vec::new();
    for tree in trees.skip(numbers.start() - 1).take(numbers.end() - numbers.start() + 1) {
        found.push(tree.map_err(|error| Failure(format!("{name}:{error}")))?);
    }
    let missing = numbers.start() + found.len();
    if missing <= *numbers.end() {
        return Err(Failure(format!("{name}: there is no tree {missing}")).into());
    }
    Ok(found)
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
