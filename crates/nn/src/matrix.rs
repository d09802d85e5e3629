//! Row-major matrices of `f32`, windows into them, and their products.
//!
//! Every product of the crate goes through `multiply`, which hands windows with any strides to the `gemm` crate. It
//! runs on the calling thread only: parallel work is spread over the shards of a batch instead.

use std::fmt;

use crate::buffer::Buffer;

/// A row-major matrix.
#[derive(Clone)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Buffer,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: Buffer::zeros(area(rows, cols)) }
    }

    /// A shape without values, which takes no memory: a parameter that is about to be read, or that is used as int8 alone.
    pub(crate) fn unread(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: Buffer::zeros(0) }
    }

    /// A matrix whose values are left over from earlier use, for a caller that will write all of them.
    pub(crate) fn stale(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: Buffer::stale(area(rows, cols)) }
    }

    /// A matrix of the values given row by row.
    ///
    /// # Panics
    /// If there are not `rows * cols` values.
    pub fn from_vec(rows: usize, cols: usize, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), area(rows, cols), "values do not fill the matrix");
        Self { rows, cols, data: values.into() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.data
    }

    /// All values, row by row, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// One row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// The whole matrix as a window.
    pub(crate) fn view(&self) -> View<'_> {
        View { data: &self.data, rows: self.rows, cols: self.cols, row_step: self.cols, col_step: 1 }
    }

    /// The whole matrix as a window to write to.
    pub(crate) fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut { data: &mut self.data, rows: self.rows, cols: self.cols, row_step: self.cols }
    }
}

/// The number of values of a matrix. A product that wrapped would leave a matrix with fewer values than its shape says.
fn area(rows: usize, cols: usize) -> usize {
    rows.checked_mul(cols).expect("a matrix fits into memory")
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.rows).map(|row| self.row(row))).finish()
    }
}

impl PartialEq for Matrix {
    fn eq(&self, other: &Self) -> bool {
        self.shape() == other.shape() && self.values() == other.values()
    }
}

/// A window into a matrix, possibly transposed.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    data: &'a [f32],
    rows: usize,
    cols: usize,
    row_step: usize,
    col_step: usize,
}

impl<'a> View<'a> {
    /// A window over plain values, `cols` to a row.
    pub(crate) fn of(data: &'a [f32], cols: usize) -> Self {
        Self { data, rows: data.len() / cols, cols, row_step: cols, col_step: 1 }
    }

    /// Only these rows.
    pub(crate) fn rows(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.rows);
        Self { data: &self.data[(from * self.row_step).min(self.data.len())..], rows: to - from, ..self }
    }

    /// Only these columns.
    pub(crate) fn cols(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.cols);
        Self { data: &self.data[(from * self.col_step).min(self.data.len())..], cols: to - from, ..self }
    }

    /// Rows and columns exchanged.
    pub(crate) fn t(self) -> Self {
        Self { rows: self.cols, cols: self.rows, row_step: self.col_step, col_step: self.row_step, ..self }
    }
}

/// A window to write to.
pub(crate) struct ViewMut<'a> {
    data: &'a mut [f32],
    rows: usize,
    cols: usize,
    row_step: usize,
}

impl<'a> ViewMut<'a> {
    /// A window over plain values, `cols` to a row.
    pub(crate) fn of(data: &'a mut [f32], cols: usize) -> Self {
        Self { rows: data.len() / cols, cols, row_step: cols, data }
    }

    /// Only these rows.
    pub(crate) fn rows(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.rows);
        let start = (from * self.row_step).min(self.data.len());
        Self { data: &mut self.data[start..], rows: to - from, ..self }
    }

    /// Only these columns.
    pub(crate) fn cols(self, from: usize, to: usize) -> Self {
        assert!(from <= to && to <= self.cols);
        let start = from.min(self.data.len());
        Self { data: &mut self.data[start..], cols: to - from, ..self }
    }
}

/// The fate of the values a product is written over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// They are lost.
    Over,
    /// The product is added to them.
    Add,
}

/// Whether all elements of a window are in `data`. Nothing here may wrap: it guards pointers.
fn is_inside((rows, cols): (usize, usize), (row_step, col_step): (usize, usize), data: &[f32]) -> bool {
    let Some((last_row, last_col)) = rows.checked_sub(1).zip(cols.checked_sub(1)) else { return true };
    let ends = last_row.checked_mul(row_step).zip(last_col.checked_mul(col_step));
    ends.and_then(|(row, col)| row.checked_add(col)).is_some_and(|last| last < data.len())
}

/// `out = factor * left * right`, or `+=`.
#[allow(clippy::needless_pass_by_value, reason = "windows are made for the call")]
pub(crate) fn multiply(out: ViewMut<'_>, write: Write, factor: f32, left: View<'_>, right: View<'_>) {
    let (m, n, k) = (out.rows, out.cols, left.cols);
    assert!(left.rows == m && right.cols == n && right.rows == k, "shapes of a product do not fit");
    if m == 0 || n == 0 {
        return;
    }
    assert!(is_inside((m, n), (out.row_step, 1), out.data));
    assert!(is_inside((m, k), (left.row_step, left.col_step), left.data));
    assert!(is_inside((k, n), (right.row_step, right.col_step), right.data));
    // SAFETY: the assertions keep the farthest element each window reaches inside its slice, the steps are not
    // negative, and `out` is borrowed exclusively, so it overlaps neither factor.
    // The kernels like columns, so what is computed is the transpose: its factors and their steps change places.
    unsafe {
        gemm_f32::gemm::f32::get_gemm_fn()(
            n,
            m,
            k,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn by_hand(left: View<'_>, right: View<'_>) -> Matrix {
        let at = |v: View<'_>, row: usize, col: usize| v.data[row * v.row_step + col * v.col_step];
        let mut out = Matrix::zeros(left.rows, right.cols);
        for row in 0..left.rows {
            for col in 0..right.cols {
                out.row_mut(row)[col] = (0..left.cols).map(|i| at(left, row, i) * at(right, i, col)).sum();
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
    #[should_panic(expected = "fits into memory")]
    fn a_shape_that_wraps_is_no_matrix() {
        let _ = Matrix::zeros(usize::MAX / 2 + 1, 2);
    }

    #[test]
    fn products_of_windows_are_what_they_should_be() {
        let mut random = Random::new(1);
        let a = random.normal_matrix(7, 11, 1.0);
        let b = random.normal_matrix(9, 11, 1.0);
        for (left, right) in [
            (a.view(), b.view().t()),
            (a.view().t(), a.view()),
            (a.view().cols(2, 6), b.view().cols(1, 5).t()),
            (a.view().rows(3, 7).t(), b.view().rows(5, 9)),
        ] {
            let expected = by_hand(left, right);
            let mut out = Matrix::stale(left.rows, right.cols);
            multiply(out.view_mut(), Write::Over, 1.0, left, right);
            multiply(out.view_mut(), Write::Add, 0.5, left, right);
            for (x, y) in out.values().iter().zip(expected.values()) {
                assert!((x - 1.5 * y).abs() < 1e-4);
            }
        }
    }
}
