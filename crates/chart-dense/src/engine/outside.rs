//! The outside pass: the steps of the inside pass backwards, each through its two transposes.
//!
//! The inside pass is a chain of bilinear maps, so the outside value of every factor is the sum, over the products it takes
//! part in, of the outside value of the target times the inside value of the other factor. Rows run from the first vertex
//! to the last, cells of a row from right to left; transient arrays are made again at each cell.

use tracebank_chart::merge::{END_OPTIONS, EXTERNAL_OPTIONS, option_edge};
use tracebank_chart::semiring::Semiring;
use tracebank_chart::{Node, Nodes};

use super::form::Form;
use super::kernel::{Call, contract};
use super::memory::{Values, fill};
use super::stage::Stage;
use super::transpose::transpose_squares;
use super::view::{LANES, Rows, UNIT};
use super::{Arrays, Chart};
use crate::compile::{Array, Program};

/// Outside values.
#[derive(Clone, Debug)]
pub(crate) struct Outside<V> {
    arrays: Arrays<V>,
    /// Of adding a structural edge, then of adding a trace edge, from each node to each node.
    pub(crate) edges: [Vec<V>; 2],
    /// Of choosing each spine.
    pub(crate) spines: Vec<V>,
}

impl<V> Default for Outside<V> {
    fn default() -> Self {
        Self {
            arrays: std::array::from_fn(|_| Values::default()),
            edges: Default::default(),
            spines: Vec::new(),
        }
    }
}

impl<V> Outside<V> {
    pub(crate) fn bytes(&self) -> usize {
        self.arrays.iter().map(Values::capacity).sum::<usize>() * size_of::<V>()
    }
}

impl<S: Semiring> Chart<S> {
    /// Computes the outside value of every edge and every spine; the inside pass must have run.
    pub(crate) fn outside(&mut self, program: &Program, nodes: &Nodes, out: &mut Outside<S::Value>) {
        self.clear_outside(nodes, out);
        if nodes.words() == 0 {
            return;
        }
        let root = nodes.root().index();
        for left in nodes.of_word(0) {
            let cell = self.layout.cell(Array::SetI, left, root);
            out.arrays[Array::SetI as usize][cell.base + program.complete as usize * LANES] =
                self.semiring.one();
        }
        for i in 0..root {
            for k in self.layout.after(i) {
                self.load_edges(program.class, i, k);
            }
            out.arrays[Array::Ends as usize].fill(self.semiring.zero());
            self.clear_row(&[Array::ExternalL, Array::ExternalR], i, out);
            self.unfinish_row(program, i, out);
            for k in self.layout.after(i).rev() {
                self.leave_cell(program, i, k, out);
                self.harvest(program, i, k, out);
            }
        }
    }

    fn clear_outside(&self, nodes: &Nodes, out: &mut Outside<S::Value>) {
        let zero = self.semiring.zero();
        for array in Array::ALL {
            let (size, values) = (self.layout.size(array), &mut out.arrays[array as usize]);
            values.grow(size, zero);
            fill(self.level, &mut values[..size], zero);
        }
        let count = nodes.len();
        for edges in &mut out.edges {
            edges.clear();
            edges.resize(count * count, zero);
        }
        out.spines.clear();
        out.spines.resize(count, zero);
    }

    /// Empties what a row uses of arrays that hold one row.
    fn clear_row(&self, arrays: &[Array], i: usize, out: &mut Outside<S::Value>) {
        for &array in arrays {
            out.arrays[array as usize][..self.layout.row_length(array, i)].fill(self.semiring.zero());
        }
    }

    /// The transposes of finishing a row.
    fn unfinish_row(&mut self, program: &Program, i: usize, out: &mut Outside<S::Value>) {
        if self.layout.count(Array::PreL) == 0 {
            return;
        }
        self.transpose_back(i, out);
        let between = [[Array::RowMidL, Array::RowPostL], [Array::RowMidR, Array::RowPostR]];
        for (side, between) in between.into_iter().enumerate() {
            let stages =
                super::finishes((program, &self.layout), &self.live, (&self.steps.row[side], side), i);
            self.layout.each_tile(side, i, self.live.row(side, i), |tile| {
                // Two steps lead back to this level; the others are begun anew.
                if side == 0 {
                    let used = tile.cells.len() * self.layout.tile(Array::RowPostL).unit();
                    out.arrays[Array::RowPostL as usize][..used].fill(self.semiring.zero());
                }
                // The levels in between are made again; what they make is still there.
                for stage in stages.iter().flatten().filter(|stage| between.contains(&stage.target.array)) {
                    for rows in stage.cells_in(tile) {
                        super::run(self.semiring, self.level, &mut self.arrays, stage, rows);
                    }
                }
                for stage in stages.iter().rev().flatten() {
                    for rows in stage.cells_in(tile) {
                        run_back(self.semiring, self.level, &self.arrays, &mut out.arrays, stage, rows);
                    }
                }
            });
        }
    }

    /// The transposes of the steps at a cell.
    fn leave_cell(&mut self, program: &Program, i: usize, k: usize, out: &mut Outside<S::Value>) {
        let zero = self.semiring.zero();
        let (left, right) = (self.layout.left_blocks(i), self.layout.right_blocks(k));
        for (array, blocks) in [(Array::SetL, left), (Array::SetR, right), (Array::PostR, right)] {
            let used = blocks * self.layout.transient(array).unit();
            fill(self.level, &mut out.arrays[array as usize][..used], zero);
        }
        for step in &self.steps.finish {
            if let Some(stage) = self.live.step((program, &self.layout), step, (i, k)) {
                super::run(self.semiring, self.level, &mut self.arrays, &stage, stage.blocks());
            }
        }
        if self.layout.count(Array::PreL) > 0 {
            self.take_back(program, i, k, out);
        }
        for step in self.steps.finish.iter().chain(&self.steps.along).rev() {
            if let Some(stage) = self.live.step((program, &self.layout), step, (i, k)) {
                run_back(self.semiring, self.level, &self.arrays, &mut out.arrays, &stage, stage.blocks());
            }
        }
    }

    /// The transposes of combining the items of a cell with those that begin where it ends.
    fn take_back(&self, program: &Program, i: usize, k: usize, out: &mut Outside<S::Value>) {
        for side in 0..2 {
            let stages = super::pushes((program, &self.layout), &self.live, &self.steps.across[side], (i, k));
            self.layout.each_tile(side, i, self.layout.rest(k), |tile| {
                for stage in stages.iter().flatten() {
                    for rows in stage.cells_in(tile) {
                        run_back(self.semiring, self.level, &self.arrays, &mut out.arrays, stage, rows);
                    }
                }
            });
        }
    }

    /// Takes what has reached the edges and the spine of a cell.
    fn harvest(&self, program: &Program, i: usize, k: usize, out: &mut Outside<S::Value>) {
        let count = self.layout.nodes;
        let Outside { arrays, edges, spines } = out;
        if self.layout.adjacent(i, k) {
            let at = self.layout.cell(Array::PreI, i, k).base + program.initial as usize * LANES;
            spines[i] = self.semiring.plus(spines[i], arrays[Array::PreI as usize][at]);
        }
        let mut add = |(from, to, trace): (Node, Node, bool), value| {
            let sum = &mut edges[usize::from(trace)][from.index() * count + to.index()];
            *sum = self.semiring.plus(*sum, value);
        };
        let start = self.layout.ends_at(k).base;
        for option in 1..END_OPTIONS {
            let value = arrays[Array::Ends as usize][start + option * LANES];
            add(option_edge(program.class, option, i, k), value);
        }
        if self.layout.count(Array::PreL) == 0 {
            return;
        }
        let left =
            (Array::ExternalL, self.layout.left_row(Array::ExternalL, i), self.layout.before(i), false);
        let right =
            (Array::ExternalR, self.layout.right_row(Array::ExternalR, i), self.layout.after(k).len(), true);
        for (array, view, used, reversed) in [left, right] {
            let (base, unit) = (view.at(k).base, view.unit());
            for lane in 0..used {
                let other = if reversed { self.layout.reverse(lane) } else { lane };
                let at = base + lane / LANES * unit + lane % LANES;
                for option in 1..EXTERNAL_OPTIONS {
                    let (end, option_of_end) = if option <= 4 { (i, option) } else { (k, option - 4) };
                    let value = arrays[array as usize][at + option * LANES];
                    add(option_edge(program.class, option_of_end, end, other), value);
                }
            }
        }
    }

    /// The way back of [`Chart::transpose`].
    fn transpose_back(&self, i: usize, out: &mut Outside<S::Value>) {
        let mut target = std::mem::take(&mut out.arrays[Array::OwnRow as usize]);
        let source = &out.arrays[Array::Own as usize];
        let (count, zero) = (self.layout.count(Array::Own), self.semiring.zero());
        self.each_square(i, |by_vertex, by_end| {
            transpose_squares(self.level, (source, by_vertex), (&mut target, by_end), count, zero);
        });
        out.arrays[Array::OwnRow as usize] = target;
    }
}

/// Applies the two transposes of a step.
fn run_back<S: Semiring>(
    semiring: S,
    level: super::Level,
    inside: &Arrays<S::Value>,
    outside: &mut Arrays<S::Value>,
    stage: &Stage<'_>,
    rows: Rows,
) {
    let count = rows.len();
    if count == 0 {
        return;
    }
    let Stage { target: from, left, right, form, map, .. } = stage;
    let to_left = Form { assign: stage.begins, ..form.to_left() };
    let factors = [(left, right, &map.to_left, to_left), (right, left, &map.to_right, form.to_right())];
    for (factor, other, terms, form) in factors {
        if factor.mode != UNIT {
            let mut target = std::mem::take(&mut outside[factor.array as usize]);
            let call = Call {
                terms,
                form,
                count,
                target: factor.over(&rows),
                left: (&outside[from.array as usize], from.over(&rows)),
                right: (&inside[other.array as usize], other.over(&rows)),
            };
            contract(semiring, level, &mut target, &call);
            outside[factor.array as usize] = target;
        }
    }
}
