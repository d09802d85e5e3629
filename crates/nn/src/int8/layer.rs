//! A linear layer of int8 weights.
//!
//! The weights lie in *panels* of sixteen outputs. For four inputs after the other, a panel has the four weights of each output side by side: that is
//! how the instructions for products of bytes want them, which multiply four inputs by the weights of many outputs at once.

use std::cell::RefCell;

use multiversion::multiversion;

use super::kernel::Kernel;
use super::rows::{QuantisedRow, quantise_row};

/// Outputs of a panel.
pub(super) const PANEL: usize = 16;
/// Rows of input that stay in cache while all panels pass.
const BLOCK: usize = 64;
/// Quads of a group, which AVX2 may add up together.
pub(super) const GROUP: usize = 4;
/// The greatest sum of weights of one sign whose products with inputs up to 127 fit into sixteen bits.
const MOST: i16 = 258;

/// The weights of four inputs for all outputs of a panel.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Quad(pub(super) [[i8; 4]; PANEL]);

/// The weights of sixteen outputs.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) quads: &'a [Quad],
    /// For each group of quads, what adds up in sixteen bits.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX2 alone has to know"))]
    pub(super) together: &'a [Together],
}

/// The quads of a group that follow each other and whose products with any inputs add up in sixteen bits, as AVX2 adds them: the first two weights of each
/// quad, and the last two. Nearly always two do: large weights of one sign side by side are rare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Together {
    Four,
    Two,
    One,
}

/// The sums of one row of input for a panel.
pub(super) type Sums = [i32; PANEL];

/// The weights of a linear layer, in panels.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    inputs: usize,
    outputs: usize,
    /// The quads of a panel, as many as the kernel wants.
    quads: usize,
    /// The quads of all panels.
    panels: Vec<Quad>,
    /// For each group of quads, what adds up in sixteen bits.
    together: Vec<Together>,
    /// For each output its scale, with zeros up to a full panel.
    scales: Vec<f32>,
    /// For each output the sum of its weights, by which the zero of the inputs is taken away again.
    sums: Vec<i32>,
}

impl Layer {
    /// From the bytes of a matrix `[outputs, inputs]`, row by row, and what each row is to be multiplied by.
    pub(crate) fn new(outputs: usize, inputs: usize, numbers: &[u8], mut scales: Vec<f32>) -> Self {
        assert!(
            numbers.len() == outputs * inputs && scales.len() == outputs,
            "weights do not fill the layer"
        );
        let unit = Kernel::of_this_machine().unit().quads;
        let quads = inputs.div_ceil(4 * unit) * unit;
        let full = outputs.next_multiple_of(PANEL);
        scales.resize(full, 0.0);
        let mut panels = Vec::with_capacity(full / PANEL * quads);
        let mut together = Vec::with_capacity(full / PANEL * quads / GROUP);
        let mut sums = Vec::with_capacity(full);
        for rows in numbers.chunks((PANEL * inputs).max(1)) {
            let start = panels.len();
            pack(rows, inputs, quads, &mut panels);
            sums.extend(judge(&panels[start..], &mut together));
        }
        // A layer without inputs has nothing to pack.
        sums.resize(full, 0);
        Self { inputs, outputs, quads, panels, together, scales, sums }
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
                numbers.resize(count.next_multiple_of(kernel.unit().rows) * self.quads, [0; 4]);
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

/// Adds the quads of a panel, whose rows are given: at most sixteen.
fn pack(rows: &[u8], inputs: usize, quads: usize, panels: &mut Vec<Quad>) {
    let whole = inputs / 4;
    let row =
        |output: usize| rows.get(output * inputs..).and_then(|rest| rest.get(..inputs)).unwrap_or_default();
    // Beyond the last row there are zeros.
    let zeros = vec![[0; 4]; whole];
    let fours = |output: usize| match row(output).as_chunks::<4>().0 {
        [] => &zeros[..],
        fours => &fours[..whole],
    };
    let fours: [&[[u8; 4]]; PANEL] = std::array::from_fn(fours);
    let quad = |at: usize| Quad(std::array::from_fn(|output| fours[output][at].map(u8::cast_signed)));
    panels.extend((0..whole).map(quad));
    // The last inputs, then nothing.
    for first in (4 * whole..4 * quads).step_by(4) {
        let last = |output: usize| {
            std::array::from_fn(|nth| row(output).get(first + nth).map_or(0, |weight| weight.cast_signed()))
        };
        panels.push(Quad(std::array::from_fn(last)));
    }
}

/// The sums of the weights of each output of a panel. Adds what each of its groups can add [together](Together).
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
fn judge(quads: &[Quad], together: &mut Vec<Together>) -> Sums {
    let mut sums = [[0; 2]; PANEL];
    for group in quads.as_chunks::<GROUP>().0 {
        // The positive and the negative weights that meet, by half of the group.
        let mut met = [[[0_i16; 2 * PANEL]; 2]; 2];
        for ([positive, negative], quads) in met.iter_mut().zip(group.as_chunks::<2>().0) {
            for quad in quads {
                let twos = quad.0.as_flattened().as_chunks::<2>().0;
                for (((two, positive), negative), sum) in
                    twos.iter().zip(&mut *positive).zip(&mut *negative).zip(sums.as_flattened_mut())
                {
                    let [first, second] = two.map(i16::from);
                    *positive += first.max(0) + second.max(0);
                    *negative -= first.min(0) + second.min(0);
                    *sum += i32::from(first + second);
                }
            }
        }
        let (mut in_two, mut in_four) = (0, 0);
        let [first, second] = &met;
        for (first, second) in first.as_flattened().iter().zip(second.as_flattened()) {
            in_two = in_two.max(*first).max(*second);
            in_four = in_four.max(first + second);
        }
        together.push(match (in_two <= MOST, in_four <= MOST) {
            (_, true) => Together::Four,
            (true, false) => Together::Two,
            (false, false) => Together::One,
        });
    }
    sums.map(|[first, second]| first + second)
}

/// The product of a few rows of input and a layer.
pub(super) struct Product<'a> {
    layer: &'a Layer,
    /// The numbers of all rows, four inputs in each, and of as many more as the kernel wants.
    pub(super) numbers: &'a [[u8; 4]],
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
        let quads = self.layer.quads;
        self.by_blocks(out, |first_row, panels, found| {
            let of =
                |nth: usize| &self.numbers[(first_row + nth).min(self.rows.len() - 1) * quads..][..quads];
            tile(std::array::from_fn(of), panels, found);
        });
    }

    /// Computes the product by blocks: `block` writes the sums of `ROWS` rows from the first on for `PANELS` panels. Sums of rows that are not there, and
    /// those of the last panel once more, are not looked at.
    #[allow(clippy::inline_always, reason = "only what is inlined is compiled for its caller's machine")]
    #[inline(always)]
    pub(super) fn by_blocks<const ROWS: usize, const PANELS: usize>(
        &self,
        out: &mut [f32],
        block: impl Fn(usize, [Panel<'_>; PANELS], &mut [[Sums; PANELS]; ROWS]),
    ) {
        let Layer { outputs, quads, ref panels, ref together, ref scales, ref sums, .. } = *self.layer;
        let panel_count = scales.len() / PANEL;
        let mut found = [[[0; PANEL]; PANELS]; ROWS];
        for first_panel in (0..panel_count).step_by(PANELS) {
            let of = |nth: usize| {
                let start = (first_panel + nth).min(panel_count - 1) * quads;
                Panel {
                    quads: &panels[start..][..quads],
                    together: &together[start / GROUP..][..quads / GROUP],
                }
            };
            let tile_panels: [Panel<'_>; PANELS] = std::array::from_fn(of);
            for first_row in (0..self.rows.len()).step_by(ROWS) {
                block(first_row, tile_panels, &mut found);
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
                            None => copy_some(&result, out),
                        }
                    }
                }
            }
        }
    }
}

/// Copies the first results of the last panel. It stands apart from the whole panels, which a call would copy as well otherwise.
#[cold]
#[inline(never)]
fn copy_some(result: &[f32; PANEL], out: &mut [f32]) {
    out.copy_from_slice(&result[..out.len()]);
}

#[cfg(test)]
mod tests {
    use super::super::quantised;
    use super::*;
    use crate::matrix::{Matrix, Write};
    use crate::product::multiply;
    use crate::random::Random;

    /// So many random weights, below `size / 2` on both sides; with 256, every extreme is among them.
    fn weights(count: usize, size: usize, random: &mut Random) -> Vec<u8> {
        (0..count).map(|_| (random.below(size) as i32 - size as i32 / 2) as u8).collect()
    }

    #[test]
    fn weights_that_leave_sixteen_bits_are_known() {
        let mut random = Random::new(7);
        let mut seen = [0; 3];
        // Miri is too slow for all of them.
        let rounds = if cfg!(miri) { 60 } else { 3000 };
        for round in 0..rounds {
            // The weights of one output; the others of its panel have none.
            let size = [40, 100, 256][round % 3];
            let sixteen = weights(16, size, &mut random);
            let Layer { together, sums, .. } = Layer::new(1, 16, &sixteen, vec![1.0]);
            let weights: Vec<i32> = sixteen.iter().map(|weight| i32::from(weight.cast_signed())).collect();
            assert_eq!(sums[0], weights.iter().sum::<i32>());
            let fit = |quads: &[usize]| {
                [[0, 1], [2, 3]].iter().all(|two| {
                    let met = || quads.iter().flat_map(|quad| two.map(|at| weights[4 * quad + at]));
                    let most: i32 = met().map(|weight| 127 * weight.max(0)).sum();
                    let least: i32 = met().map(|weight| 127 * weight.min(0)).sum();
                    i16::try_from(most).is_ok() && i16::try_from(least).is_ok()
                })
            };
            let expected = match (fit(&[0, 1, 2, 3]), fit(&[0, 1]) && fit(&[2, 3])) {
                (true, _) => Together::Four,
                (false, true) => Together::Two,
                (false, false) => Together::One,
            };
            assert_eq!(together[0], expected, "{weights:?}");
            seen[expected as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > rounds / 30), "all occur: {seen:?}");
    }

    #[test]
    fn every_weight_has_its_place() {
        let mut random = Random::new(6);
        for (outputs, inputs) in [(1, 1), (16, 8), (17, 9), (33, 30), (5, 3)] {
            let numbers = weights(outputs * inputs, 256, &mut random);
            let layer = Layer::new(outputs, inputs, &numbers, vec![1.0; outputs]);
            for output in 0..outputs.next_multiple_of(PANEL) {
                let panel = &layer.panels[output / PANEL * layer.quads..][..layer.quads];
                let found = panel.iter().flat_map(|quad| quad.0[output % PANEL]).map(i8::cast_unsigned);
                let row = numbers.get(output * inputs..(output + 1) * inputs).unwrap_or_default();
                let zeros = std::iter::repeat_n(0, 4 * layer.quads - row.len());
                assert!(
                    found.eq(row.iter().copied().chain(zeros)),
                    "output {output} of {outputs}, {inputs} inputs"
                );
            }
        }
    }

    #[test]
    fn every_kernel_finds_the_same_numbers() {
        let mut random = Random::new(8);
        // Small weights add up four quads at a time, greater ones two, and great ones none.
        // Miri is too slow for all; what it gets has a panel that is full, one that is not, and a group of quads that is not.
        let shapes: &[_] = if cfg!(miri) {
            &[(1, 3, 1), (2, 20, 17)]
        } else {
            &[(1, 3, 1), (5, 8, 16), (9, 31, 33), (70, 384, 40), (33, 65, 48), (3, 1536, 100)]
        };
        let sizes = [16, 60, 100, 256];
        for ((rows, inputs, outputs), size) in
            shapes.iter().flat_map(|shape| sizes.map(|size| (*shape, size)))
        {
            let numbers = weights(outputs * inputs, size, &mut random);
            let layer = Layer::new(outputs, inputs, &numbers, vec![0.01; outputs]);
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
        let shapes = [(1, 384, 40), (7, 33, 21), (100, 1536, 384)];
        for &(rows, inputs, outputs) in if cfg!(miri) { &shapes[1..2] } else { &shapes } {
            let x = random.normal_matrix(rows, inputs, 1.0);
            let w = random.normal_matrix(outputs, inputs, 0.05);
            let (mut exact, mut found) = (Matrix::stale(rows, outputs), Matrix::stale(rows, outputs));
            multiply(exact.view_mut(), Write::Over, 1.0, x.view(), w.view().t());
            quantised(&w).apply(x.values(), &vec![0.0; outputs], found.values_mut());
            let length = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
            let error = length(&mut exact.values().iter().zip(found.values()).map(|(a, b)| a - b));
            let size = length(&mut exact.values().iter().copied());
            assert!(error < 0.025 * size, "{error} of {size}");
        }
    }
}
