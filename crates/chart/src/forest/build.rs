//! Building the forest: from short spans to long ones, each span from pairs of live neighbours.

use std::ops::Range;

use super::crossing::{Crossers, cross_all};
use super::{Cell, Forest, Hyperedge, Item, ONE, Sort};
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores};
use crate::structure::{Class, Crossing};
use crate::tables::{Table, Tables};

/// A finished item of a cell, by what tables ask of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) class: u16,
    pub(super) item: u32,
}

/// The finished items of a cell with the same third vertex.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) vertex: u32,
    pub(super) members: Range<usize>,
}

/// The finished items of a cell: intervals, and the halves of three-item combinations. Groups are in the order of their
/// third vertices: the external one, or the one in the middle that is still visible.
#[derive(Clone, Debug, Default)]
pub(super) struct Span {
    pub(super) intervals: Range<usize>,
    pub(super) external: Range<usize>,
    pub(super) tails: Range<usize>,
    pub(super) heads: Range<usize>,
    pub(super) pairs: Range<usize>,
    pub(super) quads: Range<usize>,
}

/// The items made so far at a place, by class.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// One more than the number of the item; 0 where there is none.
    pub(super) items: Vec<u32>,
    pub(super) used: Vec<u32>,
}

impl Slots {
    fn get(&self, key: u32) -> Option<u32> {
        self.items.get(key as usize)?.checked_sub(1)
    }

    fn set(&mut self, key: u32, item: u32) {
        if self.items.len() <= key as usize {
            self.items.resize(key as usize + 1, 0);
        }
        self.items[key as usize] = item + 1;
        self.used.push(key);
    }

    /// Empties the place, moving what is there to `members`.
    pub(super) fn file(&mut self, members: &mut Vec<Member>) -> Range<usize> {
        let start = members.len();
        for key in self.used.drain(..) {
            let item = std::mem::take(&mut self.items[key as usize]) - 1;
            members.push(Member { class: key as u16, item });
        }
        start..members.len()
    }
}

/// Memory that building needs, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The leaf of each edge, `[kind][from][to]`; 0 if it is forbidden.
    pub(super) leaf: Vec<u32>,
    /// For each edge, in the order of leaves, what may cross it.
    pub(super) crossers: Vec<(EdgeKind, Crossers)>,
    /// The leaf of the first edge.
    pub(super) first_edge: usize,
    /// For each node, the nodes to which it may have an edge that may be crossed.
    pub(super) outer: Vec<Vec<u32>>,

    pub(super) members: Vec<Member>,
    pub(super) external: Vec<Group>,
    pub(super) pairs: Vec<Group>,
    pub(super) quads: Vec<Group>,
    /// The finished spans, and where that of each pair of ends is; 0 if it is empty.
    pub(super) spans: Vec<Span>,
    pub(super) span_at: Vec<u32>,
    /// For each left end, the right ends of live spans; for each right end, where the row can be split.
    pub(super) live: Vec<Vec<u32>>,
    pub(super) splits: Vec<Vec<u32>>,

    pub(super) slots: Places,
    /// The external vertices of a cell.
    pub(super) vertices: Vec<u32>,
}

/// The places of a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) made: Slots,
    /// By external vertex and class.
    pub(super) external: Slots,
    pub(super) tails: Slots,
    pub(super) heads: Slots,
    pub(super) pairs: Slots,
    pub(super) quads: Slots,
    /// The finished items of one sort and vertex.
    pub(super) finished: Slots,
    pub(super) mid: Slots,
}

/// How many classes with the same external vertex there may be.
pub(super) const CLASSES: u32 = 1 << 11;

impl Forest {
    /// Finds all that permitted parts can make. Gives up, and says so, when there are more than `limit` hyperedges.
    pub(crate) fn build(
        &mut self,
        (tables, class): (&Tables, Class),
        scores: &Scores,
        scratch: &mut Scratch,
        limit: usize,
    ) -> bool {
        let nodes = scores.nodes();
        self.items.clear();
        self.hyperedges.clear();
        self.cells.clear();
        self.complete.clear();
        scratch.start(nodes.len());
        if !self.add_leaves(class, scores, scratch, limit) {
            return false;
        }
        if nodes.words() == 0 {
            self.complete.push(ONE);
        }
        let mut builder = Builder { tables, class, scores, nodes, forest: self, scratch };
        for i in (0..nodes.root().index()).rev() {
            builder.row(i);
            if builder.forest.hyperedges.len() > limit {
                return false;
            }
        }
        true
    }

    /// Adds the one and the permitted parts.
    fn add_leaves(&mut self, class: Class, scores: &Scores, scratch: &mut Scratch, limit: usize) -> bool {
        let nodes = scores.nodes();
        let count = nodes.len();
        let mut leaf = |sort| {
            self.items.push(Item { sort, cell: 0 });
            self.items.len() as u32 - 1
        };
        leaf(Sort::One);
        // All spines, so that node `i` is item `i + 1`; the root has none.
        for node in 0..count as u32 - 1 {
            leaf(Sort::Spine(Node(node)));
        }
        let kinds: &[EdgeKind] = if class.structural { &EdgeKind::ALL } else { &[EdgeKind::Structural] };
        scratch.first_edge = count;
        scratch.crossers.clear();
        for &kind in kinds {
            for (at, score) in scores.edges(kind).iter().enumerate() {
                let (from, to) = (Node((at / count) as u32), Node((at % count) as u32));
                let (a, b) = (nodes.word(from), nodes.word(to));
                let possible = if class.directed { a != b && to != nodes.root() } else { a < b };
                if score.is_finite() && possible {
                    let edge = Edge { from, to, kind };
                    scratch.leaf[kind as usize * count * count + at] = leaf(Sort::Edge(edge));
                    scratch.crossers.push((kind, Crossers::new(edge, nodes)));
                }
            }
        }
        self.leaves = self.items.len();
        if class.crossing == Crossing::Projective {
            // Each edge can be the last of a number of spans.
            return scratch.crossers.len().saturating_mul(count) <= limit;
        }
        if !cross_all(&mut scratch.crossers, class.structural, limit) {
            return false;
        }
        for (item, (_, crossers)) in self.items[count..].iter().zip(&scratch.crossers) {
            if let (Sort::Edge(edge), true) = (item.sort, crossers.any()) {
                scratch.outer[edge.from.index()].push(edge.to.0);
                scratch.outer[edge.to.index()].push(edge.from.0);
            }
        }
        true
    }

    /// Adds a hyperedge to the item at a key.
    #[inline]
    pub(super) fn add(&mut self, slots: &mut Slots, key: u32, sort: Sort, left: u32, right: u32) {
        let head = slots.get(key).unwrap_or_else(|| {
            let head = self.items.len() as u32;
            self.items.push(Item { sort, cell: self.cells.len() as u32 });
            slots.set(key, head);
            head
        });
        self.hyperedges.push(Hyperedge { head, left, right });
    }
}

impl Scratch {
    fn start(&mut self, nodes: usize) {
        self.leaf.clear();
        self.leaf.resize(EdgeKind::ALL.len() * nodes * nodes, 0);
        self.span_at.clear();
        self.span_at.resize(nodes * nodes, 0);
        for lists in [&mut self.outer, &mut self.live, &mut self.splits] {
            if lists.len() < nodes {
                lists.resize(nodes, Vec::new());
            }
            lists.iter_mut().for_each(Vec::clear);
        }
        self.members.clear();
        self.external.clear();
        self.pairs.clear();
        self.quads.clear();
        self.spans.clear();
        self.spans.push(Span::default());
    }
}

pub(super) struct Builder<'a> {
    pub(super) tables: &'a Tables,
    pub(super) class: Class,
    pub(super) scores: &'a Scores,
    pub(super) nodes: &'a Nodes,
    pub(super) forest: &'a mut Forest,
    pub(super) scratch: &'a mut Scratch,
}

impl Builder<'_> {
    /// Builds the spans that begin at `i`, whose right neighbours have all been built.
    fn row(&mut self, i: usize) {
        let word = self.nodes.word(Node(i as u32));
        for j in self.nodes.after(i) {
            let adjacent = word + 1 == self.nodes.word(Node(j as u32));
            let splits = std::mem::take(&mut self.scratch.splits[j]);
            if adjacent || !splits.is_empty() {
                let start = self.forest.hyperedges.len() as u32;
                if adjacent && self.scores.spines()[i].is_finite() {
                    let key = u32::from(self.tables.initial);
                    self.forest.add(&mut self.scratch.slots.made, key, Sort::Made, 1 + i as u32, ONE);
                }
                let mut span = Span {
                    pairs: self.scratch.pairs.len()..0,
                    quads: self.scratch.quads.len()..0,
                    ..Span::default()
                };
                for &k in &splits {
                    self.combine(i, k as usize, j);
                }
                span.pairs.end = self.scratch.pairs.len();
                span.quads.end = self.scratch.quads.len();
                self.finish(i, j, span);
                let hyperedges = start..self.forest.hyperedges.len() as u32;
                self.forest.cells.push(Cell { left: i as u32, right: j as u32, hyperedges });
            }
            self.scratch.splits[j] = splits;
            self.scratch.splits[j].clear();
        }
    }

    /// Combines the items that end at `k` with those that begin there.
    fn combine(&mut self, i: usize, k: usize, j: usize) {
        let (tables, nodes, count) = (self.tables, self.nodes, self.nodes.len());
        let Scratch { members, external, pairs, quads, spans, span_at, slots, .. } = &mut *self.scratch;
        let [before, after] = [(i, k), (k, j)].map(|(i, k)| &spans[span_at[i * count + k] as usize]);
        let forest = &mut *self.forest;
        let mut interval = |table: &Table, left: &Range<usize>, right: &Range<usize>| {
            multiply(table, &members[left.clone()], &members[right.clone()], |class, left, right| {
                forest.add(&mut slots.made, u32::from(class), Sort::Made, left, right);
            });
        };
        if nodes.word(Node(i as u32)) + 1 == nodes.word(Node(k as u32)) {
            interval(&tables.step, &before.intervals, &after.intervals);
        }
        interval(&tables.pair, &before.intervals, &after.intervals);
        interval(&tables.tail[1], &before.tails, &after.intervals);
        interval(&tables.head[1], &before.intervals, &after.heads);
        let [left, right] = [before, after].map(|span| &external[span.external.clone()]);
        if left.is_empty() && right.is_empty() {
            return;
        }
        let closing = find(left, j);
        let opening = find(right, i);
        if let Some(closing) = closing {
            interval(&tables.close_left, closing, &after.intervals);
        }
        if let Some(opening) = opening {
            interval(&tables.close_right, &before.intervals, opening);
        }
        for pair in &pairs[before.pairs.clone()] {
            if let Some(own) = find(right, pair.vertex as usize) {
                interval(&tables.pairs, &pair.members, own);
            }
        }
        for quad in &quads[after.quads.clone()] {
            if let Some(first) = find(left, quad.vertex as usize) {
                interval(&tables.nest_right[1], first, &quad.members);
            }
        }

        let mut half = |slots: &mut Slots, table: &Table, left: &Range<usize>, right: &Range<usize>| {
            multiply(table, &members[left.clone()], &members[right.clone()], |class, left, right| {
                forest.add(slots, u32::from(class), Sort::Auxiliary, left, right);
            });
        };
        if let Some(closing) = closing {
            half(&mut slots.tails, &tables.tail[0], closing, &after.intervals);
            half(&mut slots.pairs, &tables.cross, closing, &after.intervals);
            half(&mut slots.quads, &tables.nest_right[0], closing, &after.intervals);
        }
        if let Some(opening) = opening {
            half(&mut slots.heads, &tables.head[0], &before.intervals, opening);
            half(&mut slots.pairs, &tables.nest_left, &before.intervals, opening);
        }

        let (start, end) = (nodes.before(i).end as u32, nodes.after(j).start as u32);
        let side = |vertex: u32| match vertex {
            _ if vertex < start => Some(0),
            _ if vertex >= end => Some(1),
            _ => None,
        };
        let slots_external = &mut slots.external;
        let mut looking = |vertex: u32, table: &Table, left: &Range<usize>, right: &Range<usize>| {
            multiply(table, &members[left.clone()], &members[right.clone()], |class, left, right| {
                let key = vertex * CLASSES + u32::from(class);
                forest.add(slots_external, key, Sort::MadeExternal(vertex), left, right);
            });
        };
        for group in left {
            let Some(side) = side(group.vertex) else { continue };
            looking(group.vertex, &tables.beside_right[side], &group.members, &after.intervals);
            if let Some(opening) = opening {
                looking(group.vertex, &tables.own_right[side], &group.members, opening);
            }
            if let Some(same) = find(right, group.vertex as usize) {
                looking(group.vertex, &tables.same[side], &group.members, same);
            }
        }
        for group in right {
            let Some(side) = side(group.vertex) else { continue };
            looking(group.vertex, &tables.beside_left[side], &before.intervals, &group.members);
            if let Some(closing) = closing {
                looking(group.vertex, &tables.own_left[side], closing, &group.members);
            }
        }
        for (slots, groups) in [(&mut slots.pairs, pairs), (&mut slots.quads, quads)] {
            if !slots.used.is_empty() {
                groups.push(Group { vertex: k as u32, members: slots.file(members) });
            }
        }
    }
}

fn find(groups: &[Group], vertex: usize) -> Option<&Range<usize>> {
    let at = groups.binary_search_by_key(&(vertex as u32), |group| group.vertex).ok()?;
    Some(&groups[at].members)
}

/// All that two lists of items make.
#[inline(always)]
fn multiply(table: &Table, left: &[Member], right: &[Member], mut made: impl FnMut(u16, u32, u32)) {
    if right.is_empty() {
        return;
    }
    for left in left {
        let Some(row) = table.row(left.class) else { continue };
        for right in right {
            if let Some(class) = row.output(right.class) {
                made(class, left.item, right.item);
            }
        }
    }
}
