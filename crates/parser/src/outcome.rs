//! Outcome of a parse: an answer, or the reason why there is none.

use std::fmt;

/// The outcome of a parse. Every sentence has a tree; where there is no parse it is flat, under a phrase whose label says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// A parse, and no analysis of the class over the candidates kept scores better.
    Exact,
    /// A parse for which a budget was not enough: another analysis might score better.
    Approximate,
    /// No parse but a tree that was given: a treebank's.
    Given,
    /// A sentence without words.
    Empty,
    /// A sentence with too many words.
    TooLong,
    /// An analysis that is that of no tree.
    Failed,
    /// An input that could not be read.
    Unreadable,
}

impl Outcome {
    /// Whether there is no parse where there should be one.
    pub fn is_failure(self) -> bool {
        matches!(self, Outcome::TooLong | Outcome::Failed | Outcome::Unreadable)
    }

    /// Whether the input could not be read.
    pub fn is_unreadable(self) -> bool {
        self == Outcome::Unreadable
    }

    /// The label of the phrase over a flat tree; none where there is a parse.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Outcome::Exact | Outcome::Approximate | Outcome::Given => None,
            Outcome::Empty => Some("X-EMPTY"),
            Outcome::TooLong | Outcome::Failed | Outcome::Unreadable => Some("X-FAILED"),
        }
    }

    /// The name of the outcome in JSON and CoNLL-U.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Exact => "exact",
            Outcome::Approximate => "approximate",
            Outcome::Given => "given",
            Outcome::Empty => "empty",
            Outcome::TooLong => "too-long",
            Outcome::Failed => "failed",
            Outcome::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
