//! Networks as bytes: their weights, and a header with the configuration and the lexicon.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tracebank_nn::int8::{Int8Param, LEAST_QUANTISED};
use tracebank_nn::params::Param;

use crate::network::{Network, NetworkConfig};
use crate::prepare::Lexicon;
use crate::tensors::{StoreError, TensorReader, TensorWriter};

/// The precision of stored weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    Full,
    /// Big matrices as int8 with a scale for each row.
    Int8,
}

#[derive(Serialize, Deserialize)]
struct Header {
    config: NetworkConfig,
    lexicon: Lexicon,
}

impl Network {
    /// The network with its weights.
    pub fn to_bytes(&self, precision: Precision) -> Vec<u8> {
        let header = Header { config: self.config().clone(), lexicon: self.lexicon().clone() };
        let mut writer = TensorWriter::new(&header);
        for param in self.params.iter() {
            if precision == Precision::Int8 && param.value.values().len() >= LEAST_QUANTISED {
                writer.add_int8(&param.name, &param.value);
            } else {
                writer.add(&param.name, &param.value);
            }
        }
        writer.finish()
    }

    /// Reads what [`Network::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let reader = TensorReader::open(bytes)?;
        let mut network = Self::header(&reader)?;
        for Param { name, value, .. } in network.params.iter_mut() {
            *value = reader.matrix(name, value.shape())?;
        }
        Ok(network)
    }

    /// Reads a network that will only be used. Big matrices are int8 and nothing else: where they were stored so, there are no floats of them, which
    /// saves most of the time and memory.
    pub fn for_use(bytes: &[u8]) -> Result<Self, StoreError> {
        Self::used(bytes, |numbers| Cow::Owned(numbers.to_vec()))
    }

    /// Reads a network that will only be used, from bytes that last as long as the program. Its tables stay where they are.
    pub fn for_use_in_place(bytes: &'static [u8]) -> Result<Self, StoreError> {
        Self::used(bytes, Cow::Borrowed)
    }

    fn used<'b>(bytes: &'b [u8], kept: fn(&'b [u8]) -> Cow<'static, [u8]>) -> Result<Self, StoreError> {
        let reader = TensorReader::open(bytes)?;
        let mut network = Self::header(&reader)?;
        let weights = |param: &mut Param| -> Result<Int8Param, StoreError> {
            let shape = param.value.shape();
            let stored = reader.int8(&param.name, shape)?;
            // Biases and norms are used as floats, however they are stored.
            Ok(match stored {
                Some((numbers, scales)) if param.table => {
                    Int8Param::table(shape.1, kept(numbers), scales.collect())
                }
                Some((numbers, scales)) if param.decays => Int8Param::layer(shape, numbers, scales.collect()),
                _ => {
                    param.value = reader.matrix(&param.name, shape)?;
                    Int8Param::new(param)
                }
            })
        };
        let weights = network.params.iter_mut().map(weights).collect::<Result<_, _>>()?;
        network.use_int8(weights);
        Ok(network)
    }

    fn header(reader: &TensorReader<'_>) -> Result<Self, StoreError> {
        let Header { config, lexicon } = reader.header()?;
        config.check(&lexicon).map_err(StoreError::Sizes)?;
        Ok(Self::blank(config, lexicon))
    }
}
