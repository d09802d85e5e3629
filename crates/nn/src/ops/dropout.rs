//! Dropout of single values and of whole rows.
//!
//! Masks follow from a seed and a position, and are computed again on the way back.

use crate::random::hash32;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// In training, zeroes each value with probability `rate` and scales up the others.
    pub fn dropout(&mut self, x: Var, rate: f32) -> Var {
        self.drop_with(x, rate, |values, _, seed, threshold, factor| {
            vector::drop_out(values, seed, threshold, factor);
        })
    }

    /// In training, zeroes each row with probability `rate` and scales up the others.
    pub fn dropout_rows(&mut self, x: Var, rate: f32) -> Var {
        self.drop_with(x, rate, |values, cols, seed, threshold, factor| {
            for (row, values) in values.chunks_exact_mut(cols).enumerate() {
                vector::scale(values, if hash32(seed, row as u32) < threshold { 0.0 } else { factor });
            }
        })
    }

    fn drop_with(
        &mut self,
        x: Var,
        rate: f32,
        apply: impl Fn(&mut [f32], usize, u32, u32, f32) + 'static,
    ) -> Var {
        if rate <= 0.0 {
            return x;
        }
        let Some(seed) = self.draw() else { return x };
        let (wanted, node, cols) = (self.wants(&[&x], &[]), x.node(), x.cols());
        let threshold = (f64::from(rate) * f64::from(u32::MAX)) as u32;
        let factor = 1.0 / (1.0 - rate);
        let mut value = x.into_matrix();
        apply(value.values_mut(), cols, seed, threshold, factor);
        self.push(value, wanted, move |mut gradient, sink| {
            apply(gradient.values_mut(), cols, seed, threshold, factor);
            sink.add(node, gradient);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::ops::check::check;
    use crate::params::Params;
    use crate::tape::Mode;

    #[test]
    fn gradients() {
        check(&[(6, 5)], |tape, x| tape.dropout(x[0].clone(), 0.4));
        check(&[(6, 5)], |tape, x| tape.dropout_rows(x[0].clone(), 0.4));
    }

    #[test]
    fn the_mean_stays() {
        let params = Params::default();
        let mut tape = Tape::new(&params, Mode::Train { seed: 1 });
        let ones = Matrix::from_vec(100, 100, vec![1.0; 10_000]);
        let single = tape.constant(ones.clone());
        let mean = vector::sum(tape.dropout(single, 0.3).values()) / 1e4;
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
        let rows = tape.constant(ones);
        let rows = tape.dropout_rows(rows, 0.3);
        assert!((0..100).all(|row| rows.row(row).iter().all(|&x| x == rows.row(row)[0])));
    }

    #[test]
    fn nothing_is_dropped_in_use() {
        let params = Params::default();
        let mut tape = Tape::new(&params, Mode::Infer);
        let x = tape.constant(Matrix::from_vec(1, 2, vec![1.0, 2.0]));
        assert_eq!(tape.dropout(x, 0.5).values(), [1.0, 2.0]);
    }
}
