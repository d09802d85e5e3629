//! Finishing a cell of the forest: edges are added to what combinations have made, and what comes out is filed.

use std::ops::Range;

use super::build::{Builder, CLASSES, Group, Member, Span};
use super::{ONE, Sort};
use crate::merge::option_edge;
use crate::part::{EdgeKind, Node};
use crate::structure::Crossing;
use crate::tables::Choice;

impl Builder<'_> {
    /// Adds edges to the items of a cell, and files what comes out.
    pub(super) fn finish(&mut self, i: usize, j: usize, mut span: Span) {
        let start = self.scratch.members.len();
        span.tails = self.scratch.slots.tails.file(&mut self.scratch.members);
        span.heads = self.scratch.slots.heads.file(&mut self.scratch.members);
        self.finish_intervals(i, j);
        span.intervals = self.scratch.slots.finished.file(&mut self.scratch.members);
        if self.class.crossing == Crossing::OneEndpoint {
            span.external = self.finish_external(i, j, &span.intervals);
        }
        if (i, j) == (i, self.nodes.root().index()) && self.nodes.word(Node(i as u32)) == 0 {
            let complete = self.scratch.members[span.intervals.clone()].iter();
            let complete = complete.filter(|member| self.tables.complete[member.class as usize]);
            self.forest.complete.extend(complete.map(|member| member.item));
        }
        if self.scratch.members.len() == start && span.pairs.is_empty() && span.quads.is_empty() {
            return;
        }
        self.scratch.span_at[i * self.nodes.len() + j] = self.scratch.spans.len() as u32;
        self.scratch.spans.push(span);
        self.scratch.live[i].push(j as u32);
        for &end in &self.scratch.live[j] {
            self.scratch.splits[end as usize].push(j as u32);
        }
    }

    fn finish_intervals(&mut self, i: usize, j: usize) {
        let mut slots = std::mem::take(&mut self.scratch.slots.made);
        let mut finished = std::mem::take(&mut self.scratch.slots.finished);
        for class in slots.used.drain(..) {
            let item = std::mem::take(&mut slots.items[class as usize]) - 1;
            for &(option, made) in &self.tables.intervals[class as usize] {
                for leaf in self.leaves((i, j), option).into_iter().flatten() {
                    self.forest.add(&mut finished, u32::from(made), Sort::Interval, item, leaf);
                }
            }
        }
        self.scratch.slots.made = slots;
        self.scratch.slots.finished = finished;
    }

    fn finish_external(&mut self, i: usize, j: usize, intervals: &Range<usize>) -> Range<usize> {
        let first = self.scratch.external.len();
        let (start, end) = (self.nodes.before(i).end as u32, self.nodes.after(j).start as u32);
        let mut made = std::mem::take(&mut self.scratch.slots.external);
        made.used.sort_unstable();
        let mut vertices = std::mem::take(&mut self.scratch.vertices);
        vertices.extend(made.used.iter().map(|key| key / CLASSES));
        if !intervals.is_empty() {
            let outer = self.scratch.outer[i].iter().chain(&self.scratch.outer[j]).copied();
            vertices.extend(outer.filter(|&vertex| vertex < start || vertex >= end));
        }
        vertices.sort_unstable();
        vertices.dedup();
        let mut rest = made.used.as_slice();
        for vertex in vertices.drain(..) {
            let (here, after) = rest.split_at(rest.partition_point(|key| key / CLASSES <= vertex));
            rest = after;
            self.lift((i, j), vertex, intervals);
            for &key in here {
                let item = std::mem::take(&mut made.items[key as usize]) - 1;
                self.add_ends((i, j), vertex, Member { class: (key % CLASSES) as u16, item });
            }
            self.add_external((i, j), vertex);
            let members = self.scratch.slots.finished.file(&mut self.scratch.members);
            if !members.is_empty() {
                self.scratch.external.push(Group { vertex, members });
            }
        }
        made.used.clear();
        self.scratch.slots.external = made;
        self.scratch.vertices = vertices;
        first..self.scratch.external.len()
    }

    /// Intervals become extervals.
    fn lift(&mut self, (i, j): (usize, usize), vertex: u32, intervals: &Range<usize>) {
        let side = usize::from(vertex as usize > i);
        for index in intervals.clone() {
            let Member { class, item } = self.scratch.members[index];
            self.add_to_vertex((i, j), vertex, &self.tables.lifts[side][class as usize], item);
        }
    }

    /// The edge between the ends of an item with an external vertex.
    fn add_ends(&mut self, (i, j): (usize, usize), vertex: u32, member: Member) {
        let side = usize::from(vertex as usize > i);
        let mut mid = std::mem::take(&mut self.scratch.slots.mid);
        for &(option, made) in &self.tables.ends[side][member.class as usize] {
            for leaf in self.leaves((i, j), option).into_iter().flatten() {
                self.forest.add(&mut mid, u32::from(made), Sort::External(vertex), member.item, leaf);
            }
        }
        self.scratch.slots.mid = mid;
    }

    /// The edge to the external vertex.
    fn add_external(&mut self, (i, j): (usize, usize), vertex: u32) {
        let side = usize::from(vertex as usize > i);
        let mut mid = std::mem::take(&mut self.scratch.slots.mid);
        for class in mid.used.drain(..) {
            let item = std::mem::take(&mut mid.items[class as usize]) - 1;
            self.add_to_vertex((i, j), vertex, &self.tables.external[side][class as usize], item);
        }
        self.scratch.slots.mid = mid;
    }

    fn add_to_vertex(&mut self, (i, j): (usize, usize), vertex: u32, choices: &[Choice], item: u32) {
        let mut finished = std::mem::take(&mut self.scratch.slots.finished);
        for &(option, made) in choices {
            let (end, option) = if option <= 4 { (i, option) } else { (j, option - 4) };
            for leaf in self.leaves((end, vertex as usize), option).into_iter().flatten() {
                if leaf == ONE || self.may_be_external(leaf, (i, j)) {
                    self.forest.add(&mut finished, u32::from(made), Sort::External(vertex), item, leaf);
                }
            }
        }
        self.scratch.slots.finished = finished;
    }

    /// May an edge lead out of a span? Something must cross it.
    fn may_be_external(&self, leaf: u32, (i, j): (usize, usize)) -> bool {
        let word = |node: usize| self.nodes.word(Node(node as u32)) as u32;
        self.scratch.crossers[leaf as usize - self.scratch.first_edge].1.any_outside((word(i), word(j)))
    }

    /// The edges that an option may mean: a structural edge may come with a trace beside it.
    fn leaves(&self, (end, other): (usize, usize), option: u16) -> [Option<u32>; 2] {
        if option == 0 {
            return [Some(ONE), None];
        }
        let count = self.nodes.len();
        let (from, to, trace) = option_edge(self.class, option as usize, end, other);
        let leaf = |kind: EdgeKind| {
            let leaf = self.scratch.leaf[(kind as usize * count + from.index()) * count + to.index()];
            (leaf > 0).then_some(leaf)
        };
        if trace { [leaf(EdgeKind::Trace), None] } else { [leaf(EdgeKind::Structural), leaf(EdgeKind::Both)] }
    }
}
