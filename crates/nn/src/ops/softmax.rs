//! Scores to logarithms of probabilities, row by row; rows may differ in width.

use std::rc::Rc;

use crate::ops::Spans;
use crate::tape::{Tape, Var};
use crate::vector;

/// The rows that the values of a matrix fall into.
#[derive(Clone, Debug)]
pub enum Widths {
    /// As the matrix says.
    Even,
    /// One after the other, beginning where the spans say.
    Ragged(Spans),
}

impl Widths {
    /// The number of rows.
    pub(crate) fn rows(&self, x: &crate::matrix::Matrix) -> usize {
        match self {
            Widths::Even => x.rows(),
            Widths::Ragged(spans) => spans.len() - 1,
        }
    }

    /// Where the values of one row lie.
    pub(crate) fn range(&self, row: usize, cols: usize) -> std::ops::Range<usize> {
        match self {
            Widths::Even => row * cols..(row + 1) * cols,
            Widths::Ragged(spans) => spans[row]..spans[row + 1],
        }
    }
}

impl Tape<'_> {
    /// The logarithm of the softmax of each row.
    pub fn log_softmax(&mut self, x: Var, widths: Widths) -> Var {
        let (wanted, node, cols) = (self.wants(&[&x], &[]), x.node(), x.cols());
        let mut value = x.into_matrix();
        for row in 0..widths.rows(&value) {
            vector::log_softmax(&mut value.values_mut()[widths.range(row, cols)]);
        }
        let value = Rc::new(value);
        let result = Rc::clone(&value);
        self.push_shared(value, wanted, move |mut gradient, sink| {
            for row in 0..widths.rows(&result) {
                let range = widths.range(row, cols);
                vector::log_softmax_backward(
                    &mut gradient.values_mut()[range.clone()],
                    &result.values()[range],
                );
            }
            sink.add(node, gradient);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{check::check, spans};

    #[test]
    fn log_softmax() {
        check(&[(4, 5)], |tape, x| tape.log_softmax(x[0].clone(), Widths::Even));
        check(&[(1, 9)], |tape, x| tape.log_softmax(x[0].clone(), Widths::Ragged(spans([2, 3, 4]))));
    }
}
