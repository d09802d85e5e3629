//! Transposing: from lanes over one vertex to lanes over another.

use super::kernel::Level;
use super::view::LANES;

/// The eight lanes of an entry.
type Block<V> = [V; LANES];
/// The lanes of an entry at eight places.
type Square<V> = [Block<V>; LANES];

/// Turns squares of eight by eight around: block `b` of the target at `into[x]` gets lane `x` of the source blocks at `from`.
/// All `entries` of the blocks are turned. Lanes of the target without a source get `empty`.
pub(crate) fn turn<V: Copy>(
    level: Level,
    (source, from): (&[V], &[usize]),
    (target, into): (&mut [V], &[usize]),
    entries: usize,
    empty: V,
) {
    match level {
        // SAFETY: `Level::detect` gives this only where the machine has AVX2.
        #[cfg(target_arch = "x86_64")]
        Level::Native => unsafe { turn_avx2((source, from), (target, into), entries, empty) },
        _ => turn_squares((source, from), (target, into), entries, [[empty; LANES]; LANES], transposed),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn turn_avx2<V: Copy>(source: (&[V], &[usize]), target: (&mut [V], &[usize]), entries: usize, empty: V) {
    let empty = [[empty; LANES]; LANES];
    if size_of::<V>() == size_of::<f32>() {
        turn_squares(source, target, entries, empty, |square| {
            // SAFETY: sixty-four values of four bytes, whatever they stand for, are only moved.
            unsafe { std::mem::transmute_copy(&transposed_by_shuffling(std::mem::transmute_copy(square))) }
        });
    } else {
        turn_squares(source, target, entries, empty, transposed);
    }
}

#[inline(always)]
fn turn_squares<V: Copy>(
    (source, from): (&[V], &[usize]),
    (target, into): (&mut [V], &[usize]),
    entries: usize,
    mut square: Square<V>,
    transposed: impl Fn(&Square<V>) -> Square<V>,
) {
    let blocks = |start: &usize| source[*start..start + entries * LANES].as_chunks::<LANES>().0;
    let mut sources: [&[Block<V>]; LANES] = [&[]; LANES];
    sources.iter_mut().zip(from).for_each(|(blocks_of, start)| *blocks_of = blocks(start));
    for entry in 0..entries {
        for (row, blocks) in square.iter_mut().zip(&sources[..from.len()]) {
            *row = blocks[entry];
        }
        for (row, start) in transposed(&square).iter().zip(into) {
            target[start + entry * LANES..][..LANES].copy_from_slice(row);
        }
    }
}

#[inline(always)]
fn transposed<V: Copy>(square: &Square<V>) -> Square<V> {
    std::array::from_fn(|lane| square.map(|row| row[lane]))
}

/// The same for values of four bytes: pairs of rows are interleaved, then pairs of pairs, then halves.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn transposed_by_shuffling(rows: [std::arch::x86_64::__m256; LANES]) -> [std::arch::x86_64::__m256; LANES] {
    use std::arch::x86_64::{
        _mm256_permute2f128_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
    };
    let pairs = [0, 2, 4, 6].map(|row| {
        (_mm256_unpacklo_ps(rows[row], rows[row + 1]), _mm256_unpackhi_ps(rows[row], rows[row + 1]))
    });
    let fours = [(pairs[0], pairs[1]), (pairs[2], pairs[3])].map(|((low, high), (next_low, next_high))| {
        [
            _mm256_shuffle_ps::<0x44>(low, next_low),
            _mm256_shuffle_ps::<0xee>(low, next_low),
            _mm256_shuffle_ps::<0x44>(high, next_high),
            _mm256_shuffle_ps::<0xee>(high, next_high),
        ]
    });
    std::array::from_fn(|lane| {
        let (first, second) = (fours[0][lane % 4], fours[1][lane % 4]);
        if lane < 4 {
            _mm256_permute2f128_ps::<0x20>(first, second)
        } else {
            _mm256_permute2f128_ps::<0x31>(first, second)
        }
    })
}
