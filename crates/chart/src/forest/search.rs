//! The best derivations in a forest.

use std::ops::ControlFlow;

use super::{Forest, ONE, Sort, Sweep};
use crate::engine::Problem;
use crate::part::Node;
use crate::search::{self, Place, Rank, Ranked, Skeleton, Space, Way};

/// A forest with inside values.
struct Valued<'a, S: Ranked> {
    forest: &'a Forest,
    semiring: S,
    values: &'a [S::Value],
}

impl Forest {
    /// The `k` best derivations by the inside values, best first.
    pub(crate) fn search<S: Ranked>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &Sweep<S::Value>,
        k: usize,
    ) -> Vec<(f64, Skeleton)> {
        let space = Valued { forest: self, semiring, values: &values.inside };
        let complete = self.complete.iter().copied().filter(|&item| item != ONE);
        search::best(&space, problem.scores, complete, problem.demands.total(), k)
    }
}

impl<S: Ranked> Space for Valued<'_, S> {
    type Goal = u32;

    fn rank(&self, goal: u32) -> Rank {
        self.semiring.rank(self.values[goal as usize])
    }

    fn ways(&self, goal: u32, visit: &mut impl FnMut(Way<u32>) -> ControlFlow<()>) -> ControlFlow<()> {
        let cell = &self.forest.cells[self.forest.items[goal as usize].cell as usize];
        let hyperedges = cell.hyperedges.start as usize..cell.hyperedges.end as usize;
        let hyperedges = self.forest.hyperedges[hyperedges].iter();
        for hyperedge in hyperedges.filter(|hyperedge| hyperedge.head == goal) {
            let tails = [hyperedge.left, hyperedge.right];
            let [left, right] = tails.map(|item| self.values[item as usize]);
            let rank = self.semiring.rank(self.semiring.times(left, right));
            let mut way = Way { parts: [None; 2], edges: [None; 2], spine: None, rank };
            for (part, item) in way.parts.iter_mut().zip(tails) {
                match self.forest.items[item as usize].sort {
                    Sort::One => {}
                    Sort::Spine(spine) => way.spine = Some(spine),
                    Sort::Edge(edge) => match self.place(goal) {
                        Place::Finished(_, _, Some(x)) if [edge.from, edge.to].contains(&Node(x as u32)) => {
                            way.edges[1] = Some(edge);
                        }
                        _ => way.edges[0] = Some(edge),
                    },
                    _ => *part = Some((item, self.rank(item))),
                }
            }
            visit(way)?;
        }
        ControlFlow::Continue(())
    }

    fn place(&self, goal: u32) -> Place {
        let item = self.forest.items[goal as usize];
        let cell = &self.forest.cells[item.cell as usize];
        let (left, right) = (cell.left as usize, cell.right as usize);
        match item.sort {
            Sort::Made => Place::Combined(left, right, None),
            Sort::Interval => Place::Finished(left, right, None),
            Sort::MadeExternal(x) => Place::Combined(left, right, Some(x as usize)),
            Sort::External(x) => Place::Finished(left, right, Some(x as usize)),
            Sort::One | Sort::Spine(_) | Sort::Edge(_) | Sort::Auxiliary => Place::Half,
        }
    }
}
