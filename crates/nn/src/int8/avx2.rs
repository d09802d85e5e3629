//! The kernel for AVX2, which has no instruction that adds up four products of bytes: `pmaddubsw` gives sums of two in sixteen bits, those of as many
//! quads as fit are added there, and `pmaddwd` by ones adds neighbours in 32 bits.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::layer::{GROUP, PANEL, Panel, Product, Quad, Sums, Together};

/// Sums for four rows of a panel fill half of the registers.
const ROWS: usize = 4;

/// Writes a product.
#[target_feature(enable = "avx2")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, [panel], found| tile(rows, panel, found));
}

#[target_feature(enable = "avx2")]
fn tile(rows: [&[[u8; 4]]; ROWS], panel: Panel<'_>, found: &mut [[Sums; 1]; ROWS]) {
    let groups = panel.quads.as_chunks::<GROUP>().0;
    let mut fours = [&[][..]; ROWS];
    for (fours, row) in fours.iter_mut().zip(&rows) {
        *fours = &row.as_chunks::<GROUP>().0[..groups.len()];
    }
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for (at, (group, together)) in groups.iter().zip(panel.together).enumerate() {
        // What is asked once for all rows leaves the sums in their registers.
        match together {
            Together::Four => add::<4>(&fours, at, group, &mut sums),
            Together::Two => add::<2>(&fours, at, group, &mut sums),
            Together::One => add::<1>(&fours, at, group, &mut sums),
        }
    }
    store(&sums, found);
}

/// Adds the products of a group, so many quads together in sixteen bits.
#[target_feature(enable = "avx2")]
#[inline]
fn add<const TOGETHER: usize>(
    rows: &[&[[[u8; 4]; GROUP]]; ROWS],
    at: usize,
    group: &[Quad; GROUP],
    sums: &mut [[__m256i; 2]; ROWS],
) {
    let ones = _mm256_set1_epi16(1);
    for quads in (0..GROUP).step_by(TOGETHER) {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let mut products = [_mm256_setzero_si256(); 2];
            for nth in quads..quads + TOGETHER {
                let numbers = _mm256_set1_epi32(i32::from_le_bytes(row[at][nth]));
                for (products, weights) in products.iter_mut().zip(halves(&group[nth])) {
                    *products = _mm256_add_epi16(*products, _mm256_maddubs_epi16(numbers, weights));
                }
            }
            for (sum, products) in sums.iter_mut().zip(products) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(products, ones));
            }
        }
    }
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
