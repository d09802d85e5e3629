//! The one inner loop: a sparse bilinear map applied at many positions at once.
//!
//! `target[t][j][x] ⊕= left[l][j][x] ⊗ right[r][j][x]` for every product (t, l, r) of the map, every `j` of a list, and every
//! `x`. Neighbouring `x` are neighbours in memory and go through the vector unit eight at a time ([`LANES`]). A factor need
//! not depend on `j` or on `x`; a target that does not is summed over it. Which of them depend on what is known at compile
//! time ([`Mode`]), so each case is its own tight loop; up to four rows (four `j`, or four blocks of `x`) are kept in registers
//! while the products of a target are run through.
//!
//! Each loop is compiled once for the baseline and once for each wider instruction set; [`Level::detect`] chooses at run time.

use crate::compile::terms::Terms;
use crate::semiring::{Exists, Graded, LogSum, Max, Residue, Semiring, Sum};

/// How many `x` go through at once.
pub(crate) const LANES: usize = 8;

/// What a factor depends on.
pub(crate) type Mode = u8;
/// On neither `j` nor `x`.
pub(crate) const POINT: Mode = 0;
/// On `j`.
pub(crate) const BY_J: Mode = 1;
/// On `x`.
pub(crate) const BY_X: Mode = 2;
/// On both.
pub(crate) const BY_JX: Mode = 3;
/// Not at all: the factor is one. It is given as an array of a single one, and not read.
pub(crate) const UNIT: Mode = 4;

/// Where an array is to be read or written. In a block, entry `e` has its eight lanes at `8 e`; blocks are `unit` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// What it depends on.
    pub(crate) mode: Mode,
    /// The start. It may be less than zero before `at[j]` is added, hence wrapping.
    pub(crate) base: usize,
    /// The length of a block of all entries.
    pub(crate) unit: usize,
    /// For each `j`, its first block if the view depends on `x`, else its lane; read only if the mode says so.
    pub(crate) at: &'a [u32],
}

impl View<'_> {
    /// Where the view starts for one `j` and one block.
    #[inline(always)]
    fn start<const M: Mode>(&self, (j, block): (u32, usize)) -> usize {
        match M {
            BY_X => self.base.wrapping_add(block * self.unit),
            BY_JX => self.base.wrapping_add((self.at[j as usize] as usize + block) * self.unit),
            BY_J => {
                let lane = self.at[j as usize] as usize;
                self.base.wrapping_add(lane / LANES * self.unit + lane % LANES)
            }
            _ => self.base,
        }
    }

    /// The same for a mode known only at run time.
    fn start_of(&self, j: u32, block: usize) -> usize {
        match self.mode {
            BY_X => self.start::<BY_X>((j, block)),
            BY_JX => self.start::<BY_JX>((j, block)),
            BY_J => self.start::<BY_J>((j, block)),
            _ => self.base,
        }
    }

    /// Makes sure that everything the view can reach lies inside `len` values: entries up to `last`, the `j` of each block,
    /// and the lanes of each block. The loops rely on this instead of checking each access.
    fn check(&self, len: usize, last: usize, positions: &Positions<'_>) {
        if self.mode == UNIT {
            return;
        }
        let reach = last * LANES + if self.mode & BY_X == 0 { 1 } else { LANES };
        let inside = |start: usize| start.checked_add(reach).is_some_and(|end| end <= len);
        let reaches = |j: u32, blocks: usize| {
            blocks == 0 || (inside(self.start_of(j, 0)) && inside(self.start_of(j, blocks - 1)))
        };
        let ok = if self.mode & BY_J == 0 {
            reaches(0, positions.ends.len())
        } else {
            positions.js.iter().enumerate().all(|(rank, &j)| {
                reaches(j, positions.ends.iter().take_while(|&&end| end as usize > rank).count())
            })
        };
        assert!(ok, "a view reaches beyond its array");
    }
}

/// The positions a map is applied at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positions<'a> {
    /// The `j`, in increasing order; a single one if nothing depends on it.
    pub(crate) js: &'a [u32],
    /// For each block of lanes, how many of the `j` reach it: later ones have fewer blocks.
    pub(crate) ends: &'a [u32],
}

/// The widest instruction set this machine has, of those the kernels are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// What every machine of the target has.
    Baseline,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 (F, VL, DQ, BW).
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Asks the machine.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw");
            if avx2 && avx512 {
                return Self::Avx512;
            }
            if avx2 {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }
}

/// One application of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a, V> {
    pub(crate) terms: &'a Terms,
    pub(crate) target: View<'a>,
    pub(crate) left: (&'a [V], View<'a>),
    pub(crate) right: (&'a [V], View<'a>),
    pub(crate) positions: Positions<'a>,
    /// Overwrite the target instead of adding to it.
    pub(crate) assign: bool,
}

/// A semiring with its inner loop: vectorised for the two that decoding and training use, plain for the others.
pub(crate) trait Algebra: Semiring {
    /// Applies a map.
    fn contract(self, level: Level, out: &mut [Self::Value], call: &Call<'_, Self::Value>);
}

macro_rules! algebra {
    ($how:ident: $($algebra:ty),*) => {
        $(impl Algebra for $algebra {
            fn contract(self, level: Level, out: &mut [Self::Value], call: &Call<'_, Self::Value>) {
                $how(self, level, out, call);
            }
        })*
    };
}

algebra!(vectorised: Max, Sum);
algebra!(plain: Residue, Graded<Residue>, Graded<Max>, Graded<Sum>, Graded<LogSum>, Graded<Exists>);

/// Runs the loops compiled for `level`.
fn vectorised<S: Semiring>(semiring: S, level: Level, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    match level {
        Level::Baseline => dispatch(semiring, out, call),
        // SAFETY: `Level::detect` gives these only where the machine has the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { dispatch_avx2(semiring, out, call) },
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { dispatch_avx512(semiring, out, call) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dispatch_avx2<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    dispatch(semiring, out, call);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
fn dispatch_avx512<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    dispatch(semiring, out, call);
}

/// Decides the case outside the loop. Only the combinations that the engine uses are compiled.
#[inline(always)]
fn dispatch<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    macro_rules! cases {
        (blocks: $(($t:ident $l:ident $r:ident))*; rows: $(($tj:ident $lj:ident $rj:ident))*;) => {
            match (call.target.mode, call.left.1.mode, call.right.1.mode) {
                $(($t, $l, $r) => over_blocks::<S, $t, $l, $r>(semiring, out, call),)*
                $(($tj, $lj, $rj) => over_rows::<S, $tj, $lj, $rj>(semiring, out, call),)*
                other => unreachable!("no loop for the modes {other:?}"),
            }
        };
    }
    cases! {
        blocks:
        (POINT POINT POINT) (POINT BY_X BY_X) (POINT BY_X UNIT)
        (BY_X POINT BY_X) (BY_X BY_X POINT) (BY_X BY_X BY_X) (BY_X POINT UNIT) (BY_X BY_X UNIT);
        rows:
        (POINT BY_JX BY_JX)
        (BY_J BY_X BY_JX) (BY_J BY_JX BY_X) (BY_J BY_JX BY_JX) (BY_J BY_JX UNIT)
        (BY_X BY_J BY_JX) (BY_X BY_JX BY_J) (BY_X BY_JX BY_JX)
        (BY_JX POINT BY_JX) (BY_JX BY_X BY_J) (BY_JX BY_X BY_JX) (BY_JX BY_J BY_JX)
        (BY_JX BY_JX POINT) (BY_JX BY_JX BY_J) (BY_JX BY_JX BY_X) (BY_JX BY_JX BY_JX)
        (BY_JX BY_J UNIT) (BY_JX BY_JX UNIT);
    }
}

fn check<S: Semiring>(out: &[S::Value], call: &Call<'_, S::Value>) {
    let last = call.terms.last();
    call.target.check(out.len(), last.0, &call.positions);
    call.left.1.check(call.left.0.len(), last.1, &call.positions);
    call.right.1.check(call.right.0.len(), last.2, &call.positions);
}

/// No `j`: the rows kept in registers are blocks.
#[inline(always)]
fn over_blocks<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    check::<S>(out, call);
    let (mut block, blocks) = (0, call.positions.ends.len());
    while block < blocks {
        let rows = |row: usize| (0, block + row);
        block += match blocks - block {
            1 => run::<S, T, L, R, BY_X, 1>(semiring, out, call, rows, block == 0),
            2 => run::<S, T, L, R, BY_X, 2>(semiring, out, call, rows, block == 0),
            3 | 5 | 6 => run::<S, T, L, R, BY_X, 3>(semiring, out, call, rows, block == 0),
            _ => run::<S, T, L, R, BY_X, 4>(semiring, out, call, rows, block == 0),
        };
    }
}

/// The rows kept in registers are `j`.
#[inline(always)]
fn over_rows<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    check::<S>(out, call);
    for (block, &end) in call.positions.ends.iter().enumerate() {
        let mut js = &call.positions.js[..end as usize];
        let mut first = block == 0;
        while !js.is_empty() {
            let rows = |row: usize| (js[row], block);
            let done = match js.len() {
                1 => run::<S, T, L, R, BY_J, 1>(semiring, out, call, rows, first),
                2 => run::<S, T, L, R, BY_J, 2>(semiring, out, call, rows, first),
                3 | 5 | 6 => run::<S, T, L, R, BY_J, 3>(semiring, out, call, rows, first),
                _ => run::<S, T, L, R, BY_J, 4>(semiring, out, call, rows, first),
            };
            first = false;
            js = &js[done..];
        }
    }
}

/// The same without vectors: the modes are looked at as it goes along.
fn plain<S: Semiring>(semiring: S, _: Level, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    let (target, left, right) = (&call.target, &call.left.1, &call.right.1);
    let mut first = true;
    for (block, &end) in call.positions.ends.iter().enumerate() {
        for &j in &call.positions.js[..end as usize] {
            let at = [target, left, right].map(|view| view.start_of(j, block));
            // A target that is the same for all rows and blocks is overwritten by the first of them only.
            let assign = call.assign && (first || target.mode != POINT);
            first = false;
            let lanes = if (target.mode | left.mode | right.mode) & BY_X == 0 { 1 } else { LANES };
            for (entry, pairs) in call.terms.groups() {
                for lane in 0..lanes {
                    let place = |view: &View<'_>, start: usize, entry: usize| {
                        start.wrapping_add(entry * LANES + if view.mode & BY_X == 0 { 0 } else { lane })
                    };
                    let into = place(target, at[0], entry);
                    let keep = !assign || (lane > 0 && target.mode & BY_X == 0);
                    let mut sum = if keep { out[into] } else { semiring.zero() };
                    for &(l, r) in pairs {
                        let mut value = call.left.0[place(left, at[1], l as usize)];
                        if right.mode != UNIT {
                            value = semiring.times(value, call.right.0[place(right, at[2], r as usize)]);
                        }
                        sum = semiring.plus(sum, value);
                    }
                    out[into] = sum;
                }
            }
        }
    }
}

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
        let length = entries * LANES;
        let from = from.map(|start| &source[start..start + length]);
        for entry in (0..length).step_by(LANES) {
            let square: [Block<V>; LANES] =
                std::array::from_fn(|row| std::array::from_fn(|lane| from[row][entry..entry + LANES][lane]));
            for (lane, &start) in into.iter().enumerate() {
                let turned: Block<V> = std::array::from_fn(|row| square[row][lane]);
                target[start + entry..start + entry + LANES].copy_from_slice(&turned);
            }
        }
        return;
    }
    for entry in (0..entries).map(|entry| entry * LANES) {
        for (lane, start) in into.iter().enumerate() {
            let turned: Block<V> =
                std::array::from_fn(|row| from.get(row).map_or(empty, |start| source[start + entry + lane]));
            target[start + entry..start + entry + LANES].copy_from_slice(&turned);
        }
    }
}

/// `x` eight at a time, or one value for all of them.
type Block<V> = [V; LANES];

/// Reads one value for all lanes, or a block.
///
/// # Safety
/// The view must have been [checked](View::check).
#[inline(always)]
unsafe fn load<V: Copy, const M: Mode>(data: &[V], at: usize) -> Block<V> {
    if M & BY_X == 0 {
        debug_assert!(at < data.len());
        // SAFETY: by the caller's promise.
        [unsafe { *data.get_unchecked(at) }; LANES]
    } else {
        debug_assert!(at + LANES <= data.len());
        // SAFETY: by the caller's promise; a block need not be aligned.
        unsafe { data.as_ptr().add(at).cast::<Block<V>>().read_unaligned() }
    }
}

/// Runs all products over `N` rows, which differ in `j` or in their block, as `VARY` says; gives `N`. What does not depend on
/// that is the same for all rows: a factor is read once, and a target adds up the rows.
#[inline(always)]
fn run<S: Semiring, const T: Mode, const L: Mode, const R: Mode, const VARY: Mode, const N: usize>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
    rows: impl Fn(usize) -> (u32, usize),
    first: bool,
) -> usize {
    let (left, right) = (call.left.0, call.right.0);
    let target_at: [usize; N] = std::array::from_fn(|row| call.target.start::<T>(rows(row)));
    let left_at: [usize; N] = std::array::from_fn(|row| call.left.1.start::<L>(rows(row)));
    let right_at: [usize; N] = std::array::from_fn(|row| call.right.1.start::<R>(rows(row)));
    // A target that is the same for all rows and blocks is overwritten by the first of them only.
    let assign = call.assign && (first || T != POINT);
    let place = out.as_mut_ptr();
    for (target, pairs) in call.terms.groups() {
        // SAFETY: the views are checked before the loops; a block need not be aligned.
        let target = target_at.map(|at| unsafe { place.add(at.wrapping_add(target * LANES)) });
        let mut sums = [[semiring.zero(); LANES]; N];
        if T & BY_X != 0 && !assign {
            for row in 0..if T & VARY == 0 { 1 } else { N } {
                // SAFETY: as above.
                sums[row] = unsafe { target[row].cast::<Block<S::Value>>().read_unaligned() };
            }
        }
        for &(l, r) in pairs {
            let (l, r) = (l as usize * LANES, r as usize * LANES);
            // SAFETY: as above.
            let left_first = unsafe { load::<_, L>(left, left_at[0].wrapping_add(l)) };
            // SAFETY: as above; a factor of one is not read.
            let right_first = if R == UNIT {
                left_first
            } else {
                unsafe { load::<_, R>(right, right_at[0].wrapping_add(r)) }
            };
            for row in 0..N {
                // SAFETY: as above.
                let left = if L & VARY == 0 || row == 0 {
                    left_first
                } else {
                    unsafe { load::<_, L>(left, left_at[row].wrapping_add(l)) }
                };
                // SAFETY: as above.
                let right = if R == UNIT || R & VARY == 0 || row == 0 {
                    right_first
                } else {
                    unsafe { load::<_, R>(right, right_at[row].wrapping_add(r)) }
                };
                let sum = &mut sums[if T & VARY == 0 { 0 } else { row }];
                for lane in 0..LANES {
                    let product =
                        if R == UNIT { left[lane] } else { semiring.times(left[lane], right[lane]) };
                    sum[lane] = semiring.plus(sum[lane], product);
                }
            }
        }
        if (T | L | R) & BY_X == 0 {
            // Nothing depends on `x`: the lanes are copies of one value, which counts once.
            sums[0][1..].fill(semiring.zero());
        }
        for row in 0..if T & VARY == 0 { 1 } else { N } {
            if T & BY_X != 0 {
                // SAFETY: as above.
                unsafe { target[row].cast::<Block<S::Value>>().write_unaligned(sums[row]) };
            } else {
                // SAFETY: as above.
                let old = unsafe { &mut *target[row] };
                let start = if assign { semiring.zero() } else { *old };
                *old = sums[row].iter().fold(start, |sum, &value| semiring.plus(sum, value));
            }
        }
    }
    N
}
