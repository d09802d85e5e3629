//! Where the dependants of a word go on its spine.
//!
//! The dependants on one side of a word, taken from the nearest to the farthest, must not come down again: what is attached to a higher
//! phrase stands outside all that is attached to lower ones. For each word and side, a small dynamic program over (dependant, height)
//! finds the best heights under that rule. DIVERGENCE from the authors, who take the best height of each edge by itself and raise
//! what does not nest.

use super::Skeleton;
use crate::inventory::{AttachmentId, Inventory};
use crate::scores::SentenceScores;

/// The phrase each word is attached to.
pub(super) fn settle(
    scores: &SentenceScores,
    inventory: &Inventory,
    skeleton: &Skeleton,
) -> Vec<AttachmentId> {
    let root = inventory.root_attachment().unwrap_or(AttachmentId(0));
    let mut attachments = vec![root; scores.words()];
    for (parent, &spine) in (1..).zip(&skeleton.spines) {
        let phrases = &inventory.facts(spine).phrases;
        let dependants = |word: &usize| skeleton.heads[*word] == parent;
        let left: Vec<usize> = (0..parent as usize - 1).rev().filter(dependants).collect();
        let right: Vec<usize> = (parent as usize..scores.words()).filter(dependants).collect();
        for side in [left, right] {
            let rows = side.iter().map(|&word| {
                let row = scores.attachments(word, parent);
                phrases.iter().map(|phrase| phrase.map_or(f32::NEG_INFINITY, |id| row[id.index()])).collect()
            });
            let rows: Vec<Vec<f32>> = rows.collect();
            for (&word, height) in side.iter().zip(rising(&rows)) {
                attachments[word] = phrases[height].unwrap_or(root);
            }
        }
    }
    attachments
}

/// One column for each row, never falling, with the greatest sum.
fn rising(rows: &[Vec<f32>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut best = vec![0.0_f32; columns];
    let mut from: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    for row in rows {
        let mut lowest = 0;
        let mut back = Vec::with_capacity(columns);
        let mut next = Vec::with_capacity(columns);
        for column in 0..columns {
            if best[column] > best[lowest] {
                lowest = column;
            }
            back.push(lowest);
            next.push(best[lowest] + row[column]);
        }
        best = next;
        from.push(back);
    }
    let mut column = crate::scores::greatest(&best);
    let mut chosen: Vec<usize> = from
        .iter()
        .rev()
        .map(|back| {
            let here = column;
            column = back[column];
            here
        })
        .collect();
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_the_best_that_never_fall() {
        assert_eq!(rising(&[vec![0.0, 1.0], vec![3.0, 0.0]]), [0, 0]);
        assert_eq!(rising(&[vec![0.0, 4.0], vec![3.0, 0.0]]), [1, 1]);
        assert_eq!(rising(&[vec![1.0, 0.0], vec![0.0, 1.0], vec![0.5, 0.0]]), [0, 1, 1]);
        assert_eq!(rising(&[]), Vec::<usize>::new());
    }
}
