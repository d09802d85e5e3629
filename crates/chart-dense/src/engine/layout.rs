//! Where everything lies in memory.
//!
//! Lanes run over nodes: from the left for an external vertex on the left, from the right (node `n-1-x` in lane `x`) for one
//! on the right and for the right ends of intervals, so that the lanes in use always start at 0. Eight lanes make a block;
//! a block of all entries of an array lies together, eight lanes of the first entry, then of the second, and so on, so that
//! a map runs through memory it has just touched. Four orders of blocks are enough:
//!
//! * *rows*: for each `i` the blocks of `j`, for what lives on a span;
//! * *left rows*: for each `i` and `j` the blocks of `x` before `i`, as many as `i` needs;
//! * *right rows*: for each `i` and `j` the blocks of `x` after `j`, as many as `j` needs;
//! * *transients*: the blocks of one cell, or one block of each cell of a tile.
//!
//! A *tile* is one block of `x` at up to eight neighbouring cells of a row: a small part of the second cache. Whatever is to be
//! done at the cells of a row is done tile by tile.

use std::ops::Range;

use super::view::{BY_J, BY_JX, BY_X, LANES, POINT, UNIT, View};
use crate::compile::{Array, Program};
use tracebank_chart::part::Nodes;

/// The most nodes a sentence may have.
pub(crate) const MOST_NODES: usize = 4096;

/// The most cells of a tile.
const TILE: usize = 8;

/// Neighbouring cells of a row, by their right ends.
pub(crate) type Run = Range<usize>;

/// One block of `x` at neighbouring cells of a row, which are evenly apart in all arrays.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) cells: Run,
    pub(crate) block: usize,
}

/// The layout of the arrays for a sentence with given nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) nodes: usize,
    words: usize,
    /// The nodes rounded up to whole blocks of lanes.
    pub(crate) lanes: usize,
    counts: Vec<usize>,
    /// For each node, how many nodes come before its word.
    before: Vec<u32>,
    word: Vec<u32>,
    /// `n-1-j` for each `j`.
    reverse: Vec<u32>,
    /// For each node, the nodes after its word.
    rest: Vec<Run>,
    /// For each node, where a tile ends that begins there.
    tile_end: Vec<usize>,
    /// For each block of lanes over what comes after a node, where the nodes end that have it.
    reach: Vec<usize>,
    /// Eight times each node: the lane numbers at which single values are filed by node.
    by_node: Vec<u32>,
    /// For each row `i`, the block at which each `j` starts in a left row.
    left_at: Vec<u32>,
    /// The block at which each `j` starts in a right row that begins at node 0.
    right_at: Vec<u32>,
    /// For each row, how many blocks of a left row, right row that begins at node 0 it does not have.
    left_skipped: Vec<usize>,
    right_skipped: Vec<usize>,
    /// For each row, how many blocks all left rows, right rows before it have.
    left_start: Vec<usize>,
    right_start: Vec<usize>,
}

impl Layout {
    /// Lays out a sentence. Nothing is allocated if no earlier sentence had more nodes.
    pub(crate) fn arrange(&mut self, nodes: &Nodes, program: &Program) {
        let count = nodes.len();
        let words = (0..count).map(|node| nodes.word(tracebank_chart::part::Node(node as u32)) as u32);
        if self.counts == program.counts && self.word.iter().copied().eq(words) && self.words == nodes.words()
        {
            return;
        }
        self.words = nodes.words();
        self.nodes = count;
        self.lanes = count.next_multiple_of(LANES);
        refill(&mut self.counts, program.counts);
        refill(&mut self.before, (0..count).map(|node| nodes.before(node).end as u32));
        refill(
            &mut self.word,
            (0..count).map(|node| nodes.word(tracebank_chart::part::Node(node as u32)) as u32),
        );
        refill(&mut self.reverse, (0..count).map(|node| (count - 1 - node) as u32));
        refill(&mut self.by_node, (0..count).map(|node| (node * LANES) as u32));
        refill(&mut self.rest, (0..count).map(|node| nodes.after(node)));
        self.right_at.clear();
        let mut at = 0;
        for node in 0..count {
            self.right_at.push(at);
            at += self.right_blocks(node) as u32;
        }
        self.right_at.push(at);
        refill(&mut self.right_skipped, self.rest.iter().map(|rest| self.right_at[rest.start] as usize));
        self.left_at.clear();
        self.left_skipped.clear();
        self.left_start.clear();
        self.right_start.clear();
        let (mut left, mut right) = (0, 0);
        for row in 0..count {
            let blocks = self.left_blocks(row) as u32;
            self.left_at.extend((0..count as u32).map(|j| j * blocks));
            self.left_skipped.push(self.after(row).start * blocks as usize);
            self.left_start.push(left);
            self.right_start.push(right);
            left += self.left_row_blocks(row);
            right += self.right_row_blocks(row);
        }
        self.left_start.push(left);
        self.right_start.push(right);
        self.cut_tiles();
    }

    /// Cells are evenly apart as long as they are in one block of right ends and have as many blocks of external vertices.
    fn cut_tiles(&mut self) {
        let count = self.nodes;
        self.reach.clear();
        for block in 0..self.lanes / LANES {
            let reach = (0..count).take_while(|&node| self.right_blocks(node) > block).count();
            self.reach.push(reach);
        }
        self.tile_end.clear();
        self.tile_end.resize(count, count);
        for node in (0..count.saturating_sub(1)).rev() {
            let next = self.tile_end[node + 1];
            let even = next == node + 2 || self.right_blocks(node) == self.right_blocks(node + 1);
            let near = self.reverse(node) / TILE == self.reverse(node + 1) / TILE;
            self.tile_end[node] = if even && near { next } else { node + 1 };
        }
    }

    /// How many values an array needs.
    pub(crate) fn size(&self, array: Array) -> usize {
        let blocks = self.lanes / LANES;
        let longest = |length: &dyn Fn(usize) -> usize| (0..self.nodes).map(length).max().unwrap_or(0);
        let blocks = match array {
            Array::PreI | Array::SetI | Array::Tail | Array::Head => self.nodes * blocks,
            Array::PreL | Array::RightL => self.left_start[self.nodes],
            Array::PreR | Array::RightR | Array::Own | Array::Pairs | Array::Firsts | Array::Quads => {
                self.right_start[self.nodes]
            }
            Array::OwnRow | Array::ExternalL => longest(&|row| self.left_row_blocks(row)),
            Array::ExternalR => longest(&|row| self.right_row_blocks(row)),
            Array::RowMidL | Array::RowMidR | Array::RowPostL | Array::RowPostR => TILE,
            Array::Ends => self.nodes,
            Array::One => 1,
            Array::MidL | Array::MidR | Array::PostL | Array::PostR | Array::SetL | Array::SetR => blocks,
        };
        blocks * self.unit(array)
    }

    /// The length of one block of all entries.
    fn unit(&self, array: Array) -> usize {
        self.count(array) * LANES
    }

    pub(crate) fn count(&self, array: Array) -> usize {
        self.counts[array as usize]
    }

    /// The nodes before the word of a node.
    pub(crate) fn before(&self, node: usize) -> usize {
        self.before[node] as usize
    }

    /// The nodes after the word of a node.
    pub(crate) fn after(&self, node: usize) -> Range<usize> {
        self.rest[node].clone()
    }

    /// The nodes of the words strictly between those of two nodes.
    pub(crate) fn between(&self, left: usize, right: usize) -> Range<usize> {
        self.rest[left].start..self.before(right)
    }

    pub(crate) fn adjacent(&self, left: usize, right: usize) -> bool {
        self.word[left] + 1 == self.word[right]
    }

    pub(crate) fn reverse(&self, node: usize) -> usize {
        self.nodes - 1 - node
    }

    /// Blocks of lanes for an external vertex left of `row`.
    pub(crate) fn left_blocks(&self, row: usize) -> usize {
        self.before(row).div_ceil(LANES)
    }

    /// Blocks of lanes for what comes after `node`.
    pub(crate) fn right_blocks(&self, node: usize) -> usize {
        self.after(node).len().div_ceil(LANES)
    }

    fn left_row_blocks(&self, row: usize) -> usize {
        self.after(row).len() * self.left_blocks(row)
    }

    fn right_row_blocks(&self, row: usize) -> usize {
        self.right_at[self.nodes] as usize - self.right_skipped[row]
    }

    /// How many values of an array that holds a single row this row uses.
    pub(crate) fn row_length(&self, array: Array, row: usize) -> usize {
        let blocks = match array {
            Array::ExternalL => self.left_row_blocks(row),
            _ => self.right_row_blocks(row),
        };
        blocks * self.unit(array)
    }

    /// Visits the tiles of some cells of a row, with an external vertex on the left or on the right.
    #[inline(always)]
    pub(crate) fn each_tile(&self, side: usize, row: usize, cells: &[Run], mut visit: impl FnMut(&Tile)) {
        let blocks = if side == 0 { self.left_blocks(row) } else { self.reach.len() };
        for block in 0..blocks {
            // Later cells have fewer blocks on the right.
            let reach = if side == 0 { self.nodes } else { self.reach[block] };
            for run in cells {
                let (mut start, last) = (run.start, run.end.min(reach));
                while start < last {
                    let end = self.tile_end[start].min(last);
                    visit(&Tile { cells: start..end, block });
                    start = end;
                }
            }
        }
    }

    /// The nodes after the word of a node, as one run.
    pub(crate) fn rest(&self, node: usize) -> &[Run] {
        std::slice::from_ref(&self.rest[node])
    }

    /// All right ends of a row, one lane each.
    pub(crate) fn row(&self, array: Array, row: usize) -> View<'_> {
        let unit = self.unit(array);
        View::new(array, BY_X, unit, row * (self.lanes / LANES) * unit, &[])
    }

    /// One cell of a row.
    pub(crate) fn cell(&self, array: Array, row: usize, k: usize) -> View<'_> {
        let (view, lane) = (self.row(array, row), self.reverse(k));
        View { mode: POINT, base: view.base + lane / LANES * view.unit() + lane % LANES, ..view }
    }

    /// A view with lanes over right ends, read at each `j` instead.
    pub(crate) fn column<'a>(&'a self, view: View<'a>) -> View<'a> {
        View { mode: BY_J, at: &self.reverse, ..view }
    }

    /// The blocks of one cell.
    pub(crate) fn transient(&self, array: Array) -> View<'_> {
        View::new(array, BY_X, self.unit(array), 0, &[])
    }

    /// One block of each cell of a tile.
    pub(crate) fn tile(&self, array: Array) -> View<'_> {
        View::new(array, BY_JX, self.unit(array), 0, &[])
    }

    /// The edge options between `row` and each `j`.
    pub(crate) fn ends(&self) -> View<'_> {
        View::new(Array::Ends, BY_J, self.unit(Array::Ends), 0, &self.by_node)
    }

    /// The edge options between `row` and `k`.
    pub(crate) fn ends_at(&self, k: usize) -> View<'_> {
        let unit = self.unit(Array::Ends);
        View::new(Array::Ends, POINT, unit, k * unit, &[])
    }

    /// The constant one.
    pub(crate) fn one() -> View<'static> {
        View::new(Array::One, UNIT, 0, 0, &[])
    }

    /// All items of a row with the external vertex on the left. The arrays of a single row begin at 0.
    pub(crate) fn left_row(&self, array: Array, row: usize) -> View<'_> {
        let kept = matches!(array, Array::PreL | Array::RightL);
        let start = if kept { self.left_start[row] } else { 0 };
        let (unit, skipped) = (self.unit(array), self.left_skipped[row]);
        let at = &self.left_at[row * self.nodes..(row + 1) * self.nodes];
        View::new(array, BY_JX, unit, start.wrapping_sub(skipped).wrapping_mul(unit), at)
    }

    /// All items of a row with the external vertex on the right. The arrays of a single row begin at 0.
    pub(crate) fn right_row(&self, array: Array, row: usize) -> View<'_> {
        let start = if array == Array::ExternalR { 0 } else { self.right_start[row] };
        let (unit, skipped) = (self.unit(array), self.right_skipped[row]);
        View::new(array, BY_JX, unit, start.wrapping_sub(skipped).wrapping_mul(unit), &self.right_at)
    }

    /// Where an entry of `[ij.x]` is, with `x` on the left or on the right, in an array that holds all rows.
    pub(crate) fn place(&self, array: Array, (i, j, x): (usize, usize, usize), entry: u16) -> usize {
        let (block, lane) = if x < i {
            (self.left_start[i] + j * self.left_blocks(i) - self.left_skipped[i], x)
        } else {
            (self.right_start[i] + self.right_at[j] as usize - self.right_skipped[i], self.reverse(x))
        };
        (block + lane / LANES) * self.unit(array) + entry as usize * LANES + lane % LANES
    }

    /// The part of an array that belongs to a row.
    pub(crate) fn row_range(&self, array: Array, row: usize) -> Range<usize> {
        let start = match array {
            Array::PreL | Array::RightL => &self.left_start,
            _ => &self.right_start,
        };
        start[row] * self.unit(array)..start[row + 1] * self.unit(array)
    }
}

impl View<'_> {
    /// A view of a row with `j` fixed.
    pub(crate) fn at(self, j: usize) -> Self {
        Self { mode: BY_X, base: self.base.wrapping_add(self.at[j] as usize * self.unit()), ..self }
    }
}

fn refill<T>(list: &mut Vec<T>, values: impl IntoIterator<Item = T>) {
    list.clear();
    list.extend(values);
}
