//! The kernel for WebAssembly's simd128: `i32x4.dot_i16x8_s` is AVX2's `pmaddwd` over half as many numbers.

use std::arch::wasm32::{
    i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128,
    v128_load, v128_store,
};

use super::layer::{PANEL, Pair, Sums, TILE};

/// Vectors of the sums of a panel.
const VECTORS: usize = PANEL / 4;

/// The sums of [`portable::tile`](super::portable::tile).
pub(super) fn tile(numbers: &[i32], panel: &[Pair]) -> [Sums; TILE] {
    let mut sums = [[0; PANEL]; TILE];
    let mut rows = numbers.chunks_exact(panel.len());
    let mut out = sums.as_chunks_mut::<2>().0.iter_mut();
    // Two rows at a time: more sums than that would not stay in the registers of most machines.
    while let (Some(first), Some(out)) = (rows.next(), out.next()) {
        let second = rows.next().unwrap_or(first);
        two_rows([first, second], panel, out);
    }
    sums
}

fn two_rows(rows: [&[i32]; 2], panel: &[Pair], out: &mut [Sums; 2]) {
    let zero = i32x4_splat(0);
    let mut sums = [[zero; VECTORS]; 2];
    for ((first, second), weights) in rows[0].iter().zip(rows[1]).zip(panel) {
        let weights = widened(weights);
        for (sums, number) in sums.iter_mut().zip([*first, *second]) {
            let number = i32x4_splat(number);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(number, weights));
            }
        }
    }
    for (out, sums) in out.iter_mut().zip(sums) {
        for (out, sum) in out.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: four numbers of 32 bits are sixteen bytes, and the address needs no alignment.
            unsafe { v128_store(out.as_mut_ptr().cast(), sum) };
        }
    }
}

/// The weights of a pair of inputs, widened to sixteen bits.
fn widened(weights: &Pair) -> [v128; VECTORS] {
    // SAFETY: 32 bytes are two loads of 16, and the address needs no alignment.
    let (low, high) =
        unsafe { (v128_load(weights.as_ptr().cast()), v128_load(weights.as_ptr().add(16).cast())) };
    [
        i16x8_extend_low_i8x16(low),
        i16x8_extend_high_i8x16(low),
        i16x8_extend_low_i8x16(high),
        i16x8_extend_high_i8x16(high),
    ]
}
