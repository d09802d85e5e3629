//! Transposing: from lanes over one vertex to lanes over another.

use super::kernel::Level;
use super::view::LANES;

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
        Level::Baseline => turn_squares((source, from), (target, into), entries, empty),
        // SAFETY: `Level::detect` gives these only where the machine has the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 | Level::Avx512 => unsafe { turn_avx2((source, from), (target, into), entries, empty) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn turn_avx2<V: Copy>(source: (&[V], &[usize]), target: (&mut [V], &[usize]), entries: usize, empty: V) {
    turn_squares(source, target, entries, empty);
}

#[inline(always)]
fn turn_squares<V: Copy>(
    (source, from): (&[V], &[usize]),
    (target, into): (&mut [V], &[usize]),
    entries: usize,
    empty: V,
) {
    if let (Ok(from), Ok(into)) = (<&[usize; LANES]>::try_from(from), <&[usize; LANES]>::try_from(into)) {
        let from = from.map(|start| source[start..start + entries * LANES].as_chunks::<LANES>().0);
        for entry in 0..entries {
            let rows = from.map(|blocks| &blocks[entry]);
            for (lane, start) in into.iter().enumerate() {
                let turned: [V; LANES] = rows.map(|row| row[lane]);
                target[start + entry * LANES..][..LANES].copy_from_slice(&turned);
            }
        }
        return;
    }
    for entry in (0..entries).map(|entry| entry * LANES) {
        for (lane, start) in into.iter().enumerate() {
            let turned: [V; LANES] =
                std::array::from_fn(|row| from.get(row).map_or(empty, |start| source[start + entry + lane]));
            target[start + entry..start + entry + LANES].copy_from_slice(&turned);
        }
    }
}
