//! Rules in a file: those that a treebank needs and how often, to be read back as a restricted [`Rules`].
//!
//! One rule a line, behind its count and a tab, in the notation of kinds. The first line that is neither empty nor a
//! comment (`#`) names the class. Rules are told by their text and not by their number, so a file outlives every change
//! of the order in which rules are generated.
//!
//! ```text
//! class 1ec-graph
//! 4711    (2) I[lr nn] <- I[lr nd] I[lr nn]
//! 1147    (edge) I[lr nd] <- I[lr nn] l→r
//! ```

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::decompose::RuleUse;
use crate::expand::Rules;
use crate::explain;
use crate::structure::{Class, UnknownClass};

/// The reason why a text is no file of rules, with its line from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleFileError {
    /// The first line does not name a class.
    #[error("the first line of a file of rules is `class` and the name of a class of structures")]
    NoClass,
    /// The class has no such name.
    #[error("line {0}: {1}")]
    Class(usize, UnknownClass),
    /// The rules are those of another class.
    #[error("the rules are those of the class {found}, not of {wanted}")]
    OtherClass {
        /// The class of the file.
        found: Class,
        /// The class asked for.
        wanted: Class,
    },
    /// A line has no count before its rule.
    #[error("line {0}: a line is a count, a tab and a rule")]
    Line(usize),
    /// There is no such rule.
    #[error("line {0}: {1:?} is no rule of the class {2}")]
    Rule(usize, String, Class),
}

/// The text of a file with the rules that are used: combinations in the order of their templates, then edge rules. `rules`
/// are those that were counted, [`Grammar::rules`](crate::Grammar::rules).
pub fn write(rules: &Rules, uses: &RuleUse) -> String {
    let mut text = format!("class {}\n", rules.class);
    let mut line = |count: u64, rule: String| {
        if count > 0 {
            let _ = writeln!(text, "{count}\t{rule}");
        }
    };
    for (rule, &count) in rules.combinations.iter().zip(&uses.combinations) {
        line(count, explain::combination(rules, rule));
    }
    for (rule, &count) in rules.edges.iter().zip(&uses.edges) {
        line(count, explain::edge_rule(rules, rule));
    }
    text
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The class whose rules a file holds.
pub fn class_of(text: &str) -> Result<Class, RuleFileError> {
    let (number, line) = lines(text).next().ok_or(RuleFileError::NoClass)?;
    let name = line.strip_prefix("class ").ok_or(RuleFileError::NoClass)?;
    name.trim().parse().map_err(|error| RuleFileError::Class(number, error))
}

impl Rules {
    /// The rules of a file (see [`rule_file`](crate::rule_file)), taken from these, which must be all rules of its class. A rule
    /// that is not used any more because another has gone stays; [`Grammar::new`](crate::Grammar::new) takes it out.
    ///
    /// ```
    /// use tracebank_chart::{Class, expand::Rules};
    /// let all = Rules::expand(Class::PROJECTIVE_TREE);
    /// let some = all.restricted_to("class projective-tree\n1\t(edge) I[lr dn] <- I[lr nn] r→l\n")?;
    /// assert_eq!((some.combinations.len(), some.edges.len()), (0, 1));
    /// # Ok::<(), tracebank_chart::rule_file::RuleFileError>(())
    /// ```
    pub fn restricted_to(&self, text: &str) -> Result<Self, RuleFileError> {
        let found = class_of(text)?;
        if found != self.class {
            return Err(RuleFileError::OtherClass { found, wanted: self.class });
        }
        let combinations = self.combinations.iter().map(|rule| explain::combination(self, rule));
        let edges = self.edges.iter().map(|rule| explain::edge_rule(self, rule));
        let number: FxHashMap<String, usize> =
            combinations.chain(edges).enumerate().map(|(id, rule)| (rule, id)).collect();
        let mut kept = vec![false; number.len()];
        for (line, text) in lines(text).skip(1) {
            let (count, rule) = text.split_once('\t').ok_or(RuleFileError::Line(line))?;
            count.trim().parse::<u64>().map_err(|_| RuleFileError::Line(line))?;
            let id = number.get(rule.trim());
            kept[*id.ok_or_else(|| RuleFileError::Rule(line, rule.to_owned(), found))?] = true;
        }
        let (combinations, edges) = kept.split_at(self.combinations.len());
        Ok(self.keep_rules(combinations, edges))
    }
}
