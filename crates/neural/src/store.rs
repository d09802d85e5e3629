//! Networks as bytes: their weights, and a header with the configuration and the lexicon.

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
        let reader = TensorReader::open(bytes)?;
        let mut network = Self::header(&reader)?;
        let weights = |param: &mut Param| -> Result<Int8Param, StoreError> {
            let shape = param.value.shape();
            // Biases and norms are used as floats, however they are stored.
            let is_used_as_int8 = param.table || param.decays;
            if let Some((numbers, scales)) = reader.int8(&param.name, shape)?.filter(|_| is_used_as_int8) {
                return Ok(Int8Param::stored(param, numbers, scales.collect()));
            }
            param.value = reader.matrix(&param.name, shape)?;
            Ok(Int8Param::new(param))
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
