//! The linear layer.

use crate::matrix::{Matrix, Write};
use crate::params::ParamId;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// `x · weightsᵀ + bias`, with weights `[outputs, inputs]`.
    pub fn linear(&mut self, x: &Var, weights: ParamId, bias: ParamId) -> Var {
        let (rows, inputs) = x.shape();
        let multiply = self.multiply();
        let w = self.params().value(weights);
        let mut value = Matrix::stale(rows, w.rows());
        let b = self.params().value(bias).values();
        if let Some(w) = self.int8_layer(weights) {
            w.apply(x.values(), b, value.values_mut());
        } else {
            multiply(value.view_mut(), Write::Over, 1.0, x.view(), w.view().t());
            vector::add_to_rows(value.values_mut(), b);
        }

        let wanted = self.wants(&[x], &[weights, bias]);
        let (node, x) = (x.node(), x.share());
        self.push(value, wanted, move |gradient, sink| {
            let w = sink.params().value(weights);
            sink.write(node, rows, inputs, |sum, fresh| {
                let write = if fresh { Write::Over } else { Write::Add };
                multiply(sum.view_mut(), write, 1.0, gradient.view(), w.view());
            });
            if let Some(sum) = sink.dense(weights) {
                multiply(sum.view_mut(), Write::Add, 1.0, gradient.view().t(), x.view());
            }
            if let Some(sum) = sink.dense(bias) {
                vector::add_rows(sum.values_mut(), gradient.values());
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check::check_layer;

    #[test]
    fn linear() {
        check_layer(&[(5, 3), (4, 3), (1, 4)], |tape, x, ids| tape.linear(x, ids[0], ids[1]));
    }

    #[test]
    fn linear_used_twice() {
        check_layer(&[(5, 3), (3, 3), (1, 3)], |tape, x, ids| {
            let y = tape.linear(x, ids[0], ids[1]);
            let z = tape.linear(x, ids[0], ids[1]);
            let yz = tape.add(&y, &z);
            tape.linear(&yz, ids[0], ids[1])
        });
    }
}
