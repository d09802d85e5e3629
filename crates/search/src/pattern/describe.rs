//! Descriptions of labels.

use regex::Regex;
use regex_syntax::hir::Look;
use regex_syntax::hir::literal::Extractor;

/// A description of labels: alternatives, each a string or a regular expression, of the whole label or of its category, and all of that
/// maybe negated. `__` has no alternatives and fits every label.
#[derive(Clone, Debug)]
pub struct Description {
    pub(crate) negated: bool,
    /// `@`: the category is looked at, not the whole label.
    pub(crate) category: bool,
    /// `None` for `__`.
    pub(crate) alternatives: Option<Vec<Text>>,
}

/// One alternative.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    Literal(String),
    /// Found anywhere in the label, as in Perl.
    Regex(Regex),
}

impl Description {
    /// Whether a label fits.
    pub fn fits(&self, label: &str) -> bool {
        let label = if self.category { basic_category(label) } else { label };
        let found = match &self.alternatives {
            None => true,
            Some(alternatives) => alternatives.iter().any(|text| match text {
                Text::Literal(literal) => literal == label,
                Text::Regex(regex) => regex.is_match(label),
            }),
        };
        found != self.negated
    }

    /// The one regular expression, if that is all there is.
    pub(crate) fn regex(&self) -> Option<&Regex> {
        match self.alternatives.as_deref() {
            Some([Text::Regex(regex)]) if !self.negated => Some(regex),
            _ => None,
        }
    }

    /// The one string that a label must be.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.alternatives.as_deref() {
            Some([Text::Literal(literal)]) if !self.negated && !self.category => Some(literal),
            _ => None,
        }
    }

    /// Strings of which each label that fits has one at its start; none where that is not known.
    pub(crate) fn starts(&self) -> Option<Vec<String>> {
        let alternatives = self.alternatives.as_deref().filter(|_| !self.negated)?;
        let start = |text: &Text| match text {
            Text::Literal(literal) => Some(literal.clone()),
            Text::Regex(regex) => {
                let expression = regex_syntax::parse(regex.as_str()).ok()?;
                let anchored = expression.properties().look_set_prefix().contains(Look::Start);
                let starts = Extractor::new().extract(&expression);
                let common = starts.longest_common_prefix().filter(|_| anchored)?;
                Some(std::str::from_utf8(common).ok()?.to_owned())
            }
        };
        alternatives.iter().map(start).collect()
    }
}

impl PartialEq for Description {
    fn eq(&self, other: &Description) -> bool {
        let same = |a: &Vec<Text>, b: &Vec<Text>| {
            a.len() == b.len()
                && a.iter().zip(b).all(|pair| match pair {
                    (Text::Literal(a), Text::Literal(b)) => a == b,
                    (Text::Regex(a), Text::Regex(b)) => a.as_str() == b.as_str(),
                    _ => false,
                })
        };
        (self.negated, self.category) == (other.negated, other.category)
            && match (&self.alternatives, &other.alternatives) {
                (Some(a), Some(b)) => same(a, b),
                (None, None) => true,
                _ => false,
            }
    }
}

/// Signs that begin what is not category any more: function tags, indices, and what treebanks and parsers add.
const SIGNS: [char; 8] = ['-', '=', '|', '#', '^', '~', '_', '['];

/// The category of a label: `NP` of `NP-SBJ-1`. A sign at the start belongs to the category, up to and with the next of its kind: `-LRB-`.
///
/// ```
/// use tracebank_search::basic_category;
/// assert_eq!(["NP-SBJ=2", "-NONE-", "PRT|ADVP", "-", "--"].map(basic_category), ["NP", "-NONE-", "PRT", "-", "--"]);
/// ```
pub fn basic_category(label: &str) -> &str {
    let mut open = None;
    for (at, sign) in label.char_indices().filter(|(_, sign)| SIGNS.contains(sign)) {
        if at == 0 {
            open = Some(sign);
        } else if open == Some(sign) {
            open = None;
        } else {
            return &label[..at];
        }
    }
    label
}
