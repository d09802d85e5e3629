//! The kernel for any machine.

use super::layer::{PANEL, Pair, Sums, TILE};

/// The sums of up to [`TILE`] rows of numbers for one panel.
pub(super) fn tile(numbers: &[i32], panel: &[Pair]) -> [Sums; TILE] {
    let mut sums = [[0; PANEL]; TILE];
    for (sums, numbers) in sums.iter_mut().zip(numbers.chunks_exact(panel.len())) {
        for (number, weights) in numbers.iter().zip(panel) {
            let (low, high) = (i32::from(*number as i16), *number >> 16);
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
                *sum += low * i32::from(weights[0]) + high * i32::from(weights[1]);
            }
        }
    }
    sums
}
