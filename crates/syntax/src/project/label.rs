//! The labels of edges: which symbol of a spine an edge ends on, said so that the same answer serves in many sentences.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Text that is no label.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no label of the alphabet")]
pub struct LabelError(pub String);

/// The label of a structural edge: which of the phrases that the parent heads the child belongs to, as the phrase's label and how
/// many phrases with that label are below it in the spine.
///
/// ```
/// use tracebank_syntax::project::PhraseName;
/// let upper: PhraseName = "VP#1".parse()?;
/// assert_eq!(upper, PhraseName { label: "VP".to_owned(), nth: 1 });
/// assert_eq!(upper.to_string(), "VP#1");
/// # Ok::<(), tracebank_syntax::project::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PhraseName {
    /// The phrase's label, without indices.
    pub label: String,
    /// How many phrases of the spine with the same label are below it.
    pub nth: u32,
}

/// The kind of node that an end of a trace edge is on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// The word's own token: `()`.
    Word,
    /// A headed phrase, by its label: `NP-SBJ`.
    Phrase(String),
    /// A phrase of nothing but nulls, by its label: `(WHNP ())`.
    NullPhrase(String),
    /// A null element: `(NP *T*)`, or `(*T*)` if it hangs straight in a headed phrase.
    Null {
        /// The label of the null phrase above it.
        above: Option<String>,
        /// Its type.
        kind: String,
    },
}

/// An end of a trace edge: the `nth` node of its kind in the spine, or, with `within`, below that phrase of the spine.
///
/// ```
/// use tracebank_syntax::project::{Port, Site};
/// let port: Port = "(NP *ICH*)#0 in VP#1".parse()?;
/// assert_eq!(port.site, Site::Null { above: Some("NP".to_owned()), kind: "*ICH*".to_owned() });
/// assert_eq!(port.within.unwrap().nth, 1);
/// let gap: Port = "NP-SBJ#0=".parse()?;
/// assert!(gap.is_gap);
/// # Ok::<(), tracebank_syntax::project::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Port {
    /// The kind of node.
    pub site: Site,
    /// How many nodes of that kind come before it: in the spine from the bottom up, below a phrase the nearest first.
    pub nth: u32,
    /// Where the node is looked for, if it is not a node of the spine itself; see [`Targets`](crate::graph::Targets).
    pub within: Option<PhraseName>,
    /// Whether the index is the node's `=1` and not its `-1`.
    pub is_gap: bool,
}

impl Port {
    /// The type of the trace that starts here: a null element's, `=` for a gap, `-` for a second label with one index.
    pub fn kind(&self) -> &str {
        match &self.site {
            Site::Null { kind, .. } => kind,
            _ if self.is_gap => "=",
            _ => "-",
        }
    }
}

/// The type of a trace: its two ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TraceType {
    /// A null element, or a gap.
    pub from: Port,
    /// Its antecedent.
    pub to: Port,
}

/// A trace between two words that are the ends of an arc.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// The ends.
    pub trace: TraceType,
    /// Whether the arc's parent is the word that refers, and not its child.
    pub parent_refers: bool,
}

/// The label of a trace arc: all traces between its two words, sorted; nearly always one.
///
/// The parent's end comes first, and the arrow points to the antecedent:
///
/// ```
/// use tracebank_syntax::project::TraceLabel;
/// let label: TraceLabel = "(NP *T*)#0 > WHNP#0".parse()?;
/// assert_eq!(label.0[0].trace.from.kind(), "*T*");
/// assert!(label.0[0].parent_refers);
/// let both = "(NP *T*)#0 > WHNP#0 & WHADVP#0 < (ADVP *T*)#0";
/// assert_eq!(both.parse::<TraceLabel>()?.to_string(), both);
/// # Ok::<(), tracebank_syntax::project::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TraceLabel(pub Vec<Link>);

impl fmt::Display for PhraseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.label, self.nth)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::Word => write!(f, "()"),
            Site::Phrase(label) => write!(f, "{label}"),
            Site::NullPhrase(label) => write!(f, "({label} ())"),
            Site::Null { above: Some(above), kind } => write!(f, "({above} {kind})"),
            Site::Null { above: None, kind } => write!(f, "({kind})"),
        }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.site, self.nth)?;
        if self.is_gap {
            write!(f, "=")?;
        }
        match &self.within {
            Some(phrase) => write!(f, " in {phrase}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TraceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} > {}", self.from, self.to)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TraceType { from, to } = &self.trace;
        if self.parent_refers { write!(f, "{from} > {to}") } else { write!(f, "{to} < {from}") }
    }
}

impl fmt::Display for TraceLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, link) in self.0.iter().enumerate() {
            write!(f, "{}{link}", if place > 0 { " & " } else { "" })?;
        }
        Ok(())
    }
}

// No label of a treebank has white space or a bracket in it, so the separators below (`#` is looked for from the right) cannot be
// mistaken for a part of one.

impl FromStr for PhraseName {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<PhraseName, LabelError> {
        let parsed = text.rsplit_once('#').and_then(|(label, nth)| Some((label, nth.parse().ok()?)));
        match parsed {
            Some((label, nth)) if is_label(label) => Ok(PhraseName { label: label.to_owned(), nth }),
            _ => Err(LabelError(text.to_owned())),
        }
    }
}

impl FromStr for Site {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Site, LabelError> {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let site = match (inner, inner.and_then(|inner| inner.split_once(' '))) {
            (None, _) => is_label(text).then(|| Site::Phrase(text.to_owned())),
            (Some(""), _) => Some(Site::Word),
            (Some(kind), None) => is_label(kind).then(|| Site::Null { above: None, kind: kind.to_owned() }),
            (Some(_), Some((label, "()"))) => is_label(label).then(|| Site::NullPhrase(label.to_owned())),
            (Some(_), Some((above, kind))) => (is_label(above) && is_label(kind) && !kind.is_empty())
                .then(|| Site::Null { above: Some(above.to_owned()), kind: kind.to_owned() }),
        };
        site.ok_or_else(|| LabelError(text.to_owned()))
    }
}

impl FromStr for Port {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Port, LabelError> {
        let (node, within) = match text.split_once(" in ") {
            Some((node, phrase)) => (node, Some(phrase.parse()?)),
            None => (text, None),
        };
        let (node, is_gap) = node.strip_suffix('=').map_or((node, false), |node| (node, true));
        let parsed = node.rsplit_once('#').and_then(|(site, nth)| Some((site, nth.parse().ok()?)));
        let (site, nth) = parsed.ok_or_else(|| LabelError(text.to_owned()))?;
        Ok(Port { site: site.parse()?, nth, within, is_gap })
    }
}

impl FromStr for TraceType {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<TraceType, LabelError> {
        let (from, to) = text.split_once(" > ").ok_or_else(|| LabelError(text.to_owned()))?;
        Ok(TraceType { from: from.parse()?, to: to.parse()? })
    }
}

impl FromStr for Link {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Link, LabelError> {
        match text.split_once(" < ") {
            Some((to, from)) => {
                Ok(Link { trace: TraceType { from: from.parse()?, to: to.parse()? }, parent_refers: false })
            }
            None => Ok(Link { trace: text.parse()?, parent_refers: true }),
        }
    }
}

impl FromStr for TraceLabel {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<TraceLabel, LabelError> {
        text.split(" & ").map(str::parse).collect::<Result<_, _>>().map(TraceLabel)
    }
}

/// Whether a treebank could have `text` as a label.
pub(super) fn is_label(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_labels_are_read_as_they_were_written() {
        for text in [
            "#0 > ##1",
            "()#0= > ()#0",
            "( *)#0 > ( ())#3=",
            "(*)#0 in in#2 > =#0=",
            "&#0 < &#1 & &#0 > &#1",
            "(in >)#12 in >#0 < <#7",
        ] {
            let label: TraceLabel = text.parse().unwrap();
            assert_eq!(label.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_label_is_refused_by_name() {
        for text in ["", "NP", "NP#0", "NP#x > NP#0", "NP#0 > (NP", "(a b c)#0 > NP#0", "NP#0 > NP#0 in S"] {
            assert!(text.parse::<TraceLabel>().is_err(), "{text}");
        }
        let error = "NP".parse::<PhraseName>().unwrap_err();
        assert_eq!(error.to_string(), "\"NP\" is no label of the alphabet");
    }
}
