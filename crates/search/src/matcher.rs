//! The fast matcher.
//!
//! First all candidates: for each node of the pattern, from the last to the first, the set of tree nodes that fit its description and have, for
//! each of its conditions, a partner in the sets made before. For a pattern without back-references, links and variables these sets are the
//! answer, in time proportional to pattern and tree. Where a condition looks at what another node bound, it is left out here, so the sets are
//! too large rather than too small; the assignments inside them are then tried one after another, in the order of the pattern's text.
//!
//! Trees that lack a description without which nothing can match are left out before any of that.

use std::sync::Arc;

use crate::assign::Search;
use crate::lexicon::Lexicon;
use crate::pattern::{Condition, Description, Id, Pattern, What};
use crate::plan::Plan;
use crate::relate::{Fits, any};
use crate::relation::{DescriptionId, Relation};
use crate::set::Set;
use crate::view::View;

/// How many descriptions of a pattern are looked up by label; there is no pattern with more that a person wrote.
const BITS: usize = 63;

/// A pattern with what it knows about the labels seen so far. One for each thread.
#[derive(Clone, Debug)]
pub struct Matcher {
    pattern: Arc<Pattern>,
    plan: Arc<Plan>,
    required: u64,
    /// For each label of the lexicon, which descriptions it fits.
    fits: Vec<u64>,
    generation: u32,
    /// For each description, the nodes that fit it.
    described: Vec<Set>,
    /// For each node of the pattern, its candidates.
    sets: Vec<Set>,
    /// Room to work in.
    spare: Set,
}

/// An assignment: the node that the first node of the pattern matched, and the node of each name, by their numbers in the view.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assignment {
    /// The node that the pattern's first node matched.
    pub node: u32,
    /// The node of each of the pattern's names; one that is only in a condition that did not come true has none.
    pub names: Vec<Option<u32>>,
}

/// The view of a tree together with the descriptions that each node fits.
pub(crate) struct Described<'a> {
    pub(crate) view: &'a View,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) pattern: &'a Pattern,
    sets: &'a [Set],
}

impl Fits for Described<'_> {
    fn fits(&self, node: u32, DescriptionId(id): DescriptionId) -> bool {
        self.sets[id as usize].contains(node)
    }
}

fn bit(DescriptionId(id): DescriptionId) -> u64 {
    if (id as usize) < BITS { 1 << id } else { 0 }
}

impl Matcher {
    /// A matcher of `pattern`.
    pub fn new(pattern: Arc<Pattern>) -> Matcher {
        let plan = Plan::of(&pattern);
        let required = plan.required.iter().fold(0, |all, &id| all | bit(id));
        let sets = vec![Set::default(); pattern.nodes.len()];
        let described = vec![Set::default(); pattern.descriptions.len()];
        Matcher {
            pattern,
            plan: Arc::new(plan),
            required,
            fits: Vec::new(),
            generation: 0,
            described,
            sets,
            spare: Set::default(),
        }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// The nodes that the first node of the pattern matches, in order. `view` must have been made with this lexicon.
    pub fn nodes(&mut self, view: &mut View, lexicon: &Lexicon) -> Vec<u32> {
        if !self.prepare(view, lexicon) {
            return Vec::new();
        }
        let candidates = self.sets[0].iter();
        if !self.plan.depends[0] {
            return candidates.collect();
        }
        let described = self.described(view, lexicon);
        let mut search = Search::new(&described, &self.sets);
        candidates.filter(|&node| search.matches(node)).collect()
    }

    /// How many nodes the first node of the pattern matches.
    pub(crate) fn count(&mut self, view: &mut View, lexicon: &Lexicon) -> usize {
        if self.plan.depends[0] {
            return self.nodes(view, lexicon).len();
        }
        if self.prepare(view, lexicon) { self.sets[0].len() } else { 0 }
    }

    /// All assignments, each once, in order.
    pub fn assignments(&mut self, view: &mut View, lexicon: &Lexicon) -> Vec<Assignment> {
        if !self.prepare(view, lexicon) {
            return Vec::new();
        }
        let described = self.described(view, lexicon);
        let mut search = Search::new(&described, &self.sets);
        let mut found = Vec::new();
        for node in self.sets[0].iter() {
            search.assignments(node, &mut |names| found.push(Assignment { node, names: names.to_vec() }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The first assignment for each node that the pattern's first node matches; without its names, unless they are asked for.
    pub(crate) fn firsts(&mut self, view: &mut View, lexicon: &Lexicon, names: bool) -> Vec<Assignment> {
        if names && !self.pattern.names.is_empty() {
            let mut all = self.assignments(view, lexicon);
            all.dedup_by_key(|assignment| assignment.node);
            return all;
        }
        let nodes = self.nodes(view, lexicon);
        nodes.into_iter().map(|node| Assignment { node, names: Vec::new() }).collect()
    }

    /// Descriptions that some label of a tree must fit if there is to be a match in it; each with its bit, or none if there are too many.
    pub(crate) fn required(&self) -> impl Iterator<Item = (u64, &Description)> {
        self.plan.required.iter().map(|&id| (bit(id), self.pattern.description(id)))
    }

    /// The descriptions that labels seen so far fit.
    pub(crate) fn seen(&self) -> u64 {
        self.fits.iter().fold(0, |all, fits| all | fits)
    }

    /// Learns which of so many labels fit which descriptions from `fitting`, in place of a lexicon; false where there are too many descriptions for that.
    pub(crate) fn know<E>(
        &mut self,
        labels: usize,
        fitting: impl Fn(&Description) -> Result<Vec<u32>, E>,
    ) -> Result<bool, E> {
        self.fits = vec![0; labels];
        for (id, description) in self.pattern.descriptions.iter().enumerate() {
            for label in fitting(description)? {
                self.fits[label as usize] |= 1_u64.checked_shl(id as u32).unwrap_or(0);
            }
        }
        Ok(self.pattern.descriptions.len() <= BITS)
    }

    /// Forgets all labels: they will come from another lexicon.
    pub(crate) fn forget(&mut self) {
        self.fits.clear();
        self.generation = 0;
    }

    fn described<'a>(&'a self, view: &'a View, lexicon: &'a Lexicon) -> Described<'a> {
        Described { view, lexicon, pattern: &self.pattern, sets: &self.described }
    }

    /// Makes the sets of candidates; false where nothing can match.
    fn prepare(&mut self, view: &mut View, lexicon: &Lexicon) -> bool {
        self.learn(lexicon);
        if !self.describe(view, lexicon) {
            return false;
        }
        if view.references.is_none() && self.pattern.needs_references() {
            view.refer(lexicon);
        }
        let plan = Arc::clone(&self.plan);
        for &id in &plan.order {
            let mut set = std::mem::take(&mut self.sets[id]);
            let mut spare = std::mem::take(&mut self.spare);
            self.fill(id, view, lexicon, &mut set, &mut spare);
            let none = set.is_empty();
            (self.sets[id], self.spare) = (set, spare);
            if none && plan.must[id] {
                return false;
            }
        }
        true
    }

    /// Finds the nodes that fit each description; false where one that must be there is not.
    fn describe(&mut self, view: &View, lexicon: &Lexicon) -> bool {
        self.described.iter_mut().for_each(|set| set.reset(view.len()));
        let (mut present, known) = (0, &self.fits[..]);
        for (node, links) in (0..view.len()).zip(&view.nodes) {
            let mut fits = known[links.label as usize];
            if fits == 0 {
                continue;
            }
            present |= fits;
            while fits != 0 {
                self.described[fits.trailing_zeros() as usize].insert(node);
                fits &= fits - 1;
            }
        }
        if self.required & !present != 0 {
            return false;
        }
        for (description, set) in self.pattern.descriptions.iter().zip(&mut self.described).skip(BITS) {
            let nodes = (0..).zip(&view.nodes);
            nodes
                .filter(|(_, links)| description.fits(lexicon.text(links.label)))
                .for_each(|(node, _)| set.insert(node));
        }
        true
    }

    /// Looks at labels that are new.
    fn learn(&mut self, lexicon: &Lexicon) {
        if self.generation != lexicon.generation() {
            self.generation = lexicon.generation();
            self.fits.clear();
        }
        for number in self.fits.len()..lexicon.len() {
            let label = lexicon.text(number as u32);
            let descriptions = self.pattern.descriptions.iter().take(BITS).enumerate();
            let bits = descriptions.map(|(id, description)| u64::from(description.fits(label)) << id);
            self.fits.push(bits.fold(0, |all, bit| all | bit));
        }
    }

    /// Fills a set with the candidates for a node of the pattern.
    fn fill(&self, id: Id, view: &View, lexicon: &Lexicon, set: &mut Set, spare: &mut Set) {
        let described = self.described(view, lexicon);
        let node = &self.pattern.nodes[id];
        match node.what {
            What::Described(description, _) => set.clone_from(&self.described[description.0 as usize]),
            What::Named(_) | What::Alike(_) => set.reset_full(view.len()),
        }
        for condition in &node.conditions {
            match condition {
                // from the children up is one step for each of them
                Condition::Link(Relation::Parent, target) => {
                    set.retain_images(&self.sets[*target], spare, |child| view.node(child).parent);
                }
                _ => set.retain(|candidate| self.may_hold(condition, candidate, &described)),
            }
        }
    }

    /// Whether a condition holds, or might hold by what others bind.
    fn may_hold(&self, condition: &Condition, node: u32, described: &Described) -> bool {
        match condition {
            Condition::Link(relation, target) => {
                any(described.view, described, *relation, node, &self.sets[*target])
            }
            Condition::All(list) => list.iter().all(|one| self.may_hold(one, node, described)),
            Condition::Any(list) => list.iter().any(|one| self.may_hold(one, node, described)),
            Condition::Not(inside) => self.looks_around(inside) || !self.may_hold(inside, node, described),
            Condition::Maybe(_) => true,
        }
    }

    /// Whether a condition looks at what others bind.
    fn looks_around(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Link(_, target) => self.plan.depends[*target],
            Condition::All(list) | Condition::Any(list) => list.iter().any(|one| self.looks_around(one)),
            Condition::Not(inside) | Condition::Maybe(inside) => self.looks_around(inside),
        }
    }
}
