//! Hits as lines, tables, JSON and pictures.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

use miette::Result;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Map, Value, json};
use tracebank_report::draw::{NodeMarks, marked_picture};
use tracebank_search::{Found, Hit, Names, Node, View};
use tracebank_syntax::tree::Tree;

use super::{Question, SearchArguments, text};
use crate::failure::Failure;
use crate::output::{Output, make_folder};

/// The constructions, each with an example.
pub(super) fn names(names: &Names) -> String {
    let mut out = String::new();
    for named in names.iter() {
        let example = named.yes.first().map(|tree| tree.words().collect::<Vec<_>>().join(" "));
        writeln!(out, "{}\n    {}\n    {}", named.name, named.about, named.pattern.text())
            .expect("writing to a string");
        if let Some(example) = example {
            writeln!(out, "    e.g. {example}").expect("writing to a string");
        }
    }
    out
}

/// The way hits are shown.
pub(super) struct Shown<'a> {
    arguments: &'a SearchArguments,
    question: &'a Question,
    /// The names of all patterns, each once.
    names: Vec<String>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(arguments: &'a SearchArguments, question: &'a Question) -> Result<Shown<'a>> {
        let mut names: Vec<String> = Vec::new();
        for name in question.patterns.iter().flat_map(|pattern| pattern.names()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if let Some(folder) = &arguments.draw {
            make_folder(folder, arguments.output.force)?;
        }
        Ok(Shown { arguments, question, names })
    }

    /// The lines for a tree with hits, or for one without if those are asked for.
    pub(super) fn lines(&self, file: &str, found: &Found) -> Vec<String> {
        if self.arguments.trees {
            return vec![format!("{}\n", text(found))];
        }
        if self.arguments.not {
            return vec![format!("{file}:{}: {}\n", place(found), found.words.join(" "))];
        }
        let line = |hit: &Hit| {
            if self.arguments.json {
                self.json(file, found, hit)
            } else if self.arguments.tsv {
                self.tsv(file, found, hit)
            } else {
                self.line(file, found, hit)
            }
        };
        found.hits.iter().map(line).collect()
    }

    fn line(&self, file: &str, found: &Found, hit: &Hit) -> String {
        let words = |range: std::ops::Range<usize>| found.words[range].join(" ");
        let (before, after) = (words(0..hit.node.span.start), words(hit.node.span.end..found.words.len()));
        let name = if self.question.names.len() > 1 {
            format!("{}: ", self.question.names[hit.pattern])
        } else {
            String::new()
        };
        let antecedent = hit.node.antecedent.as_ref().map_or_else(String::new, |words| format!(" = {words}"));
        let matched = format!("[\x1b[1;31m{}{antecedent}\x1b[0m]", hit.node.words);
        let number = place(found);
        let line = format!("\x1b[35m{file}\x1b[0m:\x1b[32m{number}\x1b[0m: {name}{before} {matched} {after}");
        let line = line.trim_end().replace(":  ", ": ");
        if self.arguments.output.shows_colours() {
            line + "\n"
        } else {
            anstream::adapter::strip_str(&line).to_string() + "\n"
        }
    }

    pub(super) fn tsv_head(&self) -> String {
        let mut head = "file\tnumber\tpattern\tlabel\tspan\twords\tantecedent".to_owned();
        for name in &self.names {
            write!(head, "\t{name}.label\t{name}.span\t{name}.words\t{name}.antecedent")
                .expect("writing to a string");
        }
        head + "\n"
    }

    fn tsv(&self, file: &str, found: &Found, hit: &Hit) -> String {
        let cells = |node: Option<&Node>| match node {
            Some(node) => {
                let antecedent = node.antecedent.as_deref().unwrap_or_default();
                format!(
                    "\t{}\t{}-{}\t{}\t{antecedent}",
                    node.label, node.span.start, node.span.end, node.words
                )
            }
            None => "\t\t\t\t".to_owned(),
        };
        let mut line = format!("{file}\t{}\t{}", found.number, self.question.names[hit.pattern]);
        line += &cells(Some(&hit.node));
        for name in &self.names {
            line += &cells(hit.names.iter().find(|(known, _)| known == name).map(|(_, node)| node));
        }
        line + "\n"
    }

    fn json(&self, file: &str, found: &Found, hit: &Hit) -> String {
        let node = |node: &Node| {
            json!({
                "label": node.label,
                "span": [node.span.start, node.span.end],
                "words": node.words,
                "antecedent": node.antecedent,
            })
        };
        let named: Map<String, Value> =
            hit.names.iter().map(|(name, found)| (name.clone(), node(found))).collect();
        let line = json!({
            "file": file,
            "number": found.number,
            "pattern": self.question.names[hit.pattern],
            "match": node(&hit.node),
            "names": named,
            "sentence": found.words,
        });
        line.to_string() + "\n"
    }

    /// The picture of a tree with its hits marked, and the file for it, if pictures are asked for.
    pub(super) fn picture(&self, file: &str, found: &Found) -> Result<Option<Picture>> {
        let Some(folder) = &self.arguments.draw else { return Ok(None) };
        let tree: Tree =
            text(found).parse().map_err(|_| Failure(format!("{file}:{}: no tree", found.number)))?;
        let places = View::tree_nodes(&tree);
        let marks =
            found.hits.iter().filter_map(|hit| places.get(hit.node.number as usize)).map(|place| place.node);
        // files of one name in several folders have pictures of their own
        let stem =
            file.trim_matches(['<', '>']).trim_start_matches(['.', '/', '\\']).replace(['/', '\\'], "-");
        let path = folder.join(format!("{stem}-{:06}.svg", found.number));
        Ok(Some(Rc::new((path, marked_picture(&tree, &NodeMarks::on(&tree, marks))))))
    }
}

/// A picture and its file.
pub(super) type Picture = Rc<(PathBuf, String)>;

/// Writes a picture, if there is one.
pub(super) fn save(picture: Option<Picture>) -> Result<()> {
    let Some(picture) = picture else { return Ok(()) };
    let (path, svg) = &*picture;
    let mut output = Output::file(path, true)?;
    output.write(svg)?;
    output.finish()
}

/// The line of a found tree if that is asked for, and else its number.
fn place(found: &Found) -> usize {
    found.line.unwrap_or(found.number)
}

/// A random sample of things, all equally likely, in their order; or all of them, as they come.
pub(super) struct Sample<T> {
    size: Option<usize>,
    kept: Vec<(usize, T)>,
    seen: usize,
    random: Xoshiro256PlusPlus,
}

impl<T> Sample<T> {
    pub(super) fn new(size: Option<usize>, seed: u64) -> Sample<T> {
        Sample { size, kept: Vec::new(), seen: 0, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The thing again if it is to be shown now.
    pub(super) fn keep(&mut self, thing: T) -> Option<T> {
        self.seen += 1;
        let Some(size) = self.size else { return Some(thing) };
        if self.kept.len() < size {
            self.kept.push((self.seen, thing));
        } else {
            let place = ((u128::from(self.random.next_u64()) * self.seen as u128) >> 64) as usize;
            if let Some(kept) = self.kept.get_mut(place) {
                *kept = (self.seen, thing);
            }
        }
        None
    }

    /// How many came so far.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Those that were drawn, in the order in which they came.
    pub(super) fn into_kept(mut self) -> impl Iterator<Item = T> {
        self.kept.sort_by_key(|(seen, _)| *seen);
        self.kept.into_iter().map(|(_, thing)| thing)
    }
}
