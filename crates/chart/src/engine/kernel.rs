//! The one inner loop: a sparse bilinear map applied at many positions at once.
//!
//! `target[t][row][x] ⊕= left[l][row][x] ⊗ right[r][row][x]` for every product (t, l, r) of the map, every row and every `x`.
//! Neighbouring `x` are neighbours in memory and are taken eight at a time ([`LANES`]). Rows are right ends `j`, or blocks of `x`
//! where no `j` plays a part ([`Rows`](super::view::Rows)). A factor need not depend on the row or on `x`; a target that does not is summed over it.
//!
//! For the two algebras that decoding and training use, the loop over the products is written out as [machine code](crate::native)
//! where the machine allows it. Else it is a loop over the list; which factors have lanes is known at compile time ([`Mode`]),
//! so that each case is its own tight loop.

use super::view::{BY_X, Even, LANES, Mode, POINT, UNIT};
use super::walk;
use crate::compile::terms::Terms;
use crate::native::Arithmetic;
use crate::semiring::{Exists, Graded, LogSum, Max, Residue, Semiring, Sum};

/// How maps are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// By loops, on any machine.
    Loops,
    /// As machine code, if the machine has AVX2.
    Native,
}

impl Level {
    /// Asks the machine.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Self::Native;
        }
        Self::Loops
    }
}

/// One application of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a, V> {
    pub(crate) terms: &'a Terms,
    pub(crate) target: Even,
    pub(crate) left: (&'a [V], Even),
    pub(crate) right: (&'a [V], Even),
    /// How many rows there are: at least one.
    pub(crate) count: usize,
    /// Overwrite the target instead of adding to it.
    pub(crate) assign: bool,
}

impl<V> Call<'_, V> {
    /// Does each row have its own target?
    pub(super) fn has_target_by_row(&self) -> bool {
        self.target.step != 0
    }

    /// Makes sure that all that the map names is inside the arrays; the target has `len` values.
    #[inline(always)]
    pub(super) fn check(&self, len: usize) {
        let last = self.terms.last();
        self.target.check(self.count, last.0, len);
        self.left.1.check(self.count, last.1, self.left.0.len());
        self.right.1.check(self.count, last.2, self.right.0.len());
    }
}

/// A semiring with its inner loop: fast for the two that decoding and training use, plain for the others.
pub(crate) trait Algebra: Semiring {
    /// Applies a map.
    fn contract(self, level: Level, out: &mut [Self::Value], call: &Call<'_, Self::Value>);
}

macro_rules! fast {
    ($($algebra:ident: $arithmetic:ident),*) => {
        $(impl Algebra for $algebra {
            fn contract(self, level: Level, out: &mut [Self::Value], call: &Call<'_, Self::Value>) {
                let native = (level == Level::Native).then(|| walk::routine(Arithmetic::$arithmetic, call));
                match native.flatten() {
                    Some(routine) => walk::walk(routine, out, call),
                    None => dispatch(self, out, call),
                }
            }
        })*
    };
}

macro_rules! slow {
    ($($algebra:ty),*) => {
        $(impl Algebra for $algebra {
            fn contract(self, _: Level, out: &mut [Self::Value], call: &Call<'_, Self::Value>) {
                plain(self, out, call);
            }
        })*
    };
}

fast!(Max: MaxPlus, Sum: SumProduct);
slow!(Residue, Graded<Residue>, Graded<Max>, Graded<Sum>, Graded<LogSum>, Graded<Exists>);

/// Decides outside the loop what has lanes. Only the combinations that the engine uses are compiled.
fn dispatch<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    macro_rules! cases {
        ($(($target:ident $left:ident $right:ident))*) => {
            match (call.target.mode, call.left.1.mode, call.right.1.mode) {
                $(($target, $left, $right) => apply::<S, $target, $left, $right>(semiring, out, call),)*
                other => unreachable!("no loop for the modes {other:?}"),
            }
        };
    }
    cases! {
        (POINT POINT POINT) (POINT BY_X BY_X) (POINT BY_X UNIT)
        (BY_X POINT UNIT) (BY_X POINT BY_X) (BY_X BY_X POINT) (BY_X BY_X BY_X) (BY_X BY_X UNIT)
    }
}

/// The same without lanes: the modes are looked at as it goes along.
fn plain<S: Semiring>(semiring: S, out: &mut [S::Value], call: &Call<'_, S::Value>) {
    let (target, left, right) = (&call.target, &call.left.1, &call.right.1);
    for row in 0..call.count {
        // A target that is the same for all rows is overwritten by the first of them only.
        let assign = call.assign && (row == 0 || call.has_target_by_row());
        let lanes = if (target.mode | left.mode | right.mode) & BY_X == 0 { 1 } else { LANES };
        for (entry, pairs) in call.terms.groups() {
            for lane in 0..lanes {
                let place = |rows: &Even, entry: usize| {
                    rows.row(row).wrapping_add(entry * LANES + if rows.mode == BY_X { lane } else { 0 })
                };
                let into = place(target, entry);
                let keep = !assign || (lane > 0 && target.mode != BY_X);
                let mut sum = if keep { out[into] } else { semiring.zero() };
                for &(l, r) in pairs {
                    let mut value = call.left.0[place(left, l as usize)];
                    if right.mode != UNIT {
                        value = semiring.times(value, call.right.0[place(right, r as usize)]);
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
    if M == BY_X { *from.first_chunk().expect("checked") } else { [from[0]; LANES] }
}

/// Runs all products over all rows.
fn apply<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    call.check(out.len());
    for row in 0..call.count {
        let [target, left, right] = [call.target, call.left.1, call.right.1].map(|rows| rows.row(row));
        // A target that is the same for all rows is overwritten by the first of them only.
        let assign = call.assign && (row == 0 || call.has_target_by_row());
        for (entry, pairs) in call.terms.groups() {
            let into = &mut out[target + entry * LANES..];
            let mut sum = if T == BY_X && !assign { load::<_, BY_X>(into) } else { [semiring.zero(); LANES] };
            for &(l, r) in pairs {
                let mut product = load::<_, L>(&call.left.0[left + l as usize * LANES..]);
                if R != UNIT {
                    let factor = load::<_, R>(&call.right.0[right + r as usize * LANES..]);
                    product = std::array::from_fn(|lane| semiring.times(product[lane], factor[lane]));
                }
                sum = std::array::from_fn(|lane| semiring.plus(sum[lane], product[lane]));
            }
            if T == BY_X {
                into[..LANES].copy_from_slice(&sum);
            } else {
                // If nothing depends on `x`, the lanes are copies of one value, which counts once.
                let lanes = if (L | R) & BY_X == 0 { 1 } else { LANES };
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
    fn agree<S: Algebra>(semiring: S, number: impl Fn(u8) -> S::Value) {
        let unit = ENTRIES as usize * LANES;
        let array = |seed| numbers(seed, ROWS * unit).map(&number).collect::<Vec<_>>();
        let (left, right, old) = (array(7), array(8), array(9));
        // The same row again and again, if it does not go with the others.
        let even = |mode, moves| Even { mode, start: 0, step: if moves { unit } else { 0 } };
        let targets = [even(POINT, true), even(BY_X, true)];
        let lefts = [even(POINT, true), even(BY_X, true), even(BY_X, false)];
        let rights = [even(POINT, true), even(BY_X, true), even(BY_X, false), even(UNIT, false)];
        let mut count = 0;
        let factors = lefts.iter().flat_map(|&left| rights.map(|right| (left, right)));
        for (target, (l, r)) in factors.flat_map(|factors| targets.map(|target| (target, factors))) {
            // Only what the engine asks for has a loop.
            let modes = (target.mode, l.mode, r.mode);
            if matches!(modes, (BY_X, POINT, POINT) | (POINT, POINT, BY_X | UNIT) | (POINT, BY_X, POINT)) {
                continue;
            }
            for assign in [false, true] {
                let map = map();
                let call = Call {
                    terms: &map.forward,
                    target,
                    left: (&left, l),
                    right: (&right, r),
                    count: ROWS,
                    assign,
                };
                let mut made = [old.clone(), old.clone(), old.clone()];
                plain(semiring, &mut made[0], &call);
                semiring.contract(Level::Loops, &mut made[1], &call);
                semiring.contract(Level::detect(), &mut made[2], &call);
                assert_eq!(made[0], made[1], "loops, {modes:?} {assign}");
                assert_eq!(made[0], made[2], "code, {modes:?} {assign}");
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
    }

    #[test]
    fn this_machine_runs_code() {
        let map = map();
        let unit = ENTRIES as usize * LANES;
        let values = vec![0.0; unit];
        let even = Even { mode: BY_X, start: 0, step: 0 };
        let factor = (&values[..], even);
        let call = Call {
            terms: &map.forward,
            target: even,
            left: factor,
            right: factor,
            count: 1,
            assign: false,
        };
        let made = walk::routine(Arithmetic::MaxPlus, &call).is_some();
        assert_eq!(made, Level::detect() == Level::Native);
    }
}
