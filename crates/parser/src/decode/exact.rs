//! The best analysis of a class, by the chart.
//!
//! The max-marginal of a part in the relaxed problem is the best score that any analysis with that part can have. So once some analysis of the
//! class is known, every part that falls short of it can go, and the best analysis is still there. Little is left as a rule.

use tracebank_chart::{
    Class as ChartClass, DecodeError, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker,
};
use tracebank_syntax::class::Structure;

use super::candidates::{Candidate, Choice};
use super::relaxed::Relaxed;
use super::{Optimality, Skeleton, tolerance};

/// The best analysis, if the chart can be afforded, and whether it is certain; at least as good as the one known.
///
/// A chart beyond the budget is made smaller by asking more of its parts than they would need: then the answer is no longer certain. The
/// chart does not know that a null refers to one thing only, either. If it made one refer to two, which hardly ever pays, the better of the
/// two stays, and whether all is for the best is not known.
pub(super) fn improve(
    relaxed: &Relaxed<'_>,
    worker: &mut Worker,
    structure: Structure,
    known: &Skeleton,
    bound: f32,
) -> Option<(Skeleton, Optimality)> {
    let class = match structure {
        Structure::ProjectiveTree => return None,
        Structure::ProjectiveGraph => ChartClass::PROJECTIVE_GRAPH,
        Structure::OneEndpointCrossing => ChartClass::ONE_ENDPOINT_GRAPH,
    };
    if work(&Nodes::new(vec![1; relaxed.scores.words()])) > relaxed.settings.pruning.chart_work {
        return None;
    }
    let grammar = Grammar::of(class.with_structural_tree());
    let reach = worker.max_marginals(&Relaxed::grammar(), &Request::new(&relaxed.parts)).ok()?;
    let known_floor = known.score - tolerance(known.score);
    for share in relaxed.settings.pruning.chart_floors {
        let floor = known_floor + share * (bound - known_floor);
        let kept = Kept::new(relaxed, &reach, floor);
        if work(&kept.nodes) > relaxed.settings.pruning.chart_work {
            continue;
        }
        let parts = kept.parts(relaxed, &reach, floor);
        let (score, graph) = match worker.best_graph(&grammar, &Request::new(&parts)) {
            Ok(found) => found,
            Err(DecodeError::TooLong { .. }) => continue,
            Err(_) => return None,
        };
        let spines: Vec<Node> = graph.spines.iter().map(|&node| kept.old(node)).collect();
        let edges = graph.edges.iter().map(|edge| Edge {
            from: kept.old(edge.from),
            to: kept.old(edge.to),
            kind: edge.kind,
        });
        let edges: Vec<Edge> = edges.collect();
        let skeleton = relaxed.skeleton(relaxed.parts.nodes(), &spines, &edges, score as f32);
        let better = relaxed.within(skeleton, structure);
        let charted = score as f32;
        let is_certain = share == 0.0 && better.score >= charted - tolerance(charted);
        let optimality = if is_certain { Optimality::ProvedByChart } else { Optimality::Unproved };
        return Some((if better.score >= known.score { better } else { known.clone() }, optimality));
    }
    None
}

fn work(nodes: &Nodes) -> f64 {
    (nodes.len() as f64).powi(4)
}

/// The spines that may still be in the best analysis.
struct Kept {
    nodes: Nodes,
    /// For each node, the one it was in the relaxed problem.
    old: Vec<Node>,
}

impl Kept {
    fn new(relaxed: &Relaxed<'_>, reach: &Scores, floor: f32) -> Kept {
        let all = relaxed.parts.nodes();
        let mut old = Vec::new();
        let counts: Vec<usize> = (0..all.words())
            .map(|word| {
                let before = old.len();
                old.extend(
                    all.of_word(word).map(|node| Node(node as u32)).filter(|&node| reach[node] >= floor),
                );
                old.len() - before
            })
            .collect();
        old.push(all.root());
        Kept { nodes: Nodes::new(counts), old }
    }

    fn old(&self, node: Node) -> Node {
        self.old[node.index()]
    }

    fn candidate<'c>(&self, relaxed: &Relaxed<'c>, node: Node) -> &'c Candidate {
        let (all, old) = (relaxed.parts.nodes(), self.old(node));
        let word = all.word(old);
        &relaxed.candidates.of_words[word][old.index() - all.of_word(word).start]
    }

    fn parts(&self, relaxed: &Relaxed<'_>, reach: &Scores, floor: f32) -> Scores {
        let mut parts = Scores::new(self.nodes.clone(), f32::NEG_INFINITY);
        let all = || (0..self.nodes.len() as u32).map(Node);
        for from in all() {
            for to in all() {
                let edge = |from, to| Edge { from, to, kind: EdgeKind::Structural };
                let old = edge(self.old(from), self.old(to));
                if reach[old] >= floor {
                    parts[edge(from, to)] = relaxed.parts[old];
                }
            }
        }
        parts[self.nodes.root()] = 0.0;
        for node in all().filter(|&node| node != self.nodes.root()) {
            let candidate = self.candidate(relaxed, node);
            let silence: f32 = candidate.referrals.iter().map(|referral| referral.silent).sum();
            parts[node] = candidate.score + silence;
            for referral in &candidate.referrals {
                let slack = reach[self.old(node)] - referral.best() - floor;
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
                let facts = relaxed.vocabulary.facts(self.candidate(relaxed, antecedent).spine);
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
