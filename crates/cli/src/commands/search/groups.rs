//! Counts by group.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;

use regex::Regex;
use tracebank_search::Answer;

use super::Question;

/// The width of the longest bar.
const BAR: usize = 30;

/// The key that hits are grouped by.
#[derive(Clone, Debug)]
pub(crate) enum GroupBy {
    File,
    Folder,
    /// The name of the construction.
    Name,
    /// The first group of a regular expression in the name of the file.
    Part(Regex),
}

impl FromStr for GroupBy {
    type Err = String;

    fn from_str(text: &str) -> Result<GroupBy, String> {
        let part = |text: &str| Regex::new(text).map(GroupBy::Part).map_err(|error| error.to_string());
        match text {
            "file" => Ok(GroupBy::File),
            "folder" => Ok(GroupBy::Folder),
            "name" => Ok(GroupBy::Name),
            "year" => part("(1[0-9]{3}|20[0-9]{2})"),
            other => part(other).and_then(|by| match &by {
                GroupBy::Part(regex) if regex.captures_len() < 2 => {
                    Err("the regular expression needs a group: (…)".to_owned())
                }
                _ => Ok(by),
            }),
        }
    }
}

impl GroupBy {
    fn of(&self, file: &str) -> String {
        match self {
            GroupBy::File => file.to_owned(),
            GroupBy::Folder => {
                Path::new(file).parent().map_or_else(String::new, |folder| folder.display().to_string())
            }
            GroupBy::Name => String::new(),
            GroupBy::Part(regex) => {
                let found = regex.captures(file).and_then(|captures| captures.get(1));
                found.map_or("–", |part| part.as_str()).to_owned()
            }
        }
    }
}

#[derive(Default)]
struct Group {
    hits: usize,
    words: usize,
    trees: usize,
}

impl Group {
    /// Hits per 10,000 words.
    fn frequency(&self) -> f64 {
        10_000.0 * self.hits as f64 / self.words.max(1) as f64
    }
}

/// The counts so far.
#[derive(Default)]
pub(super) struct Groups(BTreeMap<String, Group>);

impl Groups {
    pub(super) fn add(&mut self, by: &GroupBy, file: &str, question: &Question, answer: &Answer) {
        let several = question.names.len() > 1;
        for (pattern, name) in question.names.iter().enumerate() {
            let key = match (by, several) {
                (GroupBy::Name, _) => name.clone(),
                (_, true) => format!("{}  {name}", by.of(file)),
                (_, false) => by.of(file),
            };
            let group = self.0.entry(key).or_default();
            group.hits += answer.counts.get(pattern).copied().unwrap_or(0);
            group.words += answer.words;
            group.trees += answer.trees;
        }
    }

    /// The table for spreadsheets, without the bar.
    pub(super) fn tsv(&self) -> String {
        let mut table = "group\thits\ttrees\twords\tper_10000\n".to_owned();
        for (key, group) in &self.0 {
            let (hits, trees, words) = (group.hits, group.trees, group.words);
            writeln!(table, "{key}\t{hits}\t{trees}\t{words}\t{:.4}", group.frequency())
                .expect("writing to a string");
        }
        table
    }

    /// A line a group: hits, words, hits per 10,000 words, and a bar.
    pub(super) fn table(&self) -> String {
        let highest = self.0.values().map(Group::frequency).fold(f64::MIN_POSITIVE, f64::max);
        let width = self.0.keys().map(|key| key.chars().count()).max().unwrap_or(0).max(5);
        let mut table =
            format!("{:width$} {:>8} {:>8} {:>9} {:>10}\n", "group", "hits", "trees", "words", "per 10,000");
        for (key, group) in &self.0 {
            let bar = "█".repeat((BAR as f64 * group.frequency() / highest).round() as usize);
            let (hits, trees, words) = (group.hits, group.trees, group.words);
            writeln!(
                table,
                "{key:width$} {hits:>8} {trees:>8} {words:>9} {:>10.2}  {bar}",
                group.frequency()
            )
            .expect("writing to a string");
        }
        table
    }
}
