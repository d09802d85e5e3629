//! The arrays of the dense engine, and the inside pass: a compiled [`Program`] run over a sentence.

pub(crate) mod form;
mod kernel;
mod layout;
mod live;
mod memory;
mod outside;
mod search;
mod stage;
mod step;
mod transpose;
mod values;
mod view;

use tracebank_chart::engine::Problem;
use tracebank_chart::merge::END_OPTIONS;
use tracebank_chart::semiring::Semiring;
use tracebank_chart::{Class, Nodes};

use crate::compile::{Array, Program};
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
pub(crate) use kernel::Arithmetic;
use kernel::{Call, Level, contract};
use layout::Layout;
pub(crate) use layout::MOST_NODES;
use live::Live;
use memory::{Values, fill};
pub(crate) use outside::Outside;
pub(crate) use search::Search;
use stage::Stage;
use step::{Step, Steps};
use transpose::transpose_squares;
use values::EdgeValues;
pub(crate) use view::LANES;
use view::Rows;

/// The memory of the engine for one semiring, reused from sentence to sentence.
#[derive(Clone, Debug)]
pub(crate) struct Chart<S: Semiring> {
    semiring: S,
    level: Level,
    pub(crate) layout: Layout,
    arrays: Arrays<S::Value>,
    edges: EdgeValues<S::Value>,
    spines: Vec<S::Value>,
    live: Live,
    /// The steps that the program uses.
    steps: Steps,
}

type Arrays<V> = [Values<V>; Array::COUNT];

impl<S: Semiring> Chart<S> {
    /// The algebra.
    pub(crate) fn semiring(&self) -> S {
        self.semiring
    }

    pub(crate) fn new(semiring: S) -> Self {
        Self {
            semiring,
            level: Level::detect(),
            layout: Layout::default(),
            arrays: std::array::from_fn(|_| Values::default()),
            edges: EdgeValues::default(),
            spines: Vec::new(),
            live: Live::default(),
            steps: Steps::default(),
        }
    }

    /// Computes all inside values; gives the value of all structures together.
    pub(crate) fn inside(&mut self, semiring: S, program: &Program, problem: &Problem<'_>) -> S::Value {
        let nodes = problem.scores.nodes();
        self.semiring = semiring;
        self.layout.arrange(nodes, program);
        self.steps.choose(program);
        self.edges.fill(semiring, problem, program.class);
        let external = self.layout.count(Array::PreL) > 0;
        if external {
            self.live.start(nodes.len(), |a, b| self.edges.permits(a, b, self.semiring.zero()));
        }
        self.spines.clear();
        self.spines.extend(problem.spines.iter().map(|&score| self.semiring.part(score)));
        self.clear();
        if nodes.words() == 0 {
            return self.semiring.one();
        }
        for i in (0..nodes.root().index()).rev() {
            self.start_row(program, i);
            for k in self.layout.after(i) {
                if external {
                    self.live.enter(&self.layout, i, k);
                    self.empty_auxiliaries(i, k);
                }
                for step in self.steps.finish.iter().chain(&self.steps.along) {
                    if let Some(stage) = self.live.step((program, &self.layout), step, (i, k)) {
                        run(self.semiring, self.level, &mut self.arrays, &stage, stage.blocks());
                    }
                }
                if external {
                    self.push(program, i, k);
                    self.live.push(&self.layout, i, k);
                }
            }
            self.finish_row(program, i);
        }
        let mut total = self.semiring.zero();
        for left in nodes.of_word(0) {
            let cell = self.layout.cell(Array::SetI, left, nodes.root().index());
            let value = self.arrays[Array::SetI as usize][cell.base + program.complete as usize * LANES];
            total = self.semiring.plus(total, value);
        }
        total
    }

    /// How many bytes the inside values of a sentence need.
    pub(crate) fn need(&mut self, program: &Program, nodes: &Nodes) -> usize {
        self.layout.arrange(nodes, program);
        Array::ALL.iter().map(|&array| self.layout.size(array)).sum::<usize>() * size_of::<S::Value>()
    }

    /// How many bytes the arrays hold.
    pub(crate) fn bytes(&self) -> usize {
        let values: usize = self.arrays.iter().map(Values::capacity).sum();
        values * size_of::<S::Value>()
    }

    /// Makes room, and empties what is added to before it is overwritten.
    fn clear(&mut self) {
        let zero = self.semiring.zero();
        for array in Array::ALL {
            let size = self.layout.size(array);
            let values = &mut self.arrays[array as usize];
            values.grow(size, zero);
            if matches!(array, Array::PreI | Array::SetI | Array::Tail | Array::Head) {
                values[..size].fill(zero);
            }
        }
    }

    /// Empties the items of a row, puts the initial ones in, and looks up the edges that may be added.
    fn start_row(&mut self, program: &Program, i: usize) {
        let zero = self.semiring.zero();
        for array in [Array::PreL, Array::PreR] {
            let row = self.layout.row_range(array, i);
            fill(self.level, &mut self.arrays[array as usize][row], zero);
        }
        for k in self.layout.after(i) {
            if self.layout.adjacent(i, k) {
                let cell = self.layout.cell(Array::PreI, i, k);
                self.arrays[Array::PreI as usize][cell.base + program.initial as usize * LANES] =
                    self.spines[i];
            }
            self.load_edges(program.class, i, k);
        }
    }

    fn load_edges(&mut self, class: Class, i: usize, k: usize) {
        let (zero, one) = (self.semiring.zero(), self.semiring.one());
        let start = self.layout.ends_at(k).base;
        let ends = &mut self.arrays[Array::Ends as usize];
        ends[start] = one;
        for option in 1..END_OPTIONS {
            ends[start + option * LANES] = self.edges.between(class, i, k, option);
        }
        if self.layout.count(Array::PreL) == 0 {
            return;
        }
        let left = (self.layout.left_row(Array::ExternalL, i), self.layout.before(i));
        let right = (self.layout.right_row(Array::ExternalR, i), self.layout.after(k).len());
        for (side, (view, used)) in [left, right].into_iter().enumerate() {
            let (start, unit) = (view.at(k).base, view.unit());
            for block in 0..used.div_ceil(LANES) {
                let values = &mut self.arrays[view.array as usize][start + block * unit..][..unit];
                let (none, options) = values.split_at_mut(LANES);
                let (of_left, of_right) = options.split_at_mut(options.len() / 2);
                none.fill(one);
                of_left.copy_from_slice(self.edges.external(side, i, block));
                of_right.copy_from_slice(self.edges.external(side, k, block));
                // Lanes beyond the last external vertex are of vertices that are none here.
                let count = used - block * LANES;
                if count < LANES {
                    values.chunks_exact_mut(LANES).for_each(|lanes| lanes[count..].fill(zero));
                }
            }
        }
    }

    /// Combines the items of a cell with all cells that begin where it ends.
    fn push(&mut self, program: &Program, i: usize, k: usize) {
        for side in 0..2 {
            let stages = pushes((program, &self.layout), &self.live, &self.steps.across[side], (i, k));
            self.layout.each_tile(side, i, self.layout.rest(k), |tile| {
                for stage in stages.iter().flatten() {
                    for rows in stage.cells_in(tile) {
                        run(self.semiring, self.level, &mut self.arrays, stage, rows);
                    }
                }
            });
        }
    }

    /// Finishes a row for the right role, and files its items under their external vertices.
    fn finish_row(&mut self, program: &Program, i: usize) {
        if self.layout.count(Array::PreL) == 0 {
            return;
        }
        self.empty_dead(i);
        for side in 0..2 {
            let stages = finishes((program, &self.layout), &self.live, (&self.steps.row[side], side), i);
            self.layout.each_tile(side, i, self.live.row(side, i), |tile| {
                for stage in stages.iter().flatten() {
                    for rows in stage.cells_in(tile) {
                        run(self.semiring, self.level, &mut self.arrays, stage, rows);
                    }
                }
            });
        }
        self.transpose(i);
    }

    /// Empties what the left items of a cell without any would have made.
    fn empty_auxiliaries(&mut self, i: usize, k: usize) {
        if self.layout.after(k).is_empty() {
            return;
        }
        let zero = self.semiring.zero();
        let (left, right) = (!self.live.row(0, k).is_empty(), self.live.is_live(1, i, k));
        for (array, worked) in [(Array::Firsts, right), (Array::Quads, right), (Array::Pairs, left && right)]
        {
            if !worked {
                let view = self.layout.right_row(array, i).at(k);
                let length = view.unit() * self.layout.right_blocks(k);
                self.arrays[array as usize][view.base..view.base + length].fill(zero);
            }
        }
    }

    /// Empties what dead cells of a row would hold in the right role.
    fn empty_dead(&mut self, i: usize) {
        let zero = self.semiring.zero();
        for k in self.layout.after(i) {
            let left = [Array::RightL, Array::OwnRow].map(|array| (0, array, self.layout.left_row(array, i)));
            let right = (1, Array::RightR, self.layout.right_row(Array::RightR, i));
            for (side, array, view) in left.into_iter().chain([right]) {
                if !self.live.is_live(side, i, k) {
                    let blocks =
                        if side == 0 { self.layout.left_blocks(i) } else { self.layout.right_blocks(k) };
                    let view = view.at(k);
                    self.arrays[array as usize][view.base..view.base + view.unit() * blocks].fill(zero);
                }
            }
        }
    }

    /// Files the own items of a row, which have a lane for each external vertex, with the rows of those vertices, where they
    /// have a lane for each right end.
    fn transpose(&mut self, i: usize) {
        let zero = self.semiring.zero();
        let source = std::mem::take(&mut self.arrays[Array::OwnRow as usize]);
        let mut target = std::mem::take(&mut self.arrays[Array::Own as usize]);
        let count = self.layout.count(Array::Own);
        self.each_square(i, |by_vertex, by_end| {
            transpose_squares(self.level, (&source, by_end), (&mut target, by_vertex), count, zero);
        });
        self.arrays[Array::OwnRow as usize] = source;
        self.arrays[Array::Own as usize] = target;
    }

    /// For each eight external vertices before the row `i` and each eight right ends after it: where the blocks of the
    /// vertices are in [`Array::Own`], with lanes over right ends, and those of the right ends in [`Array::OwnRow`], with
    /// lanes over vertices.
    fn each_square(&self, i: usize, mut visit: impl FnMut(&[usize], &[usize])) {
        let row = self.layout.left_row(Array::OwnRow, i);
        let (unit, before, after) = (row.unit(), self.layout.before(i), self.layout.after(i));
        for x_block in 0..self.layout.left_blocks(i) {
            let xs = x_block * LANES..before.min((x_block + 1) * LANES);
            for j_block in 0..self.layout.right_blocks(i) {
                // Lanes over right ends run backwards; the last block may reach back beyond the first right end.
                let last = self.layout.nodes - j_block * LANES;
                let js = (after.start.max(last.saturating_sub(LANES))..last).rev();
                let (mut by_vertex, mut by_end) = ([0; LANES], [0; LANES]);
                let (vertices, ends) = (xs.len(), js.len());
                for (place, x) in by_vertex.iter_mut().zip(xs.clone()) {
                    *place = self.layout.right_row(Array::Own, x).at(i).base + j_block * unit;
                }
                for (place, j) in by_end.iter_mut().zip(js) {
                    *place = row.at(j).base + x_block * unit;
                }
                visit(&by_vertex[..vertices], &by_end[..ends]);
            }
        }
    }
}

/// The steps that run over the cells after the cell `(i, k)`.
#[inline(always)]
fn pushes<'a>(
    context: (&'a Program, &'a Layout),
    live: &'a Live,
    steps: &[&Step],
    cell: (usize, usize),
) -> [Option<Stage<'a>>; step::MOST_ACROSS] {
    let mut stages = [None; step::MOST_ACROSS];
    for (stage, step) in stages.iter_mut().zip(steps) {
        *stage = live.step(context, step, cell);
    }
    stages
}

/// The steps that finish a row for the right role on one side.
fn finishes<'a>(
    context: (&'a Program, &'a Layout),
    live: &'a Live,
    (steps, side): (&[&Step], usize),
    i: usize,
) -> [Option<Stage<'a>>; step::MOST_ACROSS] {
    std::array::from_fn(|number| Some(Stage::new(steps.get(number)?, context, (i, i), live.row(side, i))))
}

/// Applies a step at some of its rows: target ⊕= left ⊗ right.
#[inline(always)]
fn run<S: Semiring>(semiring: S, level: Level, arrays: &mut Arrays<S::Value>, stage: &Stage<'_>, rows: Rows) {
    let count = rows.len();
    if count == 0 {
        return;
    }
    let Stage { target, left, right, .. } = stage;
    let mut out = std::mem::take(&mut arrays[target.array as usize]);
    let call = Call {
        terms: &stage.map.forward,
        form: stage.form,
        count,
        target: target.over(&rows),
        left: (&arrays[left.array as usize], left.over(&rows)),
        right: (&arrays[right.array as usize], right.over(&rows)),
    };
    contract(semiring, level, &mut out, &call);
    arrays[target.array as usize] = out;
}

#[cfg(test)]
mod tests {
    use tracebank_chart::Grammar;
    use tracebank_chart::demand::Demands;
    use tracebank_chart::semiring::{Max, ShortSum, Sum};

    use super::*;
    use crate::random_scores;

    /// The value of all structures, and the outside values of edges and spines, however maps are run.
    fn both_ways<S: Semiring>(semiring: S, level: Level, words: usize, seed: u64) -> Vec<S::Value> {
        let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
        let scores = random_scores(Nodes::new([1, 2, 1].into_iter().cycle().take(words)), seed);
        let demands = Demands::default();
        let (program, limit) = (Program::of(&grammar), usize::MAX);
        let problem = Problem { grammar: &grammar, scores: &scores, spines: scores.spines(), demands, limit };
        let mut chart = Chart { level, ..Chart::new(semiring) };
        let mut values = vec![chart.inside(semiring, program, &problem)];
        let mut outside = Outside::default();
        chart.outside(program, scores.nodes(), &mut outside);
        values.extend(outside.edges.concat());
        values.extend(outside.spines);
        values
    }

    #[test]
    fn code_and_loops_agree_on_sentences() {
        for (words, seed) in [(1, 1), (4, 2), (8, 3), (11, 4)] {
            let [loops, native] =
                [Level::Plain, Level::detect()].map(|level| both_ways(Max, level, words, seed));
            assert_eq!(loops, native, "{words} words");
            let [loops, native] =
                [Level::Plain, Level::detect()].map(|level| both_ways(Sum, level, words, seed));
            for (a, b) in loops.iter().zip(&native) {
                assert!((a - b).abs() <= 1e-9 * a.abs(), "{words} words: {a} and {b}");
            }
            let short = both_ways(ShortSum, Level::detect(), words, seed);
            for (a, &b) in loops.iter().zip(&short) {
                assert!((a - f64::from(b)).abs() <= 1e-5 * a.abs(), "{words} words: {a} and, short, {b}");
            }
        }
    }
}
