//! Leaving out what cannot matter: cells that no permitted edge can fill.
//!
//! An item with an external vertex needs an edge to it. Where scores forbid most edges, most cells have none: such a cell is
//! emptied instead of worked, and no step is taken from it or to it. The result is the same; the work is in proportion to what
//! is permitted.

use super::layout::{Layout, Run};
use super::stage::Stage;
use super::step::{CellNeeds, Step};
use crate::compile::Program;

/// Which cells may hold items with an external vertex on the left, on the right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    nodes: usize,
    /// Something was pushed to the cell.
    made: [Vec<bool>; 2],
    /// The cell may hold something when it is finished.
    cells: [Vec<bool>; 2],
    /// The live cells of each row that is done, neighbours together.
    rows: [Vec<Vec<Run>>; 2],
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
                match self.rows[side][i].last_mut() {
                    Some(run) if run.end == k => run.end += 1,
                    _ => self.rows[side][i].push(Run { start: k, end: k + 1 }),
                }
            }
        }
    }

    pub(crate) fn is_live(&self, side: usize, i: usize, k: usize) -> bool {
        self.cells[side][i * self.nodes + k]
    }

    /// The live cells of a row.
    pub(crate) fn row(&self, side: usize, i: usize) -> &[Run] {
        &self.rows[side][i]
    }

    /// Notes what a cell is pushed to: everything after it if it holds items, else where there are items to its right.
    pub(crate) fn push(&mut self, layout: &Layout, i: usize, k: usize) {
        for side in 0..2 {
            let made = &mut self.made[side][i * self.nodes..];
            if self.cells[side][i * self.nodes + k] {
                made[layout.after(k)].fill(true);
            } else {
                self.rows[side][k].iter().for_each(|run| made[run.clone()].fill(true));
            }
        }
    }

    /// A step at a cell, without what is not live.
    #[inline(always)]
    pub(crate) fn step<'a>(
        &'a self,
        context: (&'a Program, &'a Layout),
        step: &Step,
        (i, k): (usize, usize),
    ) -> Option<Stage<'a>> {
        let (layout, needs) = (context.1, &step.needs);
        let has = |side: usize| self.is_live(side, i, k);
        let own = || !self.rows[0][k].is_empty();
        let dead = (needs.cell != CellNeeds::Nothing && layout.after(k).is_empty())
            || (needs.cell == CellNeeds::Adjacent && !layout.adjacent(i, k))
            || needs.set.is_some_and(|side| !has(side))
            || needs.right.is_some_and(|side| self.rows[side][k].is_empty())
            || (needs.own && !own())
            || (needs.pairs && !own() && !has(1));
        let cells = match needs.right.or(needs.own.then_some(0)) {
            Some(side) if !dead => &self.rows[side][k],
            _ => layout.rest(k),
        };
        (!dead).then(|| Stage::new(step, context, (i, k), cells))
    }
}
