//! Patterns that do not parse.

use std::fmt;
use std::ops::Range;

/// A pattern that does not parse: the place, the trouble, and what could stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The whole pattern.
    pub pattern: String,
    /// The bytes of it that are meant; empty at its end.
    pub span: Range<usize>,
    /// The trouble, in a few words.
    pub message: String,
    /// The text that could stand there, if that is known.
    pub expected: Option<String>,
}

impl std::error::Error for PatternError {}

/// The trouble, and under it the pattern with the place underlined.
///
/// ```
/// use tracebank_search::Pattern;
/// let error = Pattern::parse("NP < (VP << )").unwrap_err();
/// assert_eq!(error.to_string(), "a node is missing here\n  NP < (VP << )\n              ^ expected a label, /…/, __, =name or (…)");
/// ```
impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.pattern[..self.span.start].chars().map(|c| if c == '\t' { '\t' } else { ' ' });
        let shown = self.pattern.replace('\n', " ");
        let width = self.pattern[self.span.clone()].chars().count().max(1);
        write!(f, "{}\n  {shown}\n  {}{}", self.message, before.collect::<String>(), "^".repeat(width))?;
        match &self.expected {
            Some(expected) => write!(f, " expected {expected}"),
            None => Ok(()),
        }
    }
}
