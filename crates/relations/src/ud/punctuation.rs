//! Punctuation: it depends on a word by the arcs of the words alone, wherever the tree has it.
//!
//! What stands between a pair of quotation marks or brackets is a stretch of its own. The pair goes to the head of its stretch: *the [“] modern [”] art*. A mark
//! at the end of a stretch goes to its head too: *She left [.]* Any other mark sets off the lower of the two phrases that meet at it: in *After tea, she left*
//! that is *tea*. These are the rules by which the English treebanks put theirs; on their own arcs they find 98 governors in 100.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::scene::Scene;

use super::Arcs;

const OPENING: [&str; 4] = ["``", "-LRB-", "-LSB-", "-LCB-"];
const CLOSING: [&str; 4] = ["''", "-RRB-", "-RSB-", "-RCB-"];
/// Marks that end what is before them, and set off nothing behind.
const FINAL: [&str; 3] = [".", "?", "!"];

/// Finds the governor of each punctuation mark.
pub(crate) fn attach(scene: &Scene<'_>, arcs: &mut Arcs) {
    free(scene, arcs);
    let ground = Ground::of(scene, arcs);
    for at in 0..arcs.len() {
        if is_word(arcs, at) || arcs[at].head.is_none() {
            continue;
        }
        let wanted = ground.governor(scene, arcs, at).filter(|&head| ground.is_clean(arcs, at, head));
        let near = || {
            let [left, right] = ground.neighbours(at, 0..arcs.len());
            let mut over = [left, right].into_iter().flatten().flat_map(|word| arcs.above(word));
            over.find(|&head| ground.is_clean(arcs, at, head))
        };
        if let Some(head) = wanted.or_else(near) {
            arcs.set_head(at, Some(head));
        }
    }
}

/// Takes what depends on a punctuation mark away from it.
fn free(scene: &Scene<'_>, arcs: &mut Arcs) {
    for at in 0..arcs.len() {
        let Some(head) = arcs[at].head.filter(|_| scene.is_punctuation(scene.words[at])) else { continue };
        arcs.hand_over(at, head, |_, _| true);
        arcs.set_label(at, "punct");
    }
}

fn is_word(arcs: &Arcs, at: usize) -> bool {
    arcs[at].label != "punct"
}

/// What stays while marks are put in their places, for nothing depends on one: the tree of the words, and the pairs.
struct Ground {
    depths: Vec<usize>,
    /// For each word, the numbers of itself and of all under it, in the order of the tree.
    extents: Vec<Range<usize>>,
    /// For each place the nearest words before and behind it.
    nearest: Vec<[Option<usize>; 2]>,
    /// For each mark of a pair, what is between the two.
    inside: BTreeMap<usize, Range<usize>>,
    /// For each place, what is between the innermost pair around it.
    stretches: Vec<Range<usize>>,
}

impl Ground {
    fn of(scene: &Scene<'_>, arcs: &Arcs) -> Ground {
        let pairs = pairs(scene, arcs);
        let inside = pairs.iter().flat_map(|&(open, close)| [open, close].map(|at| (at, open + 1..close)));
        let mut nearest = vec![[None; 2]; arcs.len()];
        let mut word = None;
        for (at, nearest) in nearest.iter_mut().enumerate() {
            nearest[0] = word;
            word = if is_word(arcs, at) { Some(at) } else { word };
        }
        word = None;
        for (at, nearest) in nearest.iter_mut().enumerate().rev() {
            nearest[1] = word;
            word = if is_word(arcs, at) { Some(at) } else { word };
        }
        Ground {
            depths: arcs.depths(),
            extents: arcs.extents(),
            nearest,
            inside: inside.collect(),
            stretches: stretches(&pairs, arcs.len()),
        }
    }

    /// The nearest words of a stretch before and behind a mark in it.
    fn neighbours(&self, at: usize, stretch: Range<usize>) -> [Option<usize>; 2] {
        self.nearest[at].map(|word| word.filter(|word| stretch.contains(word)))
    }

    /// Whether `word` is `head` or under it.
    fn is_under(&self, word: usize, head: usize) -> bool {
        self.extents[head].contains(&self.extents[word].start)
    }

    fn governor(&self, scene: &Scene<'_>, arcs: &Arcs, at: usize) -> Option<usize> {
        if let Some(inside) = self.inside.get(&at) {
            return self.top(arcs, inside.clone());
        }
        let stretch = self.stretches[at].clone();
        // the highest word over one, as far as all on the way are in the stretch and on one side of the mark
        let highest = |from: usize, side: Range<usize>| {
            arcs.above(from).take_while(|other| side.contains(other)).last().unwrap_or(from)
        };
        let (left, right) = match self.neighbours(at, stretch.clone()) {
            [Some(left), Some(right)] => (left, right),
            [left, right] => return left.or(right).map(|word| highest(word, stretch)),
        };
        let (left, right) = (highest(left, stretch.start..at), highest(right, at..stretch.end));
        let is_final = FINAL.contains(&scene.lower(scene.words[at]).as_str());
        Some(if is_final || self.is_under(left, right) { left } else { right })
    }

    /// The word of a stretch that is nearest to the root.
    fn top(&self, arcs: &Arcs, stretch: Range<usize>) -> Option<usize> {
        stretch.filter(|&at| is_word(arcs, at)).min_by_key(|&at| (self.depths[at], at))
    }

    /// Whether all between `head` and the mark `at` is under `head`, and the mark stands in no gap of another's subtree: what the validator asks.
    fn is_clean(&self, arcs: &Arcs, at: usize, head: usize) -> bool {
        let between = at.min(head) + 1..at.max(head);
        // a mark is where its governor is, and those behind this one have no place yet
        let is_placed = |other: usize| other < at || is_word(arcs, other);
        let word = |other: usize| arcs[other].head.filter(|_| !is_word(arcs, other)).unwrap_or(other);
        is_word(arcs, head)
            && between.clone().all(|other| !is_placed(other) || self.is_under(word(other), head))
            && between.clone().all(|other| self.is_covered(arcs, at, head, other))
    }

    /// Whether every arc of a word between a mark and its governor that goes over the mark comes from a word over the governor.
    fn is_covered(&self, arcs: &Arcs, at: usize, head: usize, between: usize) -> bool {
        let beyond = |other: usize| (other < at) != (head < at) && other != at;
        let fits = |end: usize, governor: usize| !beyond(end) || self.is_under(head, governor);
        arcs[between].head.is_none_or(|governor| fits(governor, governor))
            && arcs.dependants(between).all(|other| fits(other, between))
    }
}

/// For each place what is between the innermost pair around it. Pairs do not cross.
fn stretches(pairs: &[(usize, usize)], places: usize) -> Vec<Range<usize>> {
    let mut stretches = vec![0..places; places];
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut by_start: Vec<(usize, usize)> = pairs.to_vec();
    by_start.sort_by_key(|&(start, _)| Reverse(start));
    for (at, stretch) in stretches.iter_mut().enumerate() {
        while open.last().is_some_and(|inside| inside.end <= at) {
            open.pop();
        }
        if let Some(inside) = open.last() {
            *stretch = inside.clone();
        }
        if by_start.last().is_some_and(|&(start, _)| start == at) {
            open.extend(by_start.pop().map(|(start, end)| start + 1..end));
        }
    }
    stretches
}

/// Opening marks with their closing ones.
fn pairs(scene: &Scene<'_>, arcs: &Arcs) -> Vec<(usize, usize)> {
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
