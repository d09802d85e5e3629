//! Int8 weights, for use when training is over.
//!
//! Each row of weights becomes whole numbers from -127 to 127 and a scale. Each row of input becomes whole numbers from 0 to 127 with a scale and a
//! zero of its own. Sums of products of whole numbers are exact: every machine finds the same.
//!
//! `layer` has the weights as the instructions want them, `rows` the inputs, and `kernel` chooses among the modules that multiply, one for each
//! instruction set; `portable` is the twin that the others are tested against.

mod kernel;
mod layer;
mod portable;
mod rows;

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx_vnni;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

pub(crate) use layer::Layer;

use std::borrow::Cow;

use crate::matrix::Matrix;
use crate::params::{Param, ParamId, Params};

/// The least number of weights of a matrix that becomes int8.
pub const LEAST_QUANTISED: usize = 1 << 14;

/// The parameters of a network as they are computed with: the big matrices as int8.
#[derive(Clone, Debug)]
pub struct Int8Weights {
    by_param: Vec<Int8Param>,
}

/// A parameter as it is computed with.
#[derive(Clone, Debug)]
pub struct Int8Param(Form);

#[derive(Clone, Debug)]
enum Form {
    /// The floats of the parameter itself.
    Floats,
    /// A linear layer.
    Layer(Layer),
    /// A table of rows that are looked up.
    Table(Table),
}

impl Int8Weights {
    /// The layers among `params` that are big.
    pub fn new(params: &Params) -> Self {
        params.iter().map(Int8Param::new).collect()
    }

    pub(crate) fn layer(&self, id: ParamId) -> Option<&Layer> {
        match &self.by_param[id.index()].0 {
            Form::Layer(layer) => Some(layer),
            _ => None,
        }
    }

    pub(crate) fn table(&self, id: ParamId) -> Option<&Table> {
        match &self.by_param[id.index()].0 {
            Form::Table(table) => Some(table),
            _ => None,
        }
    }
}

impl FromIterator<Int8Param> for Int8Weights {
    fn from_iter<T: IntoIterator<Item = Int8Param>>(params: T) -> Self {
        Self { by_param: params.into_iter().collect() }
    }
}

impl Int8Param {
    /// A parameter whose floats are there.
    pub fn new(param: &Param) -> Self {
        if param.table || param.value.values().len() < LEAST_QUANTISED {
            return Self(Form::Floats);
        }
        Self(Form::Layer(quantised(&param.value)))
    }

    /// A linear layer from what was stored: numbers, row by row, and a scale for each row.
    pub fn layer((outputs, inputs): (usize, usize), numbers: &[u8], scales: Vec<f32>) -> Self {
        Self(Form::Layer(Layer::new(outputs, inputs, numbers, scales)))
    }

    /// A table from what was stored, which stays where it is if it lasts as long as the program: a sentence looks at few rows.
    pub fn table(cols: usize, numbers: Cow<'static, [u8]>, scales: Vec<f32>) -> Self {
        Self(Form::Table(Table { cols, numbers, scales }))
    }
}

/// Rows of int8 numbers, to be looked up.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cols: usize,
    /// The bytes of the numbers.
    numbers: Cow<'static, [u8]>,
    scales: Vec<f32>,
}

impl Table {
    /// Adds a row to `sum`.
    pub(crate) fn add(&self, row: usize, sum: &mut [f32]) {
        let scale = self.scales[row];
        let numbers = &self.numbers[row * self.cols..(row + 1) * self.cols];
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f32::from(number.cast_signed()) * scale);
    }
}

/// A row as int8 numbers, and the scale they are to be multiplied by.
pub fn quantise(row: &[f32]) -> (Vec<i8>, f32) {
    let greatest = row.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs()));
    let scale = if greatest > 0.0 { greatest / 127.0 } else { 1.0 };
    (row.iter().map(|x| (x / scale).round() as i8).collect(), scale)
}

/// Rounds a row to fewer bits, with four to -7 to 7 times a scale. Its int8 numbers then take fifteen values, which a package stores in half the room.
///
/// ```
/// let mut row = [0.7, -0.33, 0.04, 0.0];
/// tracebank_nn::int8::coarsen(&mut row, 4);
/// assert!(row.iter().zip([0.7, -0.3, 0.0, 0.0]).all(|(x, y)| (x - y).abs() < 1e-6));
/// ```
pub fn coarsen(row: &mut [f32], bits: u32) {
    let levels = (1_u32 << (bits - 1)) - 1;
    let scale = row.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs())) / levels as f32;
    if scale > 0.0 {
        row.iter_mut().for_each(|x| *x = (*x / scale).round() * scale);
    }
}

/// A linear layer of weights as int8.
fn quantised(weights: &Matrix) -> Layer {
    let rows = (0..weights.rows()).map(|row| quantise(weights.row(row)));
    let (numbers, scales): (Vec<Vec<i8>>, Vec<f32>) = rows.unzip();
    let numbers: Vec<u8> = numbers.into_iter().flatten().map(i8::cast_unsigned).collect();
    Layer::new(weights.rows(), weights.cols(), &numbers, scales)
}
