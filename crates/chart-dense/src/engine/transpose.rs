//! Transposing: from lanes over one vertex to lanes over another.

use super::kernel::Level;
use super::view::LANES;

/// The eight lanes of an entry.
type Block<V> = [V; LANES];

/// Transposes squares of eight by eight: block `b` of the target at `into[x]` gets lane `x` of the source blocks at `from`.
/// All `entries` of the blocks are transposed. Lanes of the target without a source get `empty`.
pub(crate) fn transpose_squares<V: Copy>(
    level: Level,
    (source, from): (&[V], &[usize]),
    (target, into): (&mut [V], &[usize]),
    entries: usize,
    empty: V,
) {
    // Rows that are missing read this again and again, or are written to it.
    let (nothing, mut nowhere) = ([empty; LANES], [empty; LANES]);
    let extent = entries.checked_mul(LANES).expect("squares fit into memory");
    let inside = |len: usize, start: usize| start.checked_add(extent).is_some_and(|end| end <= len);
    let fits = from.iter().all(|&start| inside(source.len(), start))
        && into.iter().all(|&start| inside(target.len(), start));
    assert!(fits, "a square reaches beyond its array");
    let (source, target) = (source.as_ptr(), target.as_mut_ptr());
    let mut sources = [(nothing.as_ptr(), 0); LANES];
    for (row, &start) in sources.iter_mut().zip(from) {
        *row = (source.wrapping_add(start), LANES);
    }
    let mut targets = [(nowhere.as_mut_ptr(), 0); LANES];
    for (row, &start) in targets.iter_mut().zip(into) {
        *row = (target.wrapping_add(start), LANES);
    }
    // SAFETY: every pointer has `entries` blocks before it, or one block that it stays at; only the targets, which are apart from
    // the sources, are written. `Level::detect` gives `Wide` only where the machine has AVX2.
    unsafe {
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Wide if size_of::<V>() == size_of::<f32>() => {
                by_shuffling(
                    sources.map(|(row, step)| (row.cast(), step)),
                    targets.map(|(row, step)| (row.cast(), step)),
                    entries,
                );
            }
            _ => by_lanes(sources, targets, entries),
        }
    }
}

/// Number by number.
///
/// # Safety
/// At every pointer there are blocks for all entries, so many values apart; no target is a source.
unsafe fn by_lanes<V: Copy>(
    sources: [(*const V, usize); LANES],
    targets: [(*mut V, usize); LANES],
    entries: usize,
) {
    for entry in 0..entries {
        // SAFETY: promised by the caller.
        let square: [Block<V>; LANES] =
            sources.map(|(start, step)| unsafe { start.add(entry * step).cast::<Block<V>>().read() });
        for (lane, &(start, step)) in targets.iter().enumerate() {
            // SAFETY: as above.
            unsafe { start.add(entry * step).cast::<Block<V>>().write(square.map(|row| row[lane])) };
        }
    }
}

/// Eight values of four bytes at a time, whatever they are: pairs of rows are interleaved, then pairs of pairs, then halves.
///
/// # Safety
/// As for [`by_lanes`]; and the machine must have AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn by_shuffling(
    sources: [(*const f32, usize); LANES],
    targets: [(*mut f32, usize); LANES],
    entries: usize,
) {
    use std::arch::x86_64::{
        _mm256_loadu_ps, _mm256_permute2f128_ps, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_storeu_ps,
        _mm256_unpackhi_ps, _mm256_unpacklo_ps,
    };
    // Loops, not closures: these would not be compiled for the same machine.
    for entry in 0..entries {
        let mut rows = [_mm256_setzero_ps(); LANES];
        for (row, &(start, step)) in rows.iter_mut().zip(&sources) {
            // SAFETY: promised by the caller.
            *row = unsafe { _mm256_loadu_ps(start.add(entry * step)) };
        }
        let mut pairs = rows;
        for pair in 0..4 {
            let (first, second) = (rows[2 * pair], rows[2 * pair + 1]);
            pairs[2 * pair] = _mm256_unpacklo_ps(first, second);
            pairs[2 * pair + 1] = _mm256_unpackhi_ps(first, second);
        }
        let mut fours = pairs;
        for four in [0, 4] {
            for half in 0..2 {
                let (first, second) = (pairs[four + half], pairs[four + half + 2]);
                fours[four + 2 * half] = _mm256_shuffle_ps::<0x44>(first, second);
                fours[four + 2 * half + 1] = _mm256_shuffle_ps::<0xee>(first, second);
            }
        }
        for lane in 0..4 {
            let (first, second) = (fours[lane], fours[4 + lane]);
            rows[lane] = _mm256_permute2f128_ps::<0x20>(first, second);
            rows[4 + lane] = _mm256_permute2f128_ps::<0x31>(first, second);
        }
        for (row, &(start, step)) in rows.iter().zip(&targets) {
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(start.add(entry * step), *row) };
        }
    }
}
