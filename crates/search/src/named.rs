//! Constructions by name: patterns with a sentence about each, and trees that have and have not the construction.
//!
//! The shipped list is `data/constructions.toml`; a user's own file has the form of it, and its names come before the shipped ones:
//!
//! ```toml
//! [object-relative]
//! about = "a relative clause whose object is missing"
//! pattern = "@NP < (@SBAR < /^WHNP/=pronoun)"
//! yes = ["( (NP (NP (DT the) (NN cake)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))"]
//! no = ["( (NP (DT the) (NN cake)))"]
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;
use tracebank_syntax::tree::Tree;

use crate::{Pattern, PatternError};

const SHIPPED: &str = include_str!("../data/constructions.toml");

/// A construction.
#[derive(Clone, Debug)]
pub struct NamedPattern {
    /// Its name.
    pub name: String,
    /// A description in a sentence.
    pub about: String,
    /// How it is found.
    pub pattern: Arc<Pattern>,
    /// Trees that have it.
    pub yes: Vec<Tree>,
    /// Trees that look like it and are something else.
    pub no: Vec<Tree>,
}

/// A list of constructions that cannot be used.
#[derive(Debug, Error)]
pub enum NamedError {
    /// It is not in the form that it should have.
    #[error("{0}")]
    Form(String),
    /// A pattern does not parse.
    #[error("{name}: {error}")]
    Pattern {
        /// The construction's name.
        name: String,
        /// The trouble with its pattern.
        error: PatternError,
    },
    /// An example is no tree.
    #[error("{name}: the example {tree} is no tree")]
    Example {
        /// The construction's name.
        name: String,
        /// The example.
        tree: String,
    },
}

/// Constructions by name.
#[derive(Clone, Default, Debug)]
pub struct Names(BTreeMap<String, NamedPattern>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    about: String,
    pattern: String,
    #[serde(default)]
    yes: Vec<String>,
    #[serde(default)]
    no: Vec<String>,
}

impl Names {
    /// The constructions that come with the crate.
    ///
    /// ```
    /// let names = tracebank_search::Names::shipped();
    /// let relative = names.get("object-relative").unwrap();
    /// assert!(!relative.pattern.matches(&relative.yes[0]).is_empty());
    /// ```
    pub fn shipped() -> Names {
        Names::parse(SHIPPED).expect("the shipped list is well-formed")
    }

    /// Reads a list.
    pub fn parse(text: &str) -> Result<Names, NamedError> {
        let rows: BTreeMap<String, Row> =
            toml::from_str(text).map_err(|error| NamedError::Form(error.to_string()))?;
        let mut names = BTreeMap::new();
        for (name, row) in rows {
            let pattern = Pattern::parse(row.pattern.trim())
                .map_err(|error| NamedError::Pattern { name: name.clone(), error })?;
            let trees = |texts: Vec<String>| -> Result<Vec<Tree>, NamedError> {
                let read =
                    |tree: String| tree.parse().map_err(|_| NamedError::Example { name: name.clone(), tree });
                texts.into_iter().map(read).collect()
            };
            let (yes, no) = (trees(row.yes)?, trees(row.no)?);
            let named =
                NamedPattern { name: name.clone(), about: row.about, pattern: Arc::new(pattern), yes, no };
            names.insert(name, named);
        }
        Ok(Names(names))
    }

    /// Adds another list; where both have a name, the other one's counts.
    pub fn extend(&mut self, other: Names) {
        self.0.extend(other.0);
    }

    /// The construction with this name.
    pub fn get(&self, name: &str) -> Option<&NamedPattern> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &NamedPattern> {
        self.0.values()
    }
}
