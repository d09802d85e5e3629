//! The kernel for AVX-VNNI: [`avx512`](super::avx512)'s `vpdpbusd` over half as many outputs, on machines without the longer registers.

use std::arch::x86_64::{_mm256_dpbusd_avx_epi32, _mm256_set1_epi32, _mm256_setzero_si256};

use super::avx2::{halves, store};
use super::layer::{Panel, Product, Sums};

/// Sums for six rows of a panel, which leaves registers for the weights.
const ROWS: usize = 6;

/// Writes a product.
#[target_feature(enable = "avx2,avxvnni")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, [panel], found| tile(rows, panel, found));
}

#[target_feature(enable = "avx2,avxvnni")]
fn tile(rows: [&[[u8; 4]]; ROWS], panel: Panel<'_>, found: &mut [[Sums; 1]; ROWS]) {
    let mut rows = rows;
    for row in &mut rows {
        *row = &row[..panel.quads.len()];
    }
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for (at, quad) in panel.quads.iter().enumerate() {
        let weights = halves(quad);
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let numbers = _mm256_set1_epi32(i32::from_le_bytes(row[at]));
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm256_dpbusd_avx_epi32(*sum, numbers, weights);
            }
        }
    }
    store(&sums, found);
}
