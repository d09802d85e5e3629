//! From word pieces to words.

use std::rc::Rc;

use crate::matrix::Matrix;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// One row for each segment `(from, to)` of rows: their mean.
    pub fn pool(&mut self, x: &Var, segments: Rc<[(u32, u32)]>) -> Var {
        let (rows, cols) = x.shape();
        let mut value = Matrix::zeros(segments.len(), cols);
        for (out, &(from, to)) in segments.iter().enumerate() {
            for row in from..to {
                vector::add_scaled(value.row_mut(out), share(from, to), x.row(row as usize));
            }
        }
        let (wanted, node) = (self.wants(&[x], &[]), x.node());
        self.push(value, wanted, move |gradient, sink| {
            sink.accumulate(node, rows, cols, |sum| {
                for (out, &(from, to)) in segments.iter().enumerate() {
                    for row in from..to {
                        vector::add_scaled(sum.row_mut(row as usize), share(from, to), gradient.row(out));
                    }
                }
            });
        })
    }
}

fn share(from: u32, to: u32) -> f32 {
    1.0 / (to - from) as f32
}

#[cfg(test)]
mod tests {
    use crate::ops::check::check;

    #[test]
    fn means_of_segments() {
        check(&[(7, 3)], |tape, x| tape.pool(&x[0], [(1, 2), (2, 5), (5, 6)].into()));
    }
}
