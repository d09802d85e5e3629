//! The chart of a class, where the relaxed problem leaves too much open.
//!
//! The max-marginal of a part in the relaxed problem is the best score that any analysis with that part can have. So once some analysis of the
//! class is known, every part that falls short of it can go, and the best analysis is still there. Little is left as a rule.
//!
//! The chart knows the class, but not everything: it values an edge at the best site of the parent whether or not sites nest, a null may refer
//! to two things, and two traces may share a phrase at no cost. All of that is for the better, so the score of a graph in the chart is the most
//! that an analysis with its spines and heads can score, as in the relaxed problem.

use tracebank_chart::sites::{SiteMarginals, Slot};
use tracebank_chart::{Class as ChartClass, Edge, EdgeKind, Graph, Node, Nodes, Scores};
use tracebank_syntax::class::Structure;

use super::candidates::Choice;
use super::relaxed::Relaxed;

/// The chart's class for a structure; none for trees, of which the relaxed problem leaves nothing open.
pub(super) fn class_of(structure: Structure) -> Option<ChartClass> {
    match structure {
        Structure::ProjectiveTree => None,
        Structure::ProjectiveGraph => Some(ChartClass::PROJECTIVE_GRAPH.with_structural_tree()),
        Structure::OneEndpointCrossing => Some(ChartClass::ONE_ENDPOINT_GRAPH.with_structural_tree()),
    }
}

/// The work of a chart over nodes.
pub(super) fn work(nodes: &Nodes) -> f64 {
    (nodes.len() as f64).powi(4)
}

/// The spines that may still be in an analysis that scores more than a floor.
pub(super) struct Kept {
    pub(super) nodes: Nodes,
    /// For each node, the one it was in the relaxed problem.
    old: Vec<Node>,
}

impl Kept {
    pub(super) fn new(relaxed: &Relaxed<'_>, reach: &SiteMarginals, floor: f32) -> Kept {
        let all = relaxed.sites.nodes();
        let mut old = Vec::new();
        let counts: Vec<usize> = (0..all.words())
            .map(|word| {
                let before = old.len();
                let nodes = all.of_word(word).map(|node| Node(node as u32));
                old.extend(nodes.filter(|&node| most(reach.row(node)) >= floor));
                old.len() - before
            })
            .collect();
        old.push(all.root());
        Kept { nodes: Nodes::new(counts), old }
    }

    /// The nodes and the heads of a graph, by word, in terms of the relaxed problem.
    pub(super) fn skeleton(&self, graph: &Graph) -> (Vec<Node>, Vec<u32>) {
        let chosen = graph.spines.iter().filter(|&&node| node != self.nodes.root());
        let mut heads = vec![0; self.nodes.words()];
        for edge in graph.edges.iter().filter(|edge| edge.kind != EdgeKind::Trace) {
            let is_root = edge.from == self.nodes.root();
            heads[self.nodes.word(edge.to)] = if is_root { 0 } else { self.nodes.word(edge.from) as u32 + 1 };
        }
        (chosen.map(|node| self.old[node.index()]).collect(), heads)
    }

    /// The scores of the chart's parts.
    pub(super) fn parts(&self, relaxed: &Relaxed<'_>, reach: &SiteMarginals, floor: f32) -> Scores {
        let mut parts = Scores::new(self.nodes.clone(), f32::NEG_INFINITY);
        let all = || (0..self.nodes.len() as u32).map(Node);
        for to in all().filter(|&node| node != self.nodes.root()) {
            let (word, reach) = (self.nodes.word(to), reach.row(self.old[to.index()]));
            for from in all() {
                let slots = relaxed.sites.slots_of(self.old[from.index()]);
                let likely = slots.filter(|&slot| reach[slot] >= floor);
                let scores = likely.map(|slot| relaxed.sites.edge(word, Slot(slot as u32)));
                parts[Edge { from, to, kind: EdgeKind::Structural }] =
                    scores.fold(f32::NEG_INFINITY, f32::max);
            }
        }
        parts[self.nodes.root()] = 0.0;
        for node in all().filter(|&node| node != self.nodes.root()) {
            let old = self.old[node.index()];
            let candidate = relaxed.candidate(old);
            let silence: f32 = candidate.referrals.iter().map(|referral| referral.silent).sum();
            // Sites that are empty may gain something; the chart grants all of it.
            let slots = relaxed.sites.slots_of(old).map(|slot| Slot(slot as u32));
            let empty: f32 = slots.map(|slot| relaxed.sites.best_empty(slot)).sum();
            let spine = relaxed.sites.spine(old) - candidate.best() + candidate.score;
            parts[node] = spine + silence + empty;
            for referral in &candidate.referrals {
                let slack = most(reach.row(old)) - referral.best() - floor;
                let worthwhile =
                    |choice: &&Choice| choice.score > referral.silent && choice.score + slack >= 0.0;
                let choices: Vec<&Choice> = referral.choices.iter().filter(worthwhile).collect();
                self.add_referral(relaxed, &mut parts, node, &choices, referral.silent);
            }
        }
        parts
    }

    /// Adds the scores of a referral to the edges between its word and each that it may refer to. All traces between two words share
    /// one edge, which may go either way: the class knows no cycles, and the labels tell which end refers.
    fn add_referral(
        &self,
        relaxed: &Relaxed<'_>,
        parts: &mut Scores,
        referrer: Node,
        choices: &[&Choice],
        silent: f32,
    ) {
        let mut met = Vec::new();
        for choice in choices {
            for antecedent in self.nodes.of_word(choice.trace.antecedent as usize - 1) {
                let antecedent = Node(antecedent as u32);
                let facts = relaxed.vocabulary.facts(relaxed.candidate(self.old[antecedent.index()]).spine);
                // Choices come best first, so the first that fits a spine is the best for it.
                if !facts.serves[choice.trace.label.index()] || met.contains(&antecedent) {
                    continue;
                }
                met.push(antecedent);
                for (from, to) in [(referrer, antecedent), (antecedent, referrer)] {
                    let edge = |kind| Edge { from, to, kind };
                    let sum = parts[edge(EdgeKind::Trace)].max(0.0) + choice.score - silent;
                    parts[edge(EdgeKind::Trace)] = sum;
                    parts[edge(EdgeKind::Both)] = parts[edge(EdgeKind::Structural)] + sum;
                }
            }
        }
    }
}

fn most(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}
