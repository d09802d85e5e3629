//! Networks and the state of their training as bytes, in the safetensors format.
//!
//! The configuration and the lexicon lie in the file as a tensor of bytes holding JSON, so a file needs nothing beside
//! it. Big matrices can be stored as whole numbers of eight bits with a scale for each row.

use std::collections::BTreeMap;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::eight::{BIG, Packed, quantise};
use crate::matrix::Matrix;
use crate::network::{Network, NetworkConfig};
use crate::optimise::{Optimiser, OptimiserConfig};
use crate::params::{Param, Params};
use crate::prepare::Lexicon;

const HEADER: &str = "header.json";

/// How weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    Full,
    /// Big matrices as eight bits with a scale for each row.
    Eight,
}

/// Why a network could not be read.
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
}

#[derive(Serialize, Deserialize)]
struct NetworkHeader {
    config: NetworkConfig,
    lexicon: Lexicon,
}

#[derive(Serialize, Deserialize)]
struct OptimiserHeader {
    config: OptimiserConfig,
    step: usize,
}

impl Network {
    /// The network with its weights.
    pub fn to_bytes(&self, precision: Precision) -> Vec<u8> {
        let header = NetworkHeader { config: self.config().clone(), lexicon: self.lexicon().clone() };
        let mut writer = Writer::new(&header);
        for param in self.params.iter() {
            if precision == Precision::Eight && param.value.values().len() >= BIG {
                writer.add_eight(&param.name, &param.value);
            } else {
                writer.add(&param.name, &param.value);
            }
        }
        writer.finish()
    }

    /// Reads what [`Network::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let mut network = Self::header(&tensors)?;
        for Param { name, value, .. } in network.params.iter_mut() {
            *value = read(&tensors, name, value.shape())?;
        }
        Ok(network)
    }

    /// The same for a network that will only be used. Big matrices are eight bits and nothing else: where they were stored so, their floats
    /// stay zero, which saves most of the time and memory.
    pub fn for_use(bytes: &[u8]) -> Result<Self, StoreError> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let mut network = Self::header(&tensors)?;
        let pack = |param: &mut Param| -> Result<Packed, StoreError> {
            let tensor = tensors.tensor(&param.name)?;
            if tensor.dtype() == Dtype::I8 {
                let (rows, cols) = param.value.shape();
                let scales = scales(&tensors, &param.name, rows)?;
                if tensor.shape() != [rows, cols] {
                    return Err(StoreError::Shape(param.name.clone()));
                }
                return Ok(Packed::stored(param, tensor.data(), scales.collect()));
            }
            param.value = read(&tensors, &param.name, param.value.shape())?;
            Ok(Packed::new(param))
        };
        let packed = network.params.iter_mut().map(pack).collect::<Result<_, _>>()?;
        network.use_eight_bits(packed);
        Ok(network)
    }

    fn header(tensors: &SafeTensors<'_>) -> Result<Self, StoreError> {
        let NetworkHeader { config, lexicon } = serde_json::from_slice(tensors.tensor(HEADER)?.data())?;
        Ok(Self::blank(config, lexicon))
    }
}

impl Optimiser {
    /// The state of training for these parameters.
    pub fn to_bytes(&self, params: &Params) -> Vec<u8> {
        let header = OptimiserHeader { config: self.config().clone(), step: self.step };
        let mut writer = Writer::new(&header);
        for (param, moments) in params.iter().zip(&self.moments) {
            writer.add(&format!("first.{}", param.name), &moments.first);
            writer.add(&format!("second.{}", param.name), &moments.second);
        }
        for (param, average) in params.iter().zip(&self.average) {
            writer.add(&format!("average.{}", param.name), average);
        }
        writer.finish()
    }

    /// Reads what [`Optimiser::to_bytes`] wrote, for the same parameters.
    pub fn from_bytes(bytes: &[u8], params: &Params) -> Result<Self, StoreError> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let OptimiserHeader { config, step } = serde_json::from_slice(tensors.tensor(HEADER)?.data())?;
        let mut optimiser = Self::new(config, params);
        optimiser.step = step;
        for (param, moments) in params.iter().zip(&mut optimiser.moments) {
            for (kind, matrix) in [("first", &mut moments.first), ("second", &mut moments.second)] {
                let name = format!("{kind}.{}", param.name);
                let untouched = tensors.tensor(&name)?.data().is_empty();
                let shape = if untouched { (0, 0) } else { param.value.shape() };
                *matrix = read(&tensors, &name, shape)?;
            }
        }
        for (param, average) in params.iter().zip(&mut optimiser.average) {
            *average = read(&tensors, &format!("average.{}", param.name), param.value.shape())?;
        }
        Ok(optimiser)
    }
}

fn read(tensors: &SafeTensors<'_>, name: &str, (rows, cols): (usize, usize)) -> Result<Matrix, StoreError> {
    let tensor = tensors.tensor(name)?;
    let wrong = || StoreError::Shape(name.to_owned());
    if tensor.shape() != [rows, cols] {
        return Err(wrong());
    }
    let values = match tensor.dtype() {
        Dtype::F32 => floats(tensor.data()).collect(),
        Dtype::I8 => {
            let rows = tensor.data().chunks_exact(cols).zip(scales(tensors, name, rows)?);
            rows.flat_map(|(row, scale)| row.iter().map(move |&q| f32::from(q.cast_signed()) * scale))
                .collect()
        }
        _ => return Err(wrong()),
    };
    Ok(Matrix::from_vec(rows, cols, values))
}

fn scales<'t>(
    tensors: &SafeTensors<'t>,
    name: &str,
    rows: usize,
) -> Result<impl Iterator<Item = f32> + use<'t>, StoreError> {
    let scales = tensors.tensor(&scale_name(name))?;
    if scales.dtype() != Dtype::F32 || scales.shape() != [rows] {
        return Err(StoreError::Shape(name.to_owned()));
    }
    Ok(floats(scales.data()))
}

fn scale_name(name: &str) -> String {
    format!("{name}.scale")
}

/// Floats from their bytes, low byte first.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + use<'_> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}

struct Writer {
    tensors: BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>,
}

impl Writer {
    fn new(header: &impl Serialize) -> Self {
        let json = serde_json::to_vec(header).expect("plain data can be written");
        Self { tensors: BTreeMap::from([(HEADER.to_owned(), (Dtype::U8, vec![json.len()], json))]) }
    }

    fn add(&mut self, name: &str, matrix: &Matrix) {
        let bytes = matrix.values().iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.to_owned(), (Dtype::F32, vec![matrix.rows(), matrix.cols()], bytes));
    }

    fn add_eight(&mut self, name: &str, matrix: &Matrix) {
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        for row in 0..matrix.rows() {
            let (numbers, scale) = quantise(matrix.row(row));
            bytes.extend(numbers.into_iter().map(i8::cast_unsigned));
            scales.extend(scale.to_le_bytes());
        }
        self.tensors.insert(name.to_owned(), (Dtype::I8, vec![matrix.rows(), matrix.cols()], bytes));
        self.tensors.insert(scale_name(name), (Dtype::F32, vec![matrix.rows()], scales));
    }

    fn finish(self) -> Vec<u8> {
        let views = self.tensors.iter().map(|(name, (dtype, shape, bytes))| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).expect("shapes fit their bytes"))
        });
        safetensors::serialize(views, None).expect("names and shapes are sound")
    }
}
