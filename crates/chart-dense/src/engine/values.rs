//! The values of edges, laid out by what the engine asks: all edges between one vertex and all others, in lane order.

use tracebank_chart::engine::{Part, Problem};
use tracebank_chart::merge::option_edge;
use tracebank_chart::semiring::Semiring;
use tracebank_chart::structure::Crossing;
use tracebank_chart::{Class, Edge, EdgeKind, Node};

use super::view::LANES;

/// Edge values in the four directions-and-kinds of an option (out and in, structural and trace).
#[derive(Clone, Debug)]
pub(crate) struct EdgeValues<V> {
    nodes: usize,
    /// `[kind][from][to]`.
    values: Vec<V>,
    /// `[side][node][block][option][lane]`: the edge between `node` and the node of the lane, if edges may cross.
    tables: Vec<V>,
}

impl<V> Default for EdgeValues<V> {
    fn default() -> Self {
        Self { nodes: 0, values: Vec::new(), tables: Vec::new() }
    }
}

/// How many options there are for an edge between two vertices.
const OPTIONS: usize = 4;

/// The value of an option: a structural edge may come with a trace edge beside it.
fn option_value<S: Semiring>(
    semiring: S,
    problem: &Problem<'_>,
    class: Class,
    (from, to, trace): (Node, Node, bool),
) -> S::Value {
    let value = |kind| problem.value(semiring, Part::Edge(Edge { from, to, kind }));
    match (trace, class.structural) {
        (true, _) => value(EdgeKind::Trace),
        (false, true) => semiring.plus(value(EdgeKind::Structural), value(EdgeKind::Both)),
        (false, false) => value(EdgeKind::Structural),
    }
}

impl<V: Copy> EdgeValues<V> {
    /// Looks all edges up.
    pub(crate) fn fill<S: Semiring<Value = V>>(&mut self, semiring: S, problem: &Problem<'_>, class: Class) {
        let count = problem.scores.nodes().len();
        self.nodes = count;
        self.values.clear();
        for trace in [false, true] {
            for from in (0..count as u32).map(Node) {
                let to = (0..count as u32).map(Node);
                self.values.extend(to.map(|to| {
                    if trace && !class.structural {
                        semiring.zero()
                    } else {
                        option_value(semiring, problem, class, (from, to, trace))
                    }
                }));
            }
        }
        self.tables.clear();
        if class.crossing == Crossing::Projective {
            return;
        }
        let block = OPTIONS * LANES;
        let row = count.div_ceil(LANES) * block;
        self.tables.resize(2 * count * row, semiring.zero());
        let (left, right) = self.tables.split_at_mut(count * row);
        for node in 0..count {
            for option in 1..=OPTIONS {
                for other in 0..count {
                    let (from, to, trace) = option_edge(class, option, node, other);
                    let value = self.values[(usize::from(trace) * count + from.index()) * count + to.index()];
                    let place =
                        |lane: usize| node * row + lane / LANES * block + (option - 1) * LANES + lane % LANES;
                    left[place(other)] = value;
                    right[place(count - 1 - other)] = value;
                }
            }
        }
    }

    /// May there be an edge between two nodes, in either direction?
    pub(crate) fn permits(&self, a: usize, b: usize, zero: V) -> bool
    where
        V: PartialEq,
    {
        let at =
            |trace: usize, from: usize, to: usize| self.values[(trace * self.nodes + from) * self.nodes + to];
        [(0, a, b), (0, b, a), (1, a, b), (1, b, a)]
            .iter()
            .any(|&(trace, from, to)| at(trace, from, to) != zero)
    }

    /// The value of the edge an option adds between the ends of a span.
    pub(crate) fn between(&self, class: Class, left: usize, right: usize, option: usize) -> V {
        let (from, to, trace) = option_edge(class, option, left, right);
        self.values[(usize::from(trace) * self.nodes + from.index()) * self.nodes + to.index()]
    }

    /// The values of the edges between a node and a block of external vertices on one side, option after option.
    pub(crate) fn external(&self, side: usize, node: usize, block: usize) -> &[V] {
        let blocks = self.nodes.div_ceil(LANES);
        let start = ((side * self.nodes + node) * blocks + block) * OPTIONS * LANES;
        &self.tables[start..start + OPTIONS * LANES]
    }
}
