//! Which edges may be crossed.
//!
//! In the one derivation of a structure, an edge is added as an edge *to an external vertex* only if another edge of the
//! structure crosses it; all others are edges between the ends of a span. (A test looks at every derivation up to five
//! words.) With a structural tree, one of the two that cross is a trace. So where masks leave few traces, few edges can be
//! external, and most cells with an external vertex need never be looked at.

/// Counts permitted edges between words, so that whether one may be crossed is a matter of two rectangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossing {
    /// One more than the words with the root.
    size: usize,
    /// Of all edges, then of trace edges: how many there may be from a word before `a` to a later one before `b`.
    counts: [Vec<u32>; 2],
}

impl Crossing {
    /// Starts a sentence with this many words, the root among them.
    pub(super) fn start(&mut self, words: usize) {
        self.size = words + 1;
        for counts in &mut self.counts {
            counts.clear();
            counts.resize(self.size * self.size, 0);
        }
    }

    /// Notes that there may be an edge between two words.
    pub(super) fn permit(&mut self, a: usize, b: usize, trace: bool) {
        let at = (a.min(b) + 1) * self.size + a.max(b) + 1;
        self.counts[0][at] += 1;
        self.counts[1][at] += u32::from(trace);
    }

    /// Adds up; all edges have been noted.
    pub(super) fn add_up(&mut self) {
        for counts in &mut self.counts {
            for at in self.size + 1..self.size * self.size {
                if at % self.size > 0 {
                    counts[at] += counts[at - 1] + counts[at - self.size];
                    counts[at] -= counts[at - self.size - 1];
                }
            }
        }
    }

    /// May an edge between two words be crossed, by any edge or by a trace edge?
    pub(super) fn may_cross(&self, a: usize, b: usize, by_trace: bool) -> bool {
        let counts = &self.counts[usize::from(by_trace)];
        let (first, last) = (a.min(b), a.max(b));
        // Edges from `left` up to `left_end` to `right` up to `right_end`, ends not included.
        let any = |left: usize, left_end: usize, right: usize, right_end: usize| {
            let at = |a: usize, b: usize| counts[a * self.size + b];
            at(left_end, right_end) + at(left, right) > at(left, right_end) + at(left_end, right)
        };
        any(first + 1, last, last + 1, self.size - 1) || any(0, first, first + 1, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_cross_if_one_end_is_inside_and_the_other_outside() {
        for (a, b) in [(0, 2), (1, 3), (2, 4), (0, 4), (1, 2)] {
            for (c, d) in [(0, 1), (1, 3), (3, 0), (2, 4), (4, 1), (0, 4)] {
                let mut crossing = Crossing::default();
                crossing.start(5);
                crossing.permit(c, d, true);
                crossing.add_up();
                let (c, d) = (c.min(d), c.max(d));
                let expected = (a < c && c < b && b < d) || (c < a && a < d && d < b);
                assert_eq!(crossing.may_cross(a, b, true), expected, "{a} {b} by {c} {d}");
                assert_eq!(crossing.may_cross(b, a, false), expected);
            }
        }
    }
}
