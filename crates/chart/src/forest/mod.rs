//! The forest: all that permitted parts can make, as a hypergraph.
//!
//! [`build`] finds, cell by cell, the items that permitted parts can make, and writes down every way to make one as a
//! *hyperedge*: two items that came before, and the item they make. The leaves of this hypergraph are the parts; the value of
//! every other item is the sum, over its hyperedges, of the products of their tails. So inside values are one sweep over the
//! list of hyperedges, outside values one sweep back, and the outside value of a leaf is what a marginal asks for. The
//! hypergraph depends on what is permitted, not on scores or semiring.
//!
//! Items are of merged classes ([`Tables`](crate::tables::Tables)); the work is in proportion to the number of pairs of live
//! neighbours, whatever the length of the sentence.

mod build;
mod crossing;
mod finish;
mod search;

use std::ops::Range;

use crate::engine::{Part, Problem};
use crate::part::{Edge, Node};
use crate::semiring::Semiring;
pub(crate) use build::Scratch;

/// The sort of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// The one, which is no part.
    One,
    /// A spine.
    Spine(Node),
    /// An edge.
    Edge(Edge),
    /// An interval as combinations make it.
    Made,
    /// A finished interval.
    Interval,
    /// An item with this external vertex as combinations make it.
    MadeExternal(u32),
    /// An item with this external vertex, with or without the edge between its ends, or finished.
    External(u32),
    /// Two items of a combination of three.
    Auxiliary,
}

/// An item and its cell.
#[derive(Clone, Copy, Debug)]
struct Item {
    sort: Sort,
    cell: u32,
}

/// A way to make an item, its head, of two items that stand before it in the list.
#[derive(Clone, Copy, Debug)]
struct Hyperedge {
    head: u32,
    left: u32,
    right: u32,
}

/// A span, and where its hyperedges are.
#[derive(Clone, Debug)]
struct Cell {
    left: u32,
    right: u32,
    hyperedges: Range<u32>,
}

/// Everything that permitted parts can make.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    items: Vec<Item>,
    hyperedges: Vec<Hyperedge>,
    cells: Vec<Cell>,
    /// How many of the items are the one and the parts; they come first.
    leaves: usize,
    /// The complete structures.
    complete: Vec<u32>,
}

/// The values of the items of a forest in one semiring.
#[derive(Clone, Debug)]
pub(crate) struct Sweep<V> {
    inside: Vec<V>,
    outside: Vec<V>,
}

impl<V> Default for Sweep<V> {
    fn default() -> Self {
        Self { inside: Vec::new(), outside: Vec::new() }
    }
}

impl<V> Sweep<V> {
    pub(crate) fn bytes(&self) -> usize {
        (self.inside.capacity() + self.outside.capacity()) * size_of::<V>()
    }
}

/// The number of the one, which comes first of all items.
const ONE: u32 = 0;

impl Forest {
    /// The most memory for a hyperedge, with the item that it may be the first of.
    pub(crate) const BYTES_PER_HYPEREDGE: usize = size_of::<Hyperedge>() + size_of::<Item>();

    /// The permitted parts; the first is item 1.
    fn parts(&self) -> impl Iterator<Item = Part> {
        self.items[1..self.leaves].iter().map(|item| match item.sort {
            Sort::Spine(node) => Part::Spine(node),
            Sort::Edge(edge) => Part::Edge(edge),
            _ => unreachable!("the leaves are parts"),
        })
    }

    /// Computes all inside values from those of the parts; gives the value of all structures together.
    pub(crate) fn inside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        Sweep { inside, .. }: &mut Sweep<S::Value>,
    ) -> S::Value {
        inside.clear();
        inside.push(semiring.one());
        inside.extend(self.parts().map(|part| problem.value(semiring, part)));
        inside.resize(self.items.len(), semiring.zero());
        for hyperedge in &self.hyperedges {
            let value = semiring.times(inside[hyperedge.left as usize], inside[hyperedge.right as usize]);
            let sum = &mut inside[hyperedge.head as usize];
            *sum = semiring.plus(*sum, value);
        }
        self.complete.iter().fold(semiring.zero(), |sum, &item| semiring.plus(sum, inside[item as usize]))
    }

    /// Computes all outside values; shows those of the parts.
    pub(crate) fn outside<S: Semiring>(
        &self,
        semiring: S,
        Sweep { inside, outside }: &mut Sweep<S::Value>,
        mut visit: impl FnMut(Part, S::Value),
    ) {
        outside.clear();
        outside.resize(self.items.len(), semiring.zero());
        for &item in &self.complete {
            outside[item as usize] = semiring.one();
        }
        for hyperedge in self.hyperedges.iter().rev() {
            let above = outside[hyperedge.head as usize];
            if above == semiring.zero() {
                continue;
            }
            for (factor, other) in [(hyperedge.left, hyperedge.right), (hyperedge.right, hyperedge.left)] {
                let sum = &mut outside[factor as usize];
                *sum = semiring.plus(*sum, semiring.times(above, inside[other as usize]));
            }
        }
        self.parts().zip(&outside[1..]).for_each(|(part, &outside)| visit(part, outside));
    }

    /// How many bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>()
            + self.hyperedges.capacity() * size_of::<Hyperedge>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}
