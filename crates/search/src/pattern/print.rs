//! [`Pattern`] → text, with every bracket that could be needed.

use std::fmt;

use super::describe::{Description, Text};
use super::parse::literal_length;
use super::{Condition, Id, Pattern, What};
use crate::relation::{DescriptionId, Relation};

/// The pattern in a form that reads back as the same pattern.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chain(0, f)
    }
}

/// A condition of a pattern as text.
pub(super) struct Shown<'a>(pub(super) &'a Pattern, pub(super) &'a Condition);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.condition(self.1, f)
    }
}

impl Pattern {
    /// A node with its conditions.
    fn chain(&self, id: Id, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = &self.nodes[id];
        match &node.what {
            What::Described(description, groups) => {
                self.describe(*description, f)?;
                for &(group, variable) in groups {
                    write!(f, "#{group}%{}", self.variables[variable])?;
                }
            }
            What::Named(name) => write!(f, "={}", self.names[*name])?,
            What::Alike(name) => write!(f, "~{}", self.names[*name])?,
        }
        if let Some(name) = node.name {
            write!(f, "={}", self.names[name])?;
        }
        for condition in &node.conditions {
            f.write_str(" ")?;
            self.condition(condition, f)?;
        }
        Ok(())
    }

    fn condition(&self, condition: &Condition, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |list: &[Condition], sign: &str, f: &mut fmt::Formatter<'_>| {
            for (place, one) in list.iter().enumerate() {
                f.write_str(if place == 0 { "[" } else { sign })?;
                self.condition(one, f)?;
            }
            f.write_str("]")
        };
        match condition {
            Condition::Link(relation, target) => {
                write!(f, "{relation}")?;
                if let Relation::Down(c) | Relation::Up(c) | Relation::Ahead(c) | Relation::Back(c) = relation
                {
                    f.write_str("(")?;
                    self.describe(*c, f)?;
                    f.write_str(")")?;
                }
                f.write_str(" (")?;
                self.chain(*target, f)?;
                f.write_str(")")
            }
            Condition::All(list) => group(list, " & ", f),
            Condition::Any(list) => group(list, " | ", f),
            Condition::Not(inside) => {
                f.write_str("!")?;
                self.condition(inside, f)
            }
            Condition::Maybe(inside) => {
                f.write_str("?")?;
                self.condition(inside, f)
            }
        }
    }

    fn describe(&self, id: DescriptionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.description(id))
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.negated { "!" } else { "" })?;
        f.write_str(if self.category { "@" } else { "" })?;
        let Some(alternatives) = &self.alternatives else { return f.write_str("__") };
        for (place, text) in alternatives.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "|" })?;
            match text {
                Text::Literal(text)
                    if literal_length(text) == text.len()
                        && !text.is_empty()
                        && text != "__"
                        && crate::relation::symbol_at(text).is_none() =>
                {
                    f.write_str(text)?;
                }
                Text::Literal(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))?,
                Text::Regex(regex) => write!(f, "/{}/", regex.as_str().replace('/', "\\/"))?,
            }
        }
        Ok(())
    }
}
