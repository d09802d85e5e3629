//! A learnt row before each sentence: the root of its tree.

use crate::matrix::Matrix;
use crate::ops::{Spans, each};
use crate::params::ParamId;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// Puts the row `first` before the rows of each sentence.
    pub fn prepend_row(&mut self, x: &Var, first: ParamId, spans: &Spans) -> Var {
        let (rows, cols) = x.shape();
        let mut value = Matrix::stale(rows + spans.len() - 1, cols);
        for (sentence, (from, to)) in each(spans).enumerate() {
            value.row_mut(from + sentence).copy_from_slice(self.params().value(first).values());
            for row in from..to {
                value.row_mut(row + sentence + 1).copy_from_slice(x.row(row));
            }
        }
        let wanted = self.wants(&[x], &[first]);
        let (node, spans) = (x.node(), Spans::clone(spans));
        self.push(value, wanted, move |gradient, sink| {
            if let Some(sum) = sink.dense(first) {
                for (sentence, (from, _)) in each(&spans).enumerate() {
                    vector::add(sum.values_mut(), gradient.row(from + sentence));
                }
            }
            sink.accumulate(node, rows, cols, |sum| {
                for (sentence, (from, to)) in each(&spans).enumerate() {
                    for row in from..to {
                        vector::add(sum.row_mut(row), gradient.row(row + sentence + 1));
                    }
                }
            });
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::{check::check_layer, spans};

    #[test]
    fn prepended_rows() {
        check_layer(&[(5, 3), (1, 3)], |tape, x, ids| tape.prepend_row(x, ids[0], &spans([2, 0, 3])));
    }
}
