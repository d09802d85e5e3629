//! One semiring's memory, and the choice between the two engines.

use crate::decode::{DecodeError, Parse};
use crate::demand::Demands;
use crate::derivation::Unmerge;
use crate::engine::{self, Algebra, Chart, MOST_NODES, Outside, edge_value};
use crate::forest::{Forest, Part, Valued};
use crate::grammar::Grammar;
use crate::part::{Edge, EdgeKind, Node, Scores, Table};
use crate::search::{self, Ranked, Skeleton};
use crate::semiring::Semiring;

/// What is to be decoded, and with which engine.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) scores: &'a Scores,
    /// The scores of the spines, which may be shifted against those in the table.
    pub(crate) spines: &'a [f32],
    pub(crate) demands: Demands<'a>,
    /// All that permitted parts can make, unless there is so much that the dense engine is faster.
    pub(crate) forest: Option<&'a Forest>,
    /// The most bytes the dense engine may take.
    pub(crate) limit: usize,
}

impl<'a> Problem<'a> {
    fn dense(&self) -> engine::Problem<'a> {
        engine::Problem { scores: self.scores, spines: self.spines, demands: self.demands }
    }

    fn value<S: Semiring>(&self, semiring: S, part: Part) -> S::Value {
        match part {
            Part::Spine(spine) => semiring.part(self.spines[spine.index()]),
            Part::Edge(edge) => edge_value(semiring, self.scores, self.demands, edge),
        }
    }
}

/// The memory for one semiring.
#[derive(Debug)]
pub(crate) struct Solver<S: Algebra> {
    semiring: S,
    chart: Chart<S>,
    outside: Outside<S::Value>,
    /// The inside and the outside values of a forest.
    values: Vec<S::Value>,
    outside_values: Vec<S::Value>,
}

impl<S: Algebra> Solver<S> {
    pub(crate) fn new(semiring: S) -> Self {
        Self {
            semiring,
            chart: Chart::new(semiring),
            outside: Outside::default(),
            values: Vec::new(),
            outside_values: Vec::new(),
        }
    }

    pub(crate) fn semiring(&self) -> S {
        self.semiring
    }

    pub(crate) fn bytes(&self) -> usize {
        let values = self.values.capacity() + self.outside_values.capacity();
        self.chart.bytes() + self.outside.bytes() + values * size_of::<S::Value>()
    }

    /// The value of all structures together.
    pub(crate) fn inside(&mut self, problem: &Problem<'_>) -> Result<S::Value, DecodeError> {
        let semiring = self.semiring;
        if let Some(forest) = problem.forest {
            let value = |part| problem.value(semiring, part);
            return Ok(forest.inside(semiring, value, &mut self.values));
        }
        self.fits(problem)?;
        Ok(self.chart.inside(problem.grammar.program(), &problem.dense()))
    }

    /// Puts the outside value and the own value of each part together; the inside pass must have run.
    pub(crate) fn parts(
        &mut self,
        problem: &Problem<'_>,
        combine: impl Fn(S::Value, S::Value) -> f32,
    ) -> Table<f32> {
        let (semiring, nodes) = (self.semiring, problem.scores.nodes());
        let zero = semiring.zero();
        let mut table = Table::new(nodes.clone(), combine(zero, zero));
        if let Some(forest) = problem.forest {
            for (part, outside, own) in forest.outside(semiring, &self.values, &mut self.outside_values) {
                match part {
                    Part::Spine(spine) => table[spine] = combine(outside, own),
                    Part::Edge(edge) => table[edge] = combine(outside, own),
                }
            }
            return table;
        }
        let (grammar, count) = (problem.grammar, nodes.len());
        self.chart.outside(grammar.program(), nodes, &mut self.outside);
        // The root has no spine.
        let own = self.outside.spines.iter().zip(problem.spines).take(count - 1);
        for (value, (&outside, &score)) in table.spines_mut().iter_mut().zip(own) {
            *value = combine(outside, semiring.part(score));
        }
        for kind in EdgeKind::ALL {
            if kind != EdgeKind::Structural && !grammar.class().structural {
                continue;
            }
            let outside = &self.outside.edges[usize::from(kind == EdgeKind::Trace)];
            for from in 0..count {
                for to in 0..count {
                    let edge = Edge { from: Node(from as u32), to: Node(to as u32), kind };
                    table[edge] =
                        combine(outside[from * count + to], problem.value(semiring, Part::Edge(edge)));
                }
            }
        }
        table
    }

    /// Refuses what does not fit into memory before anything is allocated.
    fn fits(&mut self, problem: &Problem<'_>) -> Result<(), DecodeError> {
        let (nodes, limit) = (problem.scores.nodes(), problem.limit);
        let count = nodes.len();
        let bytes =
            if count > MOST_NODES { usize::MAX } else { self.chart.need(problem.grammar.program(), nodes) };
        if bytes > limit {
            return Err(DecodeError::TooLong { nodes: count, bytes, most: MOST_NODES, limit });
        }
        Ok(())
    }
}

impl<S: Algebra + Ranked> Solver<S> {
    /// The `k` best structures, best first, or fewer if there are fewer.
    pub(crate) fn best(&mut self, problem: &Problem<'_>, k: usize) -> Result<Vec<Parse>, DecodeError> {
        let Problem { grammar, scores, demands, .. } = *problem;
        self.inside(problem)?;
        if scores.nodes().words() == 0 {
            return Ok(vec![parse(grammar, scores, (0.0, Vec::new()))]);
        }
        let wanted = demands.total();
        let found = if let Some(forest) = problem.forest {
            let space = Valued { forest, semiring: self.semiring, values: &self.values };
            search::best(&space, scores, space.complete(), wanted, k)
        } else {
            let space = engine::Search::new(&self.chart, grammar.program(), scores, demands);
            search::best(&space, scores, space.complete(), wanted, k)
        };
        Ok(found.into_iter().map(|found| parse(grammar, scores, found)).collect())
    }
}

fn parse(grammar: &Grammar, scores: &Scores, (score, skeleton): (f64, Skeleton)) -> Parse {
    let derivation = Unmerge::derivation(grammar, scores.nodes(), &skeleton);
    Parse { score, graph: derivation.graph(), derivation }
}
