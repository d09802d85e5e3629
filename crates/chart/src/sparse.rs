//! The engine of a parse: Eisner's algorithm for projective trees, the forest for all else.

use crate::decode::DecodeError;
use crate::eisner;
use crate::engine::{Engine, Part, Problem};
use crate::forest::{Forest, Scratch, Sweep};
use crate::grammar::Grammar;
use crate::part::Scores;
use crate::search::{Ranked, Skeleton};
use crate::semiring::Semiring;

/// The most nodes a sentence may have.
const MOST_NODES: usize = 4096;

/// The engine for sentences in which pruning leaves little, and for projective trees.
#[derive(Debug, Default)]
pub struct Sparse {
    /// All that permitted parts can make, unless trees are asked for.
    forest: Forest,
    scratch: Scratch,
    is_tree: bool,
}

/// The values of either program in one semiring.
#[derive(Debug)]
pub struct Values<V> {
    tree: eisner::Chart<V>,
    forest: Sweep<V>,
}

impl<V> Default for Values<V> {
    fn default() -> Self {
        Self { tree: eisner::Chart::default(), forest: Sweep::default() }
    }
}

impl Engine for Sparse {
    type Values<S: Semiring> = Values<S::Value>;

    fn prepare(&mut self, grammar: &Grammar, scores: &Scores, limit: usize) -> Result<(), DecodeError> {
        let nodes = scores.nodes().len();
        self.is_tree = grammar.derives_all_projective_trees();
        let fits = nodes <= MOST_NODES
            && if self.is_tree {
                nodes * nodes * eisner::BYTES_PER_SPAN <= limit
            } else {
                let most = (limit / Forest::BYTES_PER_HYPEREDGE).min(u32::MAX as usize);
                self.forest.build((grammar.tables(), grammar.class()), scores, &mut self.scratch, most)
            };
        if fits { Ok(()) } else { Err(DecodeError::TooLong { nodes, most: MOST_NODES, limit }) }
    }

    fn prefers_short_sums(&self) -> bool {
        self.is_tree
    }

    fn inside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &mut Values<S::Value>,
    ) -> Result<S::Value, DecodeError> {
        Ok(if self.is_tree {
            values.tree.inside(semiring, problem)
        } else {
            self.forest.inside(semiring, problem, &mut values.forest)
        })
    }

    fn outside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &mut Values<S::Value>,
        visit: impl FnMut(Part, S::Value),
    ) {
        if self.is_tree {
            values.tree.outside(semiring, problem, visit);
        } else {
            self.forest.outside(semiring, &mut values.forest, visit);
        }
    }

    fn search<S: Ranked>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &Values<S::Value>,
        k: usize,
    ) -> Vec<(f64, Skeleton)> {
        if self.is_tree {
            values.tree.search(semiring, problem, k)
        } else {
            self.forest.search(semiring, problem, &values.forest, k)
        }
    }

    fn bytes(&self) -> usize {
        self.forest.bytes()
    }

    fn bytes_of<S: Semiring>(values: &Values<S::Value>) -> usize {
        values.tree.bytes() + values.forest.bytes()
    }
}
