//! Head rules as a file: the format and its reader.
//!
//! A line is a directive or a row; `#` begins a comment at the start of a line.
//!
//! ```text
//! coordination        none | first-conjunct | conjunction
//! coordination-flat   label LABEL… | category CATEGORY…
//! punctuation         WORD…
//! never-punctuation   TAG…
//! otherwise           first | last          (for a category that has no row)
//! words <CLASS>       WORD…
//! CATEGORY            STEP…
//! ```
//!
//! A row is tried from its first step to its last. A step is a category (`VB*` for all that begin with VB), a word class, or
//! several of them in braces; the first child that fits, from the side named last, is the head. `all-of {…}` makes the next step count only if every child is
//! in the set. When no step fits, the first child from the side named last that is no punctuation is the head.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use thiserror::Error;

/// From which side children are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// The head of a coordination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coordination {
    /// Coordination is nothing special.
    None,
    /// `A CC …` under an A: the first child that is no punctuation.
    FirstConjunct,
    /// Three children or more, one of them a CC: the first CC or CONJP.
    Conjunction,
}

/// Which phrases are never coordinations when they hold only words.
#[derive(Clone, Debug)]
pub(super) enum Flat {
    Label(Vec<String>),
    Category(Vec<String>),
}

#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Category(String),
    CategoryPrefix(String),
    Words(Arc<BTreeSet<String>>),
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) side: Side,
    pub(super) symbols: Vec<Symbol>,
    pub(super) only_if_all: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) steps: Vec<Step>,
    /// The side named last, where the search for any child at all begins.
    pub(super) side: Side,
    pub(super) has_word_class: bool,
}

/// Head rules; see the [module](super) for what they are for and the source of this file for the format.
#[derive(Clone, Debug)]
pub struct HeadTable {
    pub(super) coordination: Coordination,
    pub(super) flat: Flat,
    pub(super) punctuation: BTreeSet<String>,
    pub(super) never_punctuation: BTreeSet<String>,
    pub(super) otherwise: Side,
    pub(super) rules: BTreeMap<String, Rule>,
    words: BTreeMap<String, Arc<BTreeSet<String>>>,
}

/// A line of a head table that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}: {text}")]
pub struct TableError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: &'static str,
    /// Its text.
    pub text: String,
}

impl HeadTable {
    /// Reads a table.
    pub fn parse(text: &str) -> Result<HeadTable, TableError> {
        let mut table = HeadTable {
            coordination: Coordination::None,
            flat: Flat::Category(Vec::new()),
            punctuation: BTreeSet::new(),
            never_punctuation: BTreeSet::new(),
            otherwise: Side::Right,
            rules: BTreeMap::new(),
            words: BTreeMap::new(),
        };
        for (number, line) in text.lines().enumerate() {
            // the tag # may stand in a list, so a comment has a line to itself
            if line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            if let Some((&name, values)) = fields.split_first() {
                table.line(name, values).map_err(|problem| TableError {
                    line: number + 1,
                    problem,
                    text: line.to_owned(),
                })?;
            }
        }
        Ok(table)
    }

    /// Whether some word class of the table has `word`.
    pub(super) fn in_word_class(&self, word: &str) -> bool {
        self.words.values().any(|class| class.contains(word))
    }

    fn line(&mut self, name: &str, values: &[&str]) -> Result<(), &'static str> {
        let owned = || values.iter().map(|&value| value.to_owned());
        match (name, values) {
            ("coordination", ["none"]) => self.coordination = Coordination::None,
            ("coordination", ["first-conjunct"]) => self.coordination = Coordination::FirstConjunct,
            ("coordination", ["conjunction"]) => self.coordination = Coordination::Conjunction,
            ("coordination", _) => return Err("there is no such treatment of coordination"),
            ("coordination-flat", ["label", ..]) => self.flat = Flat::Label(owned().skip(1).collect()),
            ("coordination-flat", ["category", ..]) => self.flat = Flat::Category(owned().skip(1).collect()),
            ("coordination-flat", _) => return Err("'label' or 'category' is missing"),
            ("punctuation", _) => self.punctuation = owned().collect(),
            ("never-punctuation", _) => self.never_punctuation = owned().collect(),
            ("otherwise", ["first"]) => self.otherwise = Side::Left,
            ("otherwise", ["last"]) => self.otherwise = Side::Right,
            ("otherwise", _) => return Err("'first' or 'last' is missing"),
            ("words", [class, ..]) => {
                self.words.insert((*class).to_owned(), Arc::new(owned().skip(1).collect()));
            }
            ("words", []) => return Err("the word class has no name"),
            (category, values) => {
                let rule = self.rule(values)?;
                if self.rules.insert(category.to_owned(), rule).is_some() {
                    return Err("this category has a row already");
                }
            }
        }
        Ok(())
    }

    fn rule(&self, values: &[&str]) -> Result<Rule, &'static str> {
        let mut side = None;
        let mut only_if_all = None;
        let mut steps = Vec::new();
        let mut values = values.iter();
        while let Some(&value) = values.next() {
            match value {
                "left" => side = Some(Side::Left),
                "right" => side = Some(Side::Right),
                "all-of" => {
                    let first = values.next().ok_or("a set in braces is missing")?;
                    only_if_all = Some(braces(first, &mut values)?);
                }
                _ => {
                    let names = braces(value, &mut values)?;
                    let side = side.ok_or("a row begins with 'left' or 'right'")?;
                    let symbols =
                        names.into_iter().map(|name| self.symbol(name)).collect::<Result<_, _>>()?;
                    steps.push(Step { side, symbols, only_if_all: only_if_all.take() });
                }
            }
        }
        let has_word_class =
            steps.iter().flat_map(|step| &step.symbols).any(|symbol| matches!(symbol, Symbol::Words(_)));
        Ok(Rule { steps, side: side.ok_or("a row begins with 'left' or 'right'")?, has_word_class })
    }

    fn symbol(&self, name: String) -> Result<Symbol, &'static str> {
        if let Some(prefix) = name.strip_suffix('*') {
            return Ok(Symbol::CategoryPrefix(prefix.to_owned()));
        }
        if !name.starts_with('<') {
            return Ok(Symbol::Category(name));
        }
        self.words
            .get(&name)
            .map(|class| Symbol::Words(Arc::clone(class)))
            .ok_or("this word class is not defined above")
    }
}

/// `A`, or `{A`, `B`, `C}` with the rest of it taken from `values`.
fn braces<'a>(
    first: &'a str,
    values: &mut impl Iterator<Item = &'a &'a str>,
) -> Result<Vec<String>, &'static str> {
    let Some(mut item) = first.strip_prefix('{') else {
        return Ok(vec![first.to_owned()]);
    };
    let mut set = Vec::new();
    loop {
        let last = item.strip_suffix('}');
        set.push(last.unwrap_or(item).to_owned());
        if last.is_some() {
            return Ok(set);
        }
        item = values.next().ok_or("a brace is not closed")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        let problem = |text: &str| HeadTable::parse(text).unwrap_err().to_string();
        assert_eq!(
            problem("# x\ncoordination odd"),
            "line 2: there is no such treatment of coordination: coordination odd"
        );
        assert_eq!(problem("NP NN"), "line 1: a row begins with 'left' or 'right': NP NN");
        assert_eq!(problem("NP left {A B"), "line 1: a brace is not closed: NP left {A B");
        assert_eq!(problem("NP left <x>"), "line 1: this word class is not defined above: NP left <x>");
        assert_eq!(problem("NP left\nNP right"), "line 2: this category has a row already: NP right");
    }
}
