//! The best derivations in a forest.

use std::ops::ControlFlow;

use super::{Forest, ONE, Sort};
use crate::part::Node;
use crate::search::{Place, Rank, Ranked, Space, Way};

/// A forest with inside values.
pub(crate) struct Valued<'a, S: Ranked> {
    pub(crate) forest: &'a Forest,
    pub(crate) semiring: S,
    pub(crate) values: &'a [S::Value],
}

impl<S: Ranked> Valued<'_, S> {
    /// The goals of the search.
    pub(crate) fn complete(&self) -> impl Iterator<Item = u32> {
        self.forest.complete.iter().copied().filter(|&item| item != ONE)
    }
}

impl<S: Ranked> Space for Valued<'_, S> {
    type Goal = u32;

    fn rank(&self, goal: u32) -> Rank {
        self.semiring.rank(self.values[goal as usize])
    }

    fn ways(&self, goal: u32, visit: &mut impl FnMut(Way<u32>) -> ControlFlow<()>) -> ControlFlow<()> {
        let cell = &self.forest.cells[self.forest.items[goal as usize].cell as usize];
        let products = &self.forest.products[cell.products.start as usize..cell.products.end as usize];
        for product in products.iter().filter(|product| product.made == goal) {
            let [left, right] = [product.left, product.right];
            let value = self.semiring.times(self.values[left as usize], self.values[right as usize]);
            let mut way = Way::new([None; 2], [None; 2]);
            way.rank = self.semiring.rank(value);
            for (part, item) in way.parts.iter_mut().zip([left, right]) {
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
