//! Nonlinear functions of single values.

use std::rc::Rc;

use crate::matrix::Matrix;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// The positive part.
    pub fn relu(&mut self, x: Var) -> Var {
        let (wanted, node) = (self.wants(&[&x], &[]), x.node());
        let mut value = x.into_matrix();
        vector::relu(value.values_mut());
        let value = Rc::new(value);
        let result = Rc::clone(&value);
        self.push_shared(value, wanted, move |mut gradient, sink| {
            vector::relu_backward(gradient.values_mut(), result.values());
            sink.add(node, gradient);
        })
    }

    /// The Gaussian error linear unit in its exact form, as in BERT.
    pub fn gelu(&mut self, x: &Var) -> Var {
        let mut value = Matrix::stale(x.rows(), x.cols());
        vector::gelu(value.values_mut(), x.values());
        let (wanted, node, x) = (self.wants(&[x], &[]), x.node(), x.share());
        self.push(value, wanted, move |mut gradient, sink| {
            vector::gelu_backward(gradient.values_mut(), x.values());
            sink.add(node, gradient);
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check::check;

    #[test]
    fn relu() {
        check(&[(4, 5)], |tape, x| tape.relu(x[0].clone()));
    }

    #[test]
    fn gelu() {
        check(&[(4, 5)], |tape, x| tape.gelu(&x[0]));
    }
}
