//! Layer normalisation, of a sum if asked, since that is how BERT uses it.

use std::rc::Rc;

use crate::matrix::Matrix;
use crate::params::ParamId;
use crate::tape::{Tape, Var};
use crate::vector;

const EPSILON: f32 = 1e-12;

impl Tape<'_> {
    /// Each row of `x` (plus `residual`) shifted and scaled to mean 0 and variance 1, then times `weight` plus `bias`.
    pub fn layer_norm(&mut self, x: Var, residual: Option<&Var>, weight: ParamId, bias: ParamId) -> Var {
        let (rows, cols) = x.shape();
        let mut inputs = vec![&x];
        inputs.extend(residual);
        let wanted = self.wants(&inputs, &[weight, bias]);
        let nodes = [Some(x.node()), residual.map(Var::node)];
        let (w, b) = (self.params().value(weight), self.params().value(bias));

        let mut standard = x.into_matrix();
        let mut value = Matrix::stale(rows, cols);
        let mut scales = Vec::with_capacity(rows);
        for row in 0..rows {
            let standard = standard.row_mut(row);
            if let Some(residual) = residual {
                vector::add(standard, residual.row(row));
            }
            scales.push(vector::standardise(standard, EPSILON));
            vector::affine(value.row_mut(row), standard, w.values(), b.values());
        }
        let standard = Rc::new(standard);
        self.push(value, wanted, move |mut gradient, sink| {
            if let Some(sum) = sink.dense(weight) {
                for row in 0..rows {
                    vector::add_product(sum.values_mut(), gradient.row(row), standard.row(row));
                }
            }
            if let Some(sum) = sink.dense(bias) {
                vector::add_rows(sum.values_mut(), gradient.values());
            }
            let w = sink.params().value(weight);
            for (row, &scale) in scales.iter().enumerate() {
                vector::multiply_by(gradient.row_mut(row), w.values());
                vector::standardise_backward(gradient.row_mut(row), standard.row(row), scale);
            }
            if let [_, Some(residual)] = nodes {
                sink.add(residual, gradient.clone());
            }
            if let [Some(x), _] = nodes {
                sink.add(x, gradient);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check::{check_layer, check_with_tables};

    #[test]
    fn layer_norm() {
        check_layer(&[(4, 6), (1, 6), (1, 6)], |tape, x, ids| {
            tape.layer_norm(x.clone(), None, ids[0], ids[1])
        });
    }

    #[test]
    fn layer_norm_of_a_sum() {
        check_with_tables(&[(4, 6), (4, 6), (1, 6), (1, 6)], &[], |tape, ids| {
            let (x, residual) = (tape.param(ids[0]), tape.param(ids[1]));
            tape.layer_norm(x, Some(&residual), ids[2], ids[3])
        });
    }
}
