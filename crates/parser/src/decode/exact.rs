//! The best analysis of a class, by the chart.
//!
//! What the relaxed problem is worth with a part is the most that any analysis with that part can be worth. So once some analysis of the
//! class is known, every part that falls short of it can go, and the best analysis is still there. Little is left as a rule.

use tracebank_chart::{Class as ChartClass, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
use tracebank_syntax::class::Structure;

use super::candidates::{Candidate, Choice};
use super::relaxed::Relaxed;
use super::{Skeleton, tolerance};
use crate::inventory::Trace;

/// The best analysis, if the chart can be afforded; at least as good as the one known.
pub(super) fn improve(
    relaxed: &Relaxed<'_>,
    worker: &mut Worker,
    structure: Structure,
    known: &Skeleton,
) -> Option<Skeleton> {
    let class = match structure {
        Structure::ProjectiveTree => return None,
        Structure::ProjectiveGraph => ChartClass::PROJECTIVE_GRAPH,
        Structure::OneEndpointCrossing => ChartClass::ONE_ENDPOINT_GRAPH,
    };
    let reach = worker.max_marginals(&Relaxed::grammar(), &Request::new(&relaxed.parts)).ok()?;
    let floor = known.score - tolerance(known.score);
    let kept = Kept::new(relaxed, &reach, floor);
    if (kept.nodes.len() as f64).powi(4) > relaxed.settings.chart_work {
        return None;
    }
    let parts = kept.parts(relaxed, &reach, floor);
    let parse = worker.best(&Grammar::of(class.with_structural_tree()), &Request::new(&parts)).ok()?;
    let spines: Vec<Node> = parse.graph.spines.iter().map(|&node| kept.old(node)).collect();
    let edges = parse.graph.edges.iter().map(|edge| Edge {
        from: kept.old(edge.from),
        to: kept.old(edge.to),
        kind: edge.kind,
    });
    let edges: Vec<Edge> = edges.collect();
    let skeleton = relaxed.skeleton(relaxed.parts.nodes(), &spines, &edges, parse.score as f32);
    let better = relaxed.within(skeleton, structure);
    Some(if better.score >= known.score { better } else { known.clone() })
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
        &relaxed.candidates.0[word][old.index() - all.of_word(word).start]
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
                for choice in referral.choices.iter().filter(worthwhile) {
                    self.add_trace(relaxed, &mut parts, node, choice.trace, choice.score - referral.silent);
                }
            }
        }
        parts
    }

    /// A reference may be an edge either way: the class knows no cycles, and the label tells which end refers.
    fn add_trace(&self, relaxed: &Relaxed<'_>, parts: &mut Scores, referrer: Node, trace: Trace, score: f32) {
        for antecedent in self.nodes.of_word(trace.antecedent as usize - 1) {
            let antecedent = Node(antecedent as u32);
            let facts = relaxed.inventory.facts(self.candidate(relaxed, antecedent).spine);
            if !facts.serves[trace.label.index()] {
                continue;
            }
            for (from, to) in [(referrer, antecedent), (antecedent, referrer)] {
                let edge = |kind| Edge { from, to, kind };
                let structural = parts[edge(EdgeKind::Structural)];
                let best = parts[edge(EdgeKind::Trace)].max(score);
                parts[edge(EdgeKind::Trace)] = best;
                parts[edge(EdgeKind::Both)] = structural + best;
            }
        }
    }
}
