//! The relaxed problem: the optimum when traces may cross anything, and the best traces of the class for given spines and heads.

use std::sync::Arc;

use tracebank_chart::{Class as ChartClass, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
use tracebank_syntax::class::{Class, Structure, cross};
use tracebank_syntax::graph::{self, ArcKind, Vertex};

use super::candidates::{Candidate, Candidates, Referral};
use super::{Settings, Skeleton};
use crate::scores::SentenceScores;
use crate::vocabulary::{SpineId, Trace, Vocabulary};

/// A sentence and its candidates, as a problem of projective trees.
pub(super) struct Relaxed<'a> {
    pub(super) scores: &'a SentenceScores,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) settings: &'a Settings,
    pub(super) candidates: &'a Candidates,
    /// The score of each spine with its traces at their best, and of each structural edge.
    pub(super) parts: Scores,
}

impl<'a> Relaxed<'a> {
    pub(super) fn new(
        scores: &'a SentenceScores,
        vocabulary: &'a Vocabulary,
        settings: &'a Settings,
        candidates: &'a Candidates,
    ) -> Relaxed<'a> {
        let nodes = Nodes::new(candidates.of_words.iter().map(Vec::len));
        let mut parts = Scores::new(nodes.clone(), f32::NEG_INFINITY);
        for (score, candidate) in parts.spines_mut().iter_mut().zip(candidates.of_words.iter().flatten()) {
            *score = candidate.best();
        }
        parts[nodes.root()] = 0.0;
        for word in 0..scores.words() {
            for parent in 0..=scores.words() {
                let edge_score = scores.heads.row(word)[parent];
                if parent == word + 1 || edge_score == f32::NEG_INFINITY {
                    continue;
                }
                let row = scores.attachments(word, parent as u32);
                let mut set = |from: Node, attachment: f32| {
                    for to in nodes.of_word(word) {
                        parts[Edge { from, to: Node(to as u32), kind: EdgeKind::Structural }] =
                            edge_score + settings.attachment * attachment;
                    }
                };
                let Some(parent) = parent.checked_sub(1) else {
                    set(nodes.root(), 0.0);
                    continue;
                };
                for (node, candidate) in nodes.of_word(parent).zip(&candidates.of_words[parent]) {
                    let phrases = vocabulary.facts(candidate.spine).phrases.iter().flatten();
                    let best = phrases.map(|phrase| row[phrase.index()]).fold(f32::NEG_INFINITY, f32::max);
                    set(Node(node as u32), best);
                }
            }
        }
        Relaxed { scores, vocabulary, settings, candidates, parts }
    }

    pub(super) fn grammar() -> Arc<Grammar> {
        Grammar::of(ChartClass::PROJECTIVE_TREE)
    }

    /// Spines and parents of the best analysis, and its score with traces that may cross anything.
    pub(super) fn best(&self, worker: &mut Worker) -> (f32, Skeleton) {
        let nodes = self.parts.nodes();
        if let Ok((score, graph)) = worker.best_graph(&Self::grammar(), &Request::new(&self.parts)) {
            let score = score as f32;
            return (score, self.skeleton(nodes, &graph.spines, &graph.edges, score));
        }
        // Every word can hang from the root unless the scorer forbids it; then each does.
        let spines = self.candidates.of_words.iter().map(|of_word| of_word[0].spine).collect();
        let heads = vec![0; self.scores.words()];
        (f32::NEG_INFINITY, Skeleton { spines, heads, traces: Vec::new(), score: f32::NEG_INFINITY })
    }

    /// The spines and structural edges of a parse, as words.
    pub(super) fn skeleton(&self, nodes: &Nodes, spines: &[Node], edges: &[Edge], score: f32) -> Skeleton {
        let mut chosen: Vec<SpineId> = Vec::with_capacity(spines.len());
        for &node in spines.iter().filter(|&&node| node != nodes.root()) {
            let word = nodes.word(node);
            let place = node.index() - nodes.of_word(word).start;
            chosen.push(self.candidates.of_words[word][place].spine);
        }
        let mut heads = vec![0; self.scores.words()];
        for edge in edges.iter().filter(|edge| edge.kind != EdgeKind::Trace) {
            let parent = if edge.from == nodes.root() { 0 } else { nodes.word(edge.from) as u32 + 1 };
            heads[nodes.word(edge.to)] = parent;
        }
        Skeleton { spines: chosen, heads, traces: Vec::new(), score }
    }

    /// The candidate that was chosen for a word.
    pub(super) fn candidate(&self, word: usize, spine: SpineId) -> &Candidate {
        let of_word = self.candidates.of_words[word].iter();
        of_word.into_iter().find(|candidate| candidate.spine == spine).expect("chosen among the candidates")
    }

    /// Gives a skeleton the best traces with which its edges are a `structure`, and tells its score then.
    pub(super) fn within(&self, skeleton: Skeleton, structure: Structure) -> Skeleton {
        let spines = &skeleton.spines;
        let mut fixed = 0.0;
        let mut referrals: Vec<(&Referral, Vec<usize>)> = Vec::new();
        for (word, &spine) in spines.iter().enumerate() {
            let candidate = self.candidate(word, spine);
            fixed += candidate.score + self.edge_score(&skeleton, word);
            for referral in &candidate.referrals {
                let fits = |&choice: &usize| {
                    let Trace { antecedent, label, .. } = referral.choices[choice].trace;
                    let facts = self.vocabulary.facts(spines[antecedent as usize - 1]);
                    facts.serves[label.index()] && referral.choices[choice].score > referral.silent
                };
                referrals.push((referral, (0..referral.choices.len()).filter(fits).collect()));
            }
        }
        let mut search = Search::new(&skeleton.heads, structure, referrals, self.settings.pruning.trace_sets);
        let (gained, traces) = search.run();
        Skeleton { traces, score: fixed + gained, ..skeleton }
    }

    fn edge_score(&self, skeleton: &Skeleton, word: usize) -> f32 {
        let head = skeleton.heads[word];
        let score = self.scores.head(word, head);
        let Some(parent) = (head as usize).checked_sub(1) else { return score };
        let row = self.scores.attachments(word, head);
        let phrases = self.vocabulary.facts(skeleton.spines[parent]).phrases.iter().flatten();
        let best = phrases.map(|phrase| row[phrase.index()]).fold(f32::NEG_INFINITY, f32::max);
        score + self.settings.attachment * best
    }
}

/// Branch and bound over what each referrer refers to. Taking an edge away never takes a graph out of its class, so a set of
/// traces that is out of it stays out whatever is added.
struct Search<'s> {
    structure: Structure,
    referrals: Vec<(&'s Referral, Vec<usize>)>,
    /// The most that the referrals from each place on can bring.
    hopes: Vec<f32>,
    depths: Vec<u32>,
    structural: Vec<graph::Arc>,
    /// The traces made so far as edges, and the structural edges that they cross. What crosses nothing keeps no graph out of a class.
    arcs: Vec<graph::Arc>,
    traces: Vec<Trace>,
    best: Option<(f32, Vec<Trace>)>,
    trials: usize,
    most_trials: usize,
}

impl<'s> Search<'s> {
    fn new(
        heads: &[u32],
        structure: Structure,
        referrals: Vec<(&'s Referral, Vec<usize>)>,
        most_trials: usize,
    ) -> Search<'s> {
        let mut hopes = vec![0.0; referrals.len() + 1];
        for (place, (referral, choices)) in referrals.iter().enumerate().rev() {
            let best = choices.first().map_or(referral.silent, |&choice| referral.choices[choice].score);
            hopes[place] = hopes[place + 1] + best;
        }
        let arc = |(child, &parent): (u32, &u32)| graph::Arc {
            parent: Vertex(parent),
            child: Vertex(child),
            kind: ArcKind::Structural,
        };
        Search {
            structure,
            referrals,
            hopes,
            depths: depths(heads),
            structural: (1..).zip(heads).map(arc).collect(),
            arcs: Vec::new(),
            traces: Vec::new(),
            best: None,
            trials: 0,
            most_trials,
        }
    }

    fn run(&mut self) -> (f32, Vec<Trace>) {
        self.visit(0, 0.0);
        self.best.take().expect("silence is always possible")
    }

    fn visit(&mut self, place: usize, gained: f32) {
        let hope = gained + self.hopes[place];
        if self.best.as_ref().is_some_and(|(best, _)| hope <= *best) {
            return;
        }
        let Some((referral, choices)) = self.referrals.get(place) else {
            self.best = Some((gained, self.traces.clone()));
            return;
        };
        let referral: &'s Referral = referral;
        for choice in choices.clone() {
            self.trials += 1;
            if self.trials > self.most_trials {
                break;
            }
            let choice = referral.choices[choice];
            let before = self.arcs.len();
            self.add(self.arc(choice.trace));
            if Class::of(&self.arcs).is(self.structure) {
                self.traces.push(choice.trace);
                self.visit(place + 1, gained + choice.score);
                self.traces.pop();
            }
            self.arcs.truncate(before);
        }
        self.visit(place + 1, gained + referral.silent);
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
