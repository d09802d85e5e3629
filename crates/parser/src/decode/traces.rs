//! The best traces of a tree: those with which its edges are in the class.
//!
//! Best first over the antecedent of each null, one null after another: what a set of traces for the first nulls can still become is bounded by
//! the best that the others can have. Taking an edge away never takes a graph out of its class, so a set of traces that is out of it stays out
//! whatever is added.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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

/// A resolution of a null: one of its antecedents, or none.
#[derive(Clone, Copy)]
struct Resolution {
    score: f32,
    trace: Option<Trace>,
}

/// The search for the best sets of traces.
pub(super) struct Search<'s> {
    vocabulary: &'s Vocabulary,
    structure: Structure,
    settings: &'s Settings,
    /// What each null can choose from, best first.
    nulls: Vec<Vec<Resolution>>,
    /// The most that the nulls from each place on can bring.
    hopes: Vec<f32>,
    depths: Vec<u32>,
    structural: Vec<graph::Arc>,
    wanted: usize,
}

/// Says whether a set of traces may be in an answer, all of them together.
pub(super) type Accepts<'a> = dyn FnMut(&[Trace]) -> bool + 'a;

/// The traces chosen so far: the last, and where the others are.
struct Chosen {
    trace: Trace,
    before: Option<usize>,
}

/// A set of traces for the nulls before a place, about to be extended by one option of the null there.
#[derive(Clone, Copy)]
struct Step {
    /// The most that this can become.
    bound: f32,
    gained: f32,
    before: Option<usize>,
    place: usize,
    option: usize,
    /// Steps are numbered as they come up, so that their order is certain.
    number: usize,
}

impl Ord for Step {
    fn cmp(&self, other: &Step) -> Ordering {
        // Of equals the one that is further on, so that the first set is complete soon.
        let by_bound = self.bound.total_cmp(&other.bound).then(self.place.cmp(&other.place));
        by_bound.then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Step) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Step {}

impl<'s> Search<'s> {
    /// A search for the `wanted` best sets of traces between words with these candidates and heads. A trace that is worse than none is in no best
    /// set, but may be in the next, and in the best that restricted rules derive.
    pub(super) fn new(
        vocabulary: &'s Vocabulary,
        settings: &'s Settings,
        structure: Structure,
        chosen: &[&Candidate],
        heads: &[u32],
        wanted: usize,
        is_restricted: bool,
    ) -> Search<'s> {
        let options = |referral: &Referral| {
            let fits = |trace: &Trace| {
                vocabulary.facts(chosen[trace.antecedent as usize - 1].spine).serves[trace.label.index()]
            };
            let choices = referral.choices.iter().filter(|choice| fits(&choice.trace));
            let traces = choices.map(|choice| Resolution { score: choice.score, trace: Some(choice.trace) });
            let mut options: Vec<Resolution> = traces.collect();
            let silent = options.partition_point(|option| option.score > referral.silent);
            options.insert(silent, Resolution { score: referral.silent, trace: None });
            if wanted == 1 && !is_restricted {
                options.truncate(silent + 1);
            }
            options
        };
        let nulls: Vec<Vec<Resolution>> =
            chosen.iter().flat_map(|candidate| &candidate.referrals).map(options).collect();
        let mut hopes = vec![0.0; nulls.len() + 1];
        for (place, options) in nulls.iter().enumerate().rev() {
            hopes[place] = hopes[place + 1] + options[0].score;
        }
        let arc = |(child, &parent): (u32, &u32)| graph::Arc {
            parent: Vertex(parent),
            child: Vertex(child),
            kind: ArcKind::Structural,
        };
        let structural = (1..).zip(heads).map(arc).collect();
        Search { vocabulary, structure, settings, nulls, hopes, depths: depths(heads), structural, wanted }
    }

    /// The sets that are accepted, of which only those that score more than `floor` are asked for. The search is broken off after so many trials.
    pub(super) fn run(self, floor: f32, most_trials: usize, accepts: &mut Accepts<'_>) -> TraceSets {
        let mut best = Ranking::new(self.wanted);
        let mut chosen: Vec<Chosen> = Vec::new();
        let mut steps = BinaryHeap::new();
        let mut number = 0;
        let mut trials = 0;
        let start = Step { bound: self.hopes[0], gained: 0.0, before: None, place: 0, option: 0, number };
        steps.push(start);
        while let Some(step) = steps.pop() {
            if step.bound <= best.floor().max(floor) {
                break;
            }
            let Some(options) = self.nulls.get(step.place) else {
                let traces = traces(&chosen, step.before);
                if accepts(&traces) {
                    best.offer(step.gained, || traces);
                }
                continue;
            };
            if trials >= most_trials {
                let known = traces(&chosen, step.before);
                let (gained, traces) = self.completed(known, step.gained, step.place);
                if accepts(&traces) {
                    best.offer(gained, || traces);
                }
                return TraceSets { best, is_complete: false, trials };
            }
            let mut push = |step: Step| {
                number += 1;
                if step.bound > best.floor().max(floor) {
                    steps.push(Step { number, ..step });
                }
            };
            if let Some(next) = options.get(step.option + 1) {
                let bound = step.gained + next.score + self.hopes[step.place + 1];
                push(Step { bound, option: step.option + 1, ..step });
            }
            let option = options[step.option];
            let mut before = step.before;
            let mut gained = step.gained + option.score;
            if let Some(trace) = option.trace {
                trials += 1;
                let Some(cost) = self.cost(&traces(&chosen, before), trace) else { continue };
                gained -= cost;
                chosen.push(Chosen { trace, before });
                before = Some(chosen.len() - 1);
            }
            let place = step.place + 1;
            push(Step { bound: gained + self.hopes[place], gained, before, place, option: 0, number: 0 });
        }
        TraceSets { best, is_complete: true, trials }
    }

    /// A set of traces for the nulls before a place, with the first option of each other null that fits those before, if it is among
    /// the first few.
    fn completed(&self, mut traces: Vec<Trace>, mut gained: f32, place: usize) -> (f32, Vec<Trace>) {
        const FEW: usize = 3;
        for options in &self.nulls[place..] {
            let silent = options.iter().filter(|option| option.trace.is_none());
            for option in options.iter().filter(|option| option.trace.is_some()).take(FEW).chain(silent) {
                let cost = option.trace.map_or(Some(0.0), |trace| self.cost(&traces, trace));
                if let Some(cost) = cost {
                    gained += option.score - cost;
                    traces.extend(option.trace);
                    break;
                }
            }
        }
        (gained, traces)
    }

    /// The cost of one more trace; none if that takes the graph out of the class.
    fn cost(&self, traces: &[Trace], trace: Trace) -> Option<f32> {
        let mut arcs = Vec::new();
        for arc in traces.iter().chain([&trace]).map(|&trace| self.arc(trace)) {
            self.add(&mut arcs, arc);
        }
        if !Class::of(&arcs).is(self.structure) {
            return None;
        }
        Some(if self.is_shared(traces, trace) { self.settings.shared_penalty } else { 0.0 })
    }

    /// Whether a trace of movement stands for a phrase that another one stands for already.
    fn is_shared(&self, traces: &[Trace], trace: Trace) -> bool {
        let phrase = |trace: &Trace| (trace.antecedent, &self.vocabulary.trace(trace.label).to);
        let is_moved = |trace: &Trace| self.vocabulary.is_movement(trace.label);
        is_moved(&trace) && traces.iter().any(|other| is_moved(other) && phrase(other) == phrase(&trace))
    }

    /// Adds an edge, and the structural edges that it is the first to cross: what crosses nothing keeps no graph out of a class.
    fn add(&self, arcs: &mut Vec<graph::Arc>, arc: graph::Arc) {
        for &other in self.structural.iter().filter(|&&other| cross(arc, other)) {
            if !arcs.contains(&other) {
                arcs.push(other);
            }
        }
        arcs.push(arc);
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

/// The traces of a chain, first to last.
fn traces(chosen: &[Chosen], mut last: Option<usize>) -> Vec<Trace> {
    let mut traces = Vec::new();
    while let Some(place) = last {
        traces.push(chosen[place].trace);
        last = chosen[place].before;
    }
    traces.reverse();
    traces
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
