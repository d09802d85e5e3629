//! Null elements and traces as the scorer of Kummerfeld and Klein (2017) counts them.
//!
//! Function tags, punctuation (by tag) and the phrases that hold nothing else are left out first. Then each null element is an
//! item: its type, the category of the phrase around it, and its place, which is the first word of the lowest phrase around it
//! that has words. [`Strictness::Coindex`] adds, for a null element with an index, category and words of the phrase it
//! stands for (or of the lowest phrase around *that* which has words), and has an item for each gap: both ends of a
//! remnant `=n` and its correlate `-n`. Items match by membership.
//!
//! ```
//! use tracebank_report::nulls::authors::{Options, Strictness, compare};
//! let gold = "( (S (NP-SBJ-1 (N we)) (VP (V try) (S (NP-SBJ (-NONE- *-1)) (VP (V go))))))".parse()?;
//! let guess = "( (S (NP (N we)) (VP (V try) (S (NP (-NONE- *)) (VP (V go))))))".parse()?;
//! let options = Options::default();
//! assert_eq!(compare(&gold, &guess, Strictness::NullOnly, &options).counts().matched, 1);
//! assert_eq!(compare(&gold, &guess, Strictness::Coindex, &options).counts().matched, 0);
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod options;
mod view;

use std::borrow::Cow;

use tracebank_syntax::tree::{NodeId, Tree};

use super::{Chains, Comparison, Found, Matching, Typed};
pub use options::Options;
use view::View;

/// The strictness: whether co-indexation is scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// Types and places of null elements.
    NullOnly,
    /// Their antecedents as well, and gaps.
    Coindex,
}

/// The numbers of words before the start and before the end of a phrase.
pub type Span = (u32, u32);

/// An item that is compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Item<'t> {
    /// A null element by itself.
    Null {
        /// Its type.
        null: Cow<'t, str>,
        /// The category of the phrase around it if that has no words, else nothing.
        category: Cow<'t, str>,
        /// The first word of the lowest phrase around it that has words.
        left: u32,
    },
    /// A null element and what it stands for.
    Trace {
        /// Its type.
        null: Cow<'t, str>,
        /// The category of what it stands for.
        antecedent: Cow<'t, str>,
        /// The category of the phrase around it.
        category: Cow<'t, str>,
        /// The first word of the lowest phrase around it that has words.
        left: u32,
        /// The words of what it stands for.
        span: Span,
    },
    /// Two phrases of a parallel construction.
    Gap {
        /// The words and the label of the one marked `=n`.
        remnant: (Span, Cow<'t, str>),
        /// The words and the category of the one marked `-n`.
        correlate: (Span, Cow<'t, str>),
    },
}

impl Typed for Item<'_> {
    fn write_type(&self, out: &mut String) {
        let pieces: [&str; 5] = match self {
            Item::Null { null, category, .. } => ["no-link_", null, "_", category, ""],
            Item::Trace { null, antecedent, category, .. } => [null, "_", antecedent, "_", category],
            Item::Gap { .. } => ["gap", "", "", "", ""],
        };
        for piece in pieces {
            out.push_str(piece);
        }
    }
}

/// Compares two trees over the same words.
pub fn compare<'t>(
    gold: &'t Tree,
    guess: &'t Tree,
    strictness: Strictness,
    options: &Options,
) -> Comparison<Item<'t>> {
    compare_readings(&Reading::of(gold, options), Some(&Reading::of(guess, options)), strictness)
}

/// Compares what was read of two trees. Without a guess, everything in the gold is missed.
pub fn compare_readings<'t>(
    gold: &Reading<'t, '_>,
    guess: Option<&Reading<'t, '_>>,
    strictness: Strictness,
) -> Comparison<Item<'t>> {
    let test = guess.map_or_else(Vec::new, |guess| guess.items(strictness));
    Comparison::new(gold.items(strictness), test, Matching::Membership)
}

/// The scorer's reading of a tree; from it come the items of either strictness.
pub struct Reading<'t, 'o>(Option<View<'t, 'o>>);

impl<'t, 'o> Reading<'t, 'o> {
    /// Reads `tree`.
    pub fn of(tree: &'t Tree, options: &'o Options) -> Reading<'t, 'o> {
        Reading(has_items(tree).then(|| View::of(tree, options)))
    }

    /// The items of the tree.
    ///
    /// DIVERGENCE: the authors' script stops at an index that names nothing. Here such a null element counts as one without an
    /// index, and a remnant without a correlate gives no item.
    pub fn items(&self, strictness: Strictness) -> Vec<Found<Item<'t>>> {
        let Some(view) = &self.0 else { return Vec::new() };
        let mut found: Vec<Found<Item>> = view
            .nulls
            .iter()
            .map(|&leaf| {
                let item = match strictness {
                    Strictness::Coindex => trace(view, leaf),
                    Strictness::NullOnly => None,
                };
                Found { item: item.unwrap_or_else(|| null(view, leaf)), node: leaf, matched: false }
            })
            .collect();
        if strictness == Strictness::Coindex {
            found.extend(gaps(view));
        }
        found
    }
}

/// Most sentences of most treebanks have neither null elements nor gaps.
fn has_items(tree: &Tree) -> bool {
    let has_gap = |node| tree.label_text(node).bytes().any(|byte| byte == b'=');
    tree.preorder(tree.top()).any(|node| tree.is_null_element(node) || has_gap(node))
}

fn gaps<'t>(view: &View<'t, '_>) -> impl Iterator<Item = Found<Item<'t>>> {
    view.remnants.iter().filter_map(|&(number, remnant)| {
        let correlate = view.antecedent(number, Chains::Direct)?;
        let item = Item::Gap {
            remnant: (view.cover(remnant), before(view.label(remnant), '=')),
            correlate: (view.cover(correlate), before(view.label(correlate), '-')),
        };
        Some(Found { item, node: remnant, matched: false })
    })
}

fn null<'t>(view: &View<'t, '_>, leaf: NodeId) -> Item<'t> {
    let category = view.parent(leaf).filter(|&phrase| view.is_null(phrase));
    Item::Null {
        null: view.null_type(leaf),
        category: category.map_or(Cow::Borrowed(""), |phrase| before(view.label(phrase), '-')),
        left: view.cover(leaf).0,
    }
}

fn trace<'t>(view: &View<'t, '_>, leaf: NodeId) -> Option<Item<'t>> {
    let antecedent = view.antecedent(view.null_index(leaf)?, view.options.chains)?;
    let category = view.parent(leaf).map_or(Cow::Borrowed(""), |phrase| before(view.label(phrase), '-'));
    Some(Item::Trace {
        null: view.null_type(leaf),
        antecedent: before(view.label(antecedent), '-'),
        category,
        left: view.cover(leaf).0,
        span: view.cover(antecedent),
    })
}

/// The part of `label` before the first `sign`. So `NP=1` keeps its number when it is cut at `-`, as in the original.
fn before(label: Cow<'_, str>, sign: char) -> Cow<'_, str> {
    match (label.find(sign), label) {
        (None, label) => label,
        (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(&text[..end]),
        (Some(end), Cow::Owned(mut text)) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

#[cfg(test)]
mod tests;
