//! Crossings, found without looking at every pair of edges: a tree of 100,000 words has five thousand million pairs, and few that cross.
//!
//! The edges that cross `(l, r)` are those with one end inside it and one outside. How many there are is counted for all edges in one sweep
//! over their right ends. They all share a vertex exactly when as many of them as there are have the inner end, or the outer end, of
//! any one of them: so an edge that crosses it, and a look at the edges of its two ends, tell whether an edge is crossed at one endpoint
//! only.

use super::span;
use crate::graph::Arc;

/// The edges that are crossed, and what crosses them.
pub(super) struct Crossings {
    /// The edges that are crossed, in the order in which they came.
    pub(super) crossed: Vec<Arc>,
    /// Their vertices, from left to right.
    vertices: Vec<u32>,
    /// The left and the right end of each, as ranks among the vertices.
    spans: Vec<(usize, usize)>,
    /// How many edges cross it.
    counts: Vec<usize>,
    /// For each vertex, the other ends of its edges, in order.
    others: Vec<Vec<usize>>,
    /// For each vertex, the edge that begins there and reaches farthest to the right, and the one that ends there and reaches farthest to the
    /// left.
    rightmost: Farthest,
    leftmost: Farthest,
}

impl Crossings {
    pub(super) fn of(arcs: &[Arc]) -> Crossings {
        let (spans, _) = ranks(arcs);
        let counts = counts(&spans);
        let is_crossed = |&(_, &count): &(&Arc, &usize)| count > 0;
        let (crossed, counts): (Vec<Arc>, Vec<usize>) = arcs.iter().zip(&counts).filter(is_crossed).unzip();
        let (spans, vertices) = ranks(&crossed);
        let mut others = vec![Vec::new(); vertices.len()];
        for &(left, right) in &spans {
            others[left].push(right);
            others[right].push(left);
        }
        others.iter_mut().for_each(|ends| ends.sort_unstable());
        let ends = |from: fn(&(usize, usize)) -> usize| spans.iter().map(from).enumerate();
        let rightmost = Farthest::new(vertices.len(), ends(|span| span.0), |edge| spans[edge].1);
        let leftmost =
            Farthest::new(vertices.len(), ends(|span| span.1), |edge| vertices.len() - spans[edge].0);
        Crossings { crossed, vertices, spans, counts, others, rightmost, leftmost }
    }

    /// The first edge of [`Crossings::crossed`] that is crossed at more than one endpoint.
    pub(super) fn first_violation(&self) -> Option<Arc> {
        (0..self.crossed.len()).find(|&edge| self.is_violated(edge)).map(|edge| self.crossed[edge])
    }

    /// How many edges are crossed at more than one endpoint.
    pub(super) fn violations(&self) -> usize {
        (0..self.crossed.len()).filter(|&edge| self.is_violated(edge)).count()
    }

    /// How many pairs of edges cross.
    pub(super) fn pairs(&self) -> usize {
        self.counts.iter().sum::<usize>() / 2
    }

    /// The edges, each with the vertex inside it of an edge that crosses it.
    pub(super) fn inner_ends(&self) -> impl Iterator<Item = (Arc, u32)> {
        (0..self.crossed.len()).map(|edge| (self.crossed[edge], self.vertices[self.crosser(edge).0]))
    }

    fn is_violated(&self, edge: usize) -> bool {
        let (left, right) = self.spans[edge];
        let (inside, outside) = self.crosser(edge);
        let before = |vertex: usize, end: usize| self.others[vertex].partition_point(|&other| other < end);
        let up_to = |vertex: usize, end: usize| self.others[vertex].partition_point(|&other| other <= end);
        let from_inside = before(inside, left) + self.others[inside].len() - up_to(inside, right);
        let from_outside = before(outside, right) - up_to(outside, left);
        self.counts[edge] != from_inside && self.counts[edge] != from_outside
    }

    /// The ends, inside and outside of it, of an edge that crosses `edge`.
    fn crosser(&self, edge: usize) -> (usize, usize) {
        let (left, right) = self.spans[edge];
        let to_the_right = self.rightmost.among(left + 1, right).map(|crosser| self.spans[crosser]);
        if let Some((inside, outside)) = to_the_right.filter(|&(_, outside)| outside > right) {
            return (inside, outside);
        }
        let (outside, inside) =
            self.spans[self.leftmost.among(left + 1, right).expect("an edge that is crossed")];
        (inside, outside)
    }
}

/// The spans of edges in ranks of the vertices that they have, and those vertices.
fn ranks(arcs: &[Arc]) -> (Vec<(usize, usize)>, Vec<u32>) {
    let mut vertices: Vec<u32> = arcs.iter().flat_map(|&arc| <[u32; 2]>::from(span(arc))).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let rank = |vertex: u32| vertices.partition_point(|&other| other < vertex);
    let spans = arcs.iter().map(|&arc| span(arc)).map(|(left, right)| (rank(left), rank(right))).collect();
    (spans, vertices)
}

/// How many edges cross each. Those with an end inside `(l, r)` are counted, less those that are inside with both.
fn counts(spans: &[(usize, usize)]) -> Vec<usize> {
    let size = 2 + spans.iter().map(|&(_, right)| right).max().unwrap_or(0);
    // how many edges begin, and how many end, before a vertex
    let (mut begun, mut ended) = (vec![0_usize; size], vec![0_usize; size]);
    for &(left, right) in spans.iter().filter(|(left, right)| left < right) {
        begun[left + 1] += 1;
        ended[right + 1] += 1;
    }
    for vertex in 1..size {
        begun[vertex] += begun[vertex - 1];
        ended[vertex] += ended[vertex - 1];
    }
    let mut order: Vec<usize> = (0..spans.len()).filter(|&edge| spans[edge].0 < spans[edge].1).collect();
    order.sort_unstable_by_key(|&edge| spans[edge].1);
    let mut passed = Sums(vec![0; size]);
    let mut counts = vec![0; spans.len()];
    for group in order.chunk_by(|&a, &b| spans[a].1 == spans[b].1) {
        for &edge in group {
            let (left, right) = spans[edge];
            counts[edge] = begun[right] - begun[left + 1] + ended[right] - ended[left + 1];
            counts[edge] -= passed.total() - passed.before(left);
        }
        group.iter().for_each(|&edge| passed.add(spans[edge].0));
        for &edge in group {
            counts[edge] -= passed.total() - passed.before(spans[edge].0 + 1);
        }
    }
    counts
}

/// Sums over the beginning of a row of numbers that grow (a Fenwick tree).
struct Sums(Vec<usize>);

impl Sums {
    fn add(&mut self, mut at: usize) {
        at += 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
        self.0[0] += 1;
    }

    fn before(&self, mut end: usize) -> usize {
        let mut sum = 0;
        while end > 0 {
            sum += self.0[end];
            end &= end - 1;
        }
        sum
    }

    fn total(&self) -> usize {
        self.0[0]
    }
}

/// The edge that reaches farthest among those at a range of vertices: a table of ranges whose lengths are powers of two.
struct Farthest(Vec<Vec<Option<(usize, usize)>>>);

impl Farthest {
    /// From edges with their vertex, and how far each reaches.
    fn new(
        vertices: usize,
        edges: impl Iterator<Item = (usize, usize)>,
        reach: impl Fn(usize) -> usize,
    ) -> Farthest {
        let mut row = vec![None; vertices];
        for (edge, vertex) in edges {
            row[vertex] = row[vertex].max(Some((reach(edge), edge)));
        }
        let mut rows = vec![row];
        let mut length = 1;
        while 2 * length <= vertices {
            let last = &rows[rows.len() - 1];
            rows.push((0..=vertices - 2 * length).map(|at| last[at].max(last[at + length])).collect());
            length *= 2;
        }
        Farthest(rows)
    }

    fn among(&self, from: usize, to: usize) -> Option<usize> {
        let level = to.checked_sub(from)?.checked_ilog2()? as usize;
        let row = &self.0[level];
        row[from].max(row[to - (1 << level)]).map(|(_, edge)| edge)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::arcs;
    use super::super::{cross, two_without_common_vertex};
    use super::*;

    proptest! {
        #[test]
        fn crossings_are_those_of_all_pairs(pairs in proptest::collection::vec((0_u32..12, 0_u32..12), 0..16)) {
            let arcs = arcs(&pairs);
            let found = Crossings::of(&arcs);
            let crossers = |arc: Arc| arcs.iter().filter(|&&other| cross(arc, other)).count();
            let crossed: Vec<Arc> = arcs.iter().copied().filter(|&arc| crossers(arc) > 0).collect();
            prop_assert_eq!(&found.crossed, &crossed);
            prop_assert_eq!(found.counts.clone(), crossed.iter().map(|&arc| crossers(arc)).collect::<Vec<_>>());
            let violated: Vec<Arc> =
                crossed.iter().copied().filter(|&arc| two_without_common_vertex(&arcs, arc).is_some()).collect();
            prop_assert_eq!(found.violations(), violated.len());
            prop_assert_eq!(found.first_violation(), violated.first().copied());
            for (arc, vertex) in found.inner_ends() {
                let (left, right) = span(arc);
                prop_assert!(left < vertex && vertex < right);
                let ends_there = |other: Arc| span(other).0 == vertex || span(other).1 == vertex;
                prop_assert!(arcs.iter().any(|&other| cross(arc, other) && ends_there(other)));
            }
        }
    }
}
