//! Johnson's metric as the scorer of Kato and Matsubara counts it.
//!
//! An item is a phrase with nothing but a null element in it, or a null element that has sisters (its category is then
//! `-NONE-`). Its place is the number of words before it, punctuation included. If the null element of such a phrase has an
//! index, the item also has a filler: the category of the phrase with that index, and its own place, null or not. Items are
//! matched as multisets.
//!
//! ```
//! use tracebank_report::nulls::{Chains, johnson::{Target, compare, items}};
//! let gold = "( (SBAR (WHNP-1 (WP what)) (S (NP (PRP we)) (VP (VBP like) (NP (-NONE- *T*-1))))))".parse()?;
//! let guess = "( (SBAR (WHNP (WP what)) (S (NP (PRP we)) (VP (VBP like) (NP (-NONE- *T*))))))".parse()?;
//! let (gold, guess) = (items(&gold, Chains::Direct), items(&guess, Chains::Direct));
//! assert_eq!(compare(&gold, &guess, Target::Full).counts().matched, 0);
//! assert_eq!(compare(&gold, &guess, Target::EmptyElement).counts().matched, 1);
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

use tracebank_syntax::tree::{Antecedents, Kind, NULL_TAG, NodeId, SlotKind, Tree};

use super::{Chains, Comparison, Found, Matching, Typed, antecedent, may_have_index};

/// The part of an item that must be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// All of it.
    Full,
    /// All of it, but only items with a filler count.
    Dependency,
    /// Type, category and place.
    EmptyElement,
    /// Type and place.
    EmptyTerminal,
}

/// The place of a phrase: the numbers of words before its start and before its end.
pub type Span = (u32, u32);

/// A null element, the phrase around it and its filler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item<'t> {
    /// The type: `*T*`, `0`, …
    pub null: &'t str,
    /// The category of the phrase around it.
    pub category: &'t str,
    /// How many words stand before it.
    pub position: u32,
    /// Category and place of what it stands for.
    pub filler: Option<(&'t str, Span)>,
}

impl Typed for Item<'_> {
    fn write_type(&self, out: &mut String) {
        let filler = self.filler.map_or("", |(category, _)| category);
        for piece in [filler, " ", self.category, " ", self.null] {
            out.push_str(piece);
        }
        let leading = out.len() - out.trim_start().len();
        out.drain(..leading);
    }
}

/// The items of `tree`, left to right.
pub fn items(tree: &Tree, chains: Chains) -> Vec<Found<Item<'_>>> {
    if !tree.leaves(tree.top()).any(|leaf| tree.is_null_element(leaf)) {
        return Vec::new();
    }
    let spans = tree.word_spans();
    let span = |node: NodeId| (spans[node.index()].start as u32, spans[node.index()].end as u32);
    let antecedents: Antecedents = tree
        .preorder(tree.top())
        .filter(|&node| tree.kind(node) == Kind::Phrase && may_have_index(tree.label_text(node)))
        .filter_map(|node| Some((last_index(tree, node)?, node)))
        .collect();
    let is_null = |node: NodeId| spans[node.index()].is_empty();
    let nulls = tree.leaves(tree.top()).filter_map(|leaf| Some((leaf, tree.null_element(leaf)?)));
    nulls
        .map(|(leaf, null)| {
            let around = tree.parent(leaf).filter(|&phrase| tree.children(phrase).nth(1).is_none());
            let filler = around
                .and(null.index)
                .and_then(|index| antecedent(tree, &antecedents, index, chains, is_null));
            let item = Item {
                null: null.kind,
                category: around.map_or(NULL_TAG, |phrase| tree.label(phrase).category()),
                position: span(leaf).0,
                filler: filler.map(|node| (tree.label(node).category(), span(node))),
            };
            Found { item, node: leaf, matched: false }
        })
        .collect()
}

/// Compares two lists of items as far as `target` asks.
pub fn compare<'t>(
    gold: &[Found<Item<'t>>],
    test: &[Found<Item<'t>>],
    target: Target,
) -> Comparison<Item<'t>> {
    Comparison::new(project(gold, target), project(test, target), Matching::Multiset)
}

fn project<'t>(items: &[Found<Item<'t>>], target: Target) -> Vec<Found<Item<'t>>> {
    items
        .iter()
        .filter(|found| target != Target::Dependency || found.item.filler.is_some())
        .map(|found| {
            let item = match target {
                Target::Full | Target::Dependency => found.item,
                Target::EmptyElement => Item { filler: None, ..found.item },
                Target::EmptyTerminal => Item { filler: None, category: "", ..found.item },
            };
            Found { item, ..*found }
        })
        .collect()
}

/// The last co-index of a label: `NP-2-3` has 3.
fn last_index(tree: &Tree, node: NodeId) -> Option<u32> {
    let slots = tree.label(node).slots();
    slots.filter(|slot| slot.kind == SlotKind::Index).last().map(|slot| slot.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn describe(tree: &str, chains: Chains) -> Vec<String> {
        let tree = tree.parse().unwrap();
        let mut found: Vec<_> = items(&tree, chains).into_iter().map(|found| found.item).collect();
        found.sort_by_key(|item| item.position);
        found
            .iter()
            .map(|item| {
                let mut name = String::new();
                item.write_type(&mut name);
                let place = item.filler.map_or(String::new(), |(_, (start, end))| format!(" {start}-{end}"));
                format!("{name} @{}{place}", item.position)
            })
            .collect()
    }

    #[test]
    fn the_phrase_gives_the_category_unless_the_null_has_sisters() {
        assert_eq!(describe("( (NP (QP ($ $) (CD 1)) (-NONE- *U*)))", Chains::Direct), ["-NONE- *U* @2"],);
        assert_eq!(describe("( (S (NP (-NONE- *)) (VP (V go))))", Chains::Direct), ["NP * @0"]);
        assert_eq!(describe("( (S (S (NP (-NONE- *))) (V go)))", Chains::Direct), ["NP * @0"]);
    }

    #[test]
    fn fillers_have_their_own_place_and_punctuation_counts() {
        assert_eq!(
            describe(
                "( (S (`` ``) (NP-SBJ-1 (N we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))",
                Chains::Direct
            ),
            ["NP NP * @3 1-2"],
        );
    }

    #[test]
    fn the_index_of_a_word_makes_it_no_filler() {
        let tree = "( (S (NP (N-1 we)) (VP (V try) (S (NP (-NONE- *-1)) (VP (V go))))))";
        assert_eq!(describe(tree, Chains::Direct), ["NP * @2"]);
    }

    #[test]
    fn a_null_filler_stays_null_unless_chains_are_followed() {
        let tree = "( (S (NP-1 (N we)) (VP (V are) (VP (V told) (NP-2 (-NONE- *-1)) (S (NP (-NONE- *-2)) (VP (V go)))))))";
        assert_eq!(describe(tree, Chains::Direct), ["NP NP * @3 0-1", "NP NP * @3 3-3"]);
        assert_eq!(describe(tree, Chains::Followed), ["NP NP * @3 0-1", "NP NP * @3 0-1"]);
        let circle = "( (S (NP-1 (-NONE- *-2)) (NP-2 (-NONE- *-1)) (V go)))";
        assert_eq!(describe(circle, Chains::Followed).len(), 2);
    }

    #[test]
    fn an_index_that_names_nothing_or_stands_beside_sisters_gives_no_filler() {
        assert_eq!(describe("( (S (NP (-NONE- *-7)) (V go)))", Chains::Direct), ["NP * @0"]);
        assert_eq!(describe("( (S-7 (V go) (-NONE- *-7)))", Chains::Direct), ["-NONE- * @1"]);
    }

    #[test]
    fn targets_are_ever_less_strict() {
        let gold =
            "( (SBAR (WHNP-1 (W what)) (S (NP (N we)) (VP (V like) (NP (-NONE- *T*-1)) (ADVP (-NONE- *))))))";
        let test =
            "( (SBAR (WHNP-1 (W what)) (S (NP-2 (N we)) (VP (V like) (NP (-NONE- *T*-2)) (PP (-NONE- *))))))";
        let (gold, test) = (gold.parse().unwrap(), test.parse().unwrap());
        let (gold, test) = (items(&gold, Chains::Direct), items(&test, Chains::Direct));
        let matched = |target| {
            let counts = compare(&gold, &test, target).counts();
            (counts.matched, counts.gold, counts.test)
        };
        assert_eq!(matched(Target::Full), (0, 2, 2));
        assert_eq!(matched(Target::Dependency), (0, 1, 1));
        assert_eq!(matched(Target::EmptyElement), (1, 2, 2));
        assert_eq!(matched(Target::EmptyTerminal), (2, 2, 2));
    }
}
