//! Named matrices and a header as bytes, in the safetensors format.
//!
//! The header lies in the file as a tensor of bytes holding JSON, so a file needs nothing beside it. Matrices can be stored as int8 numbers with a
//! scale for each row.

use std::collections::BTreeMap;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tracebank_nn::int8::quantise;
use tracebank_nn::matrix::Matrix;

const HEADER: &str = "header.json";

/// A reason why stored matrices cannot be read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The bytes are not in the safetensors format, or a tensor is missing.
    #[error("the stored network is damaged")]
    Format(#[from] safetensors::SafeTensorError),
    /// The header does not say what it should.
    #[error("the header of the stored network is damaged")]
    Header(#[from] serde_json::Error),
    /// A tensor has another shape than its parameter.
    #[error("{0} has not the type or shape the network needs")]
    Shape(String),
    /// A weight or a scale is not a finite number.
    #[error("{0} has a weight that is no finite number")]
    Infinite(String),
    /// The sizes in the header are those of no network.
    #[error("the header of the stored network asks for what no network has: {0}")]
    Sizes(String),
}

/// Stored matrices.
#[derive(Debug)]
pub struct TensorReader<'b>(SafeTensors<'b>);

impl<'b> TensorReader<'b> {
    /// The matrices that a [`TensorWriter`] wrote.
    pub fn open(bytes: &'b [u8]) -> Result<Self, StoreError> {
        Ok(Self(SafeTensors::deserialize(bytes)?))
    }

    /// The header.
    pub fn header<H: DeserializeOwned>(&self) -> Result<H, StoreError> {
        Ok(serde_json::from_slice(self.0.tensor(HEADER)?.data())?)
    }

    /// The matrix of this name, which must have this shape.
    pub fn matrix(&self, name: &str, shape: (usize, usize)) -> Result<Matrix, StoreError> {
        let (rows, cols) = shape;
        let values: Vec<f32> = if let Some((numbers, scales)) = self.int8(name, shape)? {
            let rows = numbers.chunks_exact(cols.max(1)).zip(scales);
            rows.flat_map(|(row, scale)| {
                row.iter().map(move |&number| f32::from(number.cast_signed()) * scale)
            })
            .collect()
        } else {
            let tensor = self.0.tensor(name)?;
            if tensor.shape() != [rows, cols] || tensor.dtype() != Dtype::F32 {
                return Err(StoreError::Shape(name.to_owned()));
            }
            floats(tensor.data()).collect()
        };
        if !values.iter().all(|value| value.is_finite()) {
            return Err(StoreError::Infinite(name.to_owned()));
        }
        Ok(Matrix::from_vec(rows, cols, values))
    }

    /// Whether the matrix of this name has no values.
    pub fn is_empty(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.0.tensor(name)?.data().is_empty())
    }

    /// The numbers and scales of a matrix that is stored as int8; none if it is not.
    pub fn int8(
        &self,
        name: &str,
        (rows, cols): (usize, usize),
    ) -> Result<Option<(&'b [u8], impl Iterator<Item = f32> + use<'b>)>, StoreError> {
        let tensor = self.0.tensor(name)?;
        if tensor.dtype() != Dtype::I8 {
            return Ok(None);
        }
        let scales = self.0.tensor(&scale_name(name))?;
        if tensor.shape() != [rows, cols] || scales.dtype() != Dtype::F32 || scales.shape() != [rows] {
            return Err(StoreError::Shape(name.to_owned()));
        }
        if !floats(scales.data()).all(f32::is_finite) {
            return Err(StoreError::Infinite(name.to_owned()));
        }
        Ok(Some((tensor.data(), floats(scales.data()))))
    }
}

fn scale_name(name: &str) -> String {
    format!("{name}.scale")
}

/// Floats from their bytes, low byte first.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + use<'_> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}

/// Matrices on their way to bytes.
#[derive(Debug)]
pub struct TensorWriter {
    tensors: BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>,
}

impl TensorWriter {
    /// No matrices yet beside the header.
    ///
    /// # Panics
    /// If the header is no plain data.
    pub fn new(header: &impl Serialize) -> Self {
        let json = serde_json::to_vec(header).expect("plain data can be written");
        Self { tensors: BTreeMap::from([(HEADER.to_owned(), (Dtype::U8, vec![json.len()], json))]) }
    }

    /// Adds a matrix as it is.
    pub fn add(&mut self, name: &str, matrix: &Matrix) {
        let bytes = matrix.values().iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.to_owned(), (Dtype::F32, vec![matrix.rows(), matrix.cols()], bytes));
    }

    /// Adds a matrix as int8.
    pub fn add_int8(&mut self, name: &str, matrix: &Matrix) {
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        for row in 0..matrix.rows() {
            let (numbers, scale) = quantise(matrix.row(row));
            bytes.extend(numbers.into_iter().map(i8::cast_unsigned));
            scales.extend(scale.to_le_bytes());
        }
        self.tensors.insert(name.to_owned(), (Dtype::I8, vec![matrix.rows(), matrix.cols()], bytes));
        self.tensors.insert(scale_name(name), (Dtype::F32, vec![matrix.rows()], scales));
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        let views = self.tensors.iter().map(|(name, (dtype, shape, bytes))| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).expect("shapes fit their bytes"))
        });
        safetensors::serialize(views, None).expect("names and shapes are sound")
    }
}
