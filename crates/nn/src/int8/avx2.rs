//! The kernel for AVX2, which has no instruction that adds up four products of bytes: `pmaddubsw` gives sums of two in sixteen bits, two of those are
//! added where that fits, and `pmaddwd` by ones adds neighbours in 32 bits.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::layer::{PANEL, Panel, Product, Quad, Sums};

/// Sums for four rows of a panel fill half of the registers.
const ROWS: usize = 4;

/// Writes a product.
#[target_feature(enable = "avx2")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, [panel], found| tile(rows, panel, found));
}

#[target_feature(enable = "avx2")]
fn tile(rows: [&[[u8; 4]]; ROWS], panel: Panel<'_>, found: &mut [[Sums; 1]; ROWS]) {
    let quads = panel.quads.as_chunks::<2>().0;
    let rows = pairs(rows, quads.len());
    let ones = _mm256_set1_epi16(1);
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for (at, ([first, second], fits)) in quads.iter().zip(panel.fits).enumerate() {
        let (first, second) = (halves(first), halves(second));
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let [low, high] = row[at];
            let low = _mm256_set1_epi32(i32::from_le_bytes(low));
            let high = _mm256_set1_epi32(i32::from_le_bytes(high));
            for half in 0..2 {
                let low = _mm256_maddubs_epi16(low, first[half]);
                let high = _mm256_maddubs_epi16(high, second[half]);
                let both = if *fits {
                    _mm256_madd_epi16(_mm256_add_epi16(low, high), ones)
                } else {
                    _mm256_add_epi32(_mm256_madd_epi16(low, ones), _mm256_madd_epi16(high, ones))
                };
                sums[half] = _mm256_add_epi32(sums[half], both);
            }
        }
    }
    store(&sums, found);
}

/// Rows as pairs of quads, so many of them.
fn pairs(rows: [&[[u8; 4]]; ROWS], count: usize) -> [&[[[u8; 4]; 2]]; ROWS] {
    rows.map(|row| &row.as_chunks::<2>().0[..count])
}

/// The weights of the first and of the last eight outputs.
#[target_feature(enable = "avx2")]
pub(super) fn halves(quad: &Quad) -> [__m256i; 2] {
    let (first, second) = quad.0.split_at(PANEL / 2);
    // SAFETY: both halves have 32 bytes and are aligned to as many.
    unsafe { [_mm256_load_si256(first.as_ptr().cast()), _mm256_load_si256(second.as_ptr().cast())] }
}

/// Stores the sums of rows, half a panel in each vector.
#[target_feature(enable = "avx2")]
pub(super) fn store<const ROWS: usize>(sums: &[[__m256i; 2]; ROWS], found: &mut [[Sums; 1]; ROWS]) {
    for ([found], sums) in found.iter_mut().zip(sums) {
        for (half, sum) in found.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
            // SAFETY: eight numbers of 32 bits, and the address needs no alignment.
            unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), *sum) };
        }
    }
}
