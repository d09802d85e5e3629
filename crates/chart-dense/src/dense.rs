//! The dense engine as a worker sees it.

use tracebank_chart::engine::{Engine, Part, Problem};
use tracebank_chart::search::{self, Ranked, Skeleton};
use tracebank_chart::semiring::Semiring;
use tracebank_chart::{DecodeError, Edge, EdgeKind, Grammar, Node, Scores};

use crate::compile::Program;
use crate::engine::{Chart, MOST_NODES, Outside, Search};

/// The engine that fills every cell of the chart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dense;

/// The values of all arrays in one semiring.
#[derive(Debug)]
pub struct Values<S: Semiring> {
    /// Made by the first inside pass.
    chart: Option<Chart<S>>,
    outside: Outside<S::Value>,
}

impl<S: Semiring> Default for Values<S> {
    fn default() -> Self {
        Self { chart: None, outside: Outside::default() }
    }
}

const INSIDE_FIRST: &str = "the inside pass comes first";

impl Engine for Dense {
    type Values<S: Semiring> = Values<S>;

    fn prepare(&mut self, _: &Grammar, _: &Scores, _: usize) -> Result<(), DecodeError> {
        Ok(())
    }

    fn prefers_short_sums(&self) -> bool {
        true
    }

    /// Refuses what does not fit into memory before anything is allocated.
    fn inside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &mut Values<S>,
    ) -> Result<S::Value, DecodeError> {
        let (program, scores, limit) = (Program::of(problem.grammar), problem.scores, problem.limit);
        let nodes = scores.nodes().len();
        let chart = values.chart.get_or_insert_with(|| Chart::new(semiring));
        if nodes > MOST_NODES || chart.need(program, scores.nodes()) > limit {
            return Err(DecodeError::TooLong { nodes, most: MOST_NODES, limit });
        }
        Ok(chart.inside(semiring, program, problem))
    }

    fn outside<S: Semiring>(
        &self,
        _: S,
        problem: &Problem<'_>,
        Values { chart, outside }: &mut Values<S>,
        mut visit: impl FnMut(Part, S::Value),
    ) {
        let nodes = problem.scores.nodes();
        let count = nodes.len();
        let chart = chart.as_mut().expect(INSIDE_FIRST);
        chart.outside(Program::of(problem.grammar), nodes, outside);
        // The root has no spine.
        for (spine, &value) in (0..).map(Node).zip(&outside.spines).take(count - 1) {
            visit(Part::Spine(spine), value);
        }
        let is_structural = problem.grammar.class().structural;
        for kind in EdgeKind::ALL {
            if kind != EdgeKind::Structural && !is_structural {
                continue;
            }
            let values = &outside.edges[usize::from(kind == EdgeKind::Trace)];
            for (at, &value) in values.iter().enumerate() {
                let [from, to] = [at / count, at % count].map(|node| Node(node as u32));
                visit(Part::Edge(Edge { from, to, kind }), value);
            }
        }
    }

    fn search<S: Ranked>(
        &self,
        _: S,
        problem: &Problem<'_>,
        values: &Values<S>,
        k: usize,
    ) -> Vec<(f64, Skeleton)> {
        let chart = values.chart.as_ref().expect(INSIDE_FIRST);
        let space = Search::new(chart, Program::of(problem.grammar), problem);
        search::best(&space, problem.scores, space.complete(), problem.demands.total(), k)
    }

    fn bytes(&self) -> usize {
        0
    }

    fn bytes_of<S: Semiring>(values: &Values<S>) -> usize {
        values.chart.as_ref().map_or(0, Chart::bytes) + values.outside.bytes()
    }
}
