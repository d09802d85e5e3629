//! Names that can be believed: a model may come from anywhere, and its names must be such as a tree can have.

use std::collections::BTreeSet;

use thiserror::Error;
use tracebank_syntax::graph::SymbolKind;
use tracebank_syntax::project::{LabelError, SpineType};
use tracebank_syntax::tree::NULL_TAG;

use super::Names;

/// The most names of a list: as many as there are ids.
pub(super) const MOST_NAMES: usize = 1 << 16;
/// The most bytes of a name; the longest of the models in the box has 92. Spines are looked through in the square of their length.
pub(super) const MOST_BYTES: usize = 512;
/// The most spines times traces, for each of which there is a [fact](super::SpineFacts::serves).
const MOST_FACTS: usize = 1 << 26;

/// A reason why names are no vocabulary.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// A name is none of the alphabet.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A list has more names than ids, or is as long as no list of its kind can be.
    #[error("there are too many {0}")]
    TooMany(&'static str),
    /// A name stands in its list twice.
    #[error("{name:?} is among the {list} twice")]
    Twice {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
    /// A name could stand in no tree.
    #[error("{:?} cannot be among the {list}: no tree can have it", excerpt(name))]
    Name {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
}

/// The beginning of a name, which may be long.
fn excerpt(name: &str) -> String {
    name.chars().take(80).collect()
}

impl Names {
    pub(super) fn check(&self) -> Result<(), VocabularyError> {
        type List<'n> = (&'static str, &'n [String], fn(&str) -> bool);
        let lists: [List<'_>; 6] = [
            ("tags", &self.tags, is_tag),
            ("spines", &self.spines, is_short),
            ("functions", &self.functions, is_function),
            ("attachments", &self.attachments, is_short),
            ("traces", &self.traces, is_short),
            ("obliged", &self.obliged, is_short),
        ];
        for (list, names, is_sound) in lists {
            if names.len() > MOST_NAMES {
                return Err(VocabularyError::TooMany(list));
            }
            if let Some(name) = names.iter().find(|name| !is_sound(name)) {
                return Err(VocabularyError::Name { list, name: excerpt(name) });
            }
            let mut seen = BTreeSet::new();
            if let Some(name) = names.iter().find(|&name| !seen.insert(name)) {
                return Err(VocabularyError::Twice { list, name: name.clone() });
            }
        }
        if self.spines.len().saturating_mul(self.traces.len()) > MOST_FACTS {
            return Err(VocabularyError::TooMany("spines and traces"));
        }
        Ok(())
    }
}

pub(super) fn is_short(name: &str) -> bool {
    name.len() <= MOST_BYTES
}

/// Whether `text` can stand in a tree: it is there, and has no blank or bracket in it.
fn is_word(text: &str) -> bool {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')');
    !text.is_empty() && is_short(text) && !text.contains(breaks)
}

/// Whether a word or a phrase can have this label, which is not that of nulls.
pub(super) fn is_tag(label: &str) -> bool {
    is_word(label) && label != NULL_TAG
}

/// Whether `functions` can stand behind a category. They may have holes for indices, `-()` and `=()`.
pub(crate) fn is_function(functions: &str) -> bool {
    let filled = functions.replace("()", "1");
    functions.is_empty() || (filled.starts_with(['-', '=']) && is_word(&filled))
}

/// Whether a spine can be built: everything in it has a name, every phrase beside it holds a null, and there are no marks.
pub(super) fn is_buildable(spine: &SpineType) -> bool {
    let symbols = &spine.spine.symbols;
    symbols.iter().enumerate().all(|(index, symbol)| {
        let holds_more = symbols.get(index + 1).is_some_and(|next| next.depth > symbol.depth);
        match &symbol.kind {
            SymbolKind::Phrase(label) => is_tag(label) && (symbol.is_headed() || holds_more),
            SymbolKind::Null(kind) => is_word(kind) && !holds_more,
            SymbolKind::Mark { .. } => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{TagId, Vocabulary, VocabularyCounter};

    fn with(change: impl FnOnce(&mut Names)) -> Result<Vocabulary, VocabularyError> {
        let mut names = Names::default();
        change(&mut names);
        Vocabulary::new(names)
    }

    #[test]
    fn what_can_stand_in_no_tree_is_no_name() {
        type Case<'t> = (fn(&mut Names) -> &mut Vec<String>, &'t [&'t str], &'t [&'t str]);
        let long = "N".repeat(MOST_BYTES + 1);
        let lists: [Case<'_>; 4] = [
            (
                |names| &mut names.tags,
                &["NN", "-LRB-", "''", &long[1..]],
                &["", "-NONE-", "N N", "N\u{a0}N", "N\tN", "(N", "N)", "N\u{7}", &long],
            ),
            (
                |names| &mut names.functions,
                &["", "-SBJ", "-SBJ-()-()", "=()", "-NONE-"],
                &["SBJ", " ", "-S BJ", "-(", "-)", "-((", &long],
            ),
            (
                |names| &mut names.spines,
                &[
                    "()",
                    "NP",
                    "VP S(NP(*))",
                    "VP S(SBAR(0)(S(*T*)))",
                    "(0)",
                    "VP S(NP(*)) ((NP *)#0 > S#0)",
                    &long[1..],
                ],
                &[
                    "",
                    "(())",
                    "NP((*))",
                    "NP()",
                    "NP(SU /)",
                    "N\nP",
                    "NP(*\n)",
                    "-NONE-",
                    "NP(-NONE-(*))",
                    &long,
                ],
            ),
            (|names| &mut names.attachments, &["NP#0", "#0"], &["NP", "N P#0", &long]),
        ];
        for (list, good, bad) in lists {
            for name in good {
                assert!(with(|names| list(names).push((*name).to_owned())).is_ok(), "{name:?}");
            }
            for name in bad {
                assert!(with(|names| list(names).push((*name).to_owned())).is_err(), "{name:?}");
            }
        }
        let error = with(|names| names.tags.push(long)).unwrap_err().to_string();
        assert!(error.len() < 200 && error.contains("NNN"), "{error}");
    }

    #[test]
    fn ids_name_one_thing_each_and_are_not_exceeded() {
        let twice = with(|names| names.tags = vec!["NN".to_owned(); 2]).unwrap_err();
        assert_eq!(twice.to_string(), "\"NN\" is among the tags twice");
        let many = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(with(|names| names.tags = many(MOST_NAMES)).unwrap().tag_id("65535"), Some(TagId(65_535)));
        let too_many = with(|names| names.tags = many(MOST_NAMES + 1)).unwrap_err();
        assert_eq!(too_many, VocabularyError::TooMany("tags"));
        let facts = |spines: usize, traces: usize| {
            with(|names| {
                names.spines = many(spines);
                names.traces = (0..traces).map(|n| format!("(*)#{n} > NP#0")).collect();
            })
        };
        assert!(facts(1 << 14, 1 << 12).is_ok());
        assert_eq!(facts(1 << 14, (1 << 12) + 1).unwrap_err(), VocabularyError::TooMany("spines and traces"));
    }

    #[test]
    fn a_counter_leaves_out_what_a_vocabulary_refuses() {
        use crate::gold::TrainingExample;
        use tracebank_syntax::heads::HeadTable;
        let heads = HeadTable::named("penn").unwrap();
        let long = "N".repeat(MOST_BYTES + 1);
        let tree = format!("( (S (NP-SBJ (PRP We)) (VP (VBP go) ({long} (NN there)) (NP dogs) ( (NN x)))))");
        let example = TrainingExample::of(&tree.parse().unwrap(), &heads).unwrap();
        let mut counter = VocabularyCounter::default();
        counter.add(&example.projection, &example.functions);
        counter.add(&example.projection, &example.functions);
        for least in [1, 2, 3] {
            let vocabulary = Vocabulary::new(counter.names(least)).unwrap();
            assert!(vocabulary.tag_id("PRP").is_some());
            assert_eq!(vocabulary.function_id("-SBJ").is_some(), least < 3);
            assert_eq!(vocabulary.spine_id(&"NP".parse().unwrap()).is_some(), least < 3);
        }
        assert!(!counter.names(1).tags.iter().any(String::is_empty));
    }
}
