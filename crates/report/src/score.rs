//! Counts of what was found, and the three fractions made from them.

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// How many things the gold has, how many the guess has, and how many of them are the same.
///
/// ```
/// use tracebank_report::score::Counts;
/// let counts = Counts { matched: 3, gold: 4, test: 6 };
/// assert_eq!((counts.precision(), counts.recall(), counts.f1()), (50.0, 75.0, 60.0));
/// assert_eq!(Counts::default().f1(), 0.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// In both.
    pub matched: u64,
    /// In the gold.
    pub gold: u64,
    /// In the guess.
    pub test: u64,
}

impl Counts {
    /// The percentage of the guess that is right; 0 when there is nothing in it.
    pub fn precision(self) -> f64 {
        percentage(self.matched, self.test)
    }

    /// The percentage of the gold that was found; 0 when there is nothing in it.
    pub fn recall(self) -> f64 {
        percentage(self.matched, self.gold)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    }

    /// Items that only one of the two has.
    pub fn loss(self) -> u64 {
        (self.gold + self.test).saturating_sub(2 * self.matched)
    }
}

/// `part` in percent of `whole`, 0 of nothing.
pub fn percentage(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.matched += other.matched;
        self.gold += other.gold;
        self.test += other.test;
    }
}

/// Counts in all and by type.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// In all.
    pub total: Counts,
    /// Of each type that occurs in the gold or in the guess.
    pub by_type: BTreeMap<String, Counts>,
}

impl Tally {
    /// Adds `counts` to the total and to `kind`.
    pub fn add(&mut self, kind: &str, counts: Counts) {
        self.total += counts;
        match self.by_type.get_mut(kind) {
            Some(known) => *known += counts,
            None => {
                self.by_type.insert(kind.to_owned(), counts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f1_is_the_harmonic_mean_and_nothing_of_nothing() {
        for (matched, gold, test, f1) in [(3, 4, 6, 60.0), (1, 4, 1, 40.0), (0, 4, 6, 0.0), (0, 0, 0, 0.0)] {
            let ours = Counts { matched, gold, test }.f1();
            assert!((ours - f1).abs() < 1e-9, "{matched} {gold} {test}: {ours}");
        }
    }
}
