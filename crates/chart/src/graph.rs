//! Graphs over the words of a sentence, and the properties that define the classes.
//!
//! This file knows no rule. It states what acyclic, one-endpoint-crossing, locked and structural mean, straight from the
//! definitions, so that it can judge what the rules make.

use crate::part::{Edge, EdgeKind, Node, Nodes, listed};
use crate::structure::{Class, Crossing, Parents};

/// A structure: a spine for each word, and edges.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Graph {
    /// The node chosen for each word, in order.
    pub spines: Vec<Node>,
    /// The edges, sorted.
    pub edges: Vec<Edge>,
}

/// Why a graph is outside a class.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Outside {
    /// The spines are not one node for each word.
    #[error("the graph does not choose one spine for each word")]
    Spines,
    /// An edge touches a node that is not the chosen spine of its word, links a word to itself, or enters the root.
    #[error("edge {0} is no edge between two words of the graph")]
    Edge(Edge),
    /// Two edges between the same two words.
    #[error("edges {0} and {1} link the same two words")]
    Parallel(Edge, Edge),
    /// Edges that cross although none may.
    #[error("edges {0} and {1} cross")]
    Crossing(Edge, Edge),
    /// An edge crossed by two edges that share no end with each other.
    #[error("edge {0} is crossed by {1} and {2}, which have no end in common")]
    Endpoints(Edge, Edge, Edge),
    /// The edges of a locked chain.
    #[error("edges {} form a locked chain", listed(.0))]
    Locked(Vec<Edge>),
    /// A directed cycle (or, in an undirected tree, any circle) through this edge.
    #[error("edge {0} lies on a cycle")]
    Cycle(Edge),
    /// A word that cannot be reached from the root.
    #[error("word {0} is not reachable from the root")]
    Unreachable(usize),
    /// A word with more than one parent, in a tree.
    #[error("word {0} has more than one parent")]
    Parents(usize),
    /// A word without exactly one structural parent.
    #[error("word {0} does not have exactly one structural parent")]
    StructuralParent(usize),
    /// Structural edges that cross.
    #[error("structural edges {0} and {1} cross")]
    StructuralCrossing(Edge, Edge),
    /// An edge of a kind the class does not know.
    #[error("edge {0} is of a kind the class does not know")]
    Kind(Edge),
}

impl Outside {
    /// The edges that it names.
    pub fn edges(&self) -> Vec<Edge> {
        match self {
            Self::Edge(edge) | Self::Cycle(edge) | Self::Kind(edge) => vec![*edge],
            Self::Parallel(one, other)
            | Self::Crossing(one, other)
            | Self::StructuralCrossing(one, other) => {
                vec![*one, *other]
            }
            Self::Endpoints(crossed, one, other) => vec![*crossed, *one, *other],
            Self::Locked(chain) => chain.clone(),
            Self::Spines | Self::Unreachable(_) | Self::Parents(_) | Self::StructuralParent(_) => Vec::new(),
        }
    }
}

/// Do two spans cross? They cross if exactly one end of the second lies strictly inside the first.
pub(crate) fn cross(a: (usize, usize), b: (usize, usize)) -> bool {
    (a.0 < b.0 && b.0 < a.1 && a.1 < b.1) || (b.0 < a.0 && a.0 < b.1 && b.1 < a.1)
}

impl Graph {
    /// Is the graph in the class? If not, the first reason found.
    pub fn check(&self, nodes: &Nodes, class: Class) -> Result<(), Outside> {
        self.check_parts(nodes, class)?;
        let spans: Vec<(usize, usize)> = self.edges.iter().map(|edge| span(edge, nodes)).collect();
        self.check_crossing(&spans, class)?;
        self.check_direction(nodes, class)?;
        if class.structural { self.check_structural(nodes, &spans) } else { Ok(()) }
    }

    fn check_parts(&self, nodes: &Nodes, class: Class) -> Result<(), Outside> {
        let chosen = self.spines.iter().enumerate().all(|(word, spine)| {
            spine.index() < nodes.len() && nodes.word(*spine) == word && word < nodes.words()
        });
        if !chosen || self.spines.len() != nodes.words() {
            return Err(Outside::Spines);
        }
        let known = |node: Node| node == nodes.root() || self.spines.contains(&node);
        for (index, edge) in self.edges.iter().enumerate() {
            let enters_root = class.directed && edge.to == nodes.root();
            let backwards = !class.directed && edge.from > edge.to;
            if edge.from == edge.to || !known(edge.from) || !known(edge.to) || enters_root || backwards {
                return Err(Outside::Edge(*edge));
            }
            if !class.structural && edge.kind != EdgeKind::Structural {
                return Err(Outside::Kind(*edge));
            }
            let same = |other: &&Edge| span(other, nodes) == span(edge, nodes);
            if let Some(other) = self.edges[..index].iter().find(same) {
                return Err(Outside::Parallel(*other, *edge));
            }
        }
        Ok(())
    }

    fn check_crossing(&self, spans: &[(usize, usize)], class: Class) -> Result<(), Outside> {
        for (index, &edge) in spans.iter().enumerate() {
            let crossing: Vec<usize> = (0..spans.len()).filter(|&other| cross(edge, spans[other])).collect();
            let Some(&first) = crossing.first() else { continue };
            if class.crossing == Crossing::Projective {
                return Err(Outside::Crossing(self.edges[index], self.edges[first]));
            }
            // Edges across one edge that share ends pairwise share one end all together: three that did not would be a triangle, which has
            // two ends on one side.
            let apart = |&one: &usize, &other: &usize| {
                let (one, other) = (spans[one], spans[other]);
                one.0 != other.0 && one.0 != other.1 && one.1 != other.0 && one.1 != other.1
            };
            let pair = crossing.iter().enumerate().find_map(|(place, one)| {
                let other = crossing[place + 1..].iter().find(|other| apart(one, other))?;
                Some((*one, *other))
            });
            if let Some((one, other)) = pair {
                return Err(Outside::Endpoints(self.edges[index], self.edges[one], self.edges[other]));
            }
        }
        match locked_chain(spans) {
            Some(chain) => Err(Outside::Locked(chain.into_iter().map(|index| self.edges[index]).collect())),
            None => Ok(()),
        }
    }

    fn check_direction(&self, nodes: &Nodes, class: Class) -> Result<(), Outside> {
        let count = nodes.words() + 1;
        let word = |node: Node| nodes.word(node);
        let mut reach = vec![false; count * count];
        for edge in &self.edges {
            let (from, to) = (word(edge.from), word(edge.to));
            let circle = if class.directed {
                reach[to * count + from]
            } else {
                class.parents == Parents::One && reach[to * count + from]
            };
            if circle {
                return Err(Outside::Cycle(*edge));
            }
            connect(&mut reach, count, from, to);
            if !class.directed {
                connect(&mut reach, count, to, from);
            }
        }
        for word in 0..nodes.words() {
            if !reach[nodes.words() * count + word] {
                return Err(Outside::Unreachable(word));
            }
            let parents = self.edges.iter().filter(|edge| nodes.word(edge.to) == word).count();
            if class.directed && class.parents == Parents::One && parents != 1 {
                return Err(Outside::Parents(word));
            }
        }
        Ok(())
    }

    fn check_structural(&self, nodes: &Nodes, spans: &[(usize, usize)]) -> Result<(), Outside> {
        let structural: Vec<usize> =
            (0..self.edges.len()).filter(|&e| self.edges[e].kind != EdgeKind::Trace).collect();
        for word in 0..nodes.words() {
            if structural.iter().filter(|&&edge| nodes.word(self.edges[edge].to) == word).count() != 1 {
                return Err(Outside::StructuralParent(word));
            }
        }
        for (index, &one) in structural.iter().enumerate() {
            if let Some(&other) = structural[..index].iter().find(|&&other| cross(spans[one], spans[other])) {
                return Err(Outside::StructuralCrossing(self.edges[other], self.edges[one]));
            }
        }
        Ok(())
    }
}

fn connect(reach: &mut [bool], count: usize, from: usize, to: usize) {
    for source in 0..count {
        if source == from || reach[source * count + from] {
            for target in 0..count {
                if target == to || reach[to * count + target] {
                    reach[source * count + target] = true;
                }
            }
        }
    }
}

fn span(edge: &Edge, nodes: &Nodes) -> (usize, usize) {
    let (from, to) = (nodes.word(edge.from), nodes.word(edge.to));
    (from.min(to), from.max(to))
}

/// The edges of a locked chain (definition 2 of the paper), if there is one: vertices `0 … N`, `N > 3`, in order, with
/// edges `(0, N-1)`, `(1, N)` and `(i, i+2)` for every `i` up to `N-2`.
pub(crate) fn locked_chain(spans: &[(usize, usize)]) -> Option<Vec<usize>> {
    let find = |from: usize, to: usize| spans.iter().position(|&span| span == (from, to));
    for (long, &(zero, last)) in spans.iter().enumerate() {
        // (0, 2) starts the chain; (1, N) is the long edge that crosses (0, N-1).
        for (start, &(from, two)) in spans.iter().enumerate() {
            if from != zero || two >= last {
                continue;
            }
            for (other, &(one, end)) in spans.iter().enumerate() {
                if !(zero < one && one < two && end > last) {
                    continue;
                }
                let mut chain = vec![long, other, start];
                if walk(spans, (one, two), (last, end), &mut chain, &find) {
                    return Some(chain);
                }
            }
        }
    }
    None
}

/// Follows the chain from the pair of vertices `(i, i+1)` to `(N-1, N)`.
fn walk(
    spans: &[(usize, usize)],
    (here, next): (usize, usize),
    (last, end): (usize, usize),
    chain: &mut Vec<usize>,
    find: &impl Fn(usize, usize) -> Option<usize>,
) -> bool {
    if next == last {
        // The chain ends with (N-2, N); vertex N-2 is `here`, and N > 3 asks for at least two links before.
        return match find(here, end) {
            Some(edge) if chain.len() > 3 => {
                chain.push(edge);
                true
            }
            _ => false,
        };
    }
    for (edge, &(from, to)) in spans.iter().enumerate() {
        if from == here && to > next && to <= last {
            chain.push(edge);
            if walk(spans, (next, to), (last, end), chain, find) {
                return true;
            }
            chain.pop();
        }
    }
    false
}
