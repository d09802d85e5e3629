//! Nulls and what they stand for.
//!
//! A null element refers by its number to the label that has it (`*T*-1` to `WHNP-1`), a remnant (`NP=1`) to what it is parallel to. As in
//! [`graph::encode`](tracebank_syntax::graph::encode), the last label in post-order counts if several have the number as `-1`, and the first node
//! of all if none has.
//!
//! A null is more than the null element: the leaf `*T*-1`, its tag and the phrases that hold nothing else are one thing to a linguist, and
//! each of these nodes stands for the antecedent.

use std::collections::BTreeMap;

use tracebank_syntax::tree::{Label, NON_WORD_TAGS, NULL_TAG, NullElement, SlotKind};

use crate::lexicon::Lexicon;
use crate::pattern::basic_category;
use crate::view::View;

/// The trace edges of a tree, as pairs of nodes.
#[derive(Default, Debug)]
pub(crate) struct References {
    /// From the leaf of a null element, or the phrase with `=1`, to what it refers to.
    edges: Vec<(u32, u32)>,
    /// From a relative pronoun's phrase to what its clause modifies.
    relatives: Vec<(u32, u32)>,
}

impl View {
    /// Finds out what refers to what.
    pub(crate) fn refer(&mut self, lexicon: &Lexicon) {
        let mut references = References { edges: edges(self, lexicon), relatives: Vec::new() };
        references.relatives = relatives(self, lexicon, &references);
        self.references = Some(references);
    }

    /// The targets of the edges from `node`, or from the null element that is all it holds.
    pub(crate) fn edges_from(&self, node: u32) -> impl Iterator<Item = u32> {
        let null = self.sole_leaf(node);
        self.edges().iter().filter(move |(from, _)| *from == node || Some(*from) == null).map(|&(_, to)| to)
    }

    /// The nodes from which an edge goes to `node`: the leaf of a null element, its tag and the phrases that hold nothing else.
    pub(crate) fn edges_to(&self, node: u32) -> impl Iterator<Item = u32> {
        let froms = self.edges().iter().filter(move |(_, to)| *to == node).map(|&(from, _)| from);
        froms.flat_map(|from| self.with_shells(from))
    }

    /// All that `node` stands for, nearest first; beyond relative pronouns if that is asked.
    pub(crate) fn antecedents(&self, node: u32, beyond_pronouns: bool) -> Vec<u32> {
        let Some(null) = self.sole_leaf(node) else { return Vec::new() };
        let mut found: Vec<u32> = Vec::new();
        let mut waiting = vec![null];
        while let Some(leaf) = waiting.pop() {
            let next = self.edges().iter().filter(|(from, _)| *from == leaf).map(|&(_, to)| to);
            for target in next {
                let relatives = self.references.iter().flat_map(|references| &references.relatives);
                let modified =
                    relatives.filter(|(pronoun, _)| beyond_pronouns && *pronoun == target).map(|&(_, to)| to);
                for antecedent in std::iter::once(target).chain(modified) {
                    if !found.contains(&antecedent) {
                        found.push(antecedent);
                        waiting.extend(self.sole_leaf(antecedent));
                    }
                }
            }
        }
        found.retain(|&antecedent| antecedent != node);
        found
    }

    fn edges(&self) -> &[(u32, u32)] {
        self.references.as_ref().map_or(&[], |references| &references.edges)
    }

    /// The only leaf at or below `node`.
    fn sole_leaf(&self, node: u32) -> Option<u32> {
        let mut leaves = self.leaves(node);
        leaves.next().filter(|_| leaves.next().is_none())
    }

    /// A leaf with all nodes that hold nothing else; a phrase alone.
    pub(crate) fn with_shells(&self, node: u32) -> impl Iterator<Item = u32> {
        let is_leaf = self.is_leaf(node);
        let up = move |&below: &u32| self.only_parent(below).filter(|_| is_leaf);
        std::iter::successors(Some(node), up)
    }
}

fn edges(view: &View, lexicon: &Lexicon) -> Vec<(u32, u32)> {
    let text = |node: u32| lexicon.text(view.node(node).label);
    // for each number: what refers by it, what has it as `-1`
    let mut users: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for node in 0..view.len() {
        if view.is_leaf(node) {
            let is_null = view.parent(node).is_some_and(|tag| view.is_token(tag) && text(tag) == NULL_TAG);
            if is_null && let Some(number) = NullElement::parse(text(node)).index {
                users.entry(number).or_default().0.push(node);
            }
        } else if !(view.is_token(node) && NON_WORD_TAGS.contains(&text(node))) {
            for slot in Label::parse(text(node)).slots() {
                let (refer, carry) = users.entry(slot.number).or_default();
                if slot.kind == SlotKind::Gap { refer.push(node) } else { carry.push(node) }
            }
        }
    }
    let mut edges = Vec::new();
    for (refer, carry) in users.into_values() {
        // in post-order a node comes where its interval ends, the inner ones first
        let last = carry.iter().copied().max_by_key(|&node| (view.node(node).end, std::cmp::Reverse(node)));
        let Some(target) = last.or(refer.first().copied()) else { continue };
        edges
            .extend(refer.into_iter().chain(carry).filter(|&from| from != target).map(|from| (from, target)));
    }
    edges.sort_unstable();
    edges
}

/// Tags of words that can be a relative pronoun all alone; the null one is `0`.
const PRONOUNS: [&str; 5] = ["WDT", "WP", "WRB", "IN", "DT"];

/// The phrases of relative pronouns, with what their clauses modify: in `(NP (NP the rule) (SBAR (WHNP-1 which) …))` the inner NP. The clause may
/// have been moved away, and its null be in that place.
fn relatives(view: &View, lexicon: &Lexicon, references: &References) -> Vec<(u32, u32)> {
    let category = |node: u32| basic_category(lexicon.text(view.node(node).label));
    let mut found = Vec::new();
    for pronoun in 0..view.len() {
        if !category(pronoun).starts_with("WH") {
            continue;
        }
        let Some(leaf) = view.sole_leaf(pronoun) else { continue };
        let Some(clause) = view.parent(pronoun).filter(|&clause| category(clause) == "SBAR") else {
            continue;
        };
        let tag = view.parent(leaf).map_or("", category);
        if tag != NULL_TAG && !PRONOUNS.contains(&tag) {
            continue;
        }
        let moved = references.edges.iter().filter(|(_, to)| *to == clause).map(|&(from, _)| from);
        let moved = moved.filter_map(|null| view.with_shells(null).find(|&shell| category(shell) == "SBAR"));
        for place in std::iter::once(clause).chain(moved) {
            let host = view.parent(place).filter(|&host| category(host).starts_with("NP"));
            let sisters =
                std::iter::successors(view.previous_sister(place), |&sister| view.previous_sister(sister));
            let nominal = |sister: &u32| category(*sister).starts_with("NP");
            if host.is_some()
                && let Some(modified) = sisters.into_iter().find(nominal)
            {
                found.push((pronoun, modified));
            }
        }
    }
    found
}
