//! The one inner loop: a sparse bilinear map applied at many positions at once.
//!
//! `target[t][row][x] ⊕= left[l][row][x] ⊗ right[r][row][x]` for every product (t, l, r) of the map, every row and every `x`.
//! Neighbouring `x` are neighbours in memory and are taken eight at a time ([`LANES`]). Rows are right ends `j`, or blocks of `x`
//! where no `j` plays a part ([`Rows`]). A factor need not depend on the row or on `x`; a target that does not is summed over it.
//!
//! For the two algebras that decoding and training use, the loop over the products is written out as [machine code](crate::native)
//! where the machine allows it. Else it is a loop over the list; which factors have lanes is known at compile time ([`Mode`]),
//! so that each case is its own tight loop.

use super::view::{BY_J, BY_X, Even, LANES, Mode, POINT, Rows, UNIT, View};
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
    pub(crate) target: View<'a>,
    pub(crate) left: (&'a [V], View<'a>),
    pub(crate) right: (&'a [V], View<'a>),
    pub(crate) rows: Rows<'a>,
    /// Overwrite the target instead of adding to it.
    pub(crate) assign: bool,
}

impl<V> Call<'_, V> {
    /// Does each row have its own target?
    pub(super) fn has_target_by_row(&self) -> bool {
        self.target.mode_over(&self.rows) & BY_J != 0
    }

    /// How many of the next rows are evenly apart, and where the target, of `len` values, and the factors are at them. All that
    /// the map names is inside the arrays.
    pub(super) fn next_rows(&self, row: usize, len: usize) -> (usize, [Even; 3]) {
        let (target, count) = self.target.run(&self.rows, row, self.rows.len() - row);
        let (left, count) = self.left.1.run(&self.rows, row, count);
        let (right, count) = self.right.1.run(&self.rows, row, count);
        let last = self.terms.last();
        self.target.check(&target, count, last.0, len);
        self.left.1.check(&left, count, last.1, self.left.0.len());
        self.right.1.check(&right, count, last.2, self.right.0.len());
        (count, [target, left, right])
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
    let lanes = |view: View<'_>| if view.mode == UNIT { UNIT } else { view.mode & BY_X };
    macro_rules! cases {
        ($(($target:ident $left:ident $right:ident))*) => {
            match (lanes(call.target), lanes(call.left.1), lanes(call.right.1)) {
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
    for row in 0..call.rows.len() {
        let at = [target, left, right].map(|view| view.start(&call.rows, row));
        // A target that is the same for all rows is overwritten by the first of them only.
        let assign = call.assign && (row == 0 || call.has_target_by_row());
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
fn load<V: Copy, const M: Mode>(from: &[V]) -> Block<V> {
    if M == BY_X { *from.first_chunk().expect("checked") } else { [from[0]; LANES] }
}

/// Runs all products over all rows.
fn apply<S: Semiring, const T: Mode, const L: Mode, const R: Mode>(
    semiring: S,
    out: &mut [S::Value],
    call: &Call<'_, S::Value>,
) {
    let mut row = 0;
    while row < call.rows.len() {
        let (count, at) = call.next_rows(row, out.len());
        for next in 0..count {
            let [target, left, right] = at.map(|even| even.row(next));
            // A target that is the same for all rows is overwritten by the first of them only.
            let assign = call.assign && (row + next == 0 || call.has_target_by_row());
            for (entry, pairs) in call.terms.groups() {
                let into = &mut out[target + entry * LANES..];
                let mut sum =
                    if T == BY_X && !assign { load::<_, BY_X>(into) } else { [semiring.zero(); LANES] };
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
        row += count;
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::BY_JX;
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
        let at: Vec<u32> = (0..ROWS as u32).collect();
        let js = at.clone();
        let unit = ENTRIES as usize * LANES;
        let view = |mode| View { mode, base: 0, unit, at: if mode & BY_J == 0 { &[] } else { &at } };
        let array = |seed| numbers(seed, ROWS * unit).map(&number).collect::<Vec<_>>();
        let (left, right, old) = (array(7), array(8), array(9));
        let forms =
            [BY_J, BY_JX].into_iter().flat_map(|target| [BY_J, BY_JX, BY_X].map(|left| (target, left)));
        let forms =
            forms.flat_map(|(target, left)| [BY_J, BY_JX, BY_X, UNIT].map(|right| (target, left, right)));
        let mut count = 0;
        for (target, l, r) in forms {
            // The sum of all lanes is wanted only of products of lanes, and products of single values nowhere.
            let few = if target == BY_JX { l == BY_J && r == BY_J } else { l == BY_J || r == BY_J };
            if few {
                continue;
            }
            for assign in [false, true] {
                let map = map();
                let call = Call {
                    terms: &map.forward,
                    target: view(target),
                    left: (&left, view(l)),
                    right: (&right, view(r)),
                    rows: Rows::Cells { js: &js, block: 0 },
                    assign,
                };
                let mut made = [old.clone(), old.clone(), old.clone()];
                plain(semiring, &mut made[0], &call);
                semiring.contract(Level::Loops, &mut made[1], &call);
                semiring.contract(Level::detect(), &mut made[2], &call);
                assert_eq!(made[0], made[1], "loops, {target} {l} {r} {assign}");
                assert_eq!(made[0], made[2], "code, {target} {l} {r} {assign}");
                count += 1;
            }
        }
        assert_eq!(count, 34);
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
        let view = View { mode: BY_X, base: 0, unit, at: &[] };
        let factor = (&values[..], view);
        let call = Call {
            terms: &map.forward,
            target: view,
            left: factor,
            right: factor,
            rows: Rows::Blocks(1),
            assign: false,
        };
        let made = walk::routine(Arithmetic::MaxPlus, &call).is_some();
        assert_eq!(made, Level::detect() == Level::Native);
    }
}
