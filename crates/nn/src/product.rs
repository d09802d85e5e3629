//! Products of matrices of floats, in two ways.
//!
//! Training wants them fast: `multiply` hands windows with any strides to the `gemm` crate, whose sums run in an order that depends on the machine; a run
//! that asks for [`Products::Bf16`] has them faster still. In use the same input has to give the same bits everywhere: `multiply_in_order` adds one product after the other and contracts nothing. It is made for
//! the products that int8 weights leave, which are small: attention, and the scores of heads.
//!
//! Both run on the calling thread only: parallel work is spread over the shards of a batch instead.

use multiversion::multiversion;

use crate::matrix::{View, ViewMut, Write};

/// A way to multiply: `out = factor * left * right`, or `+=`.
pub(crate) type Multiply = fn(out: ViewMut<'_>, write: Write, factor: f32, left: View<'_>, right: View<'_>);

/// The numbers that training multiplies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "train", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Products {
    /// Floats.
    #[default]
    F32,
    /// Floats rounded to bf16, on machines with AMX or AVX-512's instructions for them; elsewhere floats as they are.
    Bf16,
}

impl Products {
    pub(crate) fn multiply(self) -> Multiply {
        match self {
            #[cfg(feature = "train")]
            Products::Bf16 => crate::bf16::multiply,
            _ => multiply,
        }
    }
}

/// Rows and columns of a tile, whose sums stay in registers.
const ROWS: usize = 6;
const COLS: usize = 16;

/// Whether all elements of a window are in `data`. Nothing here may wrap: it guards pointers.
fn is_inside((rows, cols): (usize, usize), (row_step, col_step): (usize, usize), data: &[f32]) -> bool {
    let Some((last_row, last_col)) = rows.checked_sub(1).zip(cols.checked_sub(1)) else { return true };
    let ends = last_row.checked_mul(row_step).zip(last_col.checked_mul(col_step));
    ends.and_then(|(row, col)| row.checked_add(col)).is_some_and(|last| last < data.len())
}

/// Checks the shapes of a product, and that all that it reads and writes is there.
pub(crate) fn check(out: &ViewMut<'_>, left: &View<'_>, right: &View<'_>) {
    let (m, n, k) = (out.rows, out.cols, left.cols);
    assert!(left.rows == m && right.cols == n && right.rows == k, "shapes of a product do not fit");
    assert!(is_inside((m, n), (out.row_step, 1), out.data));
    assert!(is_inside((m, k), (left.row_step, left.col_step), left.data));
    assert!(is_inside((k, n), (right.row_step, right.col_step), right.data));
}

/// `out = factor * left * right`, or `+=`, as fast as can be.
#[cfg(feature = "train")]
#[allow(clippy::needless_pass_by_value, reason = "windows are made for the call")]
pub(crate) fn multiply(out: ViewMut<'_>, write: Write, factor: f32, left: View<'_>, right: View<'_>) {
    check(&out, &left, &right);
    if out.rows == 0 || out.cols == 0 {
        return;
    }
    // SAFETY: the check keeps the farthest element each window reaches inside its slice, the steps are not
    // negative, and `out` is borrowed exclusively, so it overlaps neither factor.
    // The kernels like columns, so what is computed is the transpose: its factors and their steps change places.
    unsafe {
        gemm_f32::gemm::f32::get_gemm_fn()(
            out.cols,
            out.rows,
            left.cols,
            out.data.as_mut_ptr(),
            out.row_step as isize,
            1,
            write == Write::Add,
            right.data.as_ptr(),
            right.row_step as isize,
            right.col_step as isize,
            left.data.as_ptr(),
            left.row_step as isize,
            left.col_step as isize,
            1.0,
            factor,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

/// Gradients are computed in order where nothing is compiled that trains.
#[cfg(not(feature = "train"))]
pub(crate) use multiply_in_order as multiply;

/// `out = factor * left * right`, or `+=`, in the same bits on every machine.
#[allow(clippy::needless_pass_by_value, reason = "windows are made for the call")]
pub(crate) fn multiply_in_order(
    out: ViewMut<'_>,
    write: Write,
    factor: f32,
    left: View<'_>,
    right: View<'_>,
) {
    check(&out, &left, &right);
    let depth = left.cols;
    // Rows are read as slices; those of a transposed window are written out first.
    let packed: Vec<f32>;
    let (rows, row_step) = if left.col_step == 1 {
        (left.data, left.row_step)
    } else {
        packed = (0..left.rows).flat_map(|row| (0..depth).map(move |at| left.at(row, at))).collect();
        (&packed[..], depth)
    };
    let mut panel = vec![[0.0; COLS]; depth];
    for first in (0..out.cols).step_by(COLS) {
        let cols = COLS.min(out.cols - first);
        fill(&mut panel, right, first, cols);
        for first_row in (0..out.rows).step_by(ROWS) {
            // Beyond the last row, it is computed again.
            let row = |nth: usize| &rows[(first_row + nth).min(out.rows - 1) * row_step..][..depth];
            let sums = sums(std::array::from_fn(row), &panel);
            for (sums, row) in sums.iter().zip(first_row..out.rows) {
                let out = &mut out.data[row * out.row_step + first..][..cols];
                match write {
                    Write::Over => out.iter_mut().zip(sums).for_each(|(out, sum)| *out = factor * sum),
                    Write::Add => out.iter_mut().zip(sums).for_each(|(out, sum)| *out += factor * sum),
                }
            }
        }
    }
}

/// Fills a panel with the columns of a window from `first` on.
fn fill(panel: &mut [[f32; COLS]], window: View<'_>, first: usize, cols: usize) {
    if window.col_step == 1 {
        for (at, panel) in panel.iter_mut().enumerate() {
            let row = &window.data[at * window.row_step + first..];
            match row.first_chunk::<COLS>() {
                Some(row) => *panel = *row,
                None => panel[..cols].copy_from_slice(&row[..cols]),
            }
        }
    } else {
        for col in 0..cols {
            let column = &window.data[(first + col) * window.col_step..];
            for (panel, value) in panel.iter_mut().zip(column.iter().step_by(window.row_step)) {
                panel[col] = *value;
            }
        }
    }
}

/// The sums of a tile, each in the order of the rows and columns that meet.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
fn sums(rows: [&[f32]; ROWS], panel: &[[f32; COLS]]) -> [[f32; COLS]; ROWS] {
    let mut rows = rows;
    for row in &mut rows {
        *row = &row[..panel.len()];
    }
    let mut sums = [[0.0; COLS]; ROWS];
    for (at, panel) in panel.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(&rows) {
            for (sum, value) in sums.iter_mut().zip(panel) {
                *sum += row[at] * value;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::random::Random;

    fn by_hand(left: View<'_>, right: View<'_>) -> Matrix {
        let mut out = Matrix::zeros(left.rows, right.cols);
        for row in 0..left.rows {
            for col in 0..right.cols {
                out.row_mut(row)[col] = (0..left.cols).map(|i| left.at(row, i) * right.at(i, col)).sum();
            }
        }
        out
    }

    #[test]
    fn a_window_that_reaches_too_far_is_seen_even_where_its_end_would_wrap() {
        let data = [0.0; 6];
        for (shape, steps, inside) in [
            ((2, 3), (3, 1), true),
            ((2, 3), (4, 1), false),
            ((3, 2), (1, 3), true),
            ((3, 2), (1, 4), false),
            ((0, 9), (9, 9), true),
            ((9, 0), (9, 9), true),
            ((3, 1), (usize::MAX / 2 + 1, 1), false),
            ((1, 3), (1, usize::MAX / 2 + 1), false),
            ((2, 2), (usize::MAX, 1), false),
        ] {
            assert_eq!(is_inside(shape, steps, &data), inside, "{shape:?} {steps:?}");
        }
    }

    #[test]
    fn products_of_windows_are_what_they_should_be() {
        let mut random = Random::new(1);
        let a = random.normal_matrix(7, 40, 1.0);
        let b = random.normal_matrix(37, 40, 1.0);
        for (left, right) in [
            (a.view(), b.view().t()),
            (a.view().t(), a.view()),
            (a.view().cols(2, 6), b.view().cols(1, 5).t()),
            (a.view().rows(3, 7).t(), b.view().rows(5, 9)),
            (b.view(), a.view().t()),
        ] {
            let expected = by_hand(left, right);
            for way in [multiply, multiply_in_order] {
                let mut out = Matrix::stale(left.rows, right.cols);
                way(out.view_mut(), Write::Over, 1.0, left, right);
                way(out.view_mut(), Write::Add, 0.5, left, right);
                for (x, y) in out.values().iter().zip(expected.values()) {
                    assert!((x - 1.5 * y).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn sums_run_in_order() {
        let (mut random, mut out) = (Random::new(2), Matrix::zeros(9, 21));
        let (a, b) = (random.normal_matrix(9, 70, 1.0), random.normal_matrix(70, 21, 1.0));
        multiply_in_order(out.view_mut(), Write::Over, 1.0, a.view(), b.view());
        for row in 0..9 {
            for col in 0..21 {
                let sum = (0..70).fold(0.0, |sum, at| sum + a.row(row)[at] * b.row(at)[col]);
                assert_eq!(out.row(row)[col].to_bits(), sum.to_bits());
            }
        }
    }
}
