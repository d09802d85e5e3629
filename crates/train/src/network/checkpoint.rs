//! The state of an optimiser as bytes, beside the weights it moves.

use serde::{Deserialize, Serialize};
use tracebank_neural::tensors::{StoreError, TensorReader, TensorWriter};
use tracebank_nn::optimiser::{Optimiser, OptimiserConfig};
use tracebank_nn::params::Params;

#[derive(Serialize, Deserialize)]
struct Header {
    config: OptimiserConfig,
    step: usize,
}

/// The bytes of an optimiser of these parameters.
pub fn optimiser_to_bytes(optimiser: &Optimiser, params: &Params) -> Vec<u8> {
    let header = Header { config: optimiser.config().clone(), step: optimiser.steps_taken() };
    let mut writer = TensorWriter::new(&header);
    optimiser.moments(params).for_each(|(name, moment)| writer.add(&name, moment));
    writer.finish()
}

/// Reads what [`optimiser_to_bytes`] wrote, for the same parameters.
pub fn optimiser_from_bytes(bytes: &[u8], params: &Params) -> Result<Optimiser, StoreError> {
    let reader = TensorReader::open(bytes)?;
    let Header { config, step } = reader.header()?;
    Optimiser::restored(config, step, params, |name, param| {
        let shape = if reader.is_empty(name)? { (0, 0) } else { param.value.shape() };
        reader.matrix(name, shape)
    })
}
