//! Labels that a pattern cannot care about, told by their first byte and their length.
//!
//! Where only hits are counted, a label that fits no literal and no regular expression of the pattern is as good as any other such label. Most labels
//! and words of a corpus are ruled out so before they are looked up, which is half the work of reading a tree.

use regex_syntax::hir::Look;
use regex_syntax::hir::literal::Extractor;

use crate::pattern::{Description, Pattern, Text, What};
use crate::relation::Relation;

/// The text that stands for every label that is ruled out. No label of a file is like it.
pub(crate) const OTHER: &str = "\0";

/// Labels of this length and longer share a bit.
const LONG: usize = 63;

/// The labels that may matter to some patterns.
#[derive(Clone, Debug)]
pub(crate) struct Gist {
    /// For each first byte, the lengths that a label may have, a bit each.
    lengths: Box<[u64; 256]>,
    drops_words: bool,
}

impl Gist {
    /// The gist of some patterns; `None` where all labels count.
    pub(crate) fn of<'p>(mut patterns: impl Iterator<Item = &'p Pattern>) -> Option<Gist> {
        let mut gist = Gist { lengths: Box::new([0; 256]), drops_words: true };
        let every = patterns.all(|pattern| {
            let asks_leaves =
                pattern.any_relation(|relation| matches!(relation, Relation::Leaf | Relation::NthLeaf(_)));
            let fits_all = pattern.descriptions.iter().any(|description| description.fits(OTHER));
            gist.drops_words &= !asks_leaves && !fits_all;
            let alike = pattern.nodes.iter().any(|node| matches!(node.what, What::Alike(_)));
            let known = pattern.descriptions.iter().all(|description| gist.add(description));
            known && !alike && !pattern.needs_references()
        });
        every.then_some(gist)
    }

    /// Adds the labels of a description, or those that it excludes; false where they have nothing in common.
    fn add(&mut self, description: &Description) -> bool {
        let from = |length: usize| u64::MAX << length.min(LONG);
        description.alternatives.iter().flatten().all(|text| match text {
            Text::Literal(literal) => {
                let Some(&first) = literal.as_bytes().first() else { return false };
                let longer = if description.category { from(literal.len()) } else { 0 };
                self.lengths[first as usize] |= longer | 1 << literal.len().min(LONG);
                true
            }
            Text::Regex(regex) => {
                let Ok(expression) = regex_syntax::parse(regex.as_str()) else { return false };
                let anchored = expression.properties().look_set_prefix().contains(Look::Start);
                let starts = Extractor::new().extract(&expression);
                let Some(starts) = starts.literals().filter(|_| anchored) else { return false };
                starts.iter().all(|start| {
                    let Some(&first) = start.as_bytes().first() else { return false };
                    self.lengths[first as usize] |= from(start.len());
                    true
                })
            }
        })
    }

    /// Whether a word that is ruled out and stands alone below its tag may be left out of the tree.
    ///
    /// No description fits it, so it is in no relation that anyone asks for, and no row or way leads through it. It is nobody's sister. Without it its tag is a leaf, which only `<<<`
    /// would notice.
    pub(crate) fn drops_words(&self) -> bool {
        self.drops_words
    }

    /// Whether a label may matter.
    #[inline]
    pub(crate) fn has(&self, label: &[u8]) -> bool {
        // the outermost bracket may have none, and is looked at
        let Some(&first) = label.first() else { return true };
        self.lengths[first as usize] >> label.len().min(LONG) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_is_ruled_out_fits_as_any_other_does() {
        let labels = ["NP", "NPX", "NP-SBJ", "VP", "N", "*T*-1", "*", "dog", "é", "-NONE-", "PP", "Z", "Zz"];
        let mut out = 0;
        for text in [
            "NP",
            "@NP",
            "!NP",
            "/^NP/",
            "/^\\*T\\*/",
            "NP|VP",
            "!@VP",
            "__",
            "/^N/",
            "/P$/",
            "/^(a|Z)/",
            "/^.P/",
        ] {
            let pattern = Pattern::parse(text).unwrap();
            let Some(gist) = Gist::of(std::iter::once(&pattern)) else { continue };
            for label in labels.iter().filter(|label| !gist.has(label.as_bytes())) {
                let description = &pattern.descriptions[0];
                assert_eq!(description.fits(label), description.fits(OTHER), "{text} {label}");
                out += 1;
            }
        }
        assert!(out > 60, "{out}");
        for text in ["/P$/", "NP < ~x", "NP=x < ~x", "NP => VP", "/a/"] {
            assert!(
                Pattern::parse(text).ok().and_then(|pattern| Gist::of(std::iter::once(&pattern))).is_none()
            );
        }
    }
}
