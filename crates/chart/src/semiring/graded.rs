//! Requiring parts: a semiring that counts the required parts a derivation has, and keeps only those with the most.
//!
//! Values are what is left of polynomials when only the highest power counts. If any structure has all required parts, the
//! total has as many marks as there are required parts, and its value is the value of exactly those structures. No large
//! bonus is added to any score, so nothing is lost in precision. Marks may be negative: then the fewest are kept of parts of
//! which every structure has at least one.

use super::Semiring;

/// A semiring with marks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Graded<S>(pub S);

/// A number of marks, and the value of what has them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grade<V> {
    /// The marks.
    pub marks: i32,
    /// The value.
    pub value: V,
}

impl<S: Semiring> Semiring for Graded<S> {
    type Value = Grade<S::Value>;

    fn zero(self) -> Self::Value {
        // Fewer marks than anything, lest it hide something.
        Grade { marks: i32::MIN, value: self.0.zero() }
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
        if value == self.0.zero() { self.zero() } else { Grade { marks: a.marks + b.marks, value } }
    }

    fn part(self, score: f32) -> Self::Value {
        let value = self.0.part(score);
        if value == self.0.zero() { self.zero() } else { Grade { marks: 0, value } }
    }

    fn mark(self, value: Self::Value, marks: i32) -> Self::Value {
        if value == self.zero() { value } else { Grade { marks: value.marks + marks, ..value } }
    }
}
