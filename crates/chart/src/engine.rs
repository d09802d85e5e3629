//! The seam between a [`Worker`](crate::Worker) and the engine that fills its charts.
//!
//! A worker knows what is asked: the best structures, sums, marginals, required parts. An engine knows how items are laid out and
//! combined. It offers three passes: inside values from the bottom up, outside values from the top down, and the search for the
//! best derivations among inside values. All three are written once for any semiring. [`Sparse`](crate::sparse::Sparse) is the
//! engine of this crate; `tracebank-chart-dense` has another one.

use std::fmt::Debug;

use crate::decode::DecodeError;
use crate::demand::Demands;
use crate::grammar::Grammar;
use crate::part::{Edge, Node, Scores};
use crate::search::{Ranked, Skeleton};
use crate::semiring::Semiring;

/// A part of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A spine.
    Spine(Node),
    /// An edge.
    Edge(Edge),
}

/// A request in the terms of an engine: the value of each part.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The rules.
    pub grammar: &'a Grammar,
    /// The scores.
    pub scores: &'a Scores,
    /// The scores of the spines, which may be shifted against those in the table.
    pub spines: &'a [f32],
    /// Demands on every structure, if the semiring counts marks.
    pub demands: Demands<'a>,
    /// The most bytes a chart may take.
    pub limit: usize,
}

impl Problem<'_> {
    /// The value of a part, with its marks.
    pub fn value<S: Semiring>(&self, semiring: S, part: Part) -> S::Value {
        match part {
            Part::Spine(spine) => semiring.part(self.spines[spine.index()]),
            Part::Edge(edge) => semiring.mark(semiring.part(self.scores[edge]), self.demands.marks(edge)),
        }
    }
}

/// A way to fill a chart.
pub trait Engine: Debug + Default {
    /// The inside and outside values in one semiring, kept from sentence to sentence.
    type Values<S: Semiring>: Debug + Default;

    /// Gets ready for the permitted parts of a sentence. Everything below is about the sentence prepared last.
    ///
    /// # Errors
    /// [`DecodeError::TooLong`] if it cannot be done within `limit` bytes.
    fn prepare(&mut self, grammar: &Grammar, scores: &Scores, limit: usize) -> Result<(), DecodeError>;

    /// Are sums in `f32` so much faster here than in `f64` that they are worth a try?
    fn prefers_short_sums(&self) -> bool;

    /// Computes all inside values; gives the value of all structures together.
    ///
    /// # Errors
    /// [`DecodeError::TooLong`] if the values need more memory than the problem allows.
    fn inside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &mut Self::Values<S>,
    ) -> Result<S::Value, DecodeError>;

    /// Computes all outside values from the inside values; shows those of the parts, each part once.
    fn outside<S: Semiring>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &mut Self::Values<S>,
        visit: impl FnMut(Part, S::Value),
    );

    /// The `k` best derivations by the inside values, best first, each with its score. There is at least one word.
    fn search<S: Ranked>(
        &self,
        semiring: S,
        problem: &Problem<'_>,
        values: &Self::Values<S>,
        k: usize,
    ) -> Vec<(f64, Skeleton)>;

    /// The bytes it holds whatever the semiring.
    fn bytes(&self) -> usize;

    /// The bytes that values hold.
    fn bytes_of<S: Semiring>(values: &Self::Values<S>) -> usize;
}
