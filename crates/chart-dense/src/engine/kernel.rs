//! The one inner loop: a sparse bilinear map applied at many positions at once.
//!
//! `target[t][row][x] ⊕= left[l][row][x] ⊗ right[r][row][x]` for every product (t, l, r) of the map, every row and every `x`.
//! Neighbouring `x` are neighbours in memory and are taken eight at a time ([`LANES`]). Rows are right ends `j`, or blocks of `x`
//! where no `j` plays a part ([`Rows`](super::view::Rows)). A factor need not depend on the row or on `x`; a target that does not is summed over it.
//!
//! For the three algebras that decoding and training use, the loop over the products is written out as machine code
//! where the feature `jit` is on and the machine allows it. Else it is a loop over the list; which factors have lanes is known at
//! compile time ([`Mode`]), so that each case is its own tight loop.

use std::any::TypeId;

use tracebank_chart::semiring::{Max, Semiring, ShortSum, Sum};

use super::form::{Factor, Form};
use super::view::{Even, LANES};
use crate::compile::terms::Terms;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::native::{Routine, Walk};

/// The instructions that may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Those of any machine.
    Plain,
    /// AVX2, by intrinsics and, with the feature `jit`, by machine code made at run time.
    Wide,
}

impl Level {
    /// Asks the machine.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Self::Wide;
        }
        Self::Plain
    }
}

/// One application of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a, V> {
    pub(crate) terms: &'a Terms,
    /// The factors that have lanes. If the target is overwritten, each row has its own.
    pub(crate) form: Form,
    /// How many rows there are: at least one.
    pub(crate) count: usize,
    pub(crate) target: Even,
    pub(crate) left: (&'a [V], Even),
    pub(crate) right: (&'a [V], Even),
}

impl<V> Call<'_, V> {
    /// Makes sure that all that the map names is inside the arrays; the target has `len` values. The loops and the code rely on
    /// this instead of checking each access.
    #[inline(always)]
    pub(super) fn check(&self, len: usize) {
        let (target, left, right) = self.terms.last();
        let length = |last: usize, has_lanes: bool| {
            last.saturating_mul(LANES).saturating_add(if has_lanes { LANES } else { 1 })
        };
        let factor = |(values, rows): (&[V], Even), last, factor| {
            factor == Factor::One
                || rows.fits(self.count, length(last, factor == Factor::Lanes), values.len())
        };
        let inside = self.target.fits(self.count, length(target, self.form.target_has_lanes), len)
            && factor(self.left, left, self.form.left)
            && factor(self.right, right, self.form.right);
        assert!(inside, "a map reaches beyond its arrays");
        debug_assert!(
            !self.form.assign || self.count == 1 || self.target.step != 0,
            "rows overwrite each other"
        );
    }
}

/// Applies a map: as machine code or by loops over eight lanes in the three algebras that decoding and training use, by plain
/// loops in the others.
#[inline(always)]
pub(crate) fn contract<S: Semiring>(
    semiring: S,
    level: Level,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    let arithmetic = Arithmetic::of::<S>();
    if arithmetic.is_none() {
        return plain(semiring, out, call);
    }
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    if level == Level::Wide
        && let Some(routine) = arithmetic.and_then(|a| call.terms.native.routine(call.terms, a, call.form))
    {
        return walk(routine, out, call);
    }
    #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
    let _ = level;
    dispatch(semiring, out, call);
}

/// The algebras that kernels are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// [`Max`], on `f32`.
    MaxPlus,
    /// [`Sum`], on `f64`.
    SumProduct,
    /// [`ShortSum`], on `f32`.
    ShortSumProduct,
}

impl Arithmetic {
    /// The arithmetic of a semiring, if it is one of those three.
    #[inline(always)]
    fn of<S: Semiring>() -> Option<Self> {
        let semiring = TypeId::of::<S>();
        let three = [
            (TypeId::of::<Max>(), Self::MaxPlus),
            (TypeId::of::<Sum>(), Self::SumProduct),
            (TypeId::of::<ShortSum>(), Self::ShortSumProduct),
        ];
        three.into_iter().find_map(|(id, arithmetic)| (id == semiring).then_some(arithmetic))
    }
}

/// Runs the code of a map.
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
#[inline(always)]
fn walk<V>(routine: &Routine, out: &mut [V], call: &Call<'_, V>) {
    call.check(out.len());
    let (target, (left, left_rows), (right, right_rows)) = (call.target, call.left, call.right);
    let bytes = |rows: Even| rows.step.wrapping_mul(size_of::<V>());
    let walk = Walk { steps: [bytes(target), bytes(left_rows), bytes(right_rows)], count: call.count };
    // SAFETY: all entries that the map names are inside the arrays, of which the target alone is mutable.
    unsafe {
        routine.run(
            out.as_mut_ptr().add(target.start),
            left.as_ptr().wrapping_add(left_rows.start),
            right.as_ptr().wrapping_add(right_rows.start),
            walk,
        );
    }
}

/// A [`Factor`] that is known at compile time.
type Mode = u8;
const SINGLE: Mode = Factor::Single as Mode;
const LANED: Mode = Factor::Lanes as Mode;
const ONE: Mode = Factor::One as Mode;

/// Decides outside the loop what has lanes. Only the combinations that the engine uses are compiled.
fn dispatch<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    let target = if call.form.target_has_lanes { LANED } else { SINGLE };
    macro_rules! cases {
        ($(($target:ident $left:ident $right:ident))*) => {
            match (target, call.form.left as Mode, call.form.right as Mode) {
                $(($target, $left, $right) => apply::<S, $target, $left, $right>(semiring, out, call),)*
                other => unreachable!("no loop for the modes {other:?}"),
            }
        };
    }
    cases! {
        (SINGLE SINGLE SINGLE) (SINGLE LANED LANED) (SINGLE LANED ONE)
        (LANED SINGLE ONE) (LANED SINGLE LANED) (LANED LANED SINGLE) (LANED LANED LANED) (LANED LANED ONE)
    }
}

/// The kernel without lanes: the form is looked at as it goes along.
fn plain<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    let Form { target_has_lanes, left, right, assign } = call.form;
    for row in 0..call.count {
        for (entry, pairs) in call.terms.groups() {
            for lane in 0..if call.form.has_lanes() { LANES } else { 1 } {
                let place = |rows: &Even, entry: usize, has_lanes: bool| {
                    rows.row(row).wrapping_add(entry * LANES + if has_lanes { lane } else { 0 })
                };
                let into = place(&call.target, entry, target_has_lanes);
                let keep = !assign || (lane > 0 && !target_has_lanes);
                let mut sum = if keep { out[into] } else { semiring.zero() };
                for &(l, r) in pairs {
                    let mut value = call.left.0[place(&call.left.1, l as usize, left == Factor::Lanes)];
                    if right != Factor::One {
                        let at = place(&call.right.1, r as usize, right == Factor::Lanes);
                        value = semiring.times(value, call.right.0[at]);
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
fn load<V: Copy, const M: Mode>(from: &[V]) -> Block<V> {
    if M == LANED { *from.first_chunk().expect("checked") } else { [from[0]; LANES] }
}

/// Runs all products over all rows.
fn apply<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    call.check(out.len());
    let assign = call.form.assign;
    for row in 0..call.count {
        let [target, left, right] = [call.target, call.left.1, call.right.1].map(|rows| rows.row(row));
        for (entry, pairs) in call.terms.groups() {
            let into = &mut out[target + entry * LANES..];
            let mut sum =
                if T == LANED && !assign { load::<_, LANED>(into) } else { [semiring.zero(); LANES] };
            for &(l, r) in pairs {
                let mut product = load::<_, L>(&call.left.0[left + l as usize * LANES..]);
                if R != ONE {
                    let factor = load::<_, R>(&call.right.0[right + r as usize * LANES..]);
                    product = std::array::from_fn(|lane| semiring.times(product[lane], factor[lane]));
                }
                sum = std::array::from_fn(|lane| semiring.plus(sum[lane], product[lane]));
            }
            if T == LANED {
                into[..LANES].copy_from_slice(&sum);
            } else {
                // If nothing depends on `x`, the lanes are copies of one value, which counts once.
                let lanes = if L == LANED || R == LANED { LANES } else { 1 };
                let start = if assign { semiring.zero() } else { into[0] };
                into[0] = sum[..lanes].iter().fold(start, |sum, &value| semiring.plus(sum, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::terms::Bilinear;

    const ENTRIES: u16 = 40;
    const ROWS: usize = 3;

    /// Whole numbers, which are added and multiplied exactly, in an order that looks random.
    fn numbers(seed: usize, count: usize) -> impl Iterator<Item = u8> {
        (0..count).map(move |i| ((((i + seed) * 2_654_435_761) >> 7) as u8) % 13)
    }

    /// A map with groups of all sizes, in which factors come back sooner and later.
    fn map() -> Bilinear {
        let entry = |seed| {
            numbers(seed, 600).zip(numbers(seed + 5, 600)).map(|(a, b)| u16::from(a) * 3 + u16::from(b) / 4)
        };
        let triples =
            entry(1).zip(entry(2)).zip(entry(3)).map(|((target, left), right)| (target, left, right));
        let mut triples: Vec<_> = triples.collect();
        triples.sort_unstable();
        triples.dedup();
        assert!(triples.iter().all(|&(t, l, r)| t < ENTRIES && l < ENTRIES && r < ENTRIES));
        Bilinear::new(triples)
    }

    /// Machine code, loops and plain loops make the same of every form of target and factors.
    fn agree<S: Semiring>(semiring: S, number: impl Fn(u8) -> S::Value) {
        let unit = ENTRIES as usize * LANES;
        let array = |seed| numbers(seed, ROWS * unit).map(&number).collect::<Vec<_>>();
        let (left, right, old) = (array(7), array(8), array(9));
        // The same row again and again, if it does not go with the others.
        let even = |moves| Even { start: 0, step: if moves { unit } else { 0 } };
        let lefts = [(Factor::Single, true), (Factor::Lanes, true), (Factor::Lanes, false)];
        let rights = [lefts[0], lefts[1], lefts[2], (Factor::One, false)];
        let factors = lefts.iter().flat_map(|&left| rights.map(|right| (left, right)));
        let mut count = 0;
        for (target_has_lanes, (l, r)) in factors.flat_map(|both| [false, true].map(|lanes| (lanes, both))) {
            // Only what the engine asks for has a loop.
            let few = match (l.0, r.0) {
                (Factor::Single, Factor::Single) => target_has_lanes,
                (Factor::Single, _) | (_, Factor::Single) => !target_has_lanes,
                _ => false,
            };
            if few {
                continue;
            }
            for assign in [false, true] {
                let map = map();
                let form = Form { target_has_lanes, left: l.0, right: r.0, assign };
                let call = Call {
                    terms: &map.forward,
                    form,
                    count: ROWS,
                    target: even(true),
                    left: (&left, even(l.1)),
                    right: (&right, even(r.1)),
                };
                let mut made = [old.clone(), old.clone(), old.clone()];
                plain(semiring, &mut made[0], &call);
                contract(semiring, Level::Plain, &mut made[1], &call);
                contract(semiring, Level::detect(), &mut made[2], &call);
                assert!(made[0] == made[1], "loops, {form:?}");
                assert!(made[0] == made[2], "code, {form:?}");
                count += 1;
            }
        }
        assert_eq!(count, 36);
    }

    #[test]
    fn code_and_loops_agree_on_maxima() {
        agree(Max, f32::from);
    }

    #[test]
    fn code_and_loops_agree_on_sums() {
        agree(Sum, f64::from);
        agree(ShortSum, f32::from);
    }

    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    #[test]
    fn this_machine_runs_code() {
        let (left, right) = (Factor::Lanes, Factor::Lanes);
        let form = Form { target_has_lanes: true, left, right, assign: false };
        let map = map();
        let made = map.forward.native.routine(&map.forward, Arithmetic::MaxPlus, form).is_some();
        assert_eq!(made, Level::detect() == Level::Wide);
    }
}
