//! From a graph to its derivation.
//!
//! Decomposing is decoding: the graph's own parts score one each and all others are forbidden. If the best structure has
//! all parts of the graph, its derivation is the graph's, and there is only one. If not, what it lacks is what stands in
//! the way.

use crate::decode::{DecodeError, Request, Worker};
use crate::derivation::{Derivation, How};
use crate::engine::Engine;
use crate::expand::Rules;
use crate::grammar::{CombinationId, EdgeRuleId, Grammar};
use crate::graph::{Graph, Outside};
use crate::part::{Edge, Node, Nodes, Scores, listed};

/// Why a graph has no derivation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
    /// It is outside the class.
    #[error("{reason}{}", without(edges))]
    Outside {
        /// The first reason.
        reason: Outside,
        /// A smallest set of edges without which it could be derived; empty if taking edges away does not help.
        edges: Vec<Edge>,
    },
    /// It is in the class, but the rules have been restricted.
    #[error("a rule that it needs has been left out{}", without(edges))]
    Rules {
        /// A smallest set of edges without which it could be derived; empty if taking edges away does not help.
        edges: Vec<Edge>,
    },
    /// It is too long.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

fn without(edges: &[Edge]) -> String {
    if edges.is_empty() { String::new() } else { format!("; without {} it could be derived", listed(edges)) }
}

/// The one derivation of a graph.
///
/// ```
/// use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Graph, Node, Nodes, Worker, decompose::decompose};
///
/// let edge = |from, to| Edge { from: Node(from), to: Node(to), kind: EdgeKind::Structural };
/// let graph = Graph { spines: vec![Node(0), Node(1)], edges: vec![edge(1, 0), edge(2, 1)] };
/// let grammar = Grammar::of(Class::PROJECTIVE_TREE);
/// let derivation = decompose(&mut Worker::new(), &grammar, &Nodes::single(2), &graph)?;
/// assert_eq!(derivation.graph(), graph);
/// # Ok::<(), tracebank_chart::decompose::Stopped>(())
/// ```
pub fn decompose<E: Engine>(
    worker: &mut Worker<E>,
    grammar: &Grammar,
    nodes: &Nodes,
    graph: &Graph,
) -> Result<Derivation, Stopped> {
    let valid = graph.check(nodes, grammar.class());
    if let Err(reason @ (Outside::Spines | Outside::Edge(_) | Outside::Kind(_))) = valid {
        return Err(Stopped::Outside { reason, edges: Vec::new() });
    }
    let mut scores = Scores::new(nodes.clone(), f32::NEG_INFINITY);
    for &spine in &graph.spines {
        scores[spine] = 0.0;
    }
    for &edge in &graph.edges {
        scores[edge] = 1.0;
    }
    let missing = match worker.best(grammar, &Request::new(&scores)) {
        Ok(parse) if parse.graph == *graph => return Ok(parse.derivation),
        Ok(parse) => graph.edges.iter().filter(|edge| !parse.graph.edges.contains(edge)).copied().collect(),
        Err(DecodeError::NoStructure) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    match valid {
        Err(reason) => Err(Stopped::Outside { reason, edges: missing }),
        Ok(()) => Err(Stopped::Rules { edges: missing }),
    }
}

/// How often each rule is used by a set of derivations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleUse {
    /// For each combination of [`Rules::combinations`].
    pub combinations: Vec<u64>,
    /// For each edge rule of [`Rules::edges`].
    pub edges: Vec<u64>,
}

impl RuleUse {
    /// No rule is used yet.
    pub fn new(grammar: &Grammar) -> Self {
        let rules = grammar.rules();
        Self { combinations: vec![0; rules.combinations.len()], edges: vec![0; rules.edges.len()] }
    }

    /// Counts the rules of a derivation.
    pub fn add(&mut self, derivation: &Derivation) {
        for step in &derivation.steps {
            match step.how {
                How::Initial => {}
                How::Edge { rule, .. } => self.edges[rule.0 as usize] += 1,
                How::Combine { rule, .. } => self.combinations[rule.0 as usize] += 1,
            }
        }
    }

    /// The rules of a derivation that are not used yet, once each.
    pub fn lacking(&self, derivation: &Derivation) -> (Vec<CombinationId>, Vec<EdgeRuleId>) {
        let (mut combinations, mut edges) = (Vec::new(), Vec::new());
        for step in &derivation.steps {
            match step.how {
                How::Combine { rule, .. } if self.combinations[rule.0 as usize] == 0 => {
                    combinations.push(rule);
                }
                How::Edge { rule, .. } if self.edges[rule.0 as usize] == 0 => edges.push(rule),
                _ => {}
            }
        }
        combinations.sort_unstable();
        combinations.dedup();
        edges.sort_unstable();
        edges.dedup();
        (combinations, edges)
    }

    /// How many different combinations and edge rules are used.
    pub fn used(&self) -> (usize, usize) {
        let used = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count();
        (used(&self.combinations), used(&self.edges))
    }

    /// The rules used at least `least` times (the paper's pruning from 49,292 rules to 627 keeps those used once).
    pub fn restrict(&self, grammar: &Grammar, least: u64) -> Rules {
        let kept = |counts: &[u64]| counts.iter().map(|&count| count >= least.max(1)).collect::<Vec<bool>>();
        grammar.rules().keep_rules(&kept(&self.combinations), &kept(&self.edges))
    }
}

/// The graph over words with one spine each that has these edges.
pub fn graph_of(words: usize, edges: impl IntoIterator<Item = Edge>) -> Graph {
    let mut edges: Vec<Edge> = edges.into_iter().collect();
    edges.sort_unstable();
    Graph { spines: (0..words as u32).map(Node).collect(), edges }
}
