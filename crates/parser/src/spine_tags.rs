//! Tags of spines: how often a word with a spine had each tag.
//!
//! Tags that are given with a sentence are evidence about its spines, which the network has not seen: by Bayes' rule, the probability of a spine
//! is that which the network gives it times that of the tag with this spine, over that of the tag with any.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gold::Gold;
use crate::scores::Grid;
use crate::vocabulary::TagId;

/// The table, by spine and tag.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpineTags {
    spines: Vec<BTreeMap<u16, u32>>,
}

/// The weight of the tags of all words together among those of one spine: a spine that was seen a few times does not forbid other tags.
const PRIOR: f64 = 2.0;

impl SpineTags {
    /// Learns from one more tree.
    pub fn learn(&mut self, gold: &Gold) {
        for (spine, tag) in gold.spines.iter().zip(&gold.tags) {
            let (Some(spine), Some(tag)) = (spine, tag) else { continue };
            if self.spines.len() <= spine.index() {
                self.spines.resize_with(spine.index() + 1, BTreeMap::new);
            }
            *self.spines[spine.index()].entry(tag.0).or_default() += 1;
        }
    }

    /// Adds to the scores of spines what the tags of their words say, where there are any.
    pub fn weigh(&self, spines: &mut Grid, tags: &[Option<TagId>]) {
        let total = |counts: &BTreeMap<u16, u32>| counts.values().map(|&count| f64::from(count)).sum::<f64>();
        let totals: Vec<f64> = self.spines.iter().map(total).collect();
        let all: f64 = totals.iter().sum();
        for (word, tag) in tags.iter().enumerate() {
            let Some(TagId(tag)) = tag else { continue };
            let seen = |counts: &BTreeMap<u16, u32>| counts.get(tag).map_or(0.0, |&count| f64::from(count));
            let share = (self.spines.iter().map(seen).sum::<f64>() + 1.0) / (all + 1.0);
            for ((score, counts), total) in spines.row_mut(word).iter_mut().zip(&self.spines).zip(&totals) {
                let with_spine = (seen(counts) + PRIOR * share) / (total + PRIOR);
                *score += (with_spine / share).ln() as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::SpineId;

    #[test]
    fn a_tag_speaks_for_the_spines_that_it_was_seen_with() {
        let gold = |spine, tag| Gold {
            spines: vec![Some(SpineId(spine)), None],
            tags: vec![Some(TagId(tag)), Some(TagId(0))],
            ..Gold::default()
        };
        let mut table = SpineTags::default();
        (0..30).for_each(|_| table.learn(&gold(0, 0)));
        (0..10).for_each(|_| table.learn(&gold(1, 1)));
        let mut spines = Grid::from_values(3, vec![-1.0; 9]);
        table.weigh(&mut spines, &[Some(TagId(1)), None, Some(TagId(7))]);
        let by_hand =
            |with: f64, all: f64| ((with + 2.0 * (11.0 / 41.0)) / (all + 2.0) / (11.0 / 41.0)).ln() as f32;
        assert!((spines.row(0)[0] - (by_hand(0.0, 30.0) - 1.0)).abs() < 1e-6);
        assert!((spines.row(0)[1] - (by_hand(10.0, 10.0) - 1.0)).abs() < 1e-6);
        // A spine that was never seen, a word without a tag, a tag that was never seen: nothing is said of the first two.
        assert_eq!((spines.row(0)[2], spines.row(1)), (-1.0, &[-1.0; 3][..]));
        assert!(spines.row(2).iter().all(|score| score.is_finite()));
    }
}
