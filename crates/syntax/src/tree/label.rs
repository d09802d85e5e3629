//! Labels and null elements, split into their pieces.
//!
//! `NP-SBJ-1=2` is the category `NP`, the function tag `SBJ`, the co-index `-1` and the gap index `=2`. The treebanks also have
//! labels that put the pieces in another order (`NP-SBJ=1-3`, `S-TTL-3-FRM`) or have two co-indices (`NP-2-2`), so a label is
//! a category and a list of pieces in whatever order they stand.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::NON_WORD_TAGS;

/// The two kinds of index that a label can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SlotKind {
    /// `-1`: this node is what a null element (or a gap) with that number stands for.
    Index,
    /// `=1`: this node fills, in a parallel construction, the role of the node with index 1.
    Gap,
}

impl SlotKind {
    /// The sign in front of the number.
    pub fn sign(self) -> char {
        match self {
            SlotKind::Index => '-',
            SlotKind::Gap => '=',
        }
    }
}

/// An index on a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// Which sign it has.
    pub kind: SlotKind,
    /// Its number.
    pub number: u32,
}

/// Stands in a [shape](Label::shape) where a number was. No label can contain a bracket, so it is never mistaken for text.
const HOLE: &str = "()";

/// A label seen as category, function tags and indices.
///
/// ```
/// use tracebank_syntax::tree::Label;
/// let label = Label::parse("NP-SBJ-1=2");
/// assert_eq!(label.category(), "NP");
/// assert_eq!(label.functions().collect::<Vec<_>>(), ["SBJ"]);
/// assert_eq!((label.index(), label.gap()), (Some(1), Some(2)));
/// assert_eq!(label.stem(), "NP-SBJ");
/// assert_eq!(label.without_functions(), "NP-1=2");
/// assert_eq!(Label::parse("-LRB-").category(), "-LRB-");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label<'a> {
    text: &'a str,
    category_end: usize,
}

#[derive(Clone, Copy)]
enum Piece<'a> {
    /// A function tag with its sign: `-SBJ`.
    Function(&'a str),
    Slot(Slot),
}

impl<'a> Label<'a> {
    /// Splits `text`. Every string is some label; one that begins with `-` (`-LRB-`) is all category.
    pub fn parse(text: &'a str) -> Label<'a> {
        let category_end = match text.find(['-', '=']) {
            Some(0) | None => text.len(),
            Some(end) => end,
        };
        Label { text, category_end }
    }

    /// The whole label.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The syntactic category, without function tags and indices.
    pub fn category(self) -> &'a str {
        &self.text[..self.category_end]
    }

    /// The function tags in order, without their dash.
    pub fn functions(self) -> impl Iterator<Item = &'a str> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Function(tag) => Some(&tag[1..]),
            Piece::Slot(_) => None,
        })
    }

    /// The indices in the order in which they stand.
    pub fn slots(self) -> impl Iterator<Item = Slot> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Function(_) => None,
            Piece::Slot(slot) => Some(slot),
        })
    }

    /// The first co-index, `-1`.
    pub fn index(self) -> Option<u32> {
        self.slots().find(|slot| slot.kind == SlotKind::Index).map(|slot| slot.number)
    }

    /// The first gap index, `=1`.
    pub fn gap(self) -> Option<u32> {
        self.slots().find(|slot| slot.kind == SlotKind::Gap).map(|slot| slot.number)
    }

    /// Category and function tags, without indices.
    pub fn stem(self) -> String {
        self.rebuild(|_| true, |_, _| {})
    }

    /// Category and indices, without function tags.
    pub fn without_functions(self) -> String {
        self.rebuild(|_| false, push_slot)
    }

    /// The label with its numbers taken out, such that [`Label::fill`] can put them (or others) back.
    ///
    /// It is the [stem](Label::stem) when the indices stand where they usually do, at the end with the co-index first;
    /// otherwise each number leaves a hole. One is left in `ID-1` too: without it, the tag of a word would be that of a mark.
    pub fn shape(self) -> Cow<'a, str> {
        let slots: Vec<Slot> = self.slots().collect();
        if slots.is_empty() {
            return Cow::Borrowed(self.text);
        }
        let stem = self.stem();
        let usual =
            matches!(slots[..], [_] | [Slot { kind: SlotKind::Index, .. }, Slot { kind: SlotKind::Gap, .. }]);
        let is_safe = usual && !NON_WORD_TAGS.contains(&stem.as_str());
        if is_safe && Label::fill(&stem, &slots) == self.text {
            return Cow::Owned(stem);
        }
        let shape = self.rebuild(
            |_| true,
            |out, slot| {
                out.push(slot.kind.sign());
                out.push_str(HOLE);
            },
        );
        Cow::Owned(shape)
    }

    /// Puts indices into a [shape](Label::shape): into its holes if it has any, else at the end.
    ///
    /// ```
    /// use tracebank_syntax::tree::Label;
    /// for text in ["NP-SBJ", "NP-SBJ-1=2", "NP=1-3", "S-TTL-3-FRM", "NP-2-2"] {
    ///     let label = Label::parse(text);
    ///     let slots: Vec<_> = label.slots().collect();
    ///     assert_eq!(Label::fill(&label.shape(), &slots), text);
    /// }
    /// ```
    pub fn fill(shape: &str, slots: &[Slot]) -> String {
        let mut out = String::with_capacity(shape.len() + 4);
        let mut slots = slots.iter();
        let mut pieces = shape.split(HOLE);
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            if let Some(slot) = slots.next() {
                write!(out, "{}", slot.number).expect("writing to a string");
            }
            out.push_str(piece);
        }
        slots.for_each(|&slot| push_slot(&mut out, slot));
        out
    }

    fn rebuild(self, keep: impl Fn(&str) -> bool, slot: impl Fn(&mut String, Slot)) -> String {
        let mut out = self.category().to_owned();
        for piece in self.pieces() {
            match piece {
                Piece::Function(tag) if keep(tag) => out.push_str(tag),
                Piece::Function(_) => {}
                Piece::Slot(found) => slot(&mut out, found),
            }
        }
        out
    }

    fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        let mut rest = &self.text[self.category_end..];
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = rest[1..].find(['-', '=']).map_or(rest.len(), |at| at + 1);
            let (piece, tail) = rest.split_at(end);
            rest = tail;
            let kind = if piece.starts_with('=') { SlotKind::Gap } else { SlotKind::Index };
            Some(match number(&piece[1..]) {
                Some(number) => Piece::Slot(Slot { kind, number }),
                None => Piece::Function(piece),
            })
        })
    }
}

fn push_slot(out: &mut String, slot: Slot) {
    write!(out, "{}{}", slot.kind.sign(), slot.number).expect("writing to a string");
}

/// An index number. `01` is none: writing it back would not give the same label.
fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    (digits && canonical).then(|| text.parse().ok()).flatten()
}

/// The word of a null element, split into type and index: `*T*-1` is `*T*` and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullElement<'a> {
    /// The type: `*T*`, `*`, `0`, `*U*`, …
    pub kind: &'a str,
    /// The number of what it stands for.
    pub index: Option<u32>,
}

impl<'a> NullElement<'a> {
    /// Splits `word`.
    ///
    /// ```
    /// use tracebank_syntax::tree::NullElement;
    /// assert_eq!(NullElement::parse("*T*-1"), NullElement { kind: "*T*", index: Some(1) });
    /// assert_eq!(NullElement::parse("0"), NullElement { kind: "0", index: None });
    /// assert_eq!(NullElement::parse("*-*"), NullElement { kind: "*-*", index: None });
    /// assert_eq!(NullElement::parse("*T*-1-2"), NullElement { kind: "*T*-1-2", index: None });
    /// ```
    pub fn parse(word: &'a str) -> NullElement<'a> {
        match split_index(word) {
            // a type that looks indexed itself could not be told from one that is: `*T*-1-2` is all type
            Some((kind, index)) if split_index(kind).is_none() => NullElement { kind, index: Some(index) },
            _ => NullElement { kind: word, index: None },
        }
    }

    /// The word again.
    pub fn text(self) -> String {
        match self.index {
            Some(index) => format!("{}-{index}", self.kind),
            None => self.kind.to_owned(),
        }
    }
}

fn split_index(word: &str) -> Option<(&str, u32)> {
    let (kind, digits) = word.rsplit_once('-')?;
    Some((kind, number(digits)?)).filter(|_| !kind.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_labels_keep_every_piece() {
        for text in [
            "",
            "-",
            "-LRB-",
            "NP-",
            "IP-SUB-=17",
            "IP-SUB=XXX",
            "A==1",
            "NP--1",
            "NP-99999999999",
            "X-1-2-3=4-B",
            "NP-1-",
            "NP-01",
            "ID-1",
        ] {
            let label = Label::parse(text);
            let slots: Vec<Slot> = label.slots().collect();
            assert_eq!(Label::fill(&label.shape(), &slots), text, "{text:?}");
        }
    }

    #[test]
    fn usual_labels_have_their_stem_as_shape() {
        for text in ["NP-SBJ-1", "NP-SBJ=1", "NP-SBJ-1=2", "NP-SBJ"] {
            assert_eq!(Label::parse(text).shape(), "NP-SBJ");
        }
        assert_eq!(Label::parse("NP=2-1").shape(), "NP=()-()");
        assert_eq!(Label::parse("CODE-1=2").shape(), "CODE-()=()");
    }

    #[test]
    fn numbers_that_are_no_index_stay_tags() {
        let label = Label::parse("NP-1a-99999999999=");
        assert_eq!(label.slots().count(), 0);
        assert_eq!(label.functions().collect::<Vec<_>>(), ["1a", "99999999999", ""]);
    }
}
