//! Patterns compiled to be asked of many trees.
//!
//! A plan says of each node of the pattern whether the tree must have it at all ([`Plan::required`]), and whether what the node asks depends on
//! names or variables that other nodes bind ([`Plan::depends`]).

use crate::pattern::{Condition, Id, Pattern, What};
use crate::relation::DescriptionId;

/// The facts about a pattern's nodes that matching uses.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Descriptions that some node of a tree must fit if the pattern is to match in it.
    pub(crate) required: Vec<DescriptionId>,
    /// For each node: whether a match needs a node of the tree for it.
    pub(crate) must: Vec<bool>,
    /// For each node: whether it, or one that its conditions lead to, looks at names or variables.
    pub(crate) depends: Vec<bool>,
    /// The nodes in an order in which each comes behind those that its conditions lead to.
    pub(crate) order: Vec<Id>,
}

impl Plan {
    pub(crate) fn of(pattern: &Pattern) -> Plan {
        let many = pattern.nodes.len();
        let mut plan = Plan {
            required: Vec::new(),
            must: vec![false; many],
            depends: vec![false; many],
            order: Vec::new(),
        };
        plan.require(pattern, 0);
        // a node has a smaller number than those that its conditions lead to
        plan.order = (0..pattern.nodes.len()).rev().collect();
        for &id in &plan.order {
            let node = &pattern.nodes[id];
            let looks = match &node.what {
                What::Described(_, groups) => !groups.is_empty(),
                What::Named(_) | What::Alike(_) => true,
            };
            let names_again = node.name.is_some_and(|name| {
                pattern.nodes.iter().enumerate().any(|(other, node)| other != id && node.name == Some(name))
            });
            let below = node.conditions.iter().any(|condition| targets(condition).any(|id| plan.depends[id]));
            plan.depends[id] = looks || names_again || below;
        }
        plan
    }

    fn require(&mut self, pattern: &Pattern, id: Id) {
        self.must[id] = true;
        if let What::Described(description, _) = pattern.nodes[id].what
            && !self.required.contains(&description)
        {
            self.required.push(description);
        }
        for condition in &pattern.nodes[id].conditions {
            self.require_condition(pattern, condition);
        }
    }

    fn require_condition(&mut self, pattern: &Pattern, condition: &Condition) {
        match condition {
            Condition::Link(_, target) => self.require(pattern, *target),
            Condition::All(list) => list.iter().for_each(|one| self.require_condition(pattern, one)),
            Condition::Any(_) | Condition::Not(_) | Condition::Maybe(_) => {}
        }
    }
}

/// The nodes that a condition leads to.
fn targets(condition: &Condition) -> Box<dyn Iterator<Item = Id> + '_> {
    match condition {
        Condition::Link(_, target) => Box::new(std::iter::once(*target)),
        Condition::All(list) | Condition::Any(list) => Box::new(list.iter().flat_map(targets)),
        Condition::Not(inside) | Condition::Maybe(inside) => targets(inside),
    }
}
