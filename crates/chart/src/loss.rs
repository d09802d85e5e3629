//! Loss-augmented decoding: scores to which the loss of each part against a gold structure has been added.
//!
//! The loss is a weighted Hamming distance: each word with another spine, each edge that is extra, each gold edge that is
//! missing, and each gold edge that is there under another kind costs its weight; structural and trace edges have weights of
//! their own. All of it decomposes over parts. A missing edge is paid for in advance, as a constant, and what an edge costs or
//! saves is then its own affair:
//!
//! * an edge between two words with no gold edge between them, in this direction, adds *extra*;
//! * a gold edge takes its *missing* back;
//! * an edge of another kind or on another spine in the place of a gold edge takes *missing* back and adds *different*.
//!
//! The structure that maximises score plus loss under the old scores is therefore exactly the best under the new ones.
//! [`Augmented::constant`] is what was paid in advance.

use std::collections::BTreeMap;

use crate::graph::Graph;
use crate::part::{Edge, EdgeKind, Node, Scores};

/// What mistakes with edges of one sort cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeLoss {
    /// An edge that gold does not have.
    pub extra: f32,
    /// A gold edge that is not there.
    pub missing: f32,
    /// An edge between the right words, in the right direction, that differs in its spines.
    pub different: f32,
}

/// What mistakes cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// A word with another spine.
    pub spine: f32,
    /// Structural edges (all edges, without a structural tree).
    pub structural: EdgeLoss,
    /// Trace edges.
    pub trace: EdgeLoss,
}

impl Default for Loss {
    /// The weights of the authors' parser: spine 1, different 2, extra 1, missing 1.
    fn default() -> Self {
        let edge = EdgeLoss { extra: 1.0, missing: 1.0, different: 2.0 };
        Self { spine: 1.0, structural: edge, trace: edge }
    }
}

/// Scores with the loss added.
#[derive(Clone, PartialEq, Debug)]
pub struct Augmented {
    /// The scores: the best structure under them maximises score plus loss.
    pub scores: Scores,
    /// What must be added to a structure's augmented score to get its score plus its loss.
    pub constant: f64,
}

/// The layers an edge stands for: an edge with a trace beside it is two.
fn layers(kind: EdgeKind) -> &'static [EdgeKind] {
    match kind {
        EdgeKind::Structural => &[EdgeKind::Structural],
        EdgeKind::Trace => &[EdgeKind::Trace],
        EdgeKind::Both => &[EdgeKind::Structural, EdgeKind::Trace],
    }
}

impl Loss {
    fn of(&self, layer: EdgeKind) -> &EdgeLoss {
        if layer == EdgeKind::Trace { &self.trace } else { &self.structural }
    }

    /// The loss of a structure against gold, counted straight from the definition.
    ///
    /// ```
    /// use tracebank_chart::{Edge, EdgeKind, Graph, Node, Nodes, loss::Loss};
    ///
    /// let edge = |from, to| Edge { from: Node(from), to: Node(to), kind: EdgeKind::Structural };
    /// let gold = Graph { spines: vec![Node(0), Node(1)], edges: vec![edge(1, 0), edge(2, 1)] };
    /// let guess = Graph { edges: vec![edge(2, 0), edge(2, 1)], ..gold.clone() };
    /// // One edge too many, and one too few.
    /// assert_eq!(Loss::default().between(&Nodes::single(2), &guess, &gold), 2.0);
    /// ```
    pub fn between(&self, nodes: &crate::part::Nodes, guess: &Graph, gold: &Graph) -> f64 {
        let spines = guess.spines.iter().filter(|spine| !gold.spines.contains(spine)).count();
        let mut loss = f64::from(self.spine) * spines as f64;
        let place = |edge: Edge| (nodes.word(edge.from), nodes.word(edge.to));
        let split = |graph: &Graph| -> BTreeMap<(usize, usize, EdgeKind), (Node, Node)> {
            let edges = graph
                .edges
                .iter()
                .flat_map(|&edge| layers(edge.kind).iter().map(move |&layer| (edge, layer)));
            edges.map(|(edge, layer)| ((place(edge).0, place(edge).1, layer), (edge.from, edge.to))).collect()
        };
        let (guess, gold) = (split(guess), split(gold));
        for (key, ends) in &guess {
            let weights = self.of(key.2);
            loss += f64::from(match gold.get(key) {
                None => weights.extra,
                Some(same) if same == ends => 0.0,
                Some(_) => weights.different,
            });
        }
        for key in gold.keys().filter(|key| !guess.contains_key(key)) {
            loss += f64::from(self.of(key.2).missing);
        }
        loss
    }

    /// Adds the loss against `gold` to the scores.
    pub fn augment(&self, scores: &Scores, gold: &Graph) -> Augmented {
        let nodes = scores.nodes().clone();
        let mut augmented = scores.clone();
        for (spine, score) in augmented.spines_mut().iter_mut().enumerate() {
            let spine = Node(spine as u32);
            if spine != nodes.root() && !gold.spines.contains(&spine) {
                *score += self.spine;
            }
        }
        let mut golden: BTreeMap<(usize, usize, EdgeKind), (Node, Node)> = BTreeMap::new();
        let mut constant = 0.0;
        for edge in &gold.edges {
            for &layer in layers(edge.kind) {
                golden.insert((nodes.word(edge.from), nodes.word(edge.to), layer), (edge.from, edge.to));
                constant += f64::from(self.of(layer).missing);
            }
        }
        for kind in EdgeKind::ALL {
            for from in (0..nodes.len() as u32).map(Node) {
                for to in (0..nodes.len() as u32).map(Node) {
                    let cost = |layer: EdgeKind| {
                        let weights = self.of(layer);
                        match golden.get(&(nodes.word(from), nodes.word(to), layer)) {
                            None => weights.extra,
                            Some(&ends) if ends == (from, to) => -weights.missing,
                            Some(_) => weights.different - weights.missing,
                        }
                    };
                    augmented[Edge { from, to, kind }] +=
                        layers(kind).iter().map(|&layer| cost(layer)).sum::<f32>();
                }
            }
        }
        Augmented { scores: augmented, constant }
    }
}
