//! Texts without which a tree has no hit, looked for before the tree is read.
//!
//! A pattern that needs the word `anomaly` needs no other tree, and finding a string in a text is many times as fast as reading brackets. Each
//! description that a match needs gives its longest certain string: a literal, or what every match of a regular expression begins or ends with. The rarest is looked for
//! first. Which that is, the first block of a corpus tells.

use memchr::memmem::Finder;
use regex_syntax::hir::literal::{ExtractKind, Extractor};

use crate::ROOT;
use crate::pattern::{Description, Text};

/// A string that every tree with a hit has in its text.
#[derive(Clone, Debug)]
struct Needle {
    finder: Finder<'static>,
    /// The bit of the description that it is of.
    bit: u64,
    /// How many trees were seen to have it.
    trees: usize,
}

/// All needles of a pattern, the rarest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct Needles {
    list: Vec<Needle>,
    ordered: bool,
}

/// The findings of one look at a tree's text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Look {
    /// Whether a needle is missing, so that there can be no hit.
    pub(crate) hopeless: bool,
    /// The descriptions whose needle was looked for, and those whose needle is there.
    pub(crate) asked: u64,
    pub(crate) found: u64,
}

impl Needles {
    pub(crate) fn of<'d>(required: impl Iterator<Item = (u64, &'d Description)>) -> Needles {
        let mut list: Vec<Needle> = required
            .filter_map(|(bit, description)| {
                let text = description.certain_text()?;
                Some(Needle { finder: Finder::new(text.as_bytes()).into_owned(), bit, trees: 0 })
            })
            .collect();
        // long strings are rare ones, as long as nothing else is known
        list.sort_by_key(|needle| std::cmp::Reverse(needle.finder.needle().len()));
        Needles { list, ordered: false }
    }

    /// Looks for the needles in the text of a tree.
    pub(crate) fn look(&mut self, text: &[u8]) -> Look {
        let mut look = Look::default();
        for needle in &mut self.list {
            // a tree that has no hit is only asked for what was nowhere yet, so that it can be told
            if self.ordered && look.hopeless && needle.trees > 0 {
                continue;
            }
            let found = needle.finder.find(text).is_some();
            look.asked |= needle.bit;
            look.hopeless |= !found;
            look.found |= if found { needle.bit } else { 0 };
            needle.trees += usize::from(found);
        }
        look
    }

    /// The first block is over: what is rare in it comes first from now on.
    pub(crate) fn order(&mut self) {
        if !self.ordered {
            self.list.sort_by_key(|needle| needle.trees);
            self.ordered = true;
        }
    }
}

impl Description {
    /// A string that is in every label that fits; none if it may be that of the outermost bracket, which need not be in the text.
    fn certain_text(&self) -> Option<String> {
        let [alternative] = self.alternatives.as_deref().filter(|_| !self.negated)? else { return None };
        let text = match alternative {
            Text::Literal(literal) => literal.clone(),
            Text::Regex(regex) => {
                let expression = regex_syntax::parse(regex.as_str()).ok()?;
                let extract = |kind| Extractor::new().kind(kind).extract(&expression);
                let (start, end) = (extract(ExtractKind::Prefix), extract(ExtractKind::Suffix));
                let both = [start.longest_common_prefix(), end.longest_common_suffix()];
                let longest = both.into_iter().flatten().max_by_key(|bytes| bytes.len())?;
                std::str::from_utf8(longest).ok()?.to_owned()
            }
        };
        (!ROOT.contains(&text)).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::Pattern;

    #[test]
    fn a_certain_text_is_in_every_label_that_fits() {
        let certain = |text: &str| Pattern::parse(text).unwrap().descriptions[0].certain_text();
        for (pattern, text) in [
            ("NP", Some("NP")),
            ("@SBAR", Some("SBAR")),
            ("/^WHNP/", Some("WHNP")),
            ("/^\\*T\\*-[0-9]+$/", Some("*T*-")),
            ("/ing$/", Some("ing")),
            ("/^(VB|NN)/", None),
            ("/(?i)np/", None),
            ("NP|VP", None),
            ("!NP", None),
            ("__", None),
            ("ROOT", None),
            ("/RO/", None),
            ("/a*/", None),
        ] {
            assert_eq!(certain(pattern).as_deref(), text, "{pattern}");
        }
    }
}
