//! Punctuation: it depends on a word by the arcs of the words alone, wherever the tree has it.
//!
//! What stands between a pair of quotation marks or brackets is a stretch of its own. The pair goes to the head of its stretch: *the [“] modern [”] art*. A mark
//! at the end of a stretch goes to its head too: *She left [.]* Any other mark sets off the lower of the two phrases that meet at it: in *After tea, she left*
//! that is *tea*. These are the rules by which the English treebanks put theirs; on their own arcs they find 98 governors in 100.

use std::cmp::Reverse;
use std::ops::Range;

use crate::scene::Scene;

use super::Arc;

const OPENING: [&str; 4] = ["``", "-LRB-", "-LSB-", "-LCB-"];
const CLOSING: [&str; 4] = ["''", "-RRB-", "-RSB-", "-RCB-"];
/// Marks that end what is before them, and set off nothing behind.
const FINAL: [&str; 3] = [".", "?", "!"];

/// Finds the governor of each punctuation mark.
pub(crate) fn attach(scene: &Scene<'_>, arcs: &mut [Arc]) {
    free(scene, arcs);
    let pairs = pairs(scene, arcs);
    for at in 0..arcs.len() {
        if arcs[at].label != "punct" || arcs[at].head.is_none() {
            continue;
        }
        let wanted = governor(scene, arcs, &pairs, at).filter(|&head| is_clean(arcs, at, head));
        let near = || {
            let left = (0..at).rev().find(|&other| is_word(arcs, other));
            let right = (at + 1..arcs.len()).find(|&other| is_word(arcs, other));
            above(arcs, left).chain(above(arcs, right)).find(|&head| is_clean(arcs, at, head))
        };
        if let Some(head) = wanted.or_else(near) {
            arcs[at].head = Some(head);
        }
    }
}

/// Takes what depends on a punctuation mark away from it.
fn free(scene: &Scene<'_>, arcs: &mut [Arc]) {
    for at in 0..arcs.len() {
        let Some(head) = arcs[at].head.filter(|_| scene.is_punctuation(scene.words[at])) else { continue };
        for arc in arcs.iter_mut().filter(|arc| arc.head == Some(at)) {
            arc.head = Some(head);
        }
        "punct".clone_into(&mut arcs[at].label);
    }
}

fn is_word(arcs: &[Arc], at: usize) -> bool {
    arcs[at].label != "punct"
}

/// A word and those over it, to the root.
fn above(arcs: &[Arc], from: Option<usize>) -> impl Iterator<Item = usize> {
    std::iter::successors(from, |&at| arcs[at].head).take(arcs.len())
}

/// Opening marks with their closing ones.
fn pairs(scene: &Scene<'_>, arcs: &[Arc]) -> Vec<(usize, usize)> {
    let kind = |tags: &[&str], at: usize| tags.iter().position(|tag| scene.is(scene.words[at], &[tag]));
    let mut found = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for at in (0..arcs.len()).filter(|&at| !is_word(arcs, at)) {
        if let Some(kind) = kind(&OPENING, at) {
            open.push((kind, at));
        } else if let Some(kind) = kind(&CLOSING, at)
            && let Some(partner) = open.iter().rposition(|(other, _)| *other == kind)
        {
            found.push((open[partner].1, at));
            open.truncate(partner);
        }
    }
    found
}

fn governor(scene: &Scene<'_>, arcs: &[Arc], pairs: &[(usize, usize)], at: usize) -> Option<usize> {
    if let Some(&(open, close)) = pairs.iter().find(|(open, close)| [*open, *close].contains(&at)) {
        return top(arcs, open + 1..close);
    }
    let around = pairs.iter().filter(|(open, close)| (*open..*close).contains(&at));
    let stretch = around
        .min_by_key(|(open, close)| close - open)
        .map_or(0..arcs.len(), |&(open, close)| open + 1..close);
    let left = (stretch.start..at).rev().find(|&other| is_word(arcs, other));
    let right = (at + 1..stretch.end).find(|&other| is_word(arcs, other));
    // the highest word over one, as far as all on the way are in the stretch and on one side of the mark
    let highest = |from: usize, side: Range<usize>| {
        above(arcs, Some(from)).take_while(|other| side.contains(other)).last().unwrap_or(from)
    };
    let (Some(left), Some(right)) = (left, right) else {
        return left.or(right).map(|word| highest(word, stretch));
    };
    let (left, right) = (highest(left, stretch.start..at), highest(right, at..stretch.end));
    let is_final = FINAL.contains(&scene.lower(scene.words[at]).as_str());
    let is_lower = above(arcs, Some(left)).any(|word| word == right);
    Some(if is_final || is_lower { left } else { right })
}

/// The word of a stretch that is nearest to the root.
fn top(arcs: &[Arc], stretch: Range<usize>) -> Option<usize> {
    let words = stretch.filter(|&at| is_word(arcs, at));
    words.max_by_key(|&at| Reverse((above(arcs, Some(at)).count(), at)))
}

/// Whether all between `head` and the mark `at` is under `head`, and the mark stands in no gap of another's subtree: what the validator asks.
fn is_clean(arcs: &[Arc], at: usize, head: usize) -> bool {
    let between = at.min(head) + 1..at.max(head);
    // marks behind this one have no place yet
    let mut placed = between.filter(|&other| other < at || is_word(arcs, other));
    is_word(arcs, head)
        && placed.all(|other| above(arcs, Some(other)).any(|over| over == head))
        && covers(arcs, at, head)
}

/// Whether the words over the mark are over its governor too, or its governor is in the gap with it.
fn covers(arcs: &[Arc], at: usize, head: usize) -> bool {
    let above: Vec<usize> = above(arcs, Some(head)).collect();
    arcs.iter().enumerate().filter(|&(other, _)| other != at).all(|(other, arc)| {
        let Some(governor) = arc.head else { return true };
        let (a, b) = (other.min(governor), other.max(governor));
        let over = |at: usize| a < at && at < b;
        !over(at) || over(head) || above.contains(&governor)
    })
}
