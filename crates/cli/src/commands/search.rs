//! `tracebank search`.

mod groups;
mod read;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use miette::Result;
use tracebank::InputFormat;
use tracebank_search::{Answer, Asked, Found, Names, Pattern};
use tracebank_syntax::heads::HeadTable;

use self::groups::{GroupBy, Groups};
use self::show::Shown;
use crate::choice::one_of;
use crate::failure::{Failure, OutputClosed, render, say};
use crate::input::{TreeFormat, USUAL};
use crate::output::OutputArguments;
use crate::range::{THREADS, within};
use crate::small;

/// Find every place in treebanks, or in texts, where a pattern matches
///
/// The pattern language is Tregex's, with relations for nulls and what they stand for; docs/search.md teaches it. One line a hit: file, number
/// of the tree, words before, the match, words after. The exit code is 0 where something matches, 1 where nothing does, 2 after an error.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank search 'NP < (SBAR < /^WHNP/)' corpus.mrg
  tracebank search --name object-relative --parse novel.txt       the object relatives of a text
  tracebank search --name by-passive,short-passive --by file *.mrg
  tracebank search --names                                        the constructions that have a name
  tracebank search '/^NP-SBJ/=gap => @NP=overt' corpus.mrg --tsv  with every named node
  tracebank search --count 'VP < (VB < give)' corpus.mrg.gz")]
#[allow(clippy::struct_excessive_bools)] // switches of a command line
pub(crate) struct SearchArguments {
    /// The pattern, unless --name is given, and then files, plain or gzip; `-` or none for standard input
    #[arg(value_name = "PATTERN|FILE")]
    what: Vec<String>,

    /// Search for constructions by name, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    name: Vec<String>,
    /// List the constructions that have a name
    #[arg(long)]
    names: bool,
    /// A file of your own constructions, in the form of the shipped list (docs/search.md)
    #[arg(long, value_name = "FILE")]
    patterns: Vec<PathBuf>,

    /// The form of the trees
    #[arg(long, value_parser = one_of::<TreeFormat>(), default_value = USUAL, value_name = "FORM")]
    from: TreeFormat,
    /// The files are text: parse them first
    #[arg(long)]
    parse: bool,
    /// With --parse: the form of the text
    #[arg(long, value_parser = one_of::<InputFormat>(), default_value = InputFormat::Text.name(), value_name = "FORM")]
    input: InputFormat,
    /// With --parse: a model file, or one of those built in
    #[arg(long, default_value = tracebank::DEFAULT_MODEL, value_name = "MODEL")]
    model: String,
    /// Head rules for relations such as <<#; those of the dialect unless given
    #[arg(long, value_parser = HeadTable::NAMES)]
    heads: Option<String>,
    /// Go on behind a bad tree, and say which were left out
    #[arg(long)]
    skip_bad: bool,
    /// Read the corpus itself, whatever indexes there are
    #[arg(long)]
    no_index: bool,

    /// One number: how many nodes the first node of the pattern matches
    #[arg(short, long)]
    count: bool,
    /// Every assignment of names counts, not only the first for each node
    #[arg(long)]
    bindings: bool,
    /// Only the names of files with a hit
    #[arg(short = 'l', long, conflicts_with = "count")]
    files: bool,
    /// The trees without a hit
    #[arg(short = 'v', long, visible_alias = "invert-match", conflicts_with_all = ["tsv", "json", "draw", "bindings"])]
    not: bool,
    /// Show the line of the file where the tree begins, in place of the tree's number; no index is used then
    #[arg(short = 'n', long)]
    line_number: bool,
    /// Stop after this many hits
    #[arg(short, long, value_name = "N")]
    max: Option<usize>,
    /// A random sample of this many hits
    #[arg(long, value_name = "N", conflicts_with = "max")]
    sample: Option<usize>,
    /// The seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// A table for spreadsheets: tabs between words, label, span and antecedent of every named node
    #[arg(long)]
    tsv: bool,
    /// A JSON object a line, with every named node
    #[arg(long, conflicts_with = "tsv")]
    json: bool,
    /// The trees with a hit, in brackets
    #[arg(long, conflicts_with_all = ["tsv", "json"])]
    trees: bool,
    /// Draw each tree with a hit as SVG into this directory, the hit marked
    #[arg(long, value_name = "DIR")]
    draw: Option<PathBuf>,
    /// Count by group: file, folder, name, year, or a regular expression whose first group is taken from the file's name
    #[arg(long, value_name = "GROUP")]
    by: Option<GroupBy>,

    /// The number of threads; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = within(THREADS))]
    threads: Option<usize>,
    #[command(flatten)]
    output: OutputArguments,
}

/// The patterns that are asked, each with the name it is shown by.
pub(crate) struct Question {
    names: Vec<String>,
    patterns: Vec<Arc<Pattern>>,
}

/// As grep does it: an error is told apart from a search that found nothing.
const ERROR: u8 = 2;

pub(crate) fn run(arguments: &SearchArguments) -> Result<ExitCode> {
    match answer(arguments) {
        Err(error) if !error.is::<OutputClosed>() => {
            say(&render(&error));
            Ok(ExitCode::from(ERROR))
        }
        other => other,
    }
}

fn answer(arguments: &SearchArguments) -> Result<ExitCode> {
    let mut names = Names::shipped();
    for file in &arguments.patterns {
        let named = Names::parse(&small::text(file)?);
        names.extend(named.map_err(|error| Failure(format!("{}: {error}", file.display())))?);
    }
    if arguments.names {
        let mut output = arguments.output.open()?;
        output.write(&show::names(&names))?;
        output.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .map_err(|error| Failure(format!("{threads} threads cannot be had: {error}")))?;
    }
    let (question, files) = arguments.question(&names)?;
    for (name, pattern) in question.names.iter().zip(&question.patterns) {
        if let Some(why) = pattern.contradiction() {
            say(&format!("warning: {name} can match nothing: {why}"));
        }
    }
    arguments.search(&question, files)
}

impl SearchArguments {
    fn question(&self, names: &Names) -> Result<(Question, &[String])> {
        if self.name.is_empty() {
            let Some((text, files)) = self.what.split_first() else {
                let hint = "give a pattern, or a construction with --name; --names lists them";
                return Err(Failure(format!("there is nothing to search for: {hint}")).into());
            };
            let pattern = Pattern::parse(text).map_err(|error| Failure(error.to_string()))?;
            return Ok((Question { names: vec![text.clone()], patterns: vec![Arc::new(pattern)] }, files));
        }
        let mut question = Question { names: Vec::new(), patterns: Vec::new() };
        for name in &self.name {
            let named = names.get(name).ok_or_else(|| {
                let near: Vec<&str> =
                    names.iter().map(|named| &*named.name).filter(|known| known.contains(&**name)).collect();
                let hint = if near.is_empty() { "--names lists them".to_owned() } else { near.join(", ") };
                Failure(format!("there is no construction {name}: {hint}"))
            })?;
            question.names.push(name.clone());
            question.patterns.push(Arc::clone(&named.pattern));
        }
        Ok((question, &self.what))
    }

    fn asked(&self) -> Asked {
        let numbers_only = self.count || self.files || self.by.is_some();
        Asked {
            assignments: self.bindings,
            details: !numbers_only && !self.not && !self.trees,
            all_trees: self.not,
            words: self.by.is_some(),
            counts: numbers_only && !self.not,
            texts: self.trees || self.not || self.draw.is_some(),
            lines: self.line_number,
        }
    }

    fn search(&self, question: &Question, files: &[String]) -> Result<ExitCode> {
        let mut output = self.output.open()?;
        let shown = Shown::new(self, question)?;
        let mut groups = Groups::default();
        let (mut total, mut any) = (0, false);
        let mut sample = show::Sample::new(self.sample, self.seed);
        if self.tsv && !self.count && !self.files && self.by.is_none() {
            output.write(&shown.tsv_head())?;
        }
        let mut take = |file: &str, answer: Answer| -> Result<bool> {
            if let Some(by) = &self.by {
                groups.add(by, file, question, &answer);
            }
            let hits: usize = answer.counts.iter().sum();
            if self.asked().counts && hits > 0 {
                any = true;
                total = (total + hits).min(self.max.unwrap_or(usize::MAX));
                if self.files {
                    output.write(&format!("{file}\n"))?;
                    return Ok(false);
                }
            }
            let enough = |sample: &show::Sample<_>| self.max.is_some_and(|max| sample.seen() >= max);
            for found in answer.found {
                if enough(&sample) {
                    return Ok(false);
                }
                let found = found.map_err(|error| read::bad_tree(file, &error))?;
                let hit = found.hits.is_empty() == self.not;
                if !hit {
                    continue;
                }
                any = true;
                total += 1;
                if self.files {
                    output.write(&format!("{file}\n"))?;
                    return Ok(false);
                }
                if self.count || self.by.is_some() {
                    continue;
                }
                let picture = shown.picture(file, &found)?;
                for line in shown.lines(file, &found) {
                    if !enough(&sample)
                        && let Some((line, picture)) = sample.keep((line, picture.clone()))
                    {
                        output.write(&line)?;
                        show::save(picture)?;
                    }
                }
            }
            Ok(true)
        };
        let unknown = read::read(self, question, files, &mut take)?;
        if !any && !self.not {
            for description in unknown {
                say(&format!("warning: no label or word in the files fits `{description}`"));
            }
        }
        for (line, picture) in sample.into_kept() {
            output.write(&line)?;
            show::save(picture)?;
        }
        if self.by.is_some() {
            output.write(&if self.tsv { groups.tsv() } else { groups.table() })?;
        } else if self.count {
            output.write(&format!("{total}\n"))?;
        }
        output.finish()?;
        Ok(if any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The text of a found tree, which was asked for.
fn text(found: &Found) -> &str {
    found.text.as_deref().unwrap_or_default()
}
