//! Sums of matrices, and matrices side by side.

use crate::matrix::Matrix;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// The sum of two matrices.
    pub fn add(&mut self, a: &Var, b: &Var) -> Var {
        let mut value = Matrix::clone(a);
        vector::add(value.values_mut(), b.values());
        let (wanted, a, b) = (self.wants(&[a, b], &[]), a.node(), b.node());
        self.push(value, wanted, move |gradient, sink| {
            if a.is_wanted() {
                sink.add(a, gradient.clone());
            }
            sink.add(b, gradient);
        })
    }

    /// The columns of all, side by side.
    pub fn concat(&mut self, parts: &[&Var]) -> Var {
        let rows = parts[0].rows();
        let mut value = Matrix::stale(rows, parts.iter().map(|part| part.cols()).sum());
        let mut from = 0;
        for part in parts {
            for row in 0..rows {
                value.row_mut(row)[from..from + part.cols()].copy_from_slice(part.row(row));
            }
            from += part.cols();
        }
        let wanted = self.wants(parts, &[]);
        let nodes: Vec<_> = parts.iter().map(|part| (part.node(), part.cols())).collect();
        self.push(value, wanted, move |gradient, sink| {
            let mut from = 0;
            for (node, cols) in nodes {
                sink.accumulate(node, rows, cols, |sum| {
                    for row in 0..rows {
                        vector::add(sum.row_mut(row), &gradient.row(row)[from..from + cols]);
                    }
                });
                from += cols;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::check::check;

    #[test]
    fn sums() {
        check(&[(3, 4), (3, 4)], |tape, x| {
            let sum = tape.add(&x[0], &x[1]);
            tape.add(&sum, &x[0])
        });
    }

    #[test]
    fn side_by_side() {
        check(&[(3, 4), (3, 2)], |tape, x| tape.concat(&[&x[0], &x[1], &x[0]]));
    }
}
