//! The kernel for WebAssembly's simd128: `i32x4.dot_i16x8_s` multiplies eight numbers of sixteen bits and adds neighbours, that is, four inputs of two
//! outputs, each output as two halves that are added in the end.

use std::arch::wasm32::{
    i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i16x8_extend_low_u8x16, i32x4_add, i32x4_dot_i16x8,
    i32x4_shuffle, i32x4_splat, v128, v128_load, v128_store,
};

use super::layer::{PANEL, Panel, Product, Quad, Sums};

/// Two rows at a time: more sums than that would not stay in the registers of most machines.
const ROWS: usize = 2;
/// Vectors of the halves of a panel's sums.
const VECTORS: usize = PANEL / 2;

/// Writes a product.
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |rows, [panel], found| tile(rows, panel, found));
}

fn tile(rows: [&[[u8; 4]]; ROWS], panel: Panel<'_>, found: &mut [[Sums; 1]; ROWS]) {
    let rows = rows.map(|row| &row[..panel.quads.len()]);
    let mut sums = [[i32x4_splat(0); VECTORS]; ROWS];
    for (at, quad) in panel.quads.iter().enumerate() {
        let weights = widened(quad);
        for (sums, row) in sums.iter_mut().zip(rows) {
            let numbers = i16x8_extend_low_u8x16(i32x4_splat(i32::from_le_bytes(row[at])));
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(numbers, weights));
            }
        }
    }
    for ([found], sums) in found.iter_mut().zip(sums) {
        for (found, [low, high]) in found.as_chunks_mut::<4>().0.iter_mut().zip(sums.as_chunks::<2>().0) {
            let (even, odd) =
                (i32x4_shuffle::<0, 2, 4, 6>(*low, *high), i32x4_shuffle::<1, 3, 5, 7>(*low, *high));
            // SAFETY: four numbers of 32 bits are sixteen bytes, and the address needs no alignment.
            unsafe { v128_store(found.as_mut_ptr().cast(), i32x4_add(even, odd)) };
        }
    }
}

/// The weights of a quad, widened to sixteen bits, two outputs in each.
fn widened(quad: &Quad) -> [v128; VECTORS] {
    let mut wide = [i32x4_splat(0); VECTORS];
    for (wide, four) in wide.as_chunks_mut::<2>().0.iter_mut().zip(quad.0.as_chunks::<4>().0) {
        // SAFETY: the weights of four outputs are sixteen bytes, and the address needs no alignment.
        let four = unsafe { v128_load(four.as_ptr().cast()) };
        *wide = [i16x8_extend_low_i8x16(four), i16x8_extend_high_i8x16(four)];
    }
    wide
}
