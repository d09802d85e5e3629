//! Leaving out what cannot matter: cells that no permitted edge can fill.
//!
//! An item with an external vertex needs an edge to it. Where scores forbid most edges, most cells have none: such a cell is
//! emptied instead of worked, and no step is taken from it or to it. The result is the same; the work is in proportion to what
//! is permitted.

use super::kernel::Positions;
use super::layout::Layout;
use super::stage::{self, Needs, Stage};
use crate::compile::Program;

/// Which cells may hold items with an external vertex on the left, on the right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    nodes: usize,
    /// Something was pushed to the cell.
    made: [Vec<bool>; 2],
    /// The cell may hold something when it is finished.
    cells: [Vec<bool>; 2],
    /// The live cells of each row that is done.
    rows: [Vec<Vec<u32>>; 2],
    /// The first and the last node each node may have an edge with.
    reach: Vec<(u32, u32)>,
}

impl Live {
    /// Starts a sentence: `permitted` says which edges there may be, in either direction.
    pub(crate) fn start(&mut self, nodes: usize, permitted: impl Fn(usize, usize) -> bool) {
        self.nodes = nodes;
        for side in 0..2 {
            for flags in [&mut self.made[side], &mut self.cells[side]] {
                flags.clear();
                flags.resize(nodes * nodes, false);
            }
            if self.rows[side].len() < nodes {
                self.rows[side].resize(nodes, Vec::new());
            }
            self.rows[side].iter_mut().for_each(Vec::clear);
        }
        self.reach.clear();
        self.reach.extend((0..nodes).map(|node| {
            let with = |other: &usize| *other != node && permitted(node, *other);
            let first = (0..nodes).find(with).map_or(u32::MAX, |other| other as u32);
            let last = (0..nodes).rfind(with).map_or(0, |other| other as u32);
            (first, last)
        }));
    }

    /// Decides whether a cell may hold anything. Everything has been pushed to it.
    pub(crate) fn enter(&mut self, layout: &Layout, i: usize, k: usize) {
        let at = i * self.nodes + k;
        let (before, after) = (layout.before(i) as u32, layout.after(k).start as u32);
        let ends = [self.reach[i], self.reach[k]];
        self.cells[0][at] = self.made[0][at] || ends.iter().any(|&(first, _)| first < before);
        self.cells[1][at] = self.made[1][at] || ends.iter().any(|&(_, last)| last >= after && after > 0);
        for side in 0..2 {
            if self.cells[side][at] {
                self.rows[side][i].push(k as u32);
            }
        }
    }

    pub(crate) fn is_live(&self, side: usize, i: usize, k: usize) -> bool {
        self.cells[side][i * self.nodes + k]
    }

    /// The live cells of a row.
    pub(crate) fn row(&self, side: usize, i: usize) -> &[u32] {
        &self.rows[side][i]
    }

    /// Notes what a step pushed to.
    pub(crate) fn pushed(&mut self, number: usize, i: usize, js: impl Iterator<Item = u32>) {
        if let Some(side) = stage::pushes_to(number) {
            js.for_each(|j| self.made[side][i * self.nodes + j as usize] = true);
        }
    }

    /// A step at a cell, without what is not live; `ends` is scratch.
    pub(crate) fn step<'a>(
        &'a self,
        (program, layout): (&'a Program, &'a Layout),
        ends: &'a mut Vec<u32>,
        number: usize,
        (i, k): (usize, usize),
    ) -> Option<Stage<'a>> {
        let needs = stage::needs(number);
        if needs == Needs::default() {
            return stage::cell(program, layout, number, i, k);
        }
        let set = |side| self.is_live(side, i, k);
        let own = !self.rows[0][k].is_empty();
        let dead = needs.set.is_some_and(|side| !set(side))
            || (needs.own && !own)
            || (needs.pairs && !own && !set(1))
            || needs.right.is_some_and(|side| self.rows[side][k].is_empty());
        if dead {
            return None;
        }
        let mut stage = stage::cell(program, layout, number, i, k)?;
        let filter = needs.right.or((needs.own && stage::pushes_to(number).is_some()).then_some(0));
        if let Some(side) = filter
            && self.rows[side][k].len() < stage.positions.js.len()
        {
            let js = &self.rows[side][k];
            count_ends(layout, js, stage.positions.ends.len(), stage::pushes_to(number) == Some(1), ends);
            if ends.is_empty() {
                return None;
            }
            stage.positions = Positions { js, ends };
        }
        Some(stage)
    }
}

/// How many of the cells reach each of at most `blocks` blocks, on the left (all of them) or on the right.
pub(crate) fn count_ends(layout: &Layout, js: &[u32], blocks: usize, on_right: bool, ends: &mut Vec<u32>) {
    ends.clear();
    for block in 0..blocks {
        let reach = js.iter().take_while(|&&j| !on_right || layout.right_blocks(j as usize) > block).count();
        if reach == 0 {
            break;
        }
        ends.push(reach as u32);
    }
}
