//! A linear layer of int8 weights.
//!
//! The weights lie in *panels* of sixteen outputs. For two inputs after the other, a panel has the two weights of each output side by side, which is
//! how the AVX2 instruction `pmaddwd` wants them.

use multiversion::multiversion;

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
use super::portable;

/// Outputs of a panel.
pub(super) const PANEL: usize = 16;
/// Rows of input that pass through a panel together: as many as there are registers for their sums.
pub(super) const TILE: usize = 6;
/// Rows of input that stay in cache while all panels pass.
const BLOCK: usize = 8 * TILE;

/// The weights of two inputs for all outputs of a panel.
pub(super) type Pair = [i8; 2 * PANEL];
/// The sums of one row of input for a panel.
pub(super) type Sums = [i32; PANEL];

/// The weights of a linear layer, in panels.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    inputs: usize,
    /// For each panel, all pairs of inputs.
    panels: Vec<Pair>,
    /// One for each output, with zeros up to a full panel.
    scales: Vec<f32>,
    outputs: usize,
    /// The greatest number an input may become.
    limit: f32,
}

impl Layer {
    /// From a matrix `[outputs, inputs]`, whose rows come as numbers and what they are to be multiplied by.
    pub(crate) fn new(
        outputs: usize,
        inputs: usize,
        rows: impl Iterator<Item = (impl AsRef<[i8]>, f32)>,
    ) -> Self {
        let pairs = inputs.div_ceil(2);
        let mut panels = vec![[0; 2 * PANEL]; outputs.div_ceil(PANEL) * pairs];
        let mut scales = vec![0.0; outputs.next_multiple_of(PANEL)];
        for (output, (numbers, scale)) in rows.enumerate() {
            scales[output] = scale;
            let panel = &mut panels[output / PANEL * pairs..][..pairs];
            let place = output % PANEL * 2;
            let (twos, last) = numbers.as_ref().as_chunks::<2>();
            for (pair, two) in panel.iter_mut().zip(twos) {
                pair[place..place + 2].copy_from_slice(two);
            }
            if let [last] = last {
                panel[pairs - 1][place] = *last;
            }
        }
        // The sum of all products must fit into 31 bits, whatever the weights: -128 is none of ours, but may be in a file.
        let limit = ((1u64 << 31) / (128 * inputs.max(1) as u64)).clamp(2, 8192) as f32 - 1.0;
        Self { inputs, panels, scales, outputs, limit }
    }

    /// `out = x · weightsᵀ` for rows of `x`.
    pub(crate) fn apply(&self, x: &[f32], out: &mut [f32]) {
        let pairs = self.inputs.div_ceil(2);
        let mut numbers = vec![0; BLOCK * pairs];
        let mut scales = [0.0; BLOCK];
        let blocks = x.chunks(BLOCK * self.inputs).zip(out.chunks_mut(BLOCK * self.outputs));
        for (x, out) in blocks {
            let rows = x.len() / self.inputs;
            for (row, x) in x.chunks_exact(self.inputs).enumerate() {
                scales[row] = whole_numbers(x, self.limit, &mut numbers[row * pairs..(row + 1) * pairs]);
            }
            let block = Block { numbers: &numbers[..rows * pairs], scales: &scales[..rows] };
            for (nth, panel) in self.panels.chunks_exact(pairs).enumerate() {
                let first = nth * PANEL;
                let scales = self.scales[first..].first_chunk().expect("panels are full");
                let panel = Panel { pairs: panel, scales, outputs: PANEL.min(self.outputs - first) };
                block.pass(&panel, &mut out[first..], self.outputs);
            }
        }
    }
}

/// The weights of some outputs.
pub(super) struct Panel<'a> {
    pairs: &'a [Pair],
    scales: &'a [f32; PANEL],
    /// The number of outputs that are not only there to fill the panel.
    outputs: usize,
}

/// A few rows of input as whole numbers.
pub(super) struct Block<'a> {
    numbers: &'a [i32],
    scales: &'a [f32],
}

impl Block<'_> {
    /// Writes what a panel gives for all rows to the beginning of each row of `out`, one every `step` floats.
    fn pass(&self, panel: &Panel<'_>, out: &mut [f32], step: usize) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has AVX2.
            return unsafe { avx2::pass(self, panel, out, step) };
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return self.pass_with(panel, out, step, super::simd128::tile);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        self.pass_with(panel, out, step, portable::tile);
    }

    #[allow(clippy::inline_always, reason = "only what is inlined is compiled for its caller's machine")]
    #[inline(always)]
    pub(super) fn pass_with(
        &self,
        panel: &Panel<'_>,
        out: &mut [f32],
        step: usize,
        tile: impl Fn(&[i32], &[Pair]) -> [Sums; TILE],
    ) {
        let tiles = self.numbers.chunks(TILE * panel.pairs.len()).zip(self.scales.chunks(TILE));
        for ((numbers, row_scales), out) in tiles.zip(out.chunks_mut(TILE * step)) {
            let sums = tile(numbers, panel.pairs);
            for ((sums, row_scale), out) in sums.iter().zip(row_scales).zip(out.chunks_mut(step)) {
                let mut result = [0.0; PANEL];
                for ((result, sum), scale) in result.iter_mut().zip(sums).zip(panel.scales) {
                    *result = *sum as f32 * (scale * row_scale);
                }
                out[..panel.outputs].copy_from_slice(&result[..panel.outputs]);
            }
        }
    }
}

/// Turns a row into whole numbers up to `limit`, two of sixteen bits in each element, and gives their scale.
#[multiversion(targets("x86_64+avx2+fma"))]
fn whole_numbers(x: &[f32], limit: f32, numbers: &mut [i32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = if x.abs() > *lane { x.abs() } else { *lane };
        }
    }
    let greatest = lanes.iter().chain(rest).fold(0.0f32, |greatest, x| greatest.max(x.abs()));
    let factor = if greatest > 0.0 { limit / greatest } else { 0.0 };
    // Adding this leaves the rounded number in the low bits.
    let rounded = |x: f32| (x * factor + 12_582_912.0).to_bits() & 0xFFFF;
    let (pairs, rest) = x.as_chunks::<2>();
    for (number, [low, high]) in numbers.iter_mut().zip(pairs) {
        *number = (rounded(*low) | rounded(*high) << 16).cast_signed();
    }
    if let [last] = rest {
        numbers[pairs.len()] = rounded(*last).cast_signed();
    }
    greatest / limit
}

#[cfg(test)]
mod tests {
    use super::super::quantise;
    use super::*;
    use crate::matrix::{Matrix, Write, multiply};
    use crate::random::Random;

    #[test]
    fn whole_numbers_are_the_nearest() {
        let mut numbers = [0; 2];
        let scale = whole_numbers(&[-1.0, 0.5, 0.2], 100.0, &mut numbers);
        assert!((scale - 0.01).abs() < 1e-9);
        assert_eq!(numbers.map(|n| (n as i16, (n >> 16) as i16)), [(-100, 50), (20, 0)]);
    }

    #[test]
    fn the_fast_way_finds_the_same_numbers() {
        let mut random = Random::new(8);
        for (rows, pairs) in [(1, 3), (4, 8), (6, 192)] {
            let numbers: Vec<i32> = (0..rows * pairs)
                .map(|_| {
                    let mut number = || (random.below(16_383) as i32 - 8191) & 0xFFFF;
                    number() | number() << 16
                })
                .collect();
            let panel: Vec<Pair> =
                (0..pairs).map(|_| std::array::from_fn(|_| (random.below(255) as i32 - 127) as i8)).collect();
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has AVX2.
                assert_eq!(unsafe { avx2::tile(&numbers, &panel) }, portable::tile(&numbers, &panel));
            }
        }
    }

    #[test]
    fn products_are_close_to_those_of_floats() {
        let mut random = Random::new(9);
        for (rows, inputs, outputs) in [(1, 384, 40), (7, 33, 21), (100, 1536, 384)] {
            let x = random.normal_matrix(rows, inputs, 1.0);
            let w = random.normal_matrix(outputs, inputs, 0.05);
            let (mut exact, mut found) = (Matrix::stale(rows, outputs), Matrix::stale(rows, outputs));
            multiply(exact.view_mut(), Write::Over, 1.0, x.view(), w.view().t());
            let rows = (0..w.rows()).map(|row| quantise(w.row(row)));
            Layer::new(w.rows(), w.cols(), rows).apply(x.values(), found.values_mut());
            let length = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
            let error = length(&mut exact.values().iter().zip(found.values()).map(|(a, b)| a - b));
            let size = length(&mut exact.values().iter().copied());
            assert!(error < 0.015 * size, "{error} of {size}");
        }
    }
}
