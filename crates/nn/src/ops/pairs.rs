//! A small network over pairs of words.
//!
//! For each pair, the sum of a row for the one and a row for the other goes through relu and a linear layer. The
//! number of pairs is quadratic, so their hidden rows are made a chunk at a time, in cache, and made again on the way
//! back.

use std::rc::Rc;

use crate::matrix::{Matrix, View, ViewMut, Write};
use crate::params::ParamId;
use crate::tape::{Tape, Var};
use crate::vector;

/// Pairs of a chunk: with 128 columns, its hidden rows fill a quarter of a usual second-level cache.
const CHUNK: usize = 256;

impl Tape<'_> {
    /// `relu(left[i] + right[j]) · weightsᵀ + bias` for each pair `(i, j)` of rows.
    pub fn pairs(
        &mut self,
        left: &Var,
        right: &Var,
        pairs: Rc<[(u32, u32)]>,
        weights: ParamId,
        bias: ParamId,
    ) -> Var {
        let wanted = self.wants(&[left, right], &[weights, bias]);
        let nodes = (left.node(), right.node());
        let (w, b) = (self.params().value(weights), self.params().value(bias));
        let (labels, cols) = w.shape();
        let multiply = self.multiply();

        let mut value = Matrix::stale(pairs.len(), labels);
        let mut hidden = Matrix::stale(CHUNK, cols);
        for (pairs, out) in pairs.chunks(CHUNK).zip(value.values_mut().chunks_mut(CHUNK * labels)) {
            fill(&mut hidden, left, right, pairs);
            if let Some(w) = self.int8_layer(weights) {
                w.apply(&hidden.values()[..pairs.len() * cols], b.values(), out);
            } else {
                let hidden = hidden.view().rows(0, pairs.len());
                multiply(ViewMut::of(out, labels), Write::Over, 1.0, hidden, w.view().t());
                vector::add_to_rows(out, b.values());
            }
        }

        let (left, right) = (left.share(), right.share());
        self.push(value, wanted, move |gradient, sink| {
            let w = sink.params().value(weights);
            let mut at_left = Matrix::zeros(left.rows(), cols);
            let mut at_right = Matrix::zeros(right.rows(), cols);
            let mut hidden = Matrix::stale(CHUNK, cols);
            let mut at_hidden = Matrix::stale(CHUNK, cols);
            for (pairs, gradient) in pairs.chunks(CHUNK).zip(gradient.values().chunks(CHUNK * labels)) {
                fill(&mut hidden, &left, &right, pairs);
                let gradient = View::of(gradient, labels);
                if let Some(sum) = sink.dense(weights) {
                    let hidden = hidden.view().rows(0, pairs.len());
                    multiply(sum.view_mut(), Write::Add, 1.0, gradient.t(), hidden);
                }
                multiply(at_hidden.view_mut().rows(0, pairs.len()), Write::Over, 1.0, gradient, w.view());
                for (row, &(i, j)) in pairs.iter().enumerate() {
                    let (at_i, at_j) = (at_left.row_mut(i as usize), at_right.row_mut(j as usize));
                    vector::add_relu_backward(at_hidden.row(row), hidden.row(row), at_i, at_j);
                }
            }
            if let Some(sum) = sink.dense(bias) {
                vector::add_rows(sum.values_mut(), gradient.values());
            }
            sink.add(nodes.0, at_left);
            sink.add(nodes.1, at_right);
        })
    }
}

fn fill(hidden: &mut Matrix, left: &Matrix, right: &Matrix, pairs: &[(u32, u32)]) {
    for (row, &(i, j)) in pairs.iter().enumerate() {
        vector::add_relu(hidden.row_mut(row), left.row(i as usize), right.row(j as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::check::check_with_tables;

    #[test]
    fn a_layer_over_pairs() {
        check_with_tables(&[(3, 4), (2, 4), (5, 4), (1, 5)], &[], |tape, ids| {
            let (left, right) = (tape.param(ids[0]), tape.param(ids[1]));
            let pairs = Rc::new([(0, 0), (0, 1), (2, 1), (1, 0), (2, 0)]);
            tape.pairs(&left, &right, pairs, ids[2], ids[3])
        });
    }

    #[test]
    fn chunks_do_not_show() {
        use crate::{ops::check::close, params::Params, random::Random, tape::Mode};
        let mut random = Random::new(4);
        let (mut params, learning) = (Params::default(), crate::params::Learning::Fresh);
        let mut builder =
            crate::params::Builder { params: &mut params, random: Some(random.clone()), learning };
        let (weights, bias) = (builder.weights("w", 3, 4), builder.random_row("b", 3, 1.0));
        let mut tape = Tape::new(&params, Mode::Infer);
        let left = tape.constant(random.normal_matrix(30, 4, 1.0));
        let right = tape.constant(random.normal_matrix(20, 4, 1.0));
        let all: Vec<(u32, u32)> = (0..30).flat_map(|i| (0..20).map(move |j| (i, j))).collect();
        let together = tape.pairs(&left, &right, all.clone().into(), weights, bias);
        for (nth, &pair) in all.iter().enumerate() {
            let alone = tape.pairs(&left, &right, [pair].into(), weights, bias);
            let row = Matrix::from_vec(1, 3, together.row(nth).to_vec());
            assert!(close(&alone, &row, 1e-5));
        }
    }
}
