//! The memory of arrays, on whole cache lines.
//!
//! Eight values are read at once. Large allocations begin sixteen bytes after a page does, and of an array that begins there
//! every second eight `f32` lie across two cache lines.

use std::ops::{Deref, DerefMut};

use super::kernel::Level;

/// How many values fill whole cache lines, whatever their size.
const COUNT: usize = 64;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Lines<V>([V; COUNT]);

/// An array of values.
#[derive(Clone, Debug)]
pub(crate) struct Values<V>(Vec<Lines<V>>);

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V: Copy> Values<V> {
    /// Makes room for at least so many values.
    pub(crate) fn grow(&mut self, count: usize, value: V) {
        let lines = count.div_ceil(COUNT);
        if self.0.len() < lines {
            self.0.resize(lines, Lines([value; COUNT]));
        }
    }
}

/// Fills values with one of them, with the widest stores there are.
pub(crate) fn fill<V: Copy>(level: Level, values: &mut [V], value: V) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2<V: Copy>(values: &mut [V], value: V) {
        values.fill(value);
    }
    match level {
        // SAFETY: `Level::detect` gives this only where the machine has AVX2.
        #[cfg(target_arch = "x86_64")]
        Level::Wide => unsafe { fill_avx2(values, value) },
        _ => values.fill(value),
    }
}

impl<V> Values<V> {
    /// How many values there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.0.capacity() * COUNT
    }
}

impl<V> Deref for Values<V> {
    type Target = [V];

    fn deref(&self) -> &[V] {
        // SAFETY: the values of a `Lines` fill it, so those of all follow each other.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * COUNT) }
    }
}

impl<V> DerefMut for Values<V> {
    fn deref_mut(&mut self) -> &mut [V] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * COUNT) }
    }
}
