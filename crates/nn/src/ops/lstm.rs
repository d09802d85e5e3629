//! A long short-term memory over ragged sentences.
//!
//! All sentences of the batch run in step. They are sorted by falling length, so that those still running at a step
//! are always the first, and a step's rows form one block: the *packed* order. Reading backwards differs only in the
//! row a step takes from a sentence.

use std::rc::Rc;

use multiversion::multiversion;

use crate::approximate::{sigmoid, tanh};
use crate::matrix::{Matrix, Write};
use crate::ops::each;
use crate::params::ParamId;
use crate::product::Multiply;
use crate::tape::{Tape, Var};
use crate::vector;

/// The packed order of a batch.
#[derive(Debug)]
pub struct Packing {
    /// The batch's row that stands at each packed place.
    rows: Vec<u32>,
    /// Where each step begins among the packed places, and the end.
    steps: Vec<usize>,
}

impl Packing {
    /// The order for sentences with these spans, read forwards or backwards.
    pub fn new(spans: &[usize], backwards: bool) -> Self {
        let mut sentences: Vec<(usize, usize)> = each(spans).collect();
        sentences.sort_by_key(|(from, to)| std::cmp::Reverse(to - from));
        let longest = sentences.first().map_or(0, |(from, to)| to - from);
        let (mut rows, mut steps) = (Vec::new(), vec![0]);
        for step in 0..longest {
            let running = sentences.iter().take_while(|(from, to)| to - from > step);
            rows.extend(
                running.map(|(from, to)| (if backwards { to - 1 - step } else { from + step }) as u32),
            );
            steps.push(rows.len());
        }
        Self { rows, steps }
    }

    fn pack(&self, x: &Matrix) -> Matrix {
        let mut packed = Matrix::stale(x.rows(), x.cols());
        for (place, &row) in self.rows.iter().enumerate() {
            packed.row_mut(place).copy_from_slice(x.row(row as usize));
        }
        packed
    }

    fn unpack(&self, packed: &Matrix) -> Matrix {
        let mut x = Matrix::stale(packed.rows(), packed.cols());
        for (place, &row) in self.rows.iter().enumerate() {
            x.row_mut(row as usize).copy_from_slice(packed.row(place));
        }
        x
    }

    /// For each step from the second on: its places, and those of the same sentences one step before.
    fn with_previous(&self) -> impl DoubleEndedIterator<Item = Step> {
        (0..self.steps.len() - 1).map(|step| Step {
            from: self.steps[step],
            to: self.steps[step + 1],
            previous: step.checked_sub(1).map(|before| self.steps[before]),
        })
    }
}

struct Step {
    from: usize,
    to: usize,
    previous: Option<usize>,
}

impl Tape<'_> {
    /// Runs over each sentence. `gates` is what the inputs give to the four gates (input, forget, cell, output, side
    /// by side), `[rows, 4 * width]`; `recurrent`, `[4 * width, width]`, adds what the last output gives.
    pub fn lstm(&mut self, gates: &Var, recurrent: ParamId, packing: Rc<Packing>) -> Var {
        let (width, multiply) = (gates.cols() / 4, self.multiply());
        let w = self.params().value(recurrent);
        let mut active = packing.pack(gates);
        let mut cells = Matrix::stale(gates.rows(), width);
        let mut outputs = Matrix::stale(gates.rows(), width);
        let start = vec![0.0; width];
        let mut given = Matrix::stale(packing.steps.get(1).copied().unwrap_or(0), 4 * width);
        for Step { from, to, previous } in packing.with_previous() {
            if let Some(previous) = previous {
                let rows = previous..previous + to - from;
                if let Some(w) = self.int8_layer(recurrent) {
                    let last = &outputs.values()[rows.start * width..rows.end * width];
                    let given = &mut given.values_mut()[..rows.len() * 4 * width];
                    w.apply(last, &[], given);
                    vector::add(&mut active.values_mut()[from * 4 * width..to * 4 * width], given);
                } else {
                    let last = outputs.view().rows(rows.start, rows.end);
                    multiply(active.view_mut().rows(from, to), Write::Add, 1.0, last, w.view().t());
                }
            }
            for place in from..to {
                let (before, here) = cells.values_mut().split_at_mut(place * width);
                let last = previous.map_or(&start[..], |p| &before[(p + place - from) * width..][..width]);
                step(active.row_mut(place), last, &mut here[..width], outputs.row_mut(place));
            }
        }
        let value = packing.unpack(&outputs);
        let (wanted, node) = (self.wants(&[gates], &[recurrent]), gates.node());
        self.push(value, wanted, move |gradient, sink| {
            let w = sink.params().value(recurrent);
            let gradient = packing.pack(&gradient);
            let (at_gates, last) = backward(&packing, &gradient, active, &cells, &outputs, w, multiply);
            if let Some(sum) = sink.dense(recurrent) {
                multiply(sum.view_mut(), Write::Add, 1.0, at_gates.view().t(), last.view());
            }
            sink.add(node, packing.unpack(&at_gates));
        })
    }
}

/// The packed gradient at the gates, and the packed outputs of the step before each.
fn backward(
    packing: &Packing,
    gradient: &Matrix,
    mut active: Matrix,
    cells: &Matrix,
    outputs: &Matrix,
    w: &Matrix,
    multiply: Multiply,
) -> (Matrix, Matrix) {
    let width = cells.cols();
    let mut at_outputs = gradient.clone();
    let mut at_cells = Matrix::zeros(cells.rows(), width);
    let mut last_outputs = Matrix::zeros(cells.rows(), width);
    let start = vec![0.0; width];
    for Step { from, to, previous } in packing.with_previous().rev() {
        for place in from..to {
            let last = previous.map(|p| p + place - from);
            let last_cell = last.map_or(&start[..], |last| cells.row(last));
            let at_cell = at_cells.row_mut(place);
            step_backward(active.row_mut(place), last_cell, cells.row(place), at_outputs.row(place), at_cell);
            if let Some(last) = last {
                last_outputs.row_mut(place).copy_from_slice(outputs.row(last));
                at_cells.values_mut().copy_within(place * width..(place + 1) * width, last * width);
            }
        }
        if let Some(previous) = previous {
            let out = at_outputs.view_mut().rows(previous, previous + to - from);
            multiply(out, Write::Add, 1.0, active.view().rows(from, to), w.view());
        }
    }
    (active, last_outputs)
}

/// One step of one sentence; the gates become active in place.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
fn step(gates: &mut [f32], last_cell: &[f32], cell: &mut [f32], output: &mut [f32]) {
    let width = cell.len();
    let (input, rest) = gates.split_at_mut(width);
    let (forget, rest) = rest.split_at_mut(width);
    let (candidate, out) = rest.split_at_mut(width);
    let (last_cell, output) = (&last_cell[..width], &mut output[..width]);
    for i in 0..width {
        input[i] = sigmoid(input[i]);
        forget[i] = sigmoid(forget[i]);
        candidate[i] = tanh(candidate[i]);
        out[i] = sigmoid(out[i]);
        cell[i] = forget[i] * last_cell[i] + input[i] * candidate[i];
        output[i] = out[i] * tanh(cell[i]);
    }
}

/// Turns active gates into the gradient at them, and the gradient at the cell into that at the last cell.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
fn step_backward(gates: &mut [f32], last_cell: &[f32], cell: &[f32], at_output: &[f32], at_cell: &mut [f32]) {
    let width = cell.len();
    let (input, rest) = gates.split_at_mut(width);
    let (forget, rest) = rest.split_at_mut(width);
    let (candidate, out) = rest.split_at_mut(width);
    let (last_cell, at_output, at_cell) = (&last_cell[..width], &at_output[..width], &mut at_cell[..width]);
    for i in 0..width {
        let (a, f, c, o) = (input[i], forget[i], candidate[i], out[i]);
        let squashed = tanh(cell[i]);
        let at_here = at_cell[i] + at_output[i] * o * (1.0 - squashed * squashed);
        input[i] = at_here * c * a * (1.0 - a);
        forget[i] = at_here * last_cell[i] * f * (1.0 - f);
        candidate[i] = at_here * a * (1.0 - c * c);
        out[i] = at_output[i] * squashed * o * (1.0 - o);
        at_cell[i] = at_here * f;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{check::check_layer, spans};

    #[test]
    fn both_directions() {
        for backwards in [false, true] {
            check_layer(&[(7, 8), (8, 2)], |tape, x, ids| {
                tape.lstm(x, ids[0], Rc::new(Packing::new(&spans([2, 0, 4, 1]), backwards)))
            });
        }
    }
}
