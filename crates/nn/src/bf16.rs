//! Products in bf16: a third of a float's digits, which training bears, at several times the speed.
//!
//! Both factors are rounded to bf16 and packed into tiles of sixteen by thirty-two numbers; sums are floats. AMX multiplies whole tiles, AVX-512 (with its
//! instructions for bf16) a row of one with a pair of the other. Other machines have no such products, and only a run that asks for them gets them.
//! `portable` adds up the same tiles, for tests.

use std::cell::RefCell;

use crate::matrix::{View, ViewMut, Write};
use crate::product::{check, multiply as multiply_floats};

/// Rows of a tile, and pairs of numbers in a row.
const SIDE: usize = 16;
/// Numbers in a row of a tile.
const DEPTH: usize = 2 * SIDE;
/// Tiles of a block in both directions: their four sums fill half of the registers.
const BLOCK: usize = 2;
/// Rows and columns of a block.
const EDGE: usize = BLOCK * SIDE;
/// Products with fewer rows, columns or terms are faster in floats: packing would take longer.
const LEAST: usize = 32;

/// A tile: pairs of bf16, the first in the lower half.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Tile([[u32; SIDE]; SIDE]);

/// Two rows of tiles.
type Rows<'t> = [&'t [Tile]; BLOCK];

/// The ways to pack and to multiply tiles.
struct Machine {
    /// Packs sixteen rows of thirty-two terms; rows are so many numbers apart.
    of_rows: fn(&[f32], usize, Order) -> Tile,
    /// Packs thirty-two terms of sixteen rows; terms are so many numbers apart.
    of_terms: fn(&[f32], usize, Order) -> Tile,
    /// Adds up the products of two rows of tiles on the left with two on the right: over, or to, a block whose rows are so many numbers apart.
    block: fn(Rows<'_>, Rows<'_>, Write, &mut [f32], usize),
}

/// The order of pairs in a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// A row of the tile for each row of the window, for the left factor.
    Rows,
    /// A row of the tile for each pair of terms, for the right factor.
    Pairs,
}

/// `out = factor * left * right`, or `+=`, in bf16 where the machine can and it is worth it.
#[allow(clippy::needless_pass_by_value, reason = "windows are made for the call")]
pub(crate) fn multiply(out: ViewMut<'_>, write: Write, factor: f32, left: View<'_>, right: View<'_>) {
    #[cfg(target_arch = "x86_64")]
    if out.rows.min(out.cols).min(left.cols) >= LEAST && is_x86_feature_detected!("avx512bf16") {
        check(&out, &left, &right);
        if crate::amx::has_bf16() {
            let _tiles = crate::amx::Tiles::shaped();
            return blocks(out, write, factor, left, right, &tiles::AMX);
        }
        return blocks(out, write, factor, left, right, &tiles::AVX512);
    }
    multiply_floats(out, write, factor, left, right);
}

thread_local! {
    /// Memory for the tiles of the left and the right factor.
    static TILES: RefCell<[Vec<Tile>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

#[allow(clippy::needless_pass_by_value, reason = "windows are made for the call")]
fn blocks(out: ViewMut<'_>, write: Write, factor: f32, left: View<'_>, right: View<'_>, machine: &Machine) {
    TILES.with_borrow_mut(|[lefts, rights]| {
        let depth = left.cols.div_ceil(DEPTH);
        pack(lefts, left, Order::Rows, machine);
        pack(rights, right.t(), Order::Pairs, machine);
        let mut aside = [0.0; EDGE * EDGE];
        for (first_col, rights) in (0..).step_by(EDGE).zip(rights.chunks_exact(BLOCK * depth)) {
            let cols = EDGE.min(out.cols - first_col);
            for (first_row, lefts) in (0..).step_by(EDGE).zip(lefts.chunks_exact(BLOCK * depth)) {
                let (lefts, rights) = (lefts.split_at(depth).into(), rights.split_at(depth).into());
                let rows = EDGE.min(out.rows - first_row);
                let place = &mut out.data[first_row * out.row_step + first_col..];
                if (rows, cols, factor) == (EDGE, EDGE, 1.0) {
                    (machine.block)(lefts, rights, write, place, out.row_step);
                } else {
                    (machine.block)(lefts, rights, Write::Over, &mut aside, EDGE);
                    for (out, sums) in place.chunks_mut(out.row_step).zip(aside.chunks(EDGE)).take(rows) {
                        for (out, sum) in out[..cols].iter_mut().zip(sums) {
                            let before = if write == Write::Add { *out } else { 0.0 };
                            *out = before + factor * sum;
                        }
                    }
                }
            }
        }
    });
}

/// Packs a window whose columns are the terms of the product: the tiles of its first sixteen rows, then of the next, up to whole blocks.
fn pack(tiles: &mut Vec<Tile>, window: View<'_>, order: Order, machine: &Machine) {
    tiles.clear();
    for row in (0..window.rows.next_multiple_of(EDGE)).step_by(SIDE) {
        for term in (0..window.cols).step_by(DEPTH) {
            let is_whole = row + SIDE <= window.rows && term + DEPTH <= window.cols;
            let tile = match (is_whole, window.row_step, window.col_step) {
                (true, _, 1) => {
                    let start = &window.data[row * window.row_step + term..];
                    (machine.of_rows)(start, window.row_step, order)
                }
                (true, 1, _) => {
                    let start = &window.data[term * window.col_step + row..];
                    (machine.of_terms)(start, window.col_step, order)
                }
                _ => edge(&window, row, term, order),
            };
            tiles.push(tile);
        }
    }
}

/// The tile of a window from a row and a term on; zero beyond its end.
fn edge(window: &View<'_>, row: usize, term: usize, order: Order) -> Tile {
    let number = |row: usize, term: usize| {
        if row < window.rows && term < window.cols { window.at(row, term) } else { 0.0 }
    };
    let pair = |at: usize, pair: usize| {
        let (row, term) = (row + at, term + 2 * pair);
        packed(number(row, term), number(row, term + 1))
    };
    Tile(match order {
        Order::Rows => std::array::from_fn(|at| std::array::from_fn(|nth| pair(at, nth))),
        Order::Pairs => std::array::from_fn(|nth| std::array::from_fn(|at| pair(at, nth))),
    })
}

/// Two numbers, each rounded to the nearest bf16, to the even one of two.
fn packed(first: f32, second: f32) -> u32 {
    let rounded = |number: f32| {
        let bits = number.to_bits();
        bits.wrapping_add(0x7FFF + ((bits >> 16) & 1))
    };
    (rounded(first) >> 16) | (rounded(second) & 0xFFFF_0000)
}

/// The ways of every machine.
#[cfg(test)]
const PORTABLE: Machine = Machine {
    of_rows: |data, step, order| {
        edge(&View { data, rows: SIDE, cols: DEPTH, row_step: step, col_step: 1 }, 0, 0, order)
    },
    of_terms: |data, step, order| {
        edge(&View { data, rows: SIDE, cols: DEPTH, row_step: 1, col_step: step }, 0, 0, order)
    },
    block: portable,
};

#[cfg(test)]
fn portable(lefts: Rows<'_>, rights: Rows<'_>, write: Write, out: &mut [f32], step: usize) {
    let halves = |pair: u32| [f32::from_bits(pair << 16), f32::from_bits(pair & 0xFFFF_0000)];
    for (row, col) in (0..EDGE).flat_map(|row| (0..EDGE).map(move |col| (row, col))) {
        let tiles = lefts[row / SIDE].iter().zip(rights[col / SIDE]);
        let pairs = tiles.flat_map(|(left, right)| {
            left.0[row % SIDE].iter().zip(right.0.iter().map(move |line| line[col % SIDE]))
        });
        let products = pairs.map(|(&left, right)| {
            let ([a, b], [c, d]) = (halves(left), halves(right));
            a * c + b * d
        });
        let sum: f32 = products.sum();
        let out = &mut out[row * step + col];
        *out = sum + if write == Write::Add { *out } else { 0.0 };
    }
}

/// The ways with AVX-512, with AMX and without.
#[cfg(target_arch = "x86_64")]
mod tiles {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m512, __m512bh, __m512i, _mm512_add_ps, _mm512_cvtne2ps_pbh, _mm512_dpbf16_ps, _mm512_loadu_ps,
        _mm512_loadu_si512, _mm512_permutex2var_epi32, _mm512_permutexvar_epi16, _mm512_set1_epi32,
        _mm512_setr_epi32, _mm512_setzero_ps, _mm512_setzero_si512, _mm512_storeu_ps,
    };

    use super::{BLOCK, DEPTH, EDGE, Machine, Order, Rows, SIDE, Tile, Write};

    pub(super) const AMX: Machine = Machine { of_rows, of_terms, block: tiles };
    pub(super) const AVX512: Machine = Machine { of_rows, of_terms, block: lines };

    /// Rows of a block whose sums stay in registers.
    const STRIP: usize = 8;

    fn of_rows(numbers: &[f32], step: usize, order: Order) -> Tile {
        assert!((SIDE - 1) * step + DEPTH <= numbers.len());
        // SAFETY: nothing is packed on a machine without these instructions, and thirty-two numbers of each line are inside of `numbers`.
        unsafe { rows(numbers.as_ptr(), step, order == Order::Rows) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn rows(first: *const f32, step: usize, are_lines: bool) -> Tile {
        let mut lines = [_mm512_setzero_si512(); SIDE];
        for (at, line) in lines.iter_mut().enumerate() {
            // SAFETY: the caller says that they are there.
            let (low, high) = unsafe {
                let first = first.add(at * step);
                (_mm512_loadu_ps(first), _mm512_loadu_ps(first.add(SIDE)))
            };
            *line = halves(high, low);
        }
        tile(lines, are_lines)
    }

    fn of_terms(numbers: &[f32], step: usize, order: Order) -> Tile {
        assert!((DEPTH - 1) * step + SIDE <= numbers.len());
        // SAFETY: as above, with sixteen numbers of each line.
        unsafe { terms(numbers.as_ptr(), step, order == Order::Pairs) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn terms(first: *const f32, step: usize, are_lines: bool) -> Tile {
        let mut lines = [_mm512_setzero_si512(); SIDE];
        for (at, line) in lines.iter_mut().enumerate() {
            // SAFETY: the caller says that they are there.
            let (low, high) = unsafe {
                let first = first.add(2 * at * step);
                (_mm512_loadu_ps(first), _mm512_loadu_ps(first.add(step)))
            };
            *line = side_by_side(halves(high, low));
        }
        tile(lines, are_lines)
    }

    /// Thirty-two numbers rounded to bf16, those of `low` first.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn halves(high: __m512, low: __m512) -> __m512i {
        // SAFETY: both are 64 bytes of plain numbers.
        unsafe { std::mem::transmute(_mm512_cvtne2ps_pbh(high, low)) }
    }

    /// The sixteen numbers of the lower half, each beside one of the upper half.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn side_by_side(numbers: __m512i) -> __m512i {
        const ORDER: [u16; 2 * SIDE] = {
            let mut order = [0; 2 * SIDE];
            let mut at = 0;
            while at < 2 * SIDE {
                order[at] = (at / 2 + at % 2 * SIDE) as u16;
                at += 1;
            }
            order
        };
        // SAFETY: 64 bytes are read, at any address.
        let order = unsafe { _mm512_loadu_si512(ORDER.as_ptr().cast()) };
        _mm512_permutexvar_epi16(order, numbers)
    }

    /// A tile of these lines, or of their columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn tile(mut lines: [__m512i; SIDE], are_lines: bool) -> Tile {
        if !are_lines {
            // Lines and columns have changed places when each line has been zipped with the one half a tile below it four times.
            let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
            for _ in 0..SIDE.ilog2() {
                let before = lines;
                for (at, line) in lines.iter_mut().enumerate() {
                    let order = if at % 2 == 0 { low } else { high };
                    *line = _mm512_permutex2var_epi32(before[at / 2], order, before[at / 2 + SIDE / 2]);
                }
            }
        }
        // SAFETY: a tile is 1,024 bytes of plain numbers, as sixteen lines are.
        unsafe { std::mem::transmute(lines) }
    }

    /// The kernel without AMX.
    fn lines(lefts: Rows<'_>, rights: Rows<'_>, write: Write, out: &mut [f32], step: usize) {
        assert!((EDGE - 1) * step + EDGE <= out.len());
        for row in (0..EDGE).step_by(STRIP) {
            // SAFETY: nothing is multiplied on a machine without these instructions, and all lines of the strip are inside of `out`.
            unsafe {
                strip(lefts[row / SIDE], row % SIDE, rights, write, out[row * step..].as_mut_ptr(), step);
            }
        }
    }

    /// The rows of a strip, beginning with one of the left tiles' rows.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn strip(lefts: &[Tile], row: usize, rights: Rows<'_>, write: Write, out: *mut f32, step: usize) {
        let mut sums = [[_mm512_setzero_ps(); BLOCK]; STRIP];
        for ((left, right), beside) in lefts.iter().zip(rights[0]).zip(rights[1]) {
            for pair in 0..SIDE {
                let columns = [pairs(&right.0[pair]), pairs(&beside.0[pair])];
                for (sums, line) in sums.iter_mut().zip(&left.0[row..row + STRIP]) {
                    let terms = bf16(_mm512_set1_epi32(line[pair] as i32));
                    for (sum, columns) in sums.iter_mut().zip(columns) {
                        *sum = _mm512_dpbf16_ps(*sum, terms, columns);
                    }
                }
            }
        }
        for (at, sums) in sums.into_iter().enumerate() {
            for (tile, sum) in sums.into_iter().enumerate() {
                // SAFETY: the caller says that they are there.
                unsafe {
                    let out = out.add(at * step + tile * SIDE);
                    let sum =
                        if write == Write::Add { _mm512_add_ps(_mm512_loadu_ps(out), sum) } else { sum };
                    _mm512_storeu_ps(out, sum);
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn pairs(line: &[u32; SIDE]) -> __m512bh {
        // SAFETY: 64 bytes are read.
        bf16(unsafe { _mm512_loadu_si512(line.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn bf16(numbers: __m512i) -> __m512bh {
        // SAFETY: both are 64 bytes of plain numbers.
        unsafe { std::mem::transmute(numbers) }
    }

    /// The kernel with AMX, while the tiles have their [shapes](crate::amx::Tiles).
    fn tiles(lefts: Rows<'_>, rights: Rows<'_>, write: Write, out: &mut [f32], step: usize) {
        let depth = lefts[0].len();
        assert!(depth > 0 && lefts.iter().chain(&rights).all(|tiles| tiles.len() == depth));
        assert!((EDGE - 1) * step + EDGE <= out.len());
        // SAFETY: each pointer walks over `depth` tiles of 1,024 bytes, and four tiles are read and written inside of `out`. Without
        // shapes the instructions fault.
        unsafe {
            asm!(
                "test {is_over:e}, {is_over:e}",
                "jnz 2f",
                "tileloadd tmm0, [{out} + {step}*1]",
                "tileloadd tmm1, [{out} + {step}*1 + 64]",
                "tileloadd tmm2, [{lower} + {step}*1]",
                "tileloadd tmm3, [{lower} + {step}*1 + 64]",
                "jmp 3f",
                "2:",
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "3:",
                "tileloadd tmm4, [{left} + {line}*1]",
                "tileloadd tmm6, [{right} + {line}*1]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm5, [{below} + {line}*1]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tileloadd tmm7, [{beside} + {line}*1]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {left}, 1024",
                "add {below}, 1024",
                "add {right}, 1024",
                "add {beside}, 1024",
                "dec {depth}",
                "jnz 3b",
                "tilestored [{out} + {step}*1], tmm0",
                "tilestored [{out} + {step}*1 + 64], tmm1",
                "tilestored [{lower} + {step}*1], tmm2",
                "tilestored [{lower} + {step}*1 + 64], tmm3",
                left = inout(reg) lefts[0].as_ptr() => _,
                below = inout(reg) lefts[1].as_ptr() => _,
                right = inout(reg) rights[0].as_ptr() => _,
                beside = inout(reg) rights[1].as_ptr() => _,
                depth = inout(reg) depth => _,
                line = in(reg) 64_u64,
                is_over = in(reg) u32::from(write == Write::Over),
                out = in(reg) out.as_mut_ptr(),
                lower = in(reg) out[SIDE * step..].as_mut_ptr(),
                step = in(reg) 4 * step,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::random::Random;

    fn rounded(matrix: &Matrix) -> Matrix {
        let numbers = matrix.values().iter().map(|&number| f32::from_bits(packed(number, 0.0) << 16));
        Matrix::from_vec(matrix.rows(), matrix.cols(), numbers.collect())
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        for (number, expected) in [
            (1.0, 0x3F80),
            (-1.0, 0xBF80),
            (f32::from_bits(0x3F80_8000), 0x3F80),
            (f32::from_bits(0x3F80_8001), 0x3F81),
            (f32::from_bits(0x3F81_8000), 0x3F82),
            (0.0, 0),
        ] {
            assert_eq!(packed(number, 1.0), 0x3F80_0000 | expected, "{number}");
            assert_eq!(packed(1.0, number), expected << 16 | 0x3F80, "{number}");
        }
    }

    /// Every product of windows, whole and with edges, by each kernel that the machine has.
    #[test]
    fn products_are_those_of_the_rounded_factors() {
        let mut random = Random::new(6);
        let (a, b) = (random.normal_matrix(70, 80, 1.0), random.normal_matrix(90, 80, 1.0));
        let (a, b) = (rounded(&a), rounded(&b));
        for (left, right) in [
            (a.view(), b.view().t()),
            (a.view().t(), a.view()),
            (b.view().rows(0, 64).t(), b.view().rows(20, 84)),
            (a.view().cols(3, 67), b.view().cols(11, 75).t()),
            (a.view().rows(5, 37), b.view().rows(1, 33).t()),
        ] {
            let mut exact = Matrix::zeros(left.rows, right.cols);
            multiply_floats(exact.view_mut(), Write::Over, 1.5, left, right);
            let close = |out: &Matrix| {
                for (x, y) in out.values().iter().zip(exact.values()) {
                    assert!((x - y).abs() < 1e-4, "{x} {y}");
                }
            };
            let mut out = Matrix::stale(left.rows, right.cols);
            blocks(out.view_mut(), Write::Over, 1.0, left, right, &PORTABLE);
            blocks(out.view_mut(), Write::Add, 0.5, left, right, &PORTABLE);
            close(&out);
            // On machines that have products of bf16, these are theirs.
            let mut out = Matrix::stale(left.rows, right.cols);
            multiply(out.view_mut(), Write::Over, 1.0, left, right);
            multiply(out.view_mut(), Write::Add, 0.25, left, right);
            multiply(out.view_mut(), Write::Add, 0.25, left, right);
            close(&out);
        }
    }
}
