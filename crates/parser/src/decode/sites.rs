//! Attachment sites: the phrases of a word's spine under which its dependants go.
//!
//! The dependants on one side of a word, taken from the nearest to the farthest, must not come down again: what is attached to a higher
//! phrase stands outside all that is attached to lower ones. And a phrase above one of the same name, `(NP (NP …) …)`, is there for the sake
//! of what else is in it, so it costs something to leave it empty. For each side of a word, a small dynamic program over (dependant, site, phrases
//! filled) finds the best sites for each set of phrases that are to be filled; the best pair of sides is taken. DIVERGENCE from the
//! authors, who take the best site of each edge by itself and raise what does not nest.

use super::Skeleton;
use crate::scores::SentenceScores;
use crate::vocabulary::{AttachmentId, Vocabulary};

/// The phrase each word is attached to. `empty_penalty` is that of a phrase that should hold more and does not.
pub(super) fn settle(
    scores: &SentenceScores,
    vocabulary: &Vocabulary,
    skeleton: &Skeleton,
    empty_penalty: f32,
) -> Vec<AttachmentId> {
    let root = vocabulary.root_attachment().unwrap_or(AttachmentId(0));
    let mut attachments = vec![root; scores.words()];
    for (parent, &spine) in (1..).zip(&skeleton.spines) {
        let facts = vocabulary.facts(spine);
        let dependants = |word: &usize| skeleton.heads[*word] == parent;
        let left: Vec<usize> = (0..parent as usize - 1).rev().filter(dependants).collect();
        let right: Vec<usize> = (parent as usize..scores.words()).filter(dependants).collect();
        let sides = [left, right].map(|side| {
            let rows = side.iter().map(|&word| {
                let row = scores.attachments(word, parent);
                let score =
                    |phrase: &Option<AttachmentId>| phrase.map_or(f32::NEG_INFINITY, |id| row[id.index()]);
                facts.phrases.iter().map(score).collect()
            });
            let found = monotone(&rows.collect::<Vec<Vec<f32>>>(), &facts.wanting);
            (side, found)
        });
        let wanted = facts.wanting.iter().flatten().count() as u32;
        let total = |pair: &(&Monotone, &Monotone)| {
            let filled = (pair.0.filled | pair.1.filled).count_ones();
            pair.0.score + pair.1.score - empty_penalty * (wanted - filled) as f32
        };
        let [(left, left_found), (right, right_found)] = sides;
        let pairs = left_found.iter().flat_map(|left| right_found.iter().map(move |right| (left, right)));
        // The first of the best, so that nothing hangs on the order of floats that are equal.
        let best = pairs.reduce(|best, next| if total(&next) > total(&best) { next } else { best });
        let Some(best) = best else { continue };
        for (side, found) in [(left, best.0), (right, best.1)] {
            for (&word, &site) in side.iter().zip(&found.sites) {
                attachments[word] = facts.phrases[site].unwrap_or(root);
            }
        }
    }
    attachments
}

/// Sites of one side's dependants that never fall.
#[derive(Clone, PartialEq, Debug)]
struct Monotone {
    /// The phrases that should hold something and now do, a bit each.
    filled: u32,
    score: f32,
    sites: Vec<usize>,
}

/// For each set of wanting phrases that can be filled, one column for each row, never falling, with the greatest sum. `wanting` tells
/// the bit of each column that is one.
fn monotone(rows: &[Vec<f32>], wanting: &[Option<u32>]) -> Vec<Monotone> {
    let mut found = vec![Monotone { filled: 0, score: 0.0, sites: Vec::new() }];
    for row in rows {
        let mut next: Vec<Monotone> = Vec::new();
        for before in &found {
            let lowest = before.sites.last().copied().unwrap_or(0);
            for (site, score) in row.iter().enumerate().skip(lowest) {
                let filled = before.filled | wanting[site].map_or(0, |bit| 1 << bit);
                let score = before.score + score;
                let same = |other: &Monotone| other.filled == filled && other.sites.last() == Some(&site);
                match next.iter_mut().find(|other| same(other)) {
                    Some(other) if other.score >= score => {}
                    Some(other) => {
                        other.score = score;
                        other.sites.clone_from(&before.sites);
                        other.sites.push(site);
                    }
                    None => {
                        let sites = before.sites.iter().copied().chain([site]).collect();
                        next.push(Monotone { filled, score, sites });
                    }
                }
            }
        }
        found = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(rows: &[Vec<f32>]) -> Vec<usize> {
        let columns = rows.first().map_or(0, Vec::len);
        let found = monotone(rows, &vec![None; columns]);
        found.iter().max_by(|a, b| a.score.total_cmp(&b.score)).unwrap().sites.clone()
    }

    #[test]
    fn heights_are_the_best_that_never_fall() {
        assert_eq!(best(&[vec![0.0, 1.0], vec![3.0, 0.0]]), [0, 0]);
        assert_eq!(best(&[vec![0.0, 4.0], vec![3.0, 0.0]]), [1, 1]);
        assert_eq!(best(&[vec![1.0, 0.0], vec![0.0, 1.0], vec![0.5, 0.0]]), [0, 1, 1]);
        assert_eq!(best(&[]), Vec::<usize>::new());
    }

    #[test]
    fn there_is_a_best_way_for_each_set_of_phrases_to_be_filled() {
        let found = monotone(&[vec![0.0, -1.0, -5.0], vec![0.0, -3.0, -9.0]], &[None, Some(0), None]);
        let score = |filled: u32| {
            let scores = found.iter().filter(|way| way.filled == filled).map(|way| way.score);
            scores.fold(f32::NEG_INFINITY, f32::max)
        };
        assert!(score(0).abs() < 1e-6 && (score(1) + 3.0).abs() < 1e-6);
    }
}
