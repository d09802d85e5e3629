//! Locked chains (the paper's Definition 2), which the algorithm cannot take apart.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::crossing::Crossings;
use super::span;
use crate::graph::Arc;

/// The last two vertices of a chain, and how many steps it has, counted up to where that no longer matters.
type State = (u32, u32, u32);

/// A chain is locked from its fifth vertex on.
const SHORTEST: u32 = 4;

/// A locked chain of a 1EC graph, as its edges. Its edge `(0, 2)` is crossed by `(1, 3)` and `(1, N)`, so all that cross that edge meet in 1:
/// each edge has one vertex that can be the second of a chain which begins with it.
pub(super) fn find(crossings: &Crossings) -> Option<Vec<Arc>> {
    let by_span: BTreeMap<(u32, u32), Arc> = crossings.crossed.iter().map(|&arc| (span(arc), arc)).collect();
    let beginnings: BTreeSet<(u32, u32)> =
        crossings.inner_ends().map(|(arc, second)| (span(arc).0, second)).collect();
    // 0 has the edges to 2 and N-1, and 1 those to 3 and N
    let has_two = |vertex: u32| by_span.range((vertex, 0)..(vertex + 1, 0)).nth(1).is_some();
    let mut likely = beginnings.into_iter().filter(|&(first, second)| has_two(first) && has_two(second));
    let chain = likely.find_map(|(first, second)| from(&by_span, first, second))?;
    Some(edges(&by_span, &chain))
}

/// The vertices of a locked chain that begins with these two. A step is taken only if the chain could go on behind it or be closed by it:
/// the many edges of one vertex would otherwise be tried in all pairs.
fn from(by_span: &BTreeMap<(u32, u32), Arc>, first: u32, second: u32) -> Option<Vec<u32>> {
    let reach =
        |vertex: u32| by_span.range((vertex, 0)..(vertex + 1, 0)).next_back().map_or(0, |(ends, _)| ends.1);
    let mut came_from: BTreeMap<State, Option<State>> = BTreeMap::from([((first, second, 1), None)]);
    let mut frontier = vec![(first, second, 1)];
    while let Some(state) = frontier.pop() {
        let (before, last, steps) = state;
        let closed = by_span.contains_key(&(first, before)) && by_span.contains_key(&(second, last));
        if steps == SHORTEST && closed {
            return Some(vertices(&came_from, state));
        }
        let can_close = steps + 1 >= SHORTEST && by_span.contains_key(&(first, last));
        let end = if can_close { u32::MAX } else { reach(last) };
        for (&(_, next), _) in by_span.range((before, last + 1)..(before, end.max(last + 1))) {
            let longer = (last, next, (steps + 1).min(SHORTEST));
            if let Entry::Vacant(unseen) = came_from.entry(longer) {
                unseen.insert(Some(state));
                frontier.push(longer);
            }
        }
    }
    None
}

fn vertices(came_from: &BTreeMap<State, Option<State>>, last: State) -> Vec<u32> {
    let mut chain = vec![last.1, last.0];
    let mut state = last;
    while let Some(before) = came_from[&state] {
        chain.push(before.0);
        state = before;
    }
    chain.reverse();
    chain
}

fn edges(by_span: &BTreeMap<(u32, u32), Arc>, chain: &[u32]) -> Vec<Arc> {
    let steps = chain.windows(3).map(|window| (window[0], window[2]));
    let n = chain.len() - 1;
    steps
        .chain([(chain[0], chain[n - 1]), (chain[1], chain[n])])
        .filter_map(|ends| by_span.get(&ends).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::arcs;
    use super::*;

    fn locked(n: u32) -> Vec<(u32, u32)> {
        (1..n).map(|i| (i, i + 2)).chain([(1, n), (2, n + 1)]).collect()
    }

    #[test]
    fn chains_of_every_length_are_found() {
        for n in 4..9 {
            let pairs = locked(n);
            assert_eq!(
                find(&Crossings::of(&arcs(&pairs))).map(|chain| chain.len()),
                Some(n as usize + 1),
                "N = {n}"
            );
            for missing in 0..pairs.len() {
                let mut fewer = pairs.clone();
                fewer.remove(missing);
                assert_eq!(find(&Crossings::of(&arcs(&fewer))), None, "N = {n} without {:?}", pairs[missing]);
            }
        }
    }
}
