//! Operations, each with its way back, as methods of [`Tape`](crate::tape::Tape).
//!
//! Batches are ragged: the rows of all sentences stand one after the other, and an operation that must know where a
//! sentence begins takes [`Spans`].

use std::rc::Rc;

mod activation;
mod attention;
mod columns;
mod dropout;
mod embed;
mod linear;
mod loss;
mod lstm;
mod norm;
mod pairs;
mod pool;
mod products;
mod rows;
mod softmax;

#[cfg(test)]
pub(crate) mod check;

pub use loss::{IGNORE, Targets};
pub use lstm::Packing;
pub use softmax::Widths;

/// Where each sentence's rows begin; the last entry is the number of all rows.
pub type Spans = Rc<[usize]>;

/// The spans of sentences with these lengths.
pub fn spans(lengths: impl IntoIterator<Item = usize>) -> Spans {
    let mut end = 0;
    std::iter::once(0)
        .chain(lengths.into_iter().map(|length| {
            end += length;
            end
        }))
        .collect()
}

/// The pairs of neighbouring starts: each sentence's first row and the row after its last.
pub fn each(spans: &[usize]) -> impl ExactSizeIterator<Item = (usize, usize)> + DoubleEndedIterator {
    spans.windows(2).map(|pair| (pair[0], pair[1]))
}
