//! Alphabets: the parts of a graph that a parser predicts.

use std::borrow::Cow;

use crate::graph::{Orientation, Symbol, SymbolKind};
use crate::tree::{Kind, Label, NULL_TAG, Tree};

/// A choice of what is predicted of a graph.
///
/// Never predicted are the places of nulls among their siblings, indices that refer to nothing, and the order of the indices in labels
/// that have them in an unusual one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alphabet {
    /// Whether phrases keep their function tags.
    pub functions: bool,
    /// Whether transcribers' marks, `(SU /)` and the like, are kept.
    pub marks: bool,
    /// Which way trace arcs point.
    pub orientation: Orientation,
}

/// Function tags but no marks, and the arcs that have the fewest cycles.
impl Default for Alphabet {
    fn default() -> Alphabet {
        Alphabet { functions: true, marks: false, orientation: Orientation::AcyclicByTree }
    }
}

impl Alphabet {
    /// Takes out of a tree what this alphabet has no letters for. The rest is the gold tree of a parser.
    ///
    /// ```
    /// use tracebank_syntax::project::Alphabet;
    /// use tracebank_syntax::tree::Tree;
    /// let mut tree: Tree = "( (S-IMP (NP-SBJ (-NONE- *PRO*)) (VP (VB go)) (SU /)))".parse()?;
    /// Alphabet { functions: false, ..Alphabet::default() }.strip(&mut tree);
    /// assert_eq!(tree.to_string(), "( (S (NP (-NONE- *PRO*)) (VP (VB go))))");
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn strip(self, tree: &mut Tree) {
        if !self.functions {
            tree.strip_functions();
        }
        if !self.marks {
            tree.prune_leaves(|tree, leaf| {
                tree.kind(leaf) == Kind::Token && !tree.is_word(leaf) && tree.label_text(leaf) != NULL_TAG
            });
        }
    }

    /// The label of a phrase in this alphabet, from its [shape](Label::shape).
    pub(super) fn label(self, shape: &str) -> String {
        let stem = without_holes(shape);
        if self.functions { stem.into_owned() } else { Label::parse(&stem).without_functions() }
    }

    /// Which symbols of a spine are letters: all but marks and null phrases of nothing else.
    pub(super) fn letters(self, symbols: &[Symbol]) -> Vec<usize> {
        // From the right, so that whatever hangs in a phrase comes before it: the first symbol above one that is kept holds it.
        let mut kept_depth = 0;
        let is_letter = |symbol: &Symbol| {
            let is_null = matches!(symbol.kind, SymbolKind::Null(_));
            let kept = self.marks || is_null || symbol.is_headed() || symbol.depth < kept_depth;
            if kept {
                kept_depth = symbol.depth;
            }
            kept
        };
        let flags: Vec<bool> = symbols.iter().rev().map(is_letter).collect();
        flags.iter().rev().enumerate().filter(|&(_, &kept)| kept).map(|(index, _)| index).collect()
    }
}

/// A label shape without the holes that indices in unusual places leave.
pub(super) fn without_holes(shape: &str) -> Cow<'_, str> {
    if shape.contains('(') {
        Cow::Owned(shape.replace("-()", "").replace("=()", ""))
    } else {
        Cow::Borrowed(shape)
    }
}

/// Whether the hole with this number is that of a `=1`.
pub(super) fn is_gap_hole(shape: &str, hole: u32) -> bool {
    shape.match_indices("()").nth(hole as usize).is_some_and(|(at, _)| shape[..at].ends_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::SpineType;

    #[test]
    fn odd_labels_become_usual_ones() {
        let [with, without] = [true, false].map(|functions| Alphabet { functions, ..Alphabet::default() });
        for (label, long, short) in [
            ("NP-SBJ=1-3", "NP-SBJ", "NP"),
            ("S-TTL-3-FRM", "S-TTL-FRM", "S"),
            ("NP-2-2", "NP", "NP"),
            ("", "", ""),
            ("-LRB-", "-LRB-", "-LRB-"),
        ] {
            let shape = Label::parse(label).shape();
            assert_eq!((with.label(&shape), without.label(&shape)), (long.to_owned(), short.to_owned()));
        }
        let shape = Label::parse("NP-SBJ=1-3").shape();
        assert!(is_gap_hole(&shape, 0) && !is_gap_hole(&shape, 1) && !is_gap_hole(&shape, 2));
    }

    #[test]
    fn marks_are_no_letters_unless_asked_for() {
        let spine: SpineType =
            "VP(A(SU /)) S(SU /)(B(SU /)(C(SU /)(*))(SU /))(D(E(SU /)))(0)".parse().unwrap();
        let names = |marks| {
            let alphabet = Alphabet { marks, ..Alphabet::default() };
            let letters = alphabet.letters(&spine.spine.symbols).into_iter();
            letters.map(|index| spine.spine.symbols[index].name()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(false), "VP S B C * 0");
        assert_eq!(names(true), "VP A SU S SU B SU C SU * SU D E SU 0");
    }
}
