//! Crossing brackets: those of the guess that cross one of the gold.
//!
//! `(s, e)` is crossed by a gold bracket that begins inside it and ends behind it, or begins before it and ends inside it. So
//! it is enough to know, for all gold brackets that begin inside `(s, e)`, how far the farthest reaches; and the same from
//! the right. Both are the maximum of a range, which a table of maxima over runs of 1, 2, 4, … positions answers at once.

/// Answers whether a span crosses one of a set of spans.
pub(super) struct Crossing {
    /// For each position, the farthest end of a bracket that begins there.
    reach_right: RangeMaximum,
    /// Reach from the right: positions count down from the end of the sentence.
    reach_left: RangeMaximum,
    length: usize,
}

impl Crossing {
    /// Of the `spans` over a sentence of `length` words.
    pub(super) fn of(spans: impl Iterator<Item = (usize, usize)>, length: usize) -> Crossing {
        let mut right = vec![0; length + 1];
        let mut left = vec![0; length + 1];
        for (start, end) in spans {
            right[start] = right[start].max(end);
            left[length - end] = left[length - end].max(length - start);
        }
        Crossing { reach_right: RangeMaximum::over(right), reach_left: RangeMaximum::over(left), length }
    }

    /// Whether the span from `start` to `end` crosses one of them.
    pub(super) fn crosses(&self, start: usize, end: usize) -> bool {
        let (mirrored_start, mirrored_end) = (self.length - end, self.length - start);
        self.reach_right.inside(start, end) > end
            || self.reach_left.inside(mirrored_start, mirrored_end) > mirrored_end
    }
}

struct RangeMaximum {
    /// `levels[k][p]` is the maximum of the `2^k` values from `p` on.
    levels: Vec<Vec<usize>>,
}

impl RangeMaximum {
    fn over(values: Vec<usize>) -> RangeMaximum {
        let mut levels = vec![values];
        let mut width = 1;
        while let Some(last) = levels.last()
            && last.len() > width
        {
            let next = (0..last.len() - width).map(|p| last[p].max(last[p + width])).collect();
            levels.push(next);
            width *= 2;
        }
        RangeMaximum { levels }
    }

    /// The maximum strictly between `start` and `end`, 0 if there is nothing.
    fn inside(&self, start: usize, end: usize) -> usize {
        let first = start + 1;
        let Some(power) = end.checked_sub(first).and_then(usize::checked_ilog2) else { return 0 };
        let level = &self.levels[power as usize];
        level[first].max(level[end - (1 << power)])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn crosses_plainly(spans: &[(usize, usize)], start: usize, end: usize) -> bool {
        spans.iter().any(|&(s, e)| (s < start && start < e && e < end) || (start < s && s < end && end < e))
    }

    #[test]
    fn touching_and_nesting_is_no_crossing() {
        let crossing = Crossing::of([(0, 3), (3, 6)].into_iter(), 6);
        assert!(crossing.crosses(2, 4) && crossing.crosses(2, 6) && crossing.crosses(0, 5));
        for (start, end) in [(0, 6), (0, 3), (3, 6), (1, 2), (4, 6)] {
            assert!(!crossing.crosses(start, end), "{start} {end}");
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition(ends in prop::collection::vec((0_usize..20, 1_usize..12), 0..12)) {
            let spans: Vec<_> = ends.into_iter().map(|(s, l)| (s, (s + l).min(20))).collect();
            let crossing = Crossing::of(spans.iter().copied(), 20);
            for start in 0..20 {
                for end in start + 1..=20 {
                    prop_assert_eq!(crossing.crosses(start, end), crosses_plainly(&spans, start, end));
                }
            }
        }
    }
}
