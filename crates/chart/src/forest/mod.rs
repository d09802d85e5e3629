//! The sparse engine: for sentences of which masks leave little.
//!
//! [`build`] finds, cell by cell, the items that permitted parts can make, and writes down every way to make one as a
//! *product* of two items that came before. What comes out is a circuit. Its leaves are the parts; every other item is the sum
//! of its products. So inside values are one sweep over the list of products, outside values one sweep back, and the
//! outside value of a leaf is what a marginal asks for. The circuit depends on what is permitted, not on scores or semiring.
//!
//! Items are of merged classes ([`Tables`](crate::compile::tables::Tables)); the work is in proportion to the number of
//! pairs of live neighbours, whatever the length of the sentence.

mod build;
mod crossing;
mod finish;
mod search;

use std::ops::Range;

use crate::part::{Edge, Node};
use crate::semiring::Semiring;
pub(crate) use build::Scratch;
pub(crate) use search::Valued;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// The empty product.
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
    /// The same, with or without the edge between its ends, or finished.
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

/// A way to make an item: of two items that stand before it in the list.
#[derive(Clone, Copy, Debug)]
struct Product {
    made: u32,
    left: u32,
    right: u32,
}

/// A span, and where its products are.
#[derive(Clone, Debug)]
struct Cell {
    left: u32,
    right: u32,
    products: Range<u32>,
}

/// Everything that permitted parts can make.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    items: Vec<Item>,
    products: Vec<Product>,
    cells: Vec<Cell>,
    /// How many of the items are the one and the parts; they come first.
    leaves: usize,
    /// The complete structures.
    complete: Vec<u32>,
}

/// A permitted part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A spine.
    Spine(Node),
    /// An edge.
    Edge(Edge),
}

/// The one, which is no part, is item 0.
const ONE: u32 = 0;

impl Forest {
    /// The most memory for a product, with the item that it may be the first of.
    pub(crate) const BYTES_PER_PRODUCT: usize = size_of::<Product>() + size_of::<Item>();

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
        value: impl Fn(Part) -> S::Value,
        values: &mut Vec<S::Value>,
    ) -> S::Value {
        values.clear();
        values.push(semiring.one());
        values.extend(self.parts().map(value));
        values.resize(self.items.len(), semiring.zero());
        for product in &self.products {
            let value = semiring.times(values[product.left as usize], values[product.right as usize]);
            let sum = &mut values[product.made as usize];
            *sum = semiring.plus(*sum, value);
        }
        self.complete.iter().fold(semiring.zero(), |sum, &item| semiring.plus(sum, values[item as usize]))
    }

    /// Computes all outside values; gives each part with its outside and its inside value.
    pub(crate) fn outside<'a, S: Semiring>(
        &'a self,
        semiring: S,
        values: &'a [S::Value],
        outside: &'a mut Vec<S::Value>,
    ) -> impl Iterator<Item = (Part, S::Value, S::Value)> {
        outside.clear();
        outside.resize(self.items.len(), semiring.zero());
        for &item in &self.complete {
            outside[item as usize] = semiring.one();
        }
        for product in self.products.iter().rev() {
            let above = outside[product.made as usize];
            if above == semiring.zero() {
                continue;
            }
            for (factor, other) in [(product.left, product.right), (product.right, product.left)] {
                let sum = &mut outside[factor as usize];
                *sum = semiring.plus(*sum, semiring.times(above, values[other as usize]));
            }
        }
        let both = outside[1..].iter().zip(&values[1..]);
        self.parts().zip(both).map(|(part, (&outside, &value))| (part, outside, value))
    }

    /// How many bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Item>()
            + self.products.capacity() * size_of::<Product>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}
