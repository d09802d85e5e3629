//! Null elements and their antecedents, scored after Johnson (2002).
//!
//! A null element is right when the guess has one of the same type in the same place; a trace is right when, besides, its
//! antecedent has the same category and spans the same words. The meaning of "place", and of an item, differs between the programs
//! that people use. Two are here under their names, and both give the numbers of the original:
//!
//! * [`authors`]: the scorer of Kummerfeld and Klein (2017), the metric of their table;
//! * [`johnson`]: the metric as Kato and Matsubara's scorer has it, in four strictnesses.
//!
//! Both come down to this: a list of items for the gold, one for the guess, and [a rule](Matching) for what they share.

pub mod authors;
pub mod johnson;

use tracebank_syntax::tree::{Antecedents, NodeId, Tree};

use crate::score::{Counts, Tally};

/// The antecedent of a trace whose nearest antecedent is itself a trace, as in a passive under control.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Chains {
    /// The antecedent is what the index names, null or not.
    #[default]
    Direct,
    /// From a null antecedent one goes on to its own, to the end of the chain.
    Followed,
}

/// The rule by which two lists share an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matching {
    /// An item is matched if it occurs in the other list, however often.
    Membership,
    /// An item is matched as often as it occurs in both lists.
    Multiset,
}

/// Something that has a type under which it is counted.
pub trait Typed {
    /// Writes the name of the type behind `out`.
    fn write_type(&self, out: &mut String);
}

/// An item at its place in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<I> {
    /// The part that is compared.
    pub item: I,
    /// The leaf (or, for a gap, the phrase) that it comes from.
    pub node: NodeId,
    /// Whether the other tree has it too.
    pub matched: bool,
}

/// The items of a gold tree and of a guess, with what they share marked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison<I> {
    /// Items of the gold, in order.
    pub gold: Vec<Found<I>>,
    /// Items of the guess, in order.
    pub test: Vec<Found<I>>,
}

impl<I: Ord + Typed> Comparison<I> {
    pub(crate) fn new(mut gold: Vec<Found<I>>, mut test: Vec<Found<I>>, matching: Matching) -> Comparison<I> {
        gold.sort_by(|a, b| a.item.cmp(&b.item));
        test.sort_by(|a, b| a.item.cmp(&b.item));
        mark_shared(&mut gold, &mut test, matching);
        Comparison { gold, test }
    }

    /// How many items there are. Under [`Matching::Membership`] a match is counted on the side of the gold.
    pub fn counts(&self) -> Counts {
        Counts {
            matched: self.gold.iter().filter(|found| found.matched).count() as u64,
            gold: self.gold.len() as u64,
            test: self.test.len() as u64,
        }
    }

    /// Adds the items to `tally`, each under its type.
    pub fn add_to(&self, tally: &mut Tally) {
        let mut name = String::new();
        let mut add = |found: &Found<I>, counts: Counts| {
            name.clear();
            found.item.write_type(&mut name);
            tally.add(&name, counts);
        };
        for found in &self.gold {
            add(found, Counts { matched: u64::from(found.matched), gold: 1, test: 0 });
        }
        for found in &self.test {
            add(found, Counts { matched: 0, gold: 0, test: 1 });
        }
    }
}

/// Walks two sorted lists side by side.
fn mark_shared<I: Ord>(gold: &mut [Found<I>], test: &mut [Found<I>], matching: Matching) {
    let (mut g, mut t) = (0, 0);
    while g < gold.len() && t < test.len() {
        match gold[g].item.cmp(&test[t].item) {
            std::cmp::Ordering::Less => g += 1,
            std::cmp::Ordering::Greater => t += 1,
            std::cmp::Ordering::Equal => {
                (gold[g].matched, test[t].matched) = (true, true);
                let repeated = matching == Matching::Membership;
                let gold_repeats = repeated && gold.get(g + 1).is_some_and(|next| next.item == gold[g].item);
                let test_repeats = repeated && test.get(t + 1).is_some_and(|next| next.item == test[t].item);
                // the shorter run of equal items waits for the longer one
                g += usize::from(gold_repeats || !test_repeats);
                t += usize::from(test_repeats || !gold_repeats);
            }
        }
    }
}

/// Whether there can be an index in `label`: most have none, and splitting each into its pieces would take long.
pub(crate) fn may_have_index(label: &str) -> bool {
    label.bytes().any(|byte| byte.is_ascii_digit())
}

/// The antecedent of the null element with `index`. `is_null` tells phrases without words.
fn antecedent(
    tree: &Tree,
    antecedents: &Antecedents,
    index: u32,
    chains: Chains,
    is_null: impl Fn(NodeId) -> bool,
) -> Option<NodeId> {
    let onward = |node: NodeId| {
        let first = || tree.leaves(node).find_map(|leaf| tree.null_element(leaf)?.index);
        if chains == Chains::Followed && is_null(node) { first() } else { None }
    };
    antecedents.get(index).map(|first| antecedents.end_of_chain(first, onward))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(gold: &[u32], test: &[u32], matching: Matching) -> (usize, usize) {
        let tree: Tree = "(S (N a))".parse().unwrap();
        let found = |items: &[u32]| -> Vec<Found<u32>> {
            items.iter().map(|&item| Found { item, node: tree.top(), matched: false }).collect()
        };
        let (mut gold, mut test) = (found(gold), found(test));
        mark_shared(&mut gold, &mut test, matching);
        let marked = |list: &[Found<u32>]| list.iter().filter(|found| found.matched).count();
        (marked(&gold), marked(&test))
    }

    #[test]
    fn membership_lets_an_item_match_more_than_once() {
        assert_eq!(shared(&[1, 1, 2], &[1, 3], Matching::Membership), (2, 1));
        assert_eq!(shared(&[1, 2], &[1, 1, 1, 2], Matching::Membership), (2, 4));
        assert_eq!(shared(&[1, 1, 4], &[1, 1, 1, 4], Matching::Membership), (3, 4));
    }

    #[test]
    fn a_multiset_does_not() {
        assert_eq!(shared(&[1, 1, 2], &[1, 3], Matching::Multiset), (1, 1));
        assert_eq!(shared(&[1, 1, 2], &[0, 1, 1, 1, 2], Matching::Multiset), (3, 3));
    }
}
