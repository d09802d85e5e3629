//! Valency: how often the phrases of a spine have something on their left, and on their right.
//!
//! A clause without a subject, a preposition without an object, an `SBAR` over a clause alone: no single edge tells that it is missing. The
//! table counts, over the training trees, how often each phrase of each spine was filled on each side; its logarithms are scores of the decoder.

use serde::{Deserialize, Serialize};
use tracebank_chart::sites::Side;

use crate::gold::Gold;
use crate::vocabulary::{SpineId, Vocabulary};

/// The table, by spine, phrase from the bottom, and side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Valency {
    spines: Vec<Vec<[Count; 2]>>,
}

/// How often a side of a phrase was filled, and how often it was empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Count(u32, u32);

/// The most that one count can say, so that what was never seen is not out of the question.
const MOST: f32 = 6.0;

impl Valency {
    /// A table that says nothing.
    pub const NONE: &'static Valency = &Valency { spines: Vec::new() };

    /// Learns from one more tree.
    pub fn learn(&mut self, gold: &Gold, vocabulary: &Vocabulary) {
        self.spines.resize_with(vocabulary.names().spines.len(), Vec::new);
        for (parent, spine) in (1..).zip(&gold.spines) {
            let Some(spine) = *spine else { continue };
            let phrases = &vocabulary.facts(spine).phrases;
            let counts = &mut self.spines[spine.index()];
            counts.resize(phrases.len(), Default::default());
            for (phrase, counts) in phrases.iter().zip(counts) {
                let hangs = |word: &usize| {
                    gold.heads[*word] == parent && gold.attachments[*word] == *phrase && phrase.is_some()
                };
                let sides = [0..parent as usize - 1, parent as usize..gold.heads.len()];
                for (count, mut words) in counts.iter_mut().zip(sides) {
                    if words.any(|word| hangs(&word)) {
                        count.0 += 1;
                    } else {
                        count.1 += 1;
                    }
                }
            }
        }
    }

    /// The logarithms of the shares of filled and of empty; 0 where nothing was seen.
    pub fn scores(&self, spine: SpineId, height: usize, side: Side) -> [f32; 2] {
        let phrases = self.spines.get(spine.index());
        let count = phrases.and_then(|phrases| phrases.get(height)).map(|sides| sides[side as usize]);
        let Some(Count(filled, empty)) = count.filter(|count| count.0.max(count.1) > 0) else {
            return [0.0; 2];
        };
        let share = |count: u32| ((count as f32 + 0.5) / (filled as f32 + empty as f32 + 1.0)).ln();
        [filled, empty].map(|count| share(count).max(-MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{AttachmentId, Names};

    #[test]
    fn a_side_that_was_always_filled_wants_to_be() {
        let names = Names {
            spines: vec!["VP S".into(), "NP".into()],
            attachments: vec!["VP#0".into(), "S#0".into()],
            ..Names::default()
        };
        let vocabulary = Vocabulary::new(names).unwrap();
        let gold = Gold {
            spines: vec![Some(SpineId(1)), Some(SpineId(0))],
            heads: vec![2, 0],
            attachments: vec![Some(AttachmentId(1)), None],
            ..Gold::default()
        };
        let mut valency = Valency::default();
        (0..9).for_each(|_| valency.learn(&gold, &vocabulary));
        let [filled, empty] = valency.scores(SpineId(0), 1, Side::Left);
        assert!((filled - (9.5f32 / 10.0).ln()).abs() < 1e-6 && (empty - (0.5f32 / 10.0).ln()).abs() < 1e-6);
        let [filled, empty] = valency.scores(SpineId(0), 0, Side::Left);
        assert!(filled < empty);
        let [filled, empty] = valency.scores(SpineId(0), 1, Side::Right);
        assert!(filled < empty);
        assert!(Valency::NONE.scores(SpineId(0), 1, Side::Left).iter().all(|score| score.abs() < 1e-9));
    }
}
