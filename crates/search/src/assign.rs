//! Assignments of tree nodes to the nodes of a pattern, one after another.
//!
//! The conditions still to be satisfied are a list: the conditions left at this node, then those left at the node it was reached from, and so on. Each
//! step takes the first, tries every node that it can lead to, and goes on with the rest. Names and variables are bound on the way in and freed
//! on the way out.

use std::collections::BTreeSet;

use crate::matcher::Described;
use crate::pattern::{Condition, Id, What};
use crate::relate::{Flow, each};
use crate::set::Set;

/// The conditions left to be satisfied.
struct Todo<'t> {
    conditions: &'t [Condition],
    node: u32,
    then: Option<&'t Todo<'t>>,
}

/// The search in one tree.
pub(crate) struct Search<'a> {
    described: &'a Described<'a>,
    sets: &'a [Set],
    names: Vec<Option<u32>>,
    variables: Vec<Option<&'a str>>,
}

type Found<'f> = &'f mut dyn FnMut(&[Option<u32>]) -> Flow;

impl<'a> Search<'a> {
    pub(crate) fn new(described: &'a Described<'a>, sets: &'a [Set]) -> Search<'a> {
        let names = vec![None; described.pattern.names.len()];
        let variables = vec![None; described.pattern.variables.len()];
        Search { described, sets, names, variables }
    }

    /// Whether the first node of the pattern matches at `node`.
    pub(crate) fn matches(&mut self, node: u32) -> bool {
        self.enter(0, node, None, &mut |_| Flow::Break(())).is_break()
    }

    /// Shows every assignment with the first node at `node`, each once.
    pub(crate) fn assignments(&mut self, node: u32, show: &mut dyn FnMut(&[Option<u32>])) {
        if self.names.is_empty() {
            if self.matches(node) {
                show(&[]);
            }
            return;
        }
        let mut seen = BTreeSet::new();
        let flow = self.enter(0, node, None, &mut |names| {
            if seen.insert(names.to_vec()) {
                show(names);
            }
            Flow::Continue(())
        });
        debug_assert!(flow.is_continue());
    }

    fn enter(&mut self, id: Id, node: u32, then: Option<&Todo>, found: Found) -> Flow {
        if !self.sets[id].contains(node) {
            return Flow::Continue(());
        }
        let described = self.described;
        let wanted = &described.pattern.nodes[id];
        let label = |node: u32| described.view.node(node).label;
        let fits = match &wanted.what {
            What::Described(..) => true,
            What::Named(name) => self.names[*name] == Some(node),
            What::Alike(name) => self.names[*name].is_some_and(|other| label(other) == label(node)),
        };
        let free = wanted.name.is_none_or(|name| self.names[name].is_none_or(|other| other == node));
        if !fits || !free {
            return Flow::Continue(());
        }
        let mut kept = Vec::new();
        if let What::Described(description, groups) = &wanted.what
            && !groups.is_empty()
            && !self.keep(*description, groups, node, &mut kept)
        {
            self.free(&kept);
            return Flow::Continue(());
        }
        let before = wanted.name.map(|name| (name, self.names[name].replace(node)));
        let flow = self.go(Some(&Todo { conditions: &wanted.conditions, node, then }), found);
        if let Some((name, before)) = before {
            self.names[name] = before;
        }
        self.free(&kept);
        flow
    }

    /// Binds variables to groups; those that were bound just now go into `kept`. False where one has another text.
    fn keep(
        &mut self,
        description: crate::relation::DescriptionId,
        groups: &[(usize, Id)],
        node: u32,
        kept: &mut Vec<Id>,
    ) -> bool {
        let described = self.described;
        let description = described.pattern.description(description);
        let label = described.lexicon.text(described.view.node(node).label);
        let label = if description.category { crate::basic_category(label) } else { label };
        let Some(captures) = description.regex().and_then(|regex| regex.captures(label)) else {
            return false;
        };
        groups.iter().all(|&(group, variable)| {
            let text = captures.get(group).map_or("", |found| found.as_str());
            if self.variables[variable].is_none() {
                self.variables[variable] = Some(text);
                kept.push(variable);
            }
            self.variables[variable] == Some(text)
        })
    }

    fn free(&mut self, kept: &[Id]) {
        kept.iter().for_each(|&variable| self.variables[variable] = None);
    }

    fn go(&mut self, todo: Option<&Todo>, found: Found) -> Flow {
        let Some(&Todo { conditions, node, then }) = todo else { return found(&self.names) };
        let Some((first, rest)) = conditions.split_first() else { return self.go(then, found) };
        let rest = Todo { conditions: rest, node, then };
        match first {
            Condition::Link(relation, target) => {
                let described = self.described;
                let mut visit = |other: u32| self.enter(*target, other, Some(&rest), found);
                each(described.view, described, *relation, node, &mut visit)
            }
            Condition::All(list) => self.go(Some(&Todo { conditions: list, node, then: Some(&rest) }), found),
            Condition::Any(list) => list.iter().try_for_each(|one| {
                self.go(
                    Some(&Todo { conditions: std::slice::from_ref(one), node, then: Some(&rest) }),
                    &mut *found,
                )
            }),
            Condition::Not(inside) => {
                if self.holds(inside, node) {
                    Flow::Continue(())
                } else {
                    self.go(Some(&rest), found)
                }
            }
            Condition::Maybe(inside) if self.holds(inside, node) => {
                let inside = std::slice::from_ref(&**inside);
                self.go(Some(&Todo { conditions: inside, node, then: Some(&rest) }), found)
            }
            Condition::Maybe(_) => self.go(Some(&rest), found),
        }
    }

    fn holds(&mut self, condition: &Condition, node: u32) -> bool {
        let todo = Todo { conditions: std::slice::from_ref(condition), node, then: None };
        self.go(Some(&todo), &mut |_| Flow::Break(())).is_break()
    }
}
