//! Memory that is used again.
//!
//! A training step asks for the same few hundred large blocks as the step before. Handing them back to the system and
//! faulting them in again would cost more than most of the arithmetic done on them, so each thread keeps what it
//! drops on shelves, one for each size, and takes from there first.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// Shorter blocks are left to the allocator.
const SHELVED_FROM: usize = 1024;
/// The most that one thread keeps, in floats.
const SHELF_LIMIT: usize = 1 << 28;

/// A fixed number of floats whose memory goes back to the thread's shelves when dropped.
pub(crate) struct Buffer {
    store: Vec<f32>,
    len: usize,
}

#[derive(Default)]
struct Shelves {
    by_size: BTreeMap<usize, Vec<Vec<f32>>>,
    held: usize,
}

thread_local! {
    static SHELVES: RefCell<Shelves> = RefCell::default();
}

impl Buffer {
    /// `len` floats, whatever they were last used for.
    pub(crate) fn stale(len: usize) -> Self {
        Self::used(len).unwrap_or_else(|| Self::fresh(len))
    }

    /// `len` zeros. What comes fresh from the system is zero already, and costs nothing until it is written to.
    pub(crate) fn zeros(len: usize) -> Self {
        let Some(mut used) = Self::used(len) else { return Self::fresh(len) };
        used.fill(0.0);
        used
    }

    fn fresh(len: usize) -> Self {
        let size = if len < SHELVED_FROM { len } else { shelf_size(len) };
        Self { store: vec![0.0; size], len }
    }

    /// A block from the shelves, if there is one of the right size.
    fn used(len: usize) -> Option<Self> {
        if len < SHELVED_FROM {
            return None;
        }
        let size = shelf_size(len);
        let store = SHELVES.with_borrow_mut(|shelves| {
            let block = shelves.by_size.get_mut(&size)?.pop()?;
            shelves.held -= size;
            Some(block)
        })?;
        Some(Self { store, len })
    }
}

/// Sizes go up in eighths of a power of two, so that lengths which differ from batch to batch share shelves.
fn shelf_size(len: usize) -> usize {
    let step = len.next_power_of_two() / 8;
    len.div_ceil(step) * step
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.len < SHELVED_FROM {
            return;
        }
        let block = std::mem::take(&mut self.store);
        // A thread that is ending has no shelves any more; then the block is simply freed.
        let _ = SHELVES.try_with(|shelves| {
            let mut shelves = shelves.borrow_mut();
            if shelves.held + block.len() <= SHELF_LIMIT {
                shelves.held += block.len();
                shelves.by_size.entry(block.len()).or_default().push(block);
            }
        });
    }
}

impl From<Vec<f32>> for Buffer {
    fn from(values: Vec<f32>) -> Self {
        let mut buffer = Self::stale(values.len());
        buffer.copy_from_slice(&values);
        buffer
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let mut copy = Self::stale(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.store[..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.store[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_block_is_used_again() {
        let first = Buffer::zeros(5000);
        let place = first.as_ptr();
        drop(first);
        assert_eq!(Buffer::stale(4990).as_ptr(), place);
    }

    #[test]
    fn zeros_are_zero_even_when_used_before() {
        let mut first = Buffer::zeros(2000);
        first.fill(3.0);
        drop(first);
        assert!(Buffer::zeros(2000).iter().all(|&x| x == 0.0));
    }
}
