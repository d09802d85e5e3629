//! Edge labels: the best label, or the sum over labels, when an edge is added.
//!
//! Labels change nothing in the chart. A table of scores for each edge and label is folded into a table for each edge before
//! decoding; afterwards the chosen edges get their labels, and marginals of edges are spread over labels again.
//!
//! ```
//! use tracebank_chart::{Edge, EdgeKind, Node, Nodes, Scores, label::Labels};
//!
//! let edge = Edge { from: Node(1), to: Node(0), kind: EdgeKind::Structural };
//! let mut labels = Labels::new(Nodes::single(1), EdgeKind::Structural, 3, f32::NEG_INFINITY);
//! labels.of_mut(edge.from, edge.to).copy_from_slice(&[0.5, 2.0, 1.0]);
//! let mut scores = Scores::new(Nodes::single(1), f32::NEG_INFINITY);
//! labels.best_into(&mut scores);
//! assert_eq!((scores[edge], labels.best(edge.from, edge.to)), (2.0, Some(1)));
//! ```

use crate::part::{Edge, EdgeKind, Node, Nodes, Scores, Table};

/// Scores for each edge of one kind and each label.
#[derive(Clone, PartialEq, Debug)]
pub struct Labels {
    nodes: Nodes,
    kind: EdgeKind,
    count: usize,
    scores: Vec<f32>,
}

impl Labels {
    /// `count` labels for each edge of a kind, all with the same score.
    pub fn new(nodes: Nodes, kind: EdgeKind, count: usize, score: f32) -> Self {
        let scores = vec![score; nodes.len() * nodes.len() * count];
        Self { nodes, kind, count, scores }
    }

    fn start(&self, from: Node, to: Node) -> usize {
        (from.index() * self.nodes.len() + to.index()) * self.count
    }

    /// The scores of the labels of an edge.
    pub fn of(&self, from: Node, to: Node) -> &[f32] {
        &self.scores[self.start(from, to)..][..self.count]
    }

    /// The same, to be filled.
    pub fn of_mut(&mut self, from: Node, to: Node) -> &mut [f32] {
        let start = self.start(from, to);
        &mut self.scores[start..start + self.count]
    }

    /// The best label of an edge, the first of several; none if all are forbidden.
    pub fn best(&self, from: Node, to: Node) -> Option<usize> {
        let mut best = None;
        for (label, &score) in self.of(from, to).iter().enumerate() {
            if score > best.map_or(f32::NEG_INFINITY, |(_, best)| best) {
                best = Some((label, score));
            }
        }
        best.map(|(label, _)| label)
    }

    fn fold(&self, scores: &mut Scores, of: impl Fn(&[f32]) -> f32) {
        for from in (0..self.nodes.len() as u32).map(Node) {
            for to in (0..self.nodes.len() as u32).map(Node) {
                scores[Edge { from, to, kind: self.kind }] = of(self.of(from, to));
            }
        }
    }

    /// Gives each edge the score of its best label.
    pub fn best_into(&self, scores: &mut Scores) {
        self.fold(scores, |labels| labels.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    }

    /// Gives each edge the logarithm of the sum of the exponentials of its labels' scores.
    pub fn sum_into(&self, scores: &mut Scores) {
        self.fold(scores, log_sum);
    }

    /// Spreads the marginals of edges, which [`Labels::sum_into`] scored, over their labels.
    #[must_use]
    pub fn spread(&self, marginals: &Table<f32>) -> Self {
        let mut spread = Self { scores: vec![0.0; self.scores.len()], ..self.clone() };
        for from in (0..self.nodes.len() as u32).map(Node) {
            for to in (0..self.nodes.len() as u32).map(Node) {
                let (total, share) =
                    (log_sum(self.of(from, to)), marginals[Edge { from, to, kind: self.kind }]);
                if total > f32::NEG_INFINITY {
                    for (out, score) in spread.of_mut(from, to).iter_mut().zip(self.of(from, to)) {
                        *out = share * (score - total).exp();
                    }
                }
            }
        }
        spread
    }
}

fn log_sum(scores: &[f32]) -> f32 {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if best == f32::NEG_INFINITY {
        return best;
    }
    best + scores.iter().map(|score| (score - best).exp()).sum::<f32>().ln()
}
