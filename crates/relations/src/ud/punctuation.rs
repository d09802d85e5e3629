//! Punctuation: it depends on the head of its phrase, as long as no other arc is crossed by that.

use crate::scene::Scene;

use super::Arc;

/// Moves each punctuation mark to the nearest governor from which it crosses nothing.
pub(crate) fn attach(scene: &Scene<'_>, arcs: &mut [Arc]) {
    for at in 0..arcs.len() {
        if arcs[at].label != "punct" && !(scene.is_punctuation(scene.words[at]) && arcs[at].head.is_some()) {
            continue;
        }
        // nothing depends on punctuation
        let Some(head) = arcs[at].head else { continue };
        for arc in arcs.iter_mut().filter(|arc| arc.head == Some(at)) {
            arc.head = Some(head);
        }
        "punct".clone_into(&mut arcs[at].label);
    }
    pair_quotes(scene, arcs);
    for at in 0..arcs.len() {
        if arcs[at].label != "punct" || arcs[at].head.is_none_or(|head| is_clean(arcs, at, head)) {
            continue;
        }
        let word = |&other: &usize| arcs[other].label != "punct";
        let left = (0..at).rev().find(word);
        let right = (at + 1..arcs.len()).find(word);
        let chain = |from: Option<usize>| std::iter::successors(from, |&above| arcs[above].head);
        let candidates = chain(left).chain(chain(right));
        if let Some(head) = candidates.into_iter().find(|&head| is_clean(arcs, at, head)) {
            arcs[at].head = Some(head);
        }
    }
}

/// A closing quotation mark goes where its opening one went, if it can.
fn pair_quotes(scene: &Scene<'_>, arcs: &mut [Arc]) {
    let mut open = None;
    for at in 0..arcs.len() {
        if scene.is(scene.words[at], &["``"]) {
            open = arcs[at].head;
        } else if scene.is(scene.words[at], &["''"])
            && let Some(head) = open.take()
            && head != at
            && arcs[at].label == "punct"
            && is_clean(arcs, at, head)
        {
            arcs[at].head = Some(head);
        }
    }
}

/// Whether an arc from `head` to the mark `at` crosses no arc, and no arc's gap holds the mark.
fn is_clean(arcs: &[Arc], at: usize, head: usize) -> bool {
    let (from, to) = (at.min(head), at.max(head));
    let crosses = |other: usize, governor: usize| {
        let (a, b) = (other.min(governor), other.max(governor));
        (a < from && from < b && b < to) || (from < a && a < to && to < b)
    };
    let others = arcs.iter().enumerate().filter(|&(other, _)| other != at);
    let mut pairs = others.filter_map(|(other, arc)| Some((other, arc.head?)));
    !pairs.any(|(other, governor)| crosses(other, governor)) && arcs[head].label != "punct"
        // the mark is in no gap of another's subtree: the words over it are over its governor too
        && covers(arcs, at, head)
}

fn covers(arcs: &[Arc], at: usize, head: usize) -> bool {
    let above: Vec<usize> =
        std::iter::successors(Some(head), |&above| arcs[above].head).take(arcs.len() + 1).collect();
    arcs.iter().enumerate().filter(|&(other, _)| other != at).all(|(other, arc)| {
        let Some(governor) = arc.head else { return true };
        let (a, b) = (other.min(governor), other.max(governor));
        !(a < at && at < b) || above.contains(&governor)
    })
}
