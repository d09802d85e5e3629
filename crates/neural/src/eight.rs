//! Linear layers with weights of eight bits, for use when training is over.
//!
//! Each row of weights becomes whole numbers from -127 to 127 and a scale. Each row of input becomes whole numbers of
//! sixteen bits, as large as the sums of 32 bits allow, so nearly all that is lost is lost in the weights. Sums of
//! products of whole numbers are exact: every machine finds the same.
//!
//! The weights lie in *panels* of sixteen outputs. For two inputs after the other, a panel has the two weights of each
//! output side by side, which is how the AVX2 instruction `pmaddwd` wants them: it multiplies sixteen pairs of numbers
//! and adds neighbours, that is, two inputs of eight outputs.

use multiversion::multiversion;

use crate::params::{Param, ParamId, Params};

/// Outputs of a panel.
const PANEL: usize = 16;
/// Rows of input that pass through a panel together: as many as there are registers for their sums.
const TILE: usize = 6;
/// Rows of input that stay in cache while all panels pass.
const BLOCK: usize = 8 * TILE;
/// Matrices with fewer weights than this stay as they are.
pub(crate) const BIG: usize = 1 << 14;

/// The weights of two inputs for all outputs of a panel.
type Pair = [i8; 2 * PANEL];
/// The sums of one row of input for a panel.
type Sums = [i32; PANEL];

/// The big matrices of a network as eight bits, in the order of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct EightBits {
    by_param: Vec<Packed>,
}

/// What a parameter is computed with.
#[derive(Clone, Debug)]
pub(crate) enum Packed {
    /// Its floats.
    Not,
    /// A linear layer.
    Layer(Weights),
    /// A table of rows that are looked up.
    Table(Table),
}

impl EightBits {
    /// The layers among `params` that are big.
    pub(crate) fn new(params: &Params) -> Self {
        params.iter().map(Packed::new).collect()
    }

    pub(crate) fn layer(&self, id: ParamId) -> Option<&Weights> {
        match &self.by_param[id.index()] {
            Packed::Layer(weights) => Some(weights),
            _ => None,
        }
    }

    pub(crate) fn table(&self, id: ParamId) -> Option<&Table> {
        match &self.by_param[id.index()] {
            Packed::Table(table) => Some(table),
            _ => None,
        }
    }
}

impl FromIterator<Packed> for EightBits {
    fn from_iter<T: IntoIterator<Item = Packed>>(packed: T) -> Self {
        Self { by_param: packed.into_iter().collect() }
    }
}

impl Packed {
    /// A parameter whose floats are there.
    pub(crate) fn new(param: &Param) -> Self {
        let (outputs, inputs) = param.value.shape();
        if param.table || outputs * inputs < BIG {
            return Self::Not;
        }
        let rows = (0..outputs).map(|output| quantise(param.value.row(output)));
        Self::Layer(Weights::new(outputs, inputs, rows))
    }

    /// A parameter from what was stored: numbers, row by row, and a scale for each row.
    pub(crate) fn stored(param: &Param, numbers: &[u8], scales: Vec<f32>) -> Self {
        let (rows, cols) = param.value.shape();
        let numbers: Vec<i8> = numbers.iter().map(|number| number.cast_signed()).collect();
        if param.table {
            return Self::Table(Table { cols, numbers, scales });
        }
        Self::Layer(Weights::new(rows, cols, numbers.chunks_exact(cols).zip(scales)))
    }
}

/// Rows of eight bits, to be looked up.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cols: usize,
    numbers: Vec<i8>,
    scales: Vec<f32>,
}

impl Table {
    /// Adds a row to `sum`.
    pub(crate) fn add(&self, row: usize, sum: &mut [f32]) {
        let scale = self.scales[row];
        let numbers = &self.numbers[row * self.cols..(row + 1) * self.cols];
        sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f32::from(*number) * scale);
    }
}

/// A row as numbers of eight bits and what they are to be multiplied by.
pub(crate) fn quantise(row: &[f32]) -> (Vec<i8>, f32) {
    let greatest = row.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs()));
    let scale = if greatest > 0.0 { greatest / 127.0 } else { 1.0 };
    (row.iter().map(|x| (x / scale).round() as i8).collect(), scale)
}

/// The weights of a linear layer, in panels.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    inputs: usize,
    /// For each panel, all pairs of inputs.
    panels: Vec<Pair>,
    /// One for each output, with zeros up to a full panel.
    scales: Vec<f32>,
    outputs: usize,
    /// The greatest number an input may become.
    limit: f32,
}

impl Weights {
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
        // The sum of all products must fit into 31 bits.
        let limit = ((1u32 << 31) / (127 * inputs.max(1) as u32)).min(8192) as f32 - 1.0;
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
struct Panel<'a> {
    pairs: &'a [Pair],
    scales: &'a [f32; PANEL],
    /// How many of the outputs are not only there to fill the panel.
    outputs: usize,
}

/// Rows of input as whole numbers.
struct Block<'a> {
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
        self.pass_with(panel, out, step, portable);
    }

    #[allow(clippy::inline_always, reason = "only what is inlined is compiled for its caller's machine")]
    #[inline(always)]
    fn pass_with(
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

/// The sums of up to [`TILE`] rows of numbers for one panel.
fn portable(numbers: &[i32], panel: &[Pair]) -> [Sums; TILE] {
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

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
    };

    use super::{Block, PANEL, Pair, Panel, Sums, TILE};

    #[target_feature(enable = "avx2")]
    pub(super) fn pass(block: &Block<'_>, panel: &Panel<'_>, out: &mut [f32], step: usize) {
        block.pass_with(panel, out, step, |numbers, panel| tile(numbers, panel));
    }

    /// What [`super::portable`] finds, sooner.
    #[target_feature(enable = "avx2")]
    pub(super) fn tile(numbers: &[i32], panel: &[Pair]) -> [Sums; TILE] {
        let mut sums = [[0; PANEL]; TILE];
        match numbers.len() / panel.len() {
            1 => rows::<1>(numbers, panel, &mut sums),
            2 => rows::<2>(numbers, panel, &mut sums),
            3 => rows::<3>(numbers, panel, &mut sums),
            4 => rows::<4>(numbers, panel, &mut sums),
            5 => rows::<5>(numbers, panel, &mut sums),
            _ => rows::<TILE>(numbers, panel, &mut sums),
        }
        sums
    }

    #[target_feature(enable = "avx2")]
    fn rows<const ROWS: usize>(numbers: &[i32], panel: &[Pair], sums: &mut [Sums; TILE]) {
        let pairs = panel.len();
        let mut rows = [numbers; ROWS];
        for (row, slice) in rows.iter_mut().enumerate() {
            *slice = &numbers[row * pairs..][..pairs];
        }
        let mut low = [_mm256_setzero_si256(); ROWS];
        let mut high = [_mm256_setzero_si256(); ROWS];
        for (nth, weights) in panel.iter().enumerate() {
            let (first, second) = halves(weights);
            for row in 0..ROWS {
                let number = _mm256_set1_epi32(rows[row][nth]);
                low[row] = _mm256_add_epi32(low[row], _mm256_madd_epi16(number, first));
                high[row] = _mm256_add_epi32(high[row], _mm256_madd_epi16(number, second));
            }
        }
        for row in 0..ROWS {
            let [first, second] = sums[row].as_chunks_mut::<8>().0 else {
                unreachable!("a panel has two halves")
            };
            // SAFETY: both are eight numbers of 32 bits.
            unsafe {
                _mm256_storeu_si256(first.as_mut_ptr().cast(), low[row]);
                _mm256_storeu_si256(second.as_mut_ptr().cast(), high[row]);
            }
        }
    }

    /// The weights of the first and of the last eight outputs, widened to sixteen bits.
    #[target_feature(enable = "avx2")]
    fn halves(weights: &Pair) -> (__m256i, __m256i) {
        // SAFETY: 32 bytes are two loads of 16.
        let halves = unsafe {
            (_mm_loadu_si128(weights.as_ptr().cast()), _mm_loadu_si128(weights.as_ptr().add(16).cast()))
        };
        (_mm256_cvtepi8_epi16(halves.0), _mm256_cvtepi8_epi16(halves.1))
    }
}

#[cfg(test)]
mod tests {
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
                assert_eq!(unsafe { avx2::tile(&numbers, &panel) }, portable(&numbers, &panel));
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
            Weights::new(w.rows(), w.cols(), rows).apply(x.values(), found.values_mut());
            let length = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
            let error = length(&mut exact.values().iter().zip(found.values()).map(|(a, b)| a - b));
            let size = length(&mut exact.values().iter().copied());
            assert!(error < 0.01 * size, "{error} of {size}");
        }
    }
}
