//! The one inner loop: a sparse bilinear map applied at many positions at once.
//!
//! `target[t][row][x] ⊕= left[l][row][x] ⊗ right[r][row][x]` for every product (t, l, r) of the map, every row and every `x`.
//! Neighbouring `x` are neighbours in memory and go through the vector unit eight at a time ([`LANES`]). Rows are right
//! ends `j`, or blocks of `x` where no `j` plays a part ([`Rows`]). A factor need not depend on the row or on `x`; a target
//! that does not is summed over it. Which of them depend on what is known at compile time ([`Mode`]), so each case is its
//! own tight loop. Up to four rows are kept in registers while the products of a target are run through. They must be evenly
//! apart in memory: then one address and one distance say where all of them are, and nothing but values and
//! products has to be read in the loop.
//!
//! Each loop is compiled once for the baseline and once for each wider instruction set; [`Level::detect`] chooses at run time.

use super::view::{BY_J, BY_JX, BY_X, Even, LANES, Mode, POINT, Rows, UNIT, View};
use crate::compile::terms::Terms;
use crate::semiring::{Exists, Graded, LogSum, Max, Residue, Semiring, Sum};

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
    pub(crate) rows: Rows<'a>,
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
    let target = call.target.mode_over(&call.rows);
    // One value for all rows is read like one for each row, and needs no loop of its own.
    let by_row = |view: View<'_>| match view.mode_over(&call.rows) {
        POINT if target != POINT => BY_J,
        mode => mode,
    };
    macro_rules! cases {
        ($(($target:ident $left:ident $right:ident))*) => {
            match (target, by_row(call.left.1), by_row(call.right.1)) {
                $(($target, $left, $right) => apply::<S, $target, $left, $right>(semiring, out, call),)*
                other => unreachable!("no loop for the modes {other:?}"),
            }
        };
    }
    cases! {
        (POINT POINT POINT) (POINT BY_JX BY_JX) (POINT BY_JX UNIT)
        (BY_J BY_X BY_JX) (BY_J BY_JX BY_X) (BY_J BY_JX BY_JX) (BY_J BY_JX UNIT)
        (BY_X BY_J BY_JX) (BY_X BY_JX BY_J) (BY_X BY_JX BY_JX)
        (BY_JX BY_J BY_JX) (BY_JX BY_J UNIT) (BY_JX BY_X BY_J) (BY_JX BY_X BY_JX)
        (BY_JX BY_JX BY_J) (BY_JX BY_JX BY_X) (BY_JX BY_JX BY_JX) (BY_JX BY_JX UNIT)
    }
}

/// Takes the rows four at a time, or two or one where there are no four evenly apart.
#[inline(always)]
fn apply<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    let (mut row, rows, len) = (0, call.rows.len(), out.len());
    while row < rows {
        let even = |count| evenly(len, call, row, count);
        if let Some(at) = (rows - row >= 4).then(|| even(4)).flatten() {
            run::<S, T, L, R, 4>(semiring, out, call, at, row == 0);
            row += 4;
        } else if let Some(at) = (rows - row >= 2).then(|| even(2)).flatten() {
            run::<S, T, L, R, 2>(semiring, out, call, at, row == 0);
            row += 2;
        } else if let Some(at) = even(1) {
            run::<S, T, L, R, 1>(semiring, out, call, at, row == 0);
            row += 1;
        }
    }
}

/// Where the target and the factors are at the next `count` rows, if they are evenly apart; all of it is inside the arrays.
fn evenly<V>(len: usize, call: &Call<'_, V>, row: usize, count: usize) -> Option<[Even; 3]> {
    let (target, left, right) = call.terms.last();
    let at = [
        call.target.even(&call.rows, row, count)?,
        call.left.1.even(&call.rows, row, count)?,
        call.right.1.even(&call.rows, row, count)?,
    ];
    call.target.check(&at[0], count, target, len);
    call.left.1.check(&at[1], count, left, call.left.0.len());
    call.right.1.check(&at[2], count, right, call.right.0.len());
    Some(at)
}

/// The same without vectors: the modes are looked at as it goes along.
fn plain<S: Semiring>(semiring: S, _: Level, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    let (target, left, right) = (&call.target, &call.left.1, &call.right.1);
    for row in 0..call.rows.len() {
        let at = [target, left, right].map(|view| view.start(&call.rows, row));
        // A target that is the same for all rows is overwritten by the first of them only.
        let assign = call.assign && (row == 0 || target.mode_over(&call.rows) & BY_J != 0);
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

/// `x` eight at a time, or one value for all of them.
type Block<V> = [V; LANES];

/// Reads one value for all lanes, or a block.
///
/// # Safety
/// The view must have been [checked](View::check).
#[inline(always)]
unsafe fn load<V: Copy, const M: Mode>(from: *const V) -> Block<V> {
    if M & BY_X == 0 {
        // SAFETY: by the caller's promise.
        [unsafe { *from }; LANES]
    } else {
        // SAFETY: by the caller's promise; a block need not be aligned.
        unsafe { from.cast::<Block<V>>().read_unaligned() }
    }
}

/// `N` rows of a target and its factors: each a pointer to the first row and how far it is to the next.
struct Lines<S: Semiring, const T: Mode, const L: Mode, const R: Mode, const N: usize> {
    semiring: S,
    target: (*mut S::Value, usize),
    left: (*const S::Value, usize),
    right: (*const S::Value, usize),
    assign: bool,
}

/// Runs all products over `N` rows.
#[inline(always)]
fn run<S: Semiring, const T: Mode, const L: Mode, const R: Mode, const N: usize>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
    [target, left, right]: [Even; 3],
    first: bool,
) {
    let lines = Lines::<S, T, L, R, N> {
        semiring,
        target: (out.as_mut_ptr().wrapping_add(target.start), target.step),
        left: (call.left.0.as_ptr().wrapping_add(left.start), left.step),
        right: (call.right.0.as_ptr().wrapping_add(right.start), right.step),
        // A target that is the same for all rows is overwritten by the first of them only.
        assign: call.assign && (first || T & BY_J != 0),
    };
    for (target, pairs) in call.terms.groups() {
        lines.sum(target, pairs);
    }
}

impl<S: Semiring, const T: Mode, const L: Mode, const R: Mode, const N: usize> Lines<S, T, L, R, N> {
    /// How many rows the target has.
    const TARGETS: usize = if T & BY_J == 0 { 1 } else { N };

    /// Adds the products of a group to its target.
    #[inline(always)]
    fn sum(&self, target: usize, pairs: &[(u16, u16)]) {
        let semiring = self.semiring;
        let entry = self.target.0.wrapping_add(target * LANES);
        let target = |row| entry.wrapping_add(self.target.1.wrapping_mul(row));
        let mut sums = [[semiring.zero(); LANES]; N];
        if T & BY_X != 0 && !self.assign {
            for (row, sum) in sums[..Self::TARGETS].iter_mut().enumerate() {
                // SAFETY: the views are checked before the loops; a block need not be aligned.
                *sum = unsafe { target(row).cast::<Block<S::Value>>().read_unaligned() };
            }
        }
        for &pair in pairs {
            self.add(&mut sums, pair);
        }
        if (T | L | R) & BY_X == 0 {
            // Nothing depends on `x`: the lanes are copies of one value, which counts once.
            sums[0][1..].fill(semiring.zero());
        }
        for (row, sum) in sums[..Self::TARGETS].iter().enumerate() {
            if T & BY_X != 0 {
                // SAFETY: as above.
                unsafe { target(row).cast::<Block<S::Value>>().write_unaligned(*sum) };
            } else {
                // SAFETY: as above.
                let old = unsafe { &mut *target(row) };
                let start = if self.assign { semiring.zero() } else { *old };
                *old = sum.iter().fold(start, |sum, &value| semiring.plus(sum, value));
            }
        }
    }

    /// Adds one product. What does not depend on the row is the same for all of them: a factor is read once, and a target
    /// adds up the rows.
    #[inline(always)]
    fn add(&self, sums: &mut [Block<S::Value>; N], (l, r): (u16, u16)) {
        let left = self.left.0.wrapping_add(l as usize * LANES);
        let right = self.right.0.wrapping_add(r as usize * LANES);
        let left = |row| left.wrapping_add(self.left.1.wrapping_mul(row));
        let right = |row| right.wrapping_add(self.right.1.wrapping_mul(row));
        // SAFETY: the views are checked before the loops.
        let left_first = unsafe { load::<_, L>(left(0)) };
        // SAFETY: as above; a factor of one is not read.
        let right_first = if R == UNIT { left_first } else { unsafe { load::<_, R>(right(0)) } };
        for row in 0..N {
            // SAFETY: as above.
            let left =
                if L & BY_J == 0 || row == 0 { left_first } else { unsafe { load::<_, L>(left(row)) } };
            let right =
                if R & BY_J == 0 || row == 0 { right_first } else { unsafe { load::<_, R>(right(row)) } };
            let sum = &mut sums[if T & BY_J == 0 { 0 } else { row }];
            for lane in 0..LANES {
                let product =
                    if R == UNIT { left[lane] } else { self.semiring.times(left[lane], right[lane]) };
                sum[lane] = self.semiring.plus(sum[lane], product);
            }
        }
    }
}
