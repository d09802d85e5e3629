//! Patterns that cannot match, whatever the tree.
//!
//! Not every such pattern is seen: three kinds are, and these are the ones that people write. A description that no label fits (`@NP-SBJ`, since a
//! category has no function tags); a condition that another one denies (`A < B !< __`); two descriptions of one node that have no label in common
//! (`A > B > C`).

use super::describe::{Description, Text, basic_category};
use super::print::Shown;
use super::{Condition, Id, Pattern, What};
use crate::relation::Relation as R;

impl Pattern {
    /// The reason why nothing can match, if there is one that is seen.
    ///
    /// ```
    /// use tracebank_search::Pattern;
    /// let why = |text: &str| Pattern::parse(text).unwrap().contradiction();
    /// assert_eq!(why("NP < (VP !< __)"), None);
    /// assert_eq!(why("NP < VP !<< __").unwrap(), "`!<< (__)` denies what `< (VP)` says");
    /// assert_eq!(why("@NP-SBJ").unwrap(), "`@NP-SBJ` fits no label: the category of one is `NP`");
    /// ```
    pub fn contradiction(&self) -> Option<String> {
        self.node_contradiction(0)
    }

    fn node_contradiction(&self, id: Id) -> Option<String> {
        let unfit = self.described(id).and_then(Description::fits_nothing);
        unfit.or_else(|| self.conditions_contradiction(id, &self.nodes[id].conditions))
    }

    /// The description of a node that has one.
    fn described(&self, id: Id) -> Option<&Description> {
        match self.nodes[id].what {
            What::Described(description, _) => Some(self.description(description)),
            What::Named(_) | What::Alike(_) => None,
        }
    }

    fn conditions_contradiction(&self, id: Id, conditions: &[Condition]) -> Option<String> {
        let mut facts = Vec::new();
        conditions.iter().for_each(|condition| facts_of(condition, &mut facts));
        for (place, fact) in facts.iter().enumerate() {
            let alone = match fact {
                Condition::Link(R::Same, target) if self.apart(id, *target) => {
                    Some(self.no_node(id, *target))
                }
                Condition::Link(_, target) => self.node_contradiction(*target),
                Condition::Any(list) => {
                    let why = |one: &Condition| self.conditions_contradiction(id, std::slice::from_ref(one));
                    list.iter().map(why).collect::<Option<Vec<_>>>().and_then(|mut all| all.pop())
                }
                _ => None,
            };
            let others = facts.iter().skip(place + 1);
            let together = || others.into_iter().find_map(|other| self.pair(fact, other));
            if let Some(why) = alone.or_else(together) {
                return Some(why);
            }
        }
        None
    }

    /// The reason why two conditions of one node exclude each other.
    fn pair(&self, a: &Condition, b: &Condition) -> Option<String> {
        match (a, b) {
            (Condition::Link(one, a), Condition::Link(other, b)) => {
                (one == other && leads_to_one(*one) && self.apart(*a, *b)).then(|| self.no_node(*a, *b))
            }
            (said @ Condition::Link(relation, target), denied @ Condition::Not(inside))
            | (denied @ Condition::Not(inside), said @ Condition::Link(relation, target)) => {
                let Condition::Link(other, excluded) = **inside else { return None };
                let excluded = &self.nodes[excluded];
                let What::Described(description, groups) = &excluded.what else { return None };
                let plain = groups.is_empty() && excluded.conditions.is_empty();
                let anything =
                    self.description(*description).alternatives.is_none() && excluded.conditions.is_empty();
                let alike = plain
                    && matches!(&self.nodes[*target].what, What::Described(here, _) if here == description);
                let denies = (anything && needs_some(*relation, other))
                    || ((anything || alike) && implies(*relation, other));
                denies.then(|| format!("`{}` denies what `{}` says", Shown(self, denied), Shown(self, said)))
            }
            _ => None,
        }
    }

    /// Whether no label fits both nodes.
    fn apart(&self, a: Id, b: Id) -> bool {
        let (Some(a), Some(b)) = (self.described(a), self.described(b)) else { return false };
        a.excludes(b) || b.excludes(a)
    }

    fn no_node(&self, a: Id, b: Id) -> String {
        let text = |id: Id| self.described(id).map_or_else(String::new, ToString::to_string);
        format!("the node that must be `{}` must be `{}` as well", text(a), text(b))
    }
}

/// Conditions that all hold, without brackets; `![A | B]` is `!A` and `!B`.
fn facts_of(condition: &Condition, facts: &mut Vec<Condition>) {
    match condition {
        Condition::All(list) => list.iter().for_each(|one| facts_of(one, facts)),
        Condition::Not(inside) => match &**inside {
            Condition::Any(list) => {
                list.iter().for_each(|one| facts_of(&Condition::Not(Box::new(one.clone())), facts));
            }
            _ => facts.push(condition.clone()),
        },
        _ => facts.push(condition.clone()),
    }
}

impl Description {
    /// The reason why no label fits.
    fn fits_nothing(&self) -> Option<String> {
        let Some(alternatives) = &self.alternatives else {
            return self.negated.then(|| format!("`{self}` fits no label"));
        };
        let wrong = |text: &Text| match text {
            Text::Literal(literal) if literal.contains(|c: char| c.is_whitespace() || "()".contains(c)) => {
                Some("no label has a blank or a bracket in it".to_owned())
            }
            Text::Literal(literal) if self.category && basic_category(literal) != literal => {
                Some(format!("the category of one is `{}`", basic_category(literal)))
            }
            _ => None,
        };
        let all: Option<Vec<String>> = alternatives.iter().map(wrong).collect();
        let why = all.filter(|_| !self.negated)?.pop()?;
        Some(format!("`{self}` fits no label: {why}"))
    }

    /// Whether all labels that fit are known, and none of them fits `other`.
    fn excludes(&self, other: &Description) -> bool {
        let none = |text: &Text| matches!(text, Text::Literal(literal) if !other.fits(literal));
        let known = !self.negated && (!self.category || other.category);
        known && self.alternatives.as_ref().is_some_and(|alternatives| alternatives.iter().all(none))
    }
}

/// Whether a node has at most one other in this relation to it.
fn leads_to_one(relation: R) -> bool {
    use R::{Child, HasNth, HasOnly, HeadChild, IsNth, IsOnly, NextSister, NthLeaf, PreviousSister, Same};
    matches!(relation, Child | IsNth(_) | IsOnly | HasNth(_) | HasOnly | HeadChild | Same)
        || matches!(relation, NextSister | PreviousSister | NthLeaf(_))
}

/// Whether `A one B` makes `A other B` true.
fn implies(one: R, other: R) -> bool {
    let weaker: &[R] = match one {
        R::HasOnly => &[R::Parent, R::HasNth(1), R::HasNth(-1), R::Unary],
        R::HasNth(1) => &[R::Parent, R::Leftmost],
        R::HasNth(-1) => &[R::Parent, R::Rightmost],
        R::HasNth(_) => &[R::Parent],
        R::HeadChild => &[R::Parent, R::Head],
        R::Parent => &[R::Dominates, R::SameOrParent],
        R::Unary => &[R::Leftmost, R::Rightmost],
        R::Leftmost | R::Rightmost | R::Leaf | R::Down(_) | R::Head => &[R::Dominates],
        R::NthLeaf(_) => &[R::Leaf],
        R::IsOnly => &[R::Child, R::IsNth(1), R::IsNth(-1), R::IsUnary],
        R::IsNth(1) => &[R::Child, R::IsLeftmost],
        R::IsNth(-1) => &[R::Child, R::IsRightmost],
        R::IsNth(_) => &[R::Child],
        R::IsHeadChild => &[R::Child, R::IsHead],
        R::IsUnary => &[R::IsLeftmost, R::IsRightmost],
        R::Child | R::IsLeftmost | R::IsRightmost | R::Up(_) | R::IsHead => &[R::Dominated],
        R::NextSister => &[R::LeftSister, R::JustBefore],
        R::PreviousSister => &[R::RightSister, R::JustBehind],
        R::LeftSister => &[R::Sister, R::Precedes],
        R::RightSister => &[R::Sister, R::Follows],
        R::JustBefore => &[R::Precedes],
        R::JustBehind => &[R::Follows],
        R::Same => &[R::SameOrParent],
        R::StandsFor => &[R::Resolves],
        R::StoodForBy => &[R::ResolvedBy],
        _ => &[],
    };
    one == other || weaker.iter().any(|&weaker| implies(weaker, other))
}

/// Whether a node that is in relation `one` to some node is in relation `other` to some node too.
fn needs_some(one: R, other: R) -> bool {
    let below = [R::Parent, R::Dominates, R::HasNth(1), R::HasNth(-1), R::Leftmost, R::Rightmost, R::Leaf];
    let above = [R::Child, R::Dominated];
    (implies(one, R::Dominates) && below.contains(&other))
        || (implies(one, R::Dominated) && above.contains(&other))
        || (implies(one, R::Sister) && (other == R::Sister || above.contains(&other)))
}
