//! The kernel for ARM's dot product: `sdot` multiplies four inputs by the weights of four outputs and adds up. Inputs of seven bits are signed bytes as
//! well as unsigned ones.

use std::arch::aarch64::{int8x16_t, int32x4_t, vdupq_n_s32, vld1q_s8, vreinterpretq_s8_s32, vst1q_s32};
use std::arch::asm;

use super::layer::{PANEL, Panel, Product, Sums};

/// Sums for four rows of a panel fill half of the registers.
const ROWS: usize = 4;
/// Vectors of the sums of a panel.
const VECTORS: usize = PANEL / 4;

/// Writes a product.
#[target_feature(enable = "neon,dotprod")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, [panel], found| tile(rows, panel, found));
}

#[target_feature(enable = "neon,dotprod")]
fn tile(rows: [&[[u8; 4]]; ROWS], panel: Panel<'_>, found: &mut [[Sums; 1]; ROWS]) {
    let mut rows = rows;
    for row in &mut rows {
        *row = &row[..panel.quads.len()];
    }
    let mut sums = [[vdupq_n_s32(0); VECTORS]; ROWS];
    for (at, quad) in panel.quads.iter().enumerate() {
        let weights = quad.0.as_flattened().as_chunks::<16>().0;
        for (nth, weights) in weights.iter().enumerate() {
            // SAFETY: sixteen bytes, and the address needs no alignment.
            let weights = unsafe { vld1q_s8(weights.as_ptr()) };
            for (sums, row) in sums.iter_mut().zip(&rows) {
                let numbers = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(row[at])));
                sums[nth] = dot(sums[nth], weights, numbers);
            }
        }
    }
    for ([found], sums) in found.iter_mut().zip(&sums) {
        for (four, sum) in found.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: four numbers of 32 bits, and the address needs no alignment.
            unsafe { vst1q_s32(four.as_mut_ptr(), *sum) };
        }
    }
}

/// The sums, and to each of the four the products of four weights and numbers. The compiler has no name for the instruction yet.
#[target_feature(enable = "neon,dotprod")]
fn dot(mut sums: int32x4_t, weights: int8x16_t, numbers: int8x16_t) -> int32x4_t {
    // SAFETY: the instruction reads and writes these registers alone, and the machine has it.
    unsafe {
        asm!(
            "sdot {sums:v}.4s, {weights:v}.16b, {numbers:v}.16b",
            sums = inout(vreg) sums,
            weights = in(vreg) weights,
            numbers = in(vreg) numbers,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}
