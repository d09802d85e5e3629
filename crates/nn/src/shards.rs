//! Gradients of a batch that is cut into shards: computed in parallel, summed in order.
//!
//! The sum depends on how the batch is cut, but not on the number of threads that work on it.

use rayon::prelude::*;

use crate::gradients::Gradients;
use crate::params::Params;
use crate::product::Products;
use crate::random::substream;
use crate::tape::{Mode, Tape};

/// The gradients of the shards, whose memory is kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Shards {
    products: Products,
    gradients: Vec<Gradients>,
}

impl Shards {
    /// Shards that multiply these numbers.
    pub fn new(products: Products) -> Shards {
        Shards { products, gradients: Vec::new() }
    }

    /// Computes and sums the gradients of the losses that `loss` adds to the tape of each shard; gives what it returned. `seed` decides about
    /// dropout.
    ///
    /// # Panics
    /// If there is no shard.
    pub fn gradients<S: Sync, L: Send>(
        &mut self,
        params: &Params,
        shards: &[S],
        seed: u64,
        loss: impl Fn(&mut Tape<'_>, &S) -> L + Sync,
    ) -> Vec<L> {
        if self.gradients.len() < shards.len() {
            self.gradients.resize_with(shards.len(), || Gradients::new(params));
        }
        let products = self.products;
        let work = shards.par_iter().zip(&mut self.gradients).enumerate().map(|(nth, (shard, gradients))| {
            gradients.clear();
            let mode = Mode::Train { seed: substream(seed, nth as u64) };
            let mut tape = Tape::new(params, mode).with_products(products);
            let found = loss(&mut tape, shard);
            tape.backward(gradients);
            found
        });
        let found = work.collect();
        let (sum, others) = self.gradients[..shards.len()].split_first_mut().expect("a batch has a shard");
        sum.entries_mut().par_iter_mut().enumerate().for_each(|(nth, sum)| {
            for other in &*others {
                sum.add(&other.entries()[nth]);
            }
        });
        found
    }

    /// The sum that [`Shards::gradients`] found last.
    ///
    /// # Panics
    /// If there was none yet.
    pub fn sum(&self) -> &Gradients {
        &self.gradients[0]
    }
}
