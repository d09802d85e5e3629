//! The best traces of a tree: those with which its edges are in the class.
//!
//! Branch and bound over the antecedent of each null. Taking an edge away never takes a graph out of its class, so a set of traces that is out
//! of it stays out whatever is added.

use tracebank_syntax::class::{Class, Structure, cross};
use tracebank_syntax::graph::{self, ArcKind, Vertex};

use super::candidates::{Candidate, Referral};
use super::{Settings, ranking::Ranking};
use crate::vocabulary::{Trace, Vocabulary};

/// The traces of a tree, and what they and the nulls without any score together.
pub(super) struct TraceSets {
    pub(super) best: Ranking<Vec<Trace>>,
    /// Whether the search went to its end.
    pub(super) is_complete: bool,
    /// The sets that were tried.
    pub(super) trials: usize,
}

/// The search for the best sets of traces.
pub(super) struct Search<'s> {
    vocabulary: &'s Vocabulary,
    structure: Structure,
    settings: &'s Settings,
    /// The nulls, and the numbers of the choices that fit the spines.
    referrals: Vec<(&'s Referral, Vec<usize>)>,
    /// The most that the referrals from each place on can bring.
    hopes: Vec<f32>,
    depths: Vec<u32>,
    structural: Vec<graph::Arc>,
    /// The traces made so far as edges, and the structural edges that they cross. What crosses nothing keeps no graph out of a class.
    arcs: Vec<graph::Arc>,
    traces: Vec<Trace>,
    best: Ranking<Vec<Trace>>,
    trials: usize,
    most_trials: usize,
}

impl<'s> Search<'s> {
    /// A search for the `wanted` best sets of traces between words with these candidates and heads.
    pub(super) fn new(
        vocabulary: &'s Vocabulary,
        settings: &'s Settings,
        structure: Structure,
        chosen: &[&'s Candidate],
        heads: &[u32],
        wanted: usize,
        most_trials: usize,
    ) -> Search<'s> {
        let mut referrals: Vec<(&Referral, Vec<usize>)> = Vec::new();
        for referral in chosen.iter().flat_map(|candidate| &candidate.referrals) {
            let fits = |&choice: &usize| {
                let Trace { antecedent, label, .. } = referral.choices[choice].trace;
                let facts = vocabulary.facts(chosen[antecedent as usize - 1].spine);
                // A trace that is worse than none is in no best set, but may be in the next.
                facts.serves[label.index()]
                    && (wanted > 1 || referral.choices[choice].score > referral.silent)
            };
            referrals.push((referral, (0..referral.choices.len()).filter(fits).collect()));
        }
        let mut hopes = vec![0.0; referrals.len() + 1];
        for (place, (referral, choices)) in referrals.iter().enumerate().rev() {
            let first = choices.first().map_or(f32::NEG_INFINITY, |&choice| referral.choices[choice].score);
            hopes[place] = hopes[place + 1] + first.max(referral.silent);
        }
        let arc = |(child, &parent): (u32, &u32)| graph::Arc {
            parent: Vertex(parent),
            child: Vertex(child),
            kind: ArcKind::Structural,
        };
        Search {
            vocabulary,
            structure,
            settings,
            referrals,
            hopes,
            depths: depths(heads),
            structural: (1..).zip(heads).map(arc).collect(),
            arcs: Vec::new(),
            traces: Vec::new(),
            best: Ranking::new(wanted),
            trials: 0,
            most_trials,
        }
    }

    /// The sets, of which only those that score more than `floor` are asked for.
    pub(super) fn run(mut self, floor: f32) -> TraceSets {
        self.visit(0, 0.0, floor);
        let is_complete = self.trials <= self.most_trials;
        TraceSets { best: self.best, is_complete, trials: self.trials.min(self.most_trials) }
    }

    fn visit(&mut self, place: usize, gained: f32, floor: f32) {
        let hope = gained + self.hopes[place];
        if hope <= floor.max(self.best.floor()) {
            return;
        }
        let Some((referral, choices)) = self.referrals.get(place) else {
            self.best.offer(gained, || self.traces.clone());
            return;
        };
        let (referral, choices): (&'s Referral, Vec<usize>) = (referral, choices.clone());
        for choice in choices {
            self.trials += 1;
            if self.trials > self.most_trials {
                break;
            }
            let choice = referral.choices[choice];
            let before = self.arcs.len();
            self.add(self.arc(choice.trace));
            if Class::of(&self.arcs).is(self.structure) {
                let cost = if self.is_shared(choice.trace) { self.settings.shared_penalty } else { 0.0 };
                self.traces.push(choice.trace);
                self.visit(place + 1, gained + choice.score - cost, floor);
                self.traces.pop();
            }
            self.arcs.truncate(before);
        }
        self.visit(place + 1, gained + referral.silent, floor);
    }

    /// Whether a trace of movement stands for a phrase that another one stands for already.
    fn is_shared(&self, trace: Trace) -> bool {
        let phrase = |trace: &Trace| (trace.antecedent, &self.vocabulary.trace(trace.label).to);
        let is_moved = |trace: &Trace| self.vocabulary.is_movement(trace.label);
        is_moved(&trace) && self.traces.iter().any(|other| is_moved(other) && phrase(other) == phrase(&trace))
    }

    /// Adds an edge, and the structural edges that it is the first to cross.
    fn add(&mut self, arc: graph::Arc) {
        for &other in self.structural.iter().filter(|&&other| cross(arc, other)) {
            if !self.arcs.contains(&other) {
                self.arcs.push(other);
            }
        }
        self.arcs.push(arc);
    }

    /// An edge for a trace, from the word that is higher in the tree to the other, so that no cycle comes about. Which way it
    /// points says nothing else: the label tells which end refers.
    fn arc(&self, trace: Trace) -> graph::Arc {
        let rank = |word: u32| (self.depths[word as usize - 1], word);
        let (parent, child) = if rank(trace.referrer) < rank(trace.antecedent) {
            (trace.referrer, trace.antecedent)
        } else {
            (trace.antecedent, trace.referrer)
        };
        graph::Arc { parent: Vertex(parent), child: Vertex(child), kind: ArcKind::Trace(0) }
    }
}

/// The depth of each word below the root.
fn depths(heads: &[u32]) -> Vec<u32> {
    let depth = |word: usize| {
        let (mut at, mut depth) = (word, 0);
        while let Some(parent) = (heads[at] as usize).checked_sub(1) {
            (at, depth) = (parent, depth + 1);
        }
        depth
    };
    (0..heads.len()).map(depth).collect()
}
