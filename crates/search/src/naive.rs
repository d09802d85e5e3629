//! The definition of the language: each relation in plain words of parents, children and leaves, each condition as it reads.
//!
//! It tries every node for every node, so it is slow and easy to check. The fast matcher must agree with it node for node; random patterns over
//! random trees, and two fuzz targets, say that it does.

use std::collections::BTreeSet;

use crate::Lexicon;
use crate::pattern::{Condition, Id, Pattern, What};
use crate::relation::{DescriptionId, Relation};
use crate::view::View;

/// The bindings: a node for each name, a text for each variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bound {
    names: Vec<Option<u32>>,
    variables: Vec<Option<String>>,
}

/// All assignments of a pattern in a tree: the node that the first node of the pattern matched, and the node of each name.
pub fn assignments(pattern: &Pattern, view: &View, lexicon: &Lexicon) -> BTreeSet<(u32, Vec<Option<u32>>)> {
    let mut naive = Naive { pattern, view, lexicon, leaves: Vec::new(), ends: Vec::new() };
    naive.leaves = (0..view.len()).filter(|&node| naive.children(node).next().is_none()).collect();
    naive.ends = (0..view.len()).map(|node| naive.find_ends(node)).collect();
    let nothing =
        Bound { names: vec![None; pattern.names.len()], variables: vec![None; pattern.variables.len()] };
    let mut found = BTreeSet::new();
    for node in 0..view.len() {
        found.extend(naive.node(0, node, &nothing).into_iter().map(|bound| (node, bound.names)));
    }
    found
}

struct Naive<'a> {
    pattern: &'a Pattern,
    view: &'a View,
    lexicon: &'a Lexicon,
    /// The leaves from left to right.
    leaves: Vec<u32>,
    /// For each node, the places of its first and its last leaf.
    ends: Vec<(usize, usize)>,
}

impl Naive<'_> {
    fn label(&self, node: u32) -> &str {
        self.lexicon.text(self.view.node(node).label)
    }

    fn fits(&self, node: u32, description: DescriptionId) -> bool {
        self.pattern.description(description).fits(self.label(node))
    }

    /// The ways in which a node of the tree matches a node of the pattern, if so much is bound already.
    fn node(&self, id: Id, node: u32, bound: &Bound) -> BTreeSet<Bound> {
        let wanted = &self.pattern.nodes[id];
        let mut bound = bound.clone();
        let fits = match &wanted.what {
            What::Described(description, groups) => {
                self.fits(node, *description) && self.keep(*description, groups, node, &mut bound)
            }
            What::Named(name) => bound.names[*name] == Some(node),
            What::Alike(name) => {
                bound.names[*name].is_some_and(|other| self.label(other) == self.label(node))
            }
        };
        let free = wanted.name.is_none_or(|name| bound.names[name].is_none_or(|other| other == node));
        if !fits || !free {
            return BTreeSet::new();
        }
        if let Some(name) = wanted.name {
            bound.names[name] = Some(node);
        }
        self.all(&wanted.conditions, node, bound)
    }

    /// Keeps groups of a regular expression; false where a variable has another text already.
    fn keep(&self, description: DescriptionId, groups: &[(usize, Id)], node: u32, bound: &mut Bound) -> bool {
        if groups.is_empty() {
            return true;
        }
        let description = self.pattern.description(description);
        let label =
            if description.category { crate::basic_category(self.label(node)) } else { self.label(node) };
        let Some(captures) = description.regex().and_then(|regex| regex.captures(label)) else {
            return false;
        };
        groups.iter().all(|&(group, variable)| {
            let text = captures.get(group).map_or("", |found| found.as_str());
            bound.variables[variable].get_or_insert_with(|| text.to_owned()) == text
        })
    }

    fn all(&self, conditions: &[Condition], node: u32, bound: Bound) -> BTreeSet<Bound> {
        conditions.iter().fold(BTreeSet::from([bound]), |ways, condition| {
            ways.iter().flat_map(|bound| self.condition(condition, node, bound)).collect()
        })
    }

    fn condition(&self, condition: &Condition, node: u32, bound: &Bound) -> BTreeSet<Bound> {
        match condition {
            Condition::Link(relation, target) => (0..self.view.len())
                .filter(|&other| self.holds(*relation, node, other))
                .flat_map(|other| self.node(*target, other, bound))
                .collect(),
            Condition::All(list) => self.all(list, node, bound.clone()),
            Condition::Any(list) => list.iter().flat_map(|one| self.condition(one, node, bound)).collect(),
            Condition::Not(inside) => {
                let holds = !self.condition(inside, node, bound).is_empty();
                if holds { BTreeSet::new() } else { BTreeSet::from([bound.clone()]) }
            }
            Condition::Maybe(inside) => {
                let ways = self.condition(inside, node, bound);
                if ways.is_empty() { BTreeSet::from([bound.clone()]) } else { ways }
            }
        }
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        (0..self.view.len()).filter(move |&child| self.view.parent(child) == Some(node))
    }

    fn child_number(&self, node: u32) -> Option<(i64, i64)> {
        let parent = self.view.parent(node)?;
        let place = self.children(parent).position(|child| child == node)? as i64;
        Some((place + 1, place - self.children(parent).count() as i64))
    }

    fn dominates(&self, a: u32, b: u32) -> bool {
        self.view.parent(b).is_some_and(|above| above == a || self.dominates(a, above))
    }

    /// The leaves at and below a node.
    fn yields(&self, node: u32) -> Vec<u32> {
        self.leaves.iter().copied().filter(|&leaf| leaf == node || self.dominates(node, leaf)).collect()
    }

    fn find_ends(&self, node: u32) -> (usize, usize) {
        let own = self.yields(node);
        let place =
            |leaf: Option<&u32>| self.leaves.iter().position(|other| Some(other) == leaf).unwrap_or(0);
        (place(own.first()), place(own.last()))
    }

    /// Whether `a relation b`.
    fn holds(&self, relation: Relation, a: u32, b: u32) -> bool {
        use Relation as R;
        let view = self.view;
        let parent = |node: u32| view.parent(node);
        let nth = |node: u32, nth: i32| {
            let is = |(from_left, from_right): (i64, i64)| [from_left, from_right].contains(&nth.into());
            self.child_number(node).is_some_and(is)
        };
        let only = |node: u32| nth(node, 1) && nth(node, -1);
        let steps = |below: u32, above: u32, test: &dyn Fn(u32) -> bool| {
            let mut node = below;
            while test(node) {
                match parent(node) {
                    Some(next) if next == above => return true,
                    Some(next) => node = next,
                    None => return false,
                }
            }
            false
        };
        let sisters = a != b && parent(a).is_some() && parent(a) == parent(b);
        let just_before = |a: u32, b: u32| self.ends[a as usize].1 + 1 == self.ends[b as usize].0;
        match relation {
            R::Parent => parent(b) == Some(a),
            R::Child => parent(a) == Some(b),
            R::Dominates => self.dominates(a, b),
            R::Dominated => self.dominates(b, a),
            R::HasNth(n) => parent(b) == Some(a) && nth(b, n),
            R::IsNth(n) => parent(a) == Some(b) && nth(a, n),
            R::HasOnly => parent(b) == Some(a) && only(b),
            R::IsOnly => parent(a) == Some(b) && only(a),
            R::Leftmost => steps(b, a, &|node| nth(node, 1)),
            R::IsLeftmost => steps(a, b, &|node| nth(node, 1)),
            R::Rightmost => steps(b, a, &|node| nth(node, -1)),
            R::IsRightmost => steps(a, b, &|node| nth(node, -1)),
            R::Unary => steps(b, a, &only),
            R::IsUnary => steps(a, b, &only),
            R::Leaf => a != b && self.yields(a).contains(&b),
            R::NthLeaf(n) => {
                let leaves = self.yields(a);
                let place = if n > 0 { i64::from(n) - 1 } else { leaves.len() as i64 + i64::from(n) };
                a != b && usize::try_from(place).ok().and_then(|place| leaves.get(place)) == Some(&b)
            }
            R::Sister => sisters,
            R::LeftSister => sisters && a < b,
            R::RightSister => sisters && a > b,
            R::NextSister => sisters && just_before(a, b),
            R::PreviousSister => sisters && just_before(b, a),
            R::Precedes => self.ends[a as usize].1 < self.ends[b as usize].0,
            R::Follows => self.ends[b as usize].1 < self.ends[a as usize].0,
            R::JustBefore => just_before(a, b),
            R::JustBehind => just_before(b, a),
            R::Down(c) => {
                parent(b).is_some_and(|above| above == a || steps(above, a, &|node| self.fits(node, c)))
            }
            R::Up(c) => {
                parent(a).is_some_and(|above| above == b || steps(above, b, &|node| self.fits(node, c)))
            }
            R::Ahead(c) => self.row(a, b, c),
            R::Back(c) => self.row(b, a, c),
            R::HeadChild => view.head_child(a) == Some(b),
            R::IsHeadChild => view.head_child(b) == Some(a),
            R::Head => self.heads(a, b),
            R::IsHead => self.heads(b, a),
            R::Same => a == b,
            R::SameOrParent => a == b || parent(b) == Some(a),
            R::Anywhere => true,
            R::StandsFor => view.antecedents(a, false).contains(&b),
            R::StoodForBy => view.antecedents(b, false).contains(&a),
            R::Resolves => view.antecedents(a, true).contains(&b),
            R::ResolvedBy => view.antecedents(b, true).contains(&a),
            R::Edge => view.edges_from(a).any(|to| to == b),
            R::EdgeFrom => view.edges_from(b).any(|to| to == a),
            R::Spine => a != b && self.word(a).is_some() && self.word(a) == self.word(b),
            R::Hangs => self.hangs(a, b),
            R::Holds => self.hangs(b, a),
            R::IsArgument(role) => view.predicates(a, role).any(|predicate| predicate == b),
            R::HasArgument(role) => view.predicates(b, role).any(|predicate| predicate == a),
        }
    }

    /// Whether a row of nodes of the description, maybe of none, leads from behind `a` to `b`.
    fn row(&self, a: u32, b: u32, between: DescriptionId) -> bool {
        let just_before = |a: u32, b: u32| self.ends[a as usize].1 + 1 == self.ends[b as usize].0;
        let mut row = vec![a];
        let mut place = 0;
        while place < row.len() {
            let last = row[place];
            if just_before(last, b) {
                return true;
            }
            for next in
                (0..self.view.len()).filter(|&next| just_before(last, next) && self.fits(next, between))
            {
                if !row.contains(&next) {
                    row.push(next);
                }
            }
            place += 1;
        }
        false
    }

    fn heads(&self, a: u32, b: u32) -> bool {
        self.view.head_child(a).is_some_and(|head| head == b || self.heads(head, b))
    }

    /// The word that heads a node, as its leaf; the wrapper around the sentence stands for itself.
    fn word(&self, node: u32) -> Option<u32> {
        if self.view.is_wrapper(node) && self.view.head_child(node).is_some() {
            return Some(node);
        }
        if let Some(head) = self.view.head_child(node) {
            return self.word(head);
        }
        let heads_something =
            self.view.parent(node).is_some_and(|above| self.view.head_child(above) == Some(node));
        (self.children(node).next().is_none() && heads_something).then_some(node)
    }

    /// Whether the word of `b` heads the lowest phrase above `a` that the word of `a` does not head.
    fn hangs(&self, a: u32, b: u32) -> bool {
        let word = self.word(a);
        let above = self.view.ancestors(a).find(|&above| self.word(above) != word);
        word.is_some() && above.is_some_and(|above| self.word(above) == self.word(b))
    }
}
