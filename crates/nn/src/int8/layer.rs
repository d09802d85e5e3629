//! A linear layer of int8 weights.
//!
//! The weights lie in *panels* of sixteen outputs. For four inputs after the other, a panel has the four weights of each output side by side: that is
//! how the instructions for products of bytes want them, which multiply four inputs by the weights of many outputs at once.

use std::cell::RefCell;

use super::kernel::Kernel;
use super::rows::{QuantisedRow, quantise_row};

/// Outputs of a panel.
pub(super) const PANEL: usize = 16;
/// Rows of input that stay in cache while all panels pass.
const BLOCK: usize = 64;
/// The greatest sum of four weights of one sign whose products with inputs up to 127 fit into sixteen bits.
const MOST: i32 = 258;

/// The weights of four inputs for all outputs of a panel.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Quad(pub(super) [[i8; 4]; PANEL]);

/// The weights of sixteen outputs.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) quads: &'a [Quad],
    /// For each pair of quads, whether its products add up in sixteen bits.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX2 alone has to know"))]
    pub(super) fits: &'a [bool],
}

/// The sums of one row of input for a panel.
pub(super) type Sums = [i32; PANEL];

/// The weights of a linear layer, in panels.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    inputs: usize,
    outputs: usize,
    /// The quads of a panel, an even number.
    quads: usize,
    /// The quads of all panels.
    panels: Vec<Quad>,
    /// For each pair of quads, whether its products add up in sixteen bits. Nearly all do: four large weights of one sign are rare.
    fits: Vec<bool>,
    /// For each output its scale, with zeros up to a full panel.
    scales: Vec<f32>,
    /// For each output the sum of its weights, by which the zero of the inputs is taken away again.
    sums: Vec<i32>,
}

impl Layer {
    /// From a matrix `[outputs, inputs]`, whose rows come as the bytes of numbers and what they are to be multiplied by.
    pub(crate) fn new(
        outputs: usize,
        inputs: usize,
        rows: impl Iterator<Item = (impl AsRef<[u8]>, f32)>,
    ) -> Self {
        let quads = inputs.div_ceil(8) * 2;
        let full = outputs.next_multiple_of(PANEL);
        let mut layer = Self {
            inputs,
            outputs,
            quads,
            panels: vec![Quad([[0; 4]; PANEL]); full / PANEL * quads],
            fits: vec![true; full / PANEL * quads / 2],
            scales: vec![0.0; full],
            sums: vec![0; full],
        };
        for (output, (numbers, scale)) in rows.enumerate() {
            layer.scales[output] = scale;
            let panel = layer.panels[output / PANEL * quads..][..quads].as_chunks_mut::<2>().0;
            let (eights, rest) = numbers.as_ref().as_chunks::<8>();
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            let pairs = panel.iter_mut().zip(&mut layer.fits[output / PANEL * quads / 2..]);
            for (([first, second], all_fit), eight) in pairs.zip(eights.iter().chain([&last])) {
                let (fits, sum) = judged(*eight);
                *all_fit &= fits;
                layer.sums[output] += sum;
                let [a, b, c, d, e, f, g, h] = eight.map(u8::cast_signed);
                first.0[output % PANEL] = [a, b, c, d];
                second.0[output % PANEL] = [e, f, g, h];
            }
        }
        layer
    }

    /// `out = x · weightsᵀ + bias` for rows of `x`.
    pub(crate) fn apply(&self, x: &[f32], bias: &[f32], out: &mut [f32]) {
        self.apply_by(Kernel::of_this_machine(), x, bias, out);
    }

    fn apply_by(&self, kernel: Kernel, x: &[f32], bias: &[f32], out: &mut [f32]) {
        thread_local! {
            static NUMBERS: RefCell<Vec<[u8; 4]>> = const { RefCell::new(Vec::new()) };
        }
        let mut bias_of_panels = vec![0.0; self.scales.len()];
        bias_of_panels[..bias.len()].copy_from_slice(bias);
        NUMBERS.with_borrow_mut(|numbers| {
            let mut rows = [QuantisedRow::default(); BLOCK];
            let blocks = x.chunks(BLOCK * self.inputs).zip(out.chunks_mut(BLOCK * self.outputs));
            for (x, out) in blocks {
                let count = x.len() / self.inputs;
                numbers.resize(count * self.quads, [0; 4]);
                let quads = numbers.chunks_exact_mut(self.quads);
                for ((row, x), quads) in rows.iter_mut().zip(x.chunks_exact(self.inputs)).zip(quads) {
                    *row = quantise_row(x, quads.as_flattened_mut());
                }
                kernel
                    .run(&Product { layer: self, numbers, rows: &rows[..count], bias: &bias_of_panels }, out);
            }
        });
    }
}

/// Whether the products of eight weights with inputs up to 127 add up in sixteen bits as AVX2 adds them, and the sum of the weights.
fn judged(eight: [u8; 8]) -> (bool, i32) {
    let (positive, negative) = parts(u64::from_le_bytes(eight));
    let [positive, negative] = [positive, negative].map(sums_of_fours);
    let fits = positive.iter().chain(&negative).all(|&sum| sum <= MOST);
    (fits, positive.iter().sum::<i32>() - negative.iter().sum::<i32>())
}

/// The positive ones of eight numbers, and the negative ones without their sign; 0 where the others stand.
fn parts(eight: u64) -> (u64, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let negative = (eight >> 7 & ONES) * 0xFF;
    (eight & !negative, ((eight ^ negative) & negative) + (ONES & negative))
}

/// The sums of those of eight bytes whose products meet: the first two of each four, and the last two.
fn sums_of_fours(bytes: u64) -> [i32; 2] {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    let pairs = (bytes & EVEN) + (bytes >> 8 & EVEN);
    let fours = pairs + (pairs >> 32);
    [fours as u16, (fours >> 16) as u16].map(i32::from)
}

/// The product of a few rows of input and a layer.
pub(super) struct Product<'a> {
    layer: &'a Layer,
    /// The numbers of all rows, four inputs in each.
    numbers: &'a [[u8; 4]],
    rows: &'a [QuantisedRow],
    /// One for each output, with zeros up to a full panel.
    bias: &'a [f32],
}

impl Product<'_> {
    /// Computes the product by tiles: `tile` writes the sums of `ROWS` rows for `PANELS` panels. Where fewer are left, the last one is computed several
    /// times.
    #[allow(clippy::inline_always, reason = "only what is inlined is compiled for its caller's machine")]
    #[inline(always)]
    pub(super) fn by_tiles<const ROWS: usize, const PANELS: usize>(
        &self,
        out: &mut [f32],
        tile: impl Fn([&[[u8; 4]]; ROWS], [Panel<'_>; PANELS], &mut [[Sums; PANELS]; ROWS]),
    ) {
        let Layer { outputs, quads, ref panels, ref fits, ref scales, ref sums, .. } = *self.layer;
        let panel_count = scales.len() / PANEL;
        let mut found = [[[0; PANEL]; PANELS]; ROWS];
        for first_panel in (0..panel_count).step_by(PANELS) {
            let of = |nth: usize| {
                let start = (first_panel + nth).min(panel_count - 1) * quads;
                Panel { quads: &panels[start..][..quads], fits: &fits[start / 2..][..quads / 2] }
            };
            let tile_panels: [Panel<'_>; PANELS] = std::array::from_fn(of);
            for first_row in (0..self.rows.len()).step_by(ROWS) {
                let of =
                    |nth: usize| &self.numbers[(first_row + nth).min(self.rows.len() - 1) * quads..][..quads];
                tile(std::array::from_fn(of), tile_panels, &mut found);
                let rows = self.rows[first_row..]
                    .iter()
                    .zip(&found)
                    .zip(out[first_row * outputs..].chunks_mut(outputs));
                for ((row, found), out) in rows {
                    let panels = found.iter().zip((first_panel * PANEL..scales.len()).step_by(PANEL));
                    for (found, first) in panels {
                        let of_panel = |at: usize| {
                            let whole =
                                found[at].wrapping_sub(row.zero.wrapping_mul(sums[first..][..PANEL][at]));
                            whole as f32 * (scales[first..][..PANEL][at] * row.scale)
                                + self.bias[first..][..PANEL][at]
                        };
                        let result: [f32; PANEL] = std::array::from_fn(of_panel);
                        let out = &mut out[first..];
                        match out.first_chunk_mut::<PANEL>() {
                            Some(out) => *out = result,
                            None => out.copy_from_slice(&result[..out.len()]),
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{bytes, quantise};
    use super::*;
    use crate::matrix::{Matrix, Write};
    use crate::product::multiply;
    use crate::random::Random;

    /// A layer of random weights of all sizes, with every extreme among them.
    fn layer(outputs: usize, inputs: usize, random: &mut Random) -> Layer {
        let rows: Vec<Vec<u8>> =
            (0..outputs).map(|_| (0..inputs).map(|_| random.below(256) as u8).collect()).collect();
        Layer::new(outputs, inputs, rows.into_iter().map(|row| (row, 0.01)))
    }

    #[test]
    fn weights_that_leave_sixteen_bits_are_known() {
        let mut random = Random::new(7);
        let (mut fitting, mut others) = (0, 0);
        for _ in 0..2000 {
            let eight: [u8; 8] = std::array::from_fn(|_| random.below(256) as u8);
            let (fits, sum) = judged(eight);
            let weights = eight.map(|weight| i32::from(weight.cast_signed()));
            assert_eq!(sum, weights.iter().sum::<i32>());
            let all_fit = [[0, 1, 4, 5], [2, 3, 6, 7]].iter().all(|four| {
                let most: i32 = four.iter().map(|&at| 127 * weights[at].max(0)).sum();
                let least: i32 = four.iter().map(|&at| 127 * weights[at].min(0)).sum();
                i16::try_from(most).is_ok() && i16::try_from(least).is_ok()
            });
            assert_eq!(fits, all_fit, "{weights:?}");
            *(if fits { &mut fitting } else { &mut others }) += 1;
        }
        assert!(fitting > 100 && others > 100, "both occur");
    }

    #[test]
    fn every_kernel_finds_the_same_numbers() {
        let mut random = Random::new(8);
        for (rows, inputs, outputs) in [(1, 3, 1), (5, 8, 16), (9, 31, 33), (70, 384, 40), (3, 1536, 100)] {
            let layer = layer(outputs, inputs, &mut random);
            let (x, bias) = (random.normal_matrix(rows, inputs, 1.0), random.normal_matrix(1, outputs, 1.0));
            let by = |kernel: Kernel| {
                let mut out = vec![f32::NAN; rows * outputs];
                layer.apply_by(kernel, x.values(), bias.values(), &mut out);
                out
            };
            let expected = by(Kernel::all().last().expect("the portable one is always there"));
            for kernel in Kernel::all() {
                assert_eq!(
                    by(kernel),
                    expected,
                    "{kernel:?}, {rows} rows, {inputs} inputs, {outputs} outputs"
                );
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
            let rows = rows.map(|(numbers, scale)| (bytes(numbers), scale));
            Layer::new(w.rows(), w.cols(), rows).apply(x.values(), &vec![0.0; outputs], found.values_mut());
            let length = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
            let error = length(&mut exact.values().iter().zip(found.values()).map(|(a, b)| a - b));
            let size = length(&mut exact.values().iter().copied());
            assert!(error < 0.025 * size, "{error} of {size}");
        }
    }
}
