//! The kernel for AVX2: `pmaddwd` multiplies sixteen pairs of numbers and adds neighbours, that is, two inputs of eight outputs.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::layer::{Block, PANEL, Pair, Panel, Sums, TILE};

/// [`Block::pass_with`], compiled for AVX2.
///
/// # Safety
/// Only for machines with AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn pass(block: &Block<'_>, panel: &Panel<'_>, out: &mut [f32], step: usize) {
    block.pass_with(panel, out, step, |numbers, panel| tile(numbers, panel));
}

/// The sums of [`portable::tile`](super::portable::tile).
///
/// # Safety
/// Only for machines with AVX2.
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
