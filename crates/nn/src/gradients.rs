//! Gradients beside the parameters, one buffer for each shard of a batch.

use crate::matrix::Matrix;
use crate::params::{ParamId, Params};
#[cfg(feature = "train")]
use crate::vector;

/// The gradients of all parameters.
#[derive(Clone, Debug)]
pub struct Gradients {
    entries: Vec<Gradient>,
}

/// The gradient of one parameter.
#[derive(Clone, Debug)]
pub enum Gradient {
    /// Nothing has touched the parameter (or it is frozen).
    Absent,
    /// A value for each weight.
    Dense(Matrix),
    /// Values for the touched rows of a table.
    Rows(Rows),
}

/// The touched rows of a table and their gradients, in the order in which they were touched.
#[derive(Clone, Debug)]
pub struct Rows {
    touched: Vec<u32>,
    values: Vec<f32>,
    cols: usize,
    /// Where a row of the table stands in `touched`; `NOWHERE` if it does not.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Rows {
    fn new(rows: usize, cols: usize) -> Self {
        Self { touched: Vec::new(), values: Vec::new(), cols, places: vec![NOWHERE; rows] }
    }

    fn clear(&mut self) {
        for &row in &self.touched {
            self.places[row as usize] = NOWHERE;
        }
        self.touched.clear();
        self.values.clear();
    }

    /// The gradient of one row, which is thereby touched.
    pub(crate) fn row_mut(&mut self, row: u32) -> &mut [f32] {
        let place = &mut self.places[row as usize];
        if *place == NOWHERE {
            *place = self.touched.len() as u32;
            self.touched.push(row);
            self.values.resize(self.values.len() + self.cols, 0.0);
        }
        let start = *place as usize * self.cols;
        &mut self.values[start..start + self.cols]
    }

    /// The touched rows with their gradients.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[f32])> {
        self.touched.iter().copied().zip(self.values.chunks_exact(self.cols))
    }
}

impl Gradients {
    /// No gradients yet for these parameters.
    pub fn new(params: &Params) -> Self {
        Self { entries: params.iter().map(|_| Gradient::Absent).collect() }
    }

    /// Back to no gradients, keeping the memory.
    pub fn clear(&mut self) {
        for entry in &mut self.entries {
            match entry {
                Gradient::Absent => {}
                Gradient::Dense(matrix) => matrix.values_mut().fill(0.0),
                Gradient::Rows(rows) => rows.clear(),
            }
        }
    }

    /// The gradient of one parameter.
    pub fn get(&self, id: ParamId) -> &Gradient {
        &self.entries[id.index()]
    }

    /// All gradients in the order of the parameters.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Gradient> {
        self.entries.iter()
    }

    #[cfg(feature = "train")]
    pub(crate) fn entries(&self) -> &[Gradient] {
        &self.entries
    }

    #[cfg(feature = "train")]
    pub(crate) fn entries_mut(&mut self) -> &mut [Gradient] {
        &mut self.entries
    }

    pub(crate) fn dense(&mut self, params: &Params, id: ParamId) -> &mut Matrix {
        let entry = &mut self.entries[id.index()];
        if matches!(entry, Gradient::Absent) {
            let (rows, cols) = params.value(id).shape();
            *entry = Gradient::Dense(Matrix::zeros(rows, cols));
        }
        let Gradient::Dense(matrix) = entry else { panic!("a table was used as a whole matrix") };
        matrix
    }

    pub(crate) fn rows(&mut self, params: &Params, id: ParamId) -> &mut Rows {
        let entry = &mut self.entries[id.index()];
        if matches!(entry, Gradient::Absent) {
            let (rows, cols) = params.value(id).shape();
            *entry = Gradient::Rows(Rows::new(rows, cols));
        }
        let Gradient::Rows(rows) = entry else { panic!("a matrix was used as a table") };
        rows
    }
}

impl Gradient {
    /// Adds another shard's gradient of the same parameter.
    #[cfg(feature = "train")]
    pub(crate) fn add(&mut self, other: &Gradient) {
        match (&mut *self, other) {
            (_, Gradient::Absent) => {}
            (Gradient::Absent, other) => *self = other.clone(),
            (Gradient::Dense(to), Gradient::Dense(from)) => vector::add(to.values_mut(), from.values()),
            (Gradient::Rows(to), Gradient::Rows(from)) => {
                for (row, values) in from.iter() {
                    vector::add(to.row_mut(row), values);
                }
            }
            _ => unreachable!("a parameter is either a table or a matrix"),
        }
    }

    /// The values, whichever weights they belong to.
    pub fn values(&self) -> &[f32] {
        match self {
            Gradient::Absent => &[],
            Gradient::Dense(matrix) => matrix.values(),
            Gradient::Rows(rows) => &rows.values,
        }
    }

    /// The derivative with respect to one weight.
    pub fn at(&self, row: usize, col: usize) -> f32 {
        match self {
            Gradient::Absent => 0.0,
            Gradient::Dense(matrix) => matrix.row(row)[col],
            Gradient::Rows(rows) => match rows.places[row] {
                NOWHERE => 0.0,
                place => rows.values[place as usize * rows.cols + col],
            },
        }
    }
}
