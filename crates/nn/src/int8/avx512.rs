//! The kernel for AVX-512 VNNI: `vpdpbusd` multiplies four inputs by the weights of sixteen outputs and adds up, in one instruction.

use std::arch::x86_64::{
    _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
};

use super::layer::{Panel, Product, Sums};

/// Sums for 8 rows of 32 outputs fill half of the registers, and enough of them are under way at any time.
const ROWS: usize = 8;
const PANELS: usize = 2;

/// Writes a product.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, panels, found| tile(rows, panels, found));
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn tile(rows: [&[[u8; 4]]; ROWS], panels: [Panel<'_>; PANELS], found: &mut [[Sums; PANELS]; ROWS]) {
    let quads = panels[0].quads.len();
    let (mut rows, mut panels) = (rows, panels);
    for row in &mut rows {
        *row = &row[..quads];
    }
    for panel in &mut panels {
        panel.quads = &panel.quads[..quads];
    }
    let mut sums = [[_mm512_setzero_si512(); PANELS]; ROWS];
    for at in 0..quads {
        let mut weights = [_mm512_setzero_si512(); PANELS];
        for (weights, panel) in weights.iter_mut().zip(&panels) {
            // SAFETY: a quad has 64 bytes and is aligned to as many.
            *weights = unsafe { _mm512_load_si512(panel.quads[at].0.as_ptr().cast()) };
        }
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let numbers = _mm512_set1_epi32(i32::from_le_bytes(row[at]));
            for (sum, weights) in sums.iter_mut().zip(&weights) {
                *sum = _mm512_dpbusd_epi32(*sum, numbers, *weights);
            }
        }
    }
    for (found, sum) in found.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        // SAFETY: sixteen numbers of 32 bits, and the address needs no alignment.
        unsafe { _mm512_storeu_si512(found.as_mut_ptr().cast(), *sum) };
    }
}
