//! The algebra, apart from the structure: what it means to choose between derivations and to put their parts together.
//!
//! An engine is written once, over any [`Semiring`]; what comes out of it depends on the algebra alone. The algebra is a
//! value rather than a type of numbers because counting modulo a prime must know its prime.

mod graded;
mod residue;

pub use graded::{Grade, Graded};
pub use residue::{Residue, count_exactly};

/// A commutative semiring over plain copyable values.
pub trait Semiring: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The numbers.
    type Value: Copy + PartialEq + Send + Sync + std::fmt::Debug;

    /// No derivation.
    fn zero(self) -> Self::Value;
    /// The empty derivation.
    fn one(self) -> Self::Value;
    /// Either.
    fn plus(self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Both.
    fn times(self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// The value of a part with this score; a score of -∞ (or not a number) forbids the part and is zero.
    fn part(self, score: f32) -> Self::Value;

    /// The sum of the products of two rows, place by place.
    fn inner_product(self, left: &[Self::Value], right: &[Self::Value]) -> Self::Value {
        let products = left.iter().zip(right).map(|(&a, &b)| self.times(a, b));
        products.fold(self.zero(), |sum, product| self.plus(sum, product))
    }

    /// Marks the value of a part, in a semiring that counts marks ([`Graded`]).
    fn mark(self, value: Self::Value, _marks: i32) -> Self::Value {
        value
    }
}

/// The best derivation: max and plus over `f32`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Max;

impl Semiring for Max {
    type Value = f32;

    fn zero(self) -> f32 {
        f32::NEG_INFINITY
    }

    fn one(self) -> f32 {
        0.0
    }

    // Written as a comparison because `f32::max` must look for NaN, which `part` keeps out.
    #[inline(always)]
    fn plus(self, a: f32, b: f32) -> f32 {
        if a > b { a } else { b }
    }

    #[inline(always)]
    fn times(self, a: f32, b: f32) -> f32 {
        a + b
    }

    // A maximum is the same in any order, so eight are found side by side.
    fn inner_product(self, left: &[f32], right: &[f32]) -> f32 {
        let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
        let mut best = [self.zero(); 8];
        for (left, right) in left.iter().zip(right) {
            for ((best, &a), &b) in best.iter_mut().zip(left).zip(right) {
                *best = self.plus(*best, self.times(a, b));
            }
        }
        let rest = left_rest.iter().zip(right_rest).map(|(&a, &b)| self.times(a, b));
        best.into_iter().chain(rest).fold(self.zero(), |best, value| self.plus(best, value))
    }

    fn part(self, score: f32) -> f32 {
        if score < f32::INFINITY { score } else { f32::NEG_INFINITY }
    }
}

macro_rules! linear_sum {
    ($(#[$about:meta])* $name:ident: $value:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl Semiring for $name {
            type Value = $value;

            fn zero(self) -> $value {
                0.0
            }

            fn one(self) -> $value {
                1.0
            }

            #[inline(always)]
            fn plus(self, a: $value, b: $value) -> $value {
                a + b
            }

            #[inline(always)]
            fn times(self, a: $value, b: $value) -> $value {
                a * b
            }

            fn part(self, score: f32) -> $value {
                if score.is_nan() { 0.0 } else { $value::from(score).exp() }
            }
        }
    };
}

linear_sum! {
    /// The sum over derivations, of products of `exp(score)`, in `f64`.
    ///
    /// Linear numbers make the sum as cheap as the maximum. They overflow where scores add up to more than about 700; the
    /// engine shifts the scores of a sentence to keep them in range (see `crate::sums`).
    Sum: f64
}

linear_sum! {
    /// The sum over derivations in `f32`: half the memory, if numbers stay in range and six digits are enough.
    ShortSum: f32
}

/// The sum over derivations in logarithms: slow, and never out of range.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogSum;

impl Semiring for LogSum {
    type Value = f64;

    fn zero(self) -> f64 {
        f64::NEG_INFINITY
    }

    fn one(self) -> f64 {
        0.0
    }

    #[inline]
    fn plus(self, a: f64, b: f64) -> f64 {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
    }

    #[inline]
    fn times(self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn part(self, score: f32) -> f64 {
        if score.is_nan() { f64::NEG_INFINITY } else { f64::from(score) }
    }
}

/// Is there a derivation?
#[derive(Clone, Copy, Debug, Default)]
pub struct Exists;

impl Semiring for Exists {
    type Value = bool;

    fn zero(self) -> bool {
        false
    }

    fn one(self) -> bool {
        true
    }

    #[inline(always)]
    fn plus(self, a: bool, b: bool) -> bool {
        a | b
    }

    #[inline(always)]
    fn times(self, a: bool, b: bool) -> bool {
        a & b
    }

    fn part(self, score: f32) -> bool {
        score > f32::NEG_INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // a maximum is one of the sums, to the bit
    fn the_best_of_a_row_may_stand_anywhere() {
        for length in 0..40 {
            let left: Vec<f32> = (0..length).map(|at| (at * 7 % 11) as f32).collect();
            for best in 0..length {
                let mut right = vec![0.5; length];
                right[best] = 20.0;
                assert_eq!(Max.inner_product(&left, &right), left[best] + 20.0, "{best} of {length}");
            }
            let nothing = vec![f32::NEG_INFINITY; length];
            assert_eq!(Max.inner_product(&left, &nothing), f32::NEG_INFINITY);
        }
    }
}
