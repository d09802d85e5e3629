//! The reference engine: a plain interpreter of the expanded rules.
//!
//! Every item kind has its own value in every cell, and every rule is tried at every position. Nothing is merged,
//! factored or laid out for speed. It is what the compiled engine is measured against and checked against.

use crate::expand::{EdgeRule, Rules};
use crate::item::Visible;
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores};
use crate::semiring::Semiring;
use crate::template::Places;

/// The inside values of all items over a sentence.
#[derive(Clone, Debug)]
pub struct Reference<'r, S: Semiring> {
    rules: &'r Rules,
    semiring: S,
    nodes: Nodes,
    values: Vec<S::Value>,
}

/// Where an item stands: its ends and its external vertex.
type Cell = (usize, usize, Option<usize>);

impl<'r, S: Semiring> Reference<'r, S> {
    /// Computes the inside value of every item.
    pub fn inside(rules: &'r Rules, semiring: S, scores: &Scores) -> Self {
        let nodes = scores.nodes().clone();
        let count = nodes.len();
        let cells = count * count * (count + 1);
        let mut chart =
            Self { rules, semiring, nodes, values: vec![semiring.zero(); cells * rules.kinds.len()] };
        let places: Vec<Places> = rules.templates.iter().map(crate::template::Template::places).collect();
        for width in 1..=chart.nodes.words() {
            for left in 0..count {
                let word = chart.nodes.word(Node(left as u32)) + width;
                if word <= chart.nodes.words() {
                    for right in chart.nodes.of_word(word) {
                        chart.fill((left, right, None), &places, scores);
                        for external in chart.nodes.before(left).chain(chart.nodes.after(right)) {
                            chart.fill((left, right, Some(external)), &places, scores);
                        }
                    }
                }
            }
        }
        chart
    }

    /// The value of all structures together.
    pub fn total(&self) -> S::Value {
        let root = self.nodes.root().index();
        if self.nodes.words() == 0 {
            return self.semiring.one();
        }
        let mut total = self.semiring.zero();
        for left in self.nodes.of_word(0) {
            for (kind, &value) in self.cell((left, root, None)).iter().enumerate() {
                if self.rules.is_final(crate::expand::KindId(kind as u16)) {
                    total = self.semiring.plus(total, value);
                }
            }
        }
        total
    }

    fn offset(&self, (left, right, external): Cell) -> usize {
        let count = self.nodes.len();
        ((left * count + right) * (count + 1) + external.unwrap_or(count)) * self.rules.kinds.len()
    }

    fn cell(&self, cell: Cell) -> &[S::Value] {
        let offset = self.offset(cell);
        &self.values[offset..offset + self.rules.kinds.len()]
    }

    fn fill(&mut self, cell: Cell, places: &[Places], scores: &Scores) {
        let mut values = vec![self.semiring.zero(); self.rules.kinds.len()];
        let (left, right, external) = cell;
        if external.is_none() && self.nodes.between(left, right).is_empty() {
            let adjacent = self.nodes.word(Node(left as u32)) + 1 == self.nodes.word(Node(right as u32));
            if adjacent {
                // Each word is the left end of exactly one initial item, so its spine is scored once.
                values[0] = self.semiring.part(scores[Node(left as u32)]);
            }
        }
        self.combine(cell, places, &mut values);
        let intervals = self.offset((left, right, None));
        self.add_edges(cell, |rule| !is_external(rule), scores, None, &mut values);
        if external.is_some() {
            self.add_edges(cell, is_external, scores, Some(intervals), &mut values);
        }
        let offset = self.offset(cell);
        self.values[offset..offset + values.len()].copy_from_slice(&values);
    }

    fn combine(&self, (left, right, external): Cell, places: &[Places], values: &mut [S::Value]) {
        let mut start = 0;
        for same in self.rules.combinations.chunk_by(|a, b| a.template == b.template) {
            let template = same[0].template.index();
            start += same.len();
            let places = &places[template];
            if places.output[2].is_some() != external.is_some() {
                continue;
            }
            let initial = self.rules.templates[template].initial;
            for first in self.nodes.between(left, right) {
                if initial && !self.nodes.between(left, first).is_empty() {
                    continue;
                }
                if places.inputs.len() == 2 {
                    let at = [left, first, right, external.unwrap_or(0)];
                    self.apply(same, places, at, values);
                } else {
                    for second in self.nodes.between(first, right) {
                        self.apply(same, places, [left, first, second, right], values);
                    }
                }
            }
        }
        debug_assert_eq!(start, self.rules.combinations.len());
    }

    fn apply(
        &self,
        rules: &[crate::expand::Combination],
        places: &Places,
        at: [usize; 4],
        values: &mut [S::Value],
    ) {
        let zero = self.semiring.zero();
        let cell = |[left, right, external]: [Option<usize>; 3]| match (left, right) {
            (Some(left), Some(right)) => self.cell((at[left], at[right], external.map(|x| at[x]))),
            _ => &[],
        };
        let inputs: Vec<&[S::Value]> = places.inputs.iter().map(|&input| cell(input)).collect();
        for rule in rules {
            let mut value = self.semiring.one();
            for (kind, input) in rule.inputs().iter().zip(&inputs) {
                value = self.semiring.times(value, input[kind.index()]);
                if value == zero {
                    break;
                }
            }
            let output = &mut values[rule.output.index()];
            *output = self.semiring.plus(*output, value);
        }
    }

    /// Adds edges; intervals that become extervals come from the cell at `intervals`.
    fn add_edges(
        &self,
        (left, right, external): Cell,
        wanted: impl Fn(EdgeRule) -> bool,
        scores: &Scores,
        intervals: Option<usize>,
        values: &mut [S::Value],
    ) {
        let node = |vertex| match vertex {
            Visible::L => Node(left as u32),
            Visible::R => Node(right as u32),
            Visible::X => Node(external.unwrap_or(0) as u32),
        };
        for rule in self.rules.edges.iter().filter(|rule| wanted(**rule)) {
            let side_needed = self.rules.kinds[rule.output.index()].side;
            let side =
                external.map(|x| if x < left { crate::item::Side::Left } else { crate::item::Side::Right });
            if side != side_needed {
                continue;
            }
            let (mut from, mut to) = (node(rule.edge.from), node(rule.edge.to));
            if !self.rules.class.directed && from > to {
                (from, to) = (to, from);
            }
            let edge = |kind| Edge { from, to, kind };
            let score = edge_value(self.semiring, scores, edge, rule.edge.trace, self.rules.class.structural);
            let input = match (self.rules.kinds[rule.input.index()].side, intervals) {
                (None, Some(offset)) => self.values[offset + rule.input.index()],
                _ => values[rule.input.index()],
            };
            let output = &mut values[rule.output.index()];
            *output = self.semiring.plus(*output, self.semiring.times(input, score));
        }
    }
}

/// The value of adding an edge: a structural edge may come with a trace edge beside it.
fn edge_value<S: Semiring>(
    semiring: S,
    scores: &Scores,
    edge: impl Fn(EdgeKind) -> Edge,
    trace: bool,
    structural: bool,
) -> S::Value {
    let value = |kind| semiring.part(scores[edge(kind)]);
    match (trace, structural) {
        (true, _) => value(EdgeKind::Trace),
        (false, true) => semiring.plus(value(EdgeKind::Structural), value(EdgeKind::Both)),
        (false, false) => value(EdgeKind::Structural),
    }
}

fn is_external(rule: EdgeRule) -> bool {
    rule.edge.from == Visible::X || rule.edge.to == Visible::X
}
