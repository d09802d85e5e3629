//! Parameter files: the labels that `evalb` leaves out or takes for equal.

use thiserror::Error;

/// The parameters of a run of `evalb`.
///
/// ```
/// use tracebank_report::evalb::Settings;
/// let settings: Settings = "## no punctuation\nDELETE_LABEL ,\nEQ_LABEL ADVP PRT\nCUTOFF_LEN 70\n".parse()?;
/// assert!(settings.deletes(",") && !settings.deletes("."));
/// assert!(settings.same_label("PRT", "ADVP"));
/// assert_eq!(settings.cutoff, 70);
/// # Ok::<(), tracebank_report::evalb::SettingsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// `LABELED`: whether brackets must have the same label to match.
    pub labelled: bool,
    /// `CUTOFF_LEN`: the longest sentence of the second table.
    pub cutoff: usize,
    /// `DELETE_LABEL`: tags whose words are no words, and labels whose brackets are no brackets.
    pub delete: Vec<String>,
    /// `DELETE_LABEL_FOR_LENGTH`: tags whose words do not make a sentence longer.
    pub delete_for_length: Vec<String>,
    /// `QUOTE_LABEL`: tags under which `'`, `"` and `/` may be a quote on one side and something else on the other.
    pub quote: Vec<String>,
    /// `EQ_LABEL`: pairs of labels that match.
    pub equal_labels: Vec<(String, String)>,
    /// `EQ_WORD`: pairs of words that match.
    pub equal_words: Vec<(String, String)>,
}

/// The settings under which nearly all published numbers were made, `COLLINS.prm`: no punctuation, `ADVP` is `PRT`.
const COLLINS: &str = "\
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
";

impl Default for Settings {
    /// `COLLINS.prm`.
    fn default() -> Settings {
        COLLINS.parse().expect("the built-in settings are in order")
    }
}

/// A parameter file that cannot be used, with the line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct SettingsError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: SettingsProblem,
}

/// A problem of a line of a parameter file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingsProblem {
    /// A keyword that `evalb` does not know.
    #[error("{0} is no parameter of evalb")]
    UnknownKeyword(String),
    /// Too few or too many values.
    #[error("{keyword} takes {expected}, not {found:?}")]
    Value {
        /// The parameter.
        keyword: &'static str,
        /// The values that it takes.
        expected: &'static str,
        /// The values that it was given.
        found: String,
    },
    /// `DISC_ONLY 1`.
    #[error("DISC_ONLY asks for discontinuous constituents, and Penn brackets have none")]
    DiscontinuousOnly,
}

/// Sets one parameter from its values, or says what it takes instead.
type Setter = fn(&mut Settings, &[&str]) -> Result<(), &'static str>;

/// The keywords. `DEBUG` and `MAX_ERROR` must be numbers and do nothing: what is shown and when a run ends are questions
/// for the command line.
const KEYWORDS: [(&str, Setter); 9] = [
    ("DEBUG", |_, values| number(values).map(drop)),
    ("MAX_ERROR", |_, values| number(values).map(drop)),
    ("CUTOFF_LEN", |settings, values| number(values).map(|n| settings.cutoff = n)),
    ("LABELED", |settings, values| number(values).map(|n| settings.labelled = n != 0)),
    ("DELETE_LABEL", |settings, values| one(values).map(|label| settings.delete.push(label))),
    ("DELETE_LABEL_FOR_LENGTH", |settings, values| {
        one(values).map(|label| settings.delete_for_length.push(label))
    }),
    ("QUOTE_LABEL", |settings, values| one(values).map(|label| settings.quote.push(label))),
    ("EQ_LABEL", |settings, values| two(values).map(|pair| settings.equal_labels.push(pair))),
    ("EQ_WORD", |settings, values| two(values).map(|pair| settings.equal_words.push(pair))),
];

fn number(values: &[&str]) -> Result<usize, &'static str> {
    let &[value] = values else { return Err("a number") };
    value.parse().map_err(|_| "a number")
}

fn one(values: &[&str]) -> Result<String, &'static str> {
    let &[value] = values else { return Err("one label") };
    Ok(value.to_owned())
}

fn two(values: &[&str]) -> Result<(String, String), &'static str> {
    let &[first, second] = values else { return Err("two values") };
    Ok((first.to_owned(), second.to_owned()))
}

impl std::str::FromStr for Settings {
    type Err = SettingsError;

    /// Reads a `.prm` file: a parameter a line, comments from `#` at the start of a line.
    fn from_str(text: &str) -> Result<Settings, SettingsError> {
        let mut settings = Settings {
            labelled: true,
            cutoff: 40,
            delete: Vec::new(),
            delete_for_length: Vec::new(),
            quote: Vec::new(),
            equal_labels: Vec::new(),
            equal_words: Vec::new(),
        };
        for (index, line) in text.lines().enumerate() {
            if !line.starts_with('#') {
                settings.set(line).map_err(|problem| SettingsError { line: index + 1, problem })?;
            }
        }
        Ok(settings)
    }
}

impl Settings {
    fn set(&mut self, line: &str) -> Result<(), SettingsProblem> {
        let mut pieces = line.split_ascii_whitespace();
        let Some(keyword) = pieces.next() else { return Ok(()) };
        let values: Vec<&str> = pieces.collect();
        if keyword == "DISC_ONLY" {
            return if values == ["0"] { Ok(()) } else { Err(SettingsProblem::DiscontinuousOnly) };
        }
        let Some(&(keyword, setter)) = KEYWORDS.iter().find(|(known, _)| *known == keyword) else {
            return Err(SettingsProblem::UnknownKeyword(keyword.to_owned()));
        };
        setter(self, &values).map_err(|expected| SettingsProblem::Value {
            keyword,
            expected,
            found: values.join(" "),
        })
    }

    /// Whether words tagged `tag` are left out.
    pub fn deletes(&self, tag: &str) -> bool {
        // the first character decides nearly always, and at once
        let first = tag.as_bytes().first();
        self.delete.iter().any(|label| label.as_bytes().first() == first && label == tag)
    }

    /// Whether brackets labelled `label` are left out: equivalent labels go together.
    pub fn deletes_bracket(&self, label: &str) -> bool {
        let twin =
            |(a, b): &(String, String)| (a == label && self.deletes(b)) || (b == label && self.deletes(a));
        self.deletes(label) || self.equal_labels.iter().any(twin)
    }

    /// Whether a word tagged `tag` counts for the length of its sentence.
    pub fn counts_for_length(&self, tag: &str) -> bool {
        !self.delete_for_length.iter().any(|label| label == tag)
    }

    /// Whether the two labels (or tags) match.
    pub fn same_label(&self, first: &str, second: &str) -> bool {
        same(&self.equal_labels, first, second)
    }

    /// The label under which brackets labelled `label` are counted: the first of its pair.
    pub fn representative<'l>(&'l self, label: &'l str) -> &'l str {
        self.equal_labels.iter().find(|(_, second)| second == label).map_or(label, |(first, _)| first)
    }

    /// Whether the two words match.
    pub fn same_word(&self, first: &str, second: &str) -> bool {
        same(&self.equal_words, first, second)
    }

    /// Whether the word may be a quote on one side only.
    pub fn is_quote(&self, tag: &str, word: &str) -> bool {
        matches!(word, "'" | "\"" | "/") && self.quote.iter().any(|label| label == tag)
    }
}

/// Equal, or one of `pairs` in either order. As in `evalb`, this does not carry from pair to pair.
fn same(pairs: &[(String, String)], first: &str, second: &str) -> bool {
    first == second || pairs.iter().any(|(a, b)| (a == first && b == second) || (a == second && b == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_what_collins_used() {
        let settings = Settings::default();
        assert!(settings.labelled && settings.cutoff == 40 && settings.quote.is_empty());
        for tag in ["TOP", "-NONE-", ",", ":", "``", "''", "."] {
            assert!(settings.deletes(tag), "{tag}");
        }
        assert!(settings.counts_for_length(".") && !settings.counts_for_length("-NONE-"));
        for tag in ["S1", "ROOT", "?", "!", "$", "#", "-LRB-"] {
            assert!(!settings.deletes(tag), "{tag}");
        }
    }

    #[test]
    fn equivalence_is_of_pairs_and_not_of_classes() {
        let settings: Settings =
            "EQ_LABEL A B\nEQ_LABEL B C\nEQ_LABEL D E\nEQ_WORD can ca\nDELETE_LABEL A\nDELETE_LABEL E"
                .parse()
                .unwrap();
        assert!(settings.same_label("B", "A") && settings.same_label("C", "B"));
        assert!(!settings.same_label("A", "C"));
        assert!(settings.same_word("ca", "can"));
        assert!(settings.deletes_bracket("B") && !settings.deletes("B") && !settings.deletes_bracket("C"));
        assert!(settings.deletes_bracket("D") && !settings.deletes_bracket("X"));
    }

    #[test]
    fn comments_and_ineffective_parameters_pass() {
        let text = "##----\n\nDEBUG 0\nMAX_ERROR 10\r\n   LABELED 0  \nDISC_ONLY 0\nQUOTE_LABEL POS\n";
        let settings: Settings = text.parse().unwrap();
        assert!(!settings.labelled);
        assert!(
            settings.is_quote("POS", "'") && !settings.is_quote("POS", "'s") && !settings.is_quote("NN", "'")
        );
    }

    #[test]
    fn a_bad_line_is_named() {
        let message = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
        assert_eq!(message("DEBUG 0\nDELTE_LABEL X"), "line 2: DELTE_LABEL is no parameter of evalb");
        assert_eq!(message("EQ_LABEL ADVP"), "line 1: EQ_LABEL takes two values, not \"ADVP\"");
        assert_eq!(message("CUTOFF_LEN many"), "line 1: CUTOFF_LEN takes a number, not \"many\"");
        assert!(message("DISC_ONLY 1").contains("discontinuous"));
    }
}
