//! Derivations: how a structure is put together, step by step, in the unmerged rules of the paper.

use crate::expand::{EdgeStep, KindId};
use crate::grammar::{CombinationId, EdgeRuleId, Grammar};
use crate::graph::{Graph, Outside};
use crate::item::{Side, Visible};
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores};
use crate::search::{Chosen, Place, Skeleton};
use crate::shape::Shape;

/// A step, as an index into [`Derivation::steps`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u32);

impl StepId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An item and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The kind.
    pub kind: KindId,
    /// The left end.
    pub left: Node,
    /// The right end.
    pub right: Node,
    /// The external vertex.
    pub external: Option<Node>,
}

/// How an item came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// It is initial.
    Initial,
    /// An edge was added.
    Edge {
        /// To this item.
        input: StepId,
        /// This edge.
        edge: Edge,
        /// By this rule.
        rule: EdgeRuleId,
    },
    /// Items were combined.
    Combine {
        /// These items, from left to right.
        inputs: Vec<StepId>,
        /// By this rule.
        rule: CombinationId,
    },
}

/// One step of a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The item made.
    pub item: Item,
    /// How.
    pub how: How,
}

impl Step {
    /// Whether a rule made the item: initial items have none.
    pub fn is_rule(&self) -> bool {
        self.how != How::Initial
    }
}

/// A derivation: steps, each after the steps it uses. The last step makes the complete structure. The derivation of a
/// sentence without words has no steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Derivation {
    /// The steps.
    pub steps: Vec<Step>,
}

/// Why a derivation is not certified.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A step uses a later step, a step is used twice or not at all, or the last does not span the sentence.
    #[error(
        "step {0} is not used exactly once, after it was made, on the way to an item over the whole sentence"
    )]
    Order(usize),
    /// A step is not an application of the rule it names, or its items do not stand side by side.
    #[error("step {0} is no application of its rule")]
    Rule(usize),
    /// The graph is outside the class.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// The score is not the sum of the scores of the parts.
    #[error("the parts score {0}, not {1}")]
    Score(f64, f64),
}

impl Derivation {
    /// The structure it derives.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for step in &self.steps {
            match &step.how {
                How::Initial => graph.spines.push(step.item.left),
                How::Edge { edge, .. } => graph.edges.push(*edge),
                How::Combine { .. } => {}
            }
        }
        graph.spines.sort_unstable();
        graph.edges.sort_unstable();
        graph
    }

    /// Certifies the derivation: every step applies its rule to items that stand side by side, the graph is in the class,
    /// and the parts add up to the score. It shares no code with the engine that finds derivations.
    pub fn certify(&self, grammar: &Grammar, scores: &Scores, score: f64) -> Result<(), Flaw> {
        let nodes = scores.nodes();
        self.check_steps(grammar, nodes)?;
        let graph = self.graph();
        graph.check(nodes, grammar.class())?;
        let found = graph.score(scores);
        // Scores are single precision, and summed in different orders.
        let size: f64 = graph.edges.iter().map(|&edge| f64::from(scores[edge].abs())).sum();
        if (found - score).abs() > 1e-4 * (1.0 + size) { Err(Flaw::Score(found, score)) } else { Ok(()) }
    }

    fn check_steps(&self, grammar: &Grammar, nodes: &Nodes) -> Result<(), Flaw> {
        let mut used = vec![0; self.steps.len()];
        for (index, step) in self.steps.iter().enumerate() {
            let inputs: &[StepId] = match &step.how {
                How::Initial => &[],
                How::Edge { input, .. } => std::slice::from_ref(input),
                How::Combine { inputs, .. } => inputs,
            };
            for input in inputs {
                if input.index() >= index {
                    return Err(Flaw::Order(index));
                }
                used[input.index()] += 1;
            }
            if !self.applies(grammar, nodes, step) {
                return Err(Flaw::Rule(index));
            }
        }
        let Some((last, rest)) = used.split_last() else {
            return if nodes.words() == 0 { Ok(()) } else { Err(Flaw::Order(0)) };
        };
        if let Some(index) = rest.iter().position(|&times| times != 1) {
            return Err(Flaw::Order(index));
        }
        let top = self.steps[rest.len()].item;
        let whole =
            nodes.word(top.left) == 0 && top.right == nodes.root() && grammar.rules().is_final(top.kind);
        if *last == 0 && whole { Ok(()) } else { Err(Flaw::Order(rest.len())) }
    }

    fn applies(&self, grammar: &Grammar, nodes: &Nodes, step: &Step) -> bool {
        let (rules, item) = (grammar.rules(), &step.item);
        match &step.how {
            How::Initial => {
                item.kind == KindId(0)
                    && item.external.is_none()
                    && nodes.word(item.left) + 1 == nodes.word(item.right)
            }
            How::Edge { input, edge, rule } => {
                let Some(rule) = rules.edges.get(rule.0 as usize) else { return false };
                let input = &self.steps[input.index()].item;
                let at = |vertex| match vertex {
                    Visible::L => Some(item.left),
                    Visible::R => Some(item.right),
                    Visible::X => item.external,
                };
                let ends = (at(rule.edge.from), at(rule.edge.to));
                let directed = ends == (Some(edge.from), Some(edge.to));
                let undirected = !rules.class.directed && ends == (Some(edge.to), Some(edge.from));
                rule.input == input.kind
                    && rule.output == item.kind
                    && (item.left, item.right) == (input.left, input.right)
                    && (input.external.is_none() || input.external == item.external)
                    && (directed || undirected)
                    && rule.edge.trace == (edge.kind == EdgeKind::Trace)
            }
            How::Combine { inputs, rule } => {
                let Some(rule) = rules.combinations.get(rule.0 as usize) else { return false };
                let template = &rules.templates[rule.template.index()];
                let places = template.places();
                let mut at: Vec<Option<Node>> = vec![None; places.vertices];
                let items: Vec<&Item> = inputs.iter().map(|input| &self.steps[input.index()].item).collect();
                let all =
                    items.iter().map(|item| **item).zip(&places.inputs).chain([(*item, &places.output)]);
                let agree = all.into_iter().all(|(item, places)| {
                    let visible = [Some(item.left), Some(item.right), item.external];
                    visible.iter().zip(places).all(|(&node, place)| match (node, place) {
                        (Some(node), Some(place)) => *at[*place].get_or_insert(node) == node,
                        (None, None) => true,
                        _ => false,
                    })
                });
                let kinds: Vec<KindId> = items.iter().map(|item| item.kind).collect();
                let adjacent =
                    !template.initial || nodes.word(items[0].left) + 1 == nodes.word(items[0].right);
                agree && adjacent && rule.inputs() == kinds && rule.output == item.kind
            }
        }
    }
}

impl Graph {
    /// The sum of the scores of its parts.
    pub fn score(&self, scores: &Scores) -> f64 {
        let spines = self.spines.iter().map(|&spine| f64::from(scores[spine]));
        let edges = self.edges.iter().map(|&edge| f64::from(scores[edge]));
        spines.chain(edges).sum()
    }
}

/// Makes a derivation in unmerged rules from the ways a search has chosen. The kinds follow from the bottom up: given the
/// kinds of its inputs, a combination or an edge has only one outcome.
pub(crate) struct Unmerge<'a> {
    grammar: &'a Grammar,
    nodes: &'a Nodes,
    skeleton: std::slice::Iter<'a, Chosen>,
    steps: Vec<Step>,
}

impl<'a> Unmerge<'a> {
    pub(crate) fn derivation(grammar: &'a Grammar, nodes: &'a Nodes, skeleton: &'a Skeleton) -> Derivation {
        let mut unmerge = Self { grammar, nodes, skeleton: skeleton.iter(), steps: Vec::new() };
        unmerge.next();
        Derivation { steps: unmerge.steps }
    }

    /// Makes the next goal; an auxiliary one gives its items, to be used by the combination above.
    fn next(&mut self) -> Vec<StepId> {
        let Some(&Chosen { place, parts, edges, spine }) = self.skeleton.next() else { return Vec::new() };
        let mut made: Vec<StepId> = Vec::new();
        for _ in 0..parts {
            made.extend(self.next());
        }
        let external = match place {
            Place::Half => return made,
            Place::Combined(left, right, _) if spine.is_some() => {
                return vec![self.push(KindId(0), (left, right, None), How::Initial)];
            }
            Place::Combined(left, right, external) => {
                return vec![self.combine(made, (left, right, external))];
            }
            Place::Finished(_, _, external) => external,
        };
        let [between, outward] = edges;
        let mut top = made[0];
        for (edge, external) in [(between, None), (outward, external)] {
            if let Some(edge) = edge {
                top = self.add_edge(top, edge, external);
            }
        }
        vec![top]
    }

    fn push(
        &mut self,
        kind: KindId,
        (left, right, external): (usize, usize, Option<usize>),
        how: How,
    ) -> StepId {
        let node = |index: usize| Node(index as u32);
        let item = Item { kind, left: node(left), right: node(right), external: external.map(node) };
        self.steps.push(Step { item, how });
        StepId(self.steps.len() as u32 - 1)
    }

    fn combine(&mut self, inputs: Vec<StepId>, place: (usize, usize, Option<usize>)) -> StepId {
        let items: Vec<Item> = inputs.iter().map(|input| self.steps[input.index()].item).collect();
        let kinds: Vec<KindId> = items.iter().map(|item| item.kind).collect();
        let external: Vec<Option<usize>> = items.iter().map(|item| item.external.map(Node::index)).collect();
        let shape = Shape::at(&external, place);
        let adjacent = self.nodes.word(items[0].left) + 1 == self.nodes.word(items[0].right);
        let step = (shape == Shape::Pair && adjacent).then_some(Shape::Step);
        let rule = step.into_iter().chain([shape]).find_map(|shape| self.grammar.combination(shape, &kinds));
        let rule = rule.expect("merged classes combine exactly as their members do");
        let output = self.grammar.rules().combinations[rule.0 as usize].output;
        self.push(output, place, How::Combine { inputs, rule })
    }

    fn add_edge(&mut self, input: StepId, edge: Edge, external: Option<usize>) -> StepId {
        let item = self.steps[input.index()].item;
        let visible = |node: Node| match node {
            _ if node == item.left => Visible::L,
            _ if node == item.right => Visible::R,
            _ => Visible::X,
        };
        let (mut from, mut to) = (visible(edge.from), visible(edge.to));
        if !self.grammar.class().directed && from > to {
            (from, to) = (to, from);
        }
        let external = external.or(item.external.map(Node::index));
        let side = external.map(|x| if x < item.left.index() { Side::Left } else { Side::Right });
        let step = EdgeStep { from, to, trace: edge.kind == EdgeKind::Trace };
        let rule = self.grammar.edge_rule(item.kind, step, side);
        let rule = rule.expect("merged classes take edges exactly as their members do");
        let output = self.grammar.rules().edges[rule.0 as usize].output;
        self.push(output, (item.left.index(), item.right.index(), external), How::Edge { input, edge, rule })
    }
}
