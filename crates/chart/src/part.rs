//! Parts: what a structure is made of, and tables keyed by them.
//!
//! A part is a spine on a word, or an edge between two (word, spine) pairs. Each word offers one or more spines; a pair of
//! a word and one of its spines is a [`Node`]. With one spine a word, nodes and words are the same thing. The root is the
//! last node. Scores go in, and marginals come out, as the same [`Table`].

use std::fmt;
use std::ops::Range;

/// A word together with one of its spines. The nodes of a word are consecutive; the root is the last node of all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

impl Node {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// An edge of the structural tree. In a class without one, every edge is of this kind.
    Structural = 0,
    /// A trace edge.
    Trace = 1,
    /// A structural edge with a trace edge beside it, between the same words and in the same direction. It is an edge of
    /// the structural tree like any other; only its score is its own.
    Both = 2,
}

impl EdgeKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Structural, Self::Trace, Self::Both];
}

/// An edge from parent to child.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The parent. In undirected classes, the left end.
    pub from: Node,
    /// The child. In undirected classes, the right end.
    pub to: Node,
    /// The kind.
    pub kind: EdgeKind,
}

/// `4→1`, the kind behind it unless it is structural.
impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            EdgeKind::Structural => "",
            EdgeKind::Trace => " (trace)",
            EdgeKind::Both => " (structural and trace)",
        };
        write!(f, "{}→{}{kind}", self.from.0, self.to.0)
    }
}

/// Edges in one line, with commas.
pub(crate) fn listed(edges: &[Edge]) -> String {
    edges.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// How many spines each word offers, and which nodes they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nodes {
    /// The first node of each word, then the root, then the end.
    first: Vec<u32>,
    word: Vec<u32>,
}

impl Nodes {
    /// One spine for each of `words` words.
    pub fn single(words: usize) -> Self {
        Self::new(std::iter::repeat_n(1, words))
    }

    /// The number of spines of each word in turn. A word without any leaves no structure at all.
    pub fn new(spines: impl IntoIterator<Item = usize>) -> Self {
        let (mut first, mut word) = (vec![0], Vec::new());
        for (index, count) in spines.into_iter().chain([1]).enumerate() {
            word.extend(std::iter::repeat_n(index as u32, count));
            first.push(word.len() as u32);
        }
        Self { first, word }
    }

    /// The number of words, without the root.
    pub fn words(&self) -> usize {
        self.first.len() - 2
    }

    /// The number of nodes, with the root.
    pub fn len(&self) -> usize {
        self.word.len()
    }

    /// Never: there is always the root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The root.
    pub fn root(&self) -> Node {
        Node(self.len() as u32 - 1)
    }

    /// The word of a node; the root counts as the word after the last.
    pub fn word(&self, node: Node) -> usize {
        self.word[node.index()] as usize
    }

    /// The nodes of a word.
    pub fn of_word(&self, word: usize) -> Range<usize> {
        self.first[word] as usize..self.first[word + 1] as usize
    }

    /// The nodes of the words strictly between those of two nodes.
    pub fn between(&self, left: usize, right: usize) -> Range<usize> {
        let (from, to) = (self.word[left] as usize + 1, self.word[right] as usize);
        self.first[from] as usize..self.first[to.max(from)] as usize
    }

    /// The nodes before the word of this one.
    pub fn before(&self, node: usize) -> Range<usize> {
        0..self.first[self.word[node] as usize] as usize
    }

    /// The nodes after the word of this one.
    pub fn after(&self, node: usize) -> Range<usize> {
        self.first[self.word[node] as usize + 1] as usize..self.len()
    }
}

/// A value for each part: a score, a marginal, a max-marginal.
///
/// ```
/// use tracebank_chart::{Edge, EdgeKind, Node, Nodes, Scores};
///
/// // Two words with one spine each; the root is node 2.
/// let mut scores = Scores::new(Nodes::single(2), f32::NEG_INFINITY);
/// scores[Edge { from: Node(2), to: Node(0), kind: EdgeKind::Structural }] = 1.5;
/// scores[Node(0)] = 0.25;
/// assert_eq!(scores[Node(0)], 0.25);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Table<T> {
    nodes: Nodes,
    spines: Vec<T>,
    edges: [Vec<T>; 3],
}

/// A score for each part; -∞ forbids it.
pub type Scores = Table<f32>;

impl<T: Copy> Table<T> {
    /// A table that holds `value` for every part.
    pub fn new(nodes: Nodes, value: T) -> Self {
        let count = nodes.len();
        Self { spines: vec![value; count], edges: std::array::from_fn(|_| vec![value; count * count]), nodes }
    }

    /// The nodes it is about.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The values of the edges of one kind, as rows of parents and columns of children.
    pub fn edges(&self, kind: EdgeKind) -> &[T] {
        &self.edges[kind as usize]
    }

    /// The values of the edges of one kind, to be filled.
    pub fn edges_mut(&mut self, kind: EdgeKind) -> &mut [T] {
        &mut self.edges[kind as usize]
    }

    /// The values of the spines, node by node; the root's is never read.
    pub fn spines(&self) -> &[T] {
        &self.spines
    }

    /// The values of the spines, to be filled.
    pub fn spines_mut(&mut self) -> &mut [T] {
        &mut self.spines
    }

    /// Another table over the same parts.
    pub fn map<U: Copy>(&self, change: impl Fn(T) -> U + Copy) -> Table<U> {
        Table {
            nodes: self.nodes.clone(),
            spines: self.spines.iter().copied().map(change).collect(),
            edges: std::array::from_fn(|kind| self.edges[kind].iter().copied().map(change).collect()),
        }
    }
}

impl<T: Copy> std::ops::Index<Edge> for Table<T> {
    type Output = T;

    fn index(&self, edge: Edge) -> &T {
        &self.edges[edge.kind as usize][edge.from.index() * self.nodes.len() + edge.to.index()]
    }
}

impl<T: Copy> std::ops::IndexMut<Edge> for Table<T> {
    fn index_mut(&mut self, edge: Edge) -> &mut T {
        &mut self.edges[edge.kind as usize][edge.from.index() * self.nodes.len() + edge.to.index()]
    }
}

impl<T: Copy> std::ops::Index<Node> for Table<T> {
    type Output = T;

    fn index(&self, node: Node) -> &T {
        &self.spines[node.index()]
    }
}

impl<T: Copy> std::ops::IndexMut<Node> for Table<T> {
    fn index_mut(&mut self, node: Node) -> &mut T {
        &mut self.spines[node.index()]
    }
}
