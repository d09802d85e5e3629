//! Requiring parts: a semiring that counts the required parts a derivation has, and keeps only those with the most.
//!
//! Values are what is left of polynomials when only the highest power counts. If any structure has all required parts, the
//! total has as many marks as there are required parts, and its value is the value of exactly those structures. No large
//! bonus is added to any score, so nothing is lost in precision.

use super::Semiring;

/// A semiring with marks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Graded<S>(pub S);

/// A number of marks, and the value of what has them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grade<V> {
    /// The marks.
    pub marks: u32,
    /// The value.
    pub value: V,
}

impl<S: Semiring> Semiring for Graded<S> {
    type Value = Grade<S::Value>;

    fn zero(self) -> Self::Value {
        Grade { marks: 0, value: self.0.zero() }
    }

    fn one(self) -> Self::Value {
        Grade { marks: 0, value: self.0.one() }
    }

    #[inline(always)]
    fn plus(self, a: Self::Value, b: Self::Value) -> Self::Value {
        match a.marks.cmp(&b.marks) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => Grade { marks: a.marks, value: self.0.plus(a.value, b.value) },
            std::cmp::Ordering::Greater => a,
        }
    }

    #[inline(always)]
    fn times(self, a: Self::Value, b: Self::Value) -> Self::Value {
        let value = self.0.times(a.value, b.value);
        // Nothing has no marks, lest it hide something.
        if value == self.0.zero() { self.zero() } else { Grade { marks: a.marks + b.marks, value } }
    }

    fn part(self, score: f32) -> Self::Value {
        Grade { marks: 0, value: self.0.part(score) }
    }

    fn mark(self, value: Self::Value) -> Self::Value {
        if value.value == self.0.zero() { value } else { Grade { marks: value.marks + 1, ..value } }
    }
}
