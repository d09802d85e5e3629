//! Row-major matrices of `f32`, and windows into them.

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
    pub(crate) data: &'a [f32],
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) row_step: usize,
    pub(crate) col_step: usize,
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

    /// One element.
    pub(crate) fn at(&self, row: usize, col: usize) -> f32 {
        self.data[row * self.row_step + col * self.col_step]
    }
}

/// A window to write to.
pub(crate) struct ViewMut<'a> {
    pub(crate) data: &'a mut [f32],
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) row_step: usize,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "fits into memory")]
    fn a_shape_that_wraps_is_no_matrix() {
        let _ = Matrix::zeros(usize::MAX / 2 + 1, 2);
    }
}
