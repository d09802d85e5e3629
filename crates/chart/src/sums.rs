//! Sums over structures, and how much of them falls to each part.
//!
//! Sums of linear numbers are as cheap as maxima, as long as they stay in range. So scores are shifted, and the numbers are as short as will
//! do: four bytes for marginals if nothing gets lost, else eight, else logarithms.

use crate::decode::{DecodeError, Marginals, Request, Worker, complete, problem};
use crate::grammar::Grammar;
use crate::part::{EdgeKind, Scores, Table};
use crate::semiring::{Graded, LogSum, Semiring};
use crate::solver::{Problem, Solver};

/// How often sums in short numbers are tried with another shift.
const SHORT_TRIALS: usize = 3;

impl Worker {
    /// The logarithm of the sum, over all structures, of the exponential of their scores.
    pub fn log_sum(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let sparse = self.build(grammar, request);
        self.log_sum_with(grammar, request, sparse)
    }

    fn log_sum_with(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
        sparse: bool,
    ) -> Result<f64, DecodeError> {
        let shift = self.shift(request.scores);
        let exact = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        let problem = Problem { spines: &self.shifted, ..exact };
        let total = if problem.demands.is_empty() {
            self.sum.inside(&problem)?
        } else {
            let total = self.graded_sum.inside(&problem)?;
            complete(total, &problem).ok_or(DecodeError::NoStructure)?
        };
        if in_range(total) {
            return Ok(total.ln() + shift);
        }
        let log_total = complete(Solver::new(Graded(LogSum)).inside(&exact)?, &exact);
        log_total.ok_or(DecodeError::NoStructure)
    }

    /// How much of the sum over structures falls to each part.
    pub fn marginals(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<Marginals, DecodeError> {
        let sparse = self.build(grammar, request);
        if !sparse && let Some(marginals) = self.short_marginals(grammar, request)? {
            return Ok(marginals);
        }
        let log_total = self.log_sum_with(grammar, request, sparse)?;
        let shift = self.shift(request.scores);
        let exact = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        let problem = Problem { spines: &self.shifted, ..exact };
        let total = (log_total - shift).exp();
        let table = if !in_range(total) {
            marginals_slowly(&exact)?
        } else if problem.demands.is_empty() {
            self.sum.parts(&problem, |outside, value| (outside * value / total) as f32)
        } else {
            let semiring = self.graded_sum.semiring();
            self.graded_sum.parts(&problem, |outside, value| {
                complete(semiring.times(outside, value), &problem).map_or(0.0, |value| (value / total) as f32)
            })
        };
        Ok(Marginals { log_total, table })
    }

    /// The same in short numbers, by the dense engine, if that is good enough.
    ///
    /// It is if the sum is at least one and everything is finite. An item that is lost because its inside value is below all
    /// positive `f32` (1.4e-45) has an outside value of at most 3.4e38, so no more than 5e-7 of the sum falls to it; and if its
    /// outside value were infinite, that of every spine below it would be, or would be no number at all.
    fn short_marginals(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
    ) -> Result<Option<Marginals>, DecodeError> {
        let exact = problem(grammar, request, None, self.limit);
        if !exact.demands.is_empty() {
            return Ok(None);
        }
        let words = request.scores.nodes().words() as f32;
        let mut shift = self.shift(request.scores);
        let mut total = 0.0;
        for _ in 0..SHORT_TRIALS {
            total = self.short_sum.inside(&Problem { spines: &self.shifted, ..exact })?;
            let more = match total {
                1.0..=f32::MAX => break,
                // So much for every word that the sum is about a thousand.
                f32::MIN_POSITIVE..1.0 => (7.0 - total.ln()) / words,
                0.0..1.0 => return Ok(None),
                // It ran out of range: less for every word.
                _ => -2.0,
            };
            self.shifted.iter_mut().for_each(|score| *score += more);
            shift -= f64::from(more * words);
        }
        if !(1.0..=f32::MAX).contains(&total) {
            return Ok(None);
        }
        let problem = Problem { spines: &self.shifted, ..exact };
        let table = self.short_sum.parts(&problem, |outside, value| outside * value / total);
        let parts = || table.spines().iter().chain(EdgeKind::ALL.iter().flat_map(|&kind| table.edges(kind)));
        let log_total = f64::from(total).ln() + shift;
        Ok(parts().all(|value| value.is_finite()).then_some(Marginals { log_total, table }))
    }

    /// Shifts the spine scores so that the best a word can get is about zero; gives the sum of the shifts.
    ///
    /// Every structure has one spine for each word, so a shift of all spines of a word shifts all structures alike.
    fn shift(&mut self, scores: &Scores) -> f64 {
        let nodes = scores.nodes();
        self.shifted.clear();
        self.shifted.extend(scores.spines());
        let mut total = 0.0;
        for word in 0..nodes.words() {
            let mut best = f32::NEG_INFINITY;
            for node in nodes.of_word(word) {
                for kind in EdgeKind::ALL {
                    let column = scores.edges(kind).iter().skip(node).step_by(nodes.len());
                    let incoming = column.copied().filter(|score| score.is_finite());
                    best = incoming.fold(best, |best, score| best.max(score + scores.spines()[node]));
                }
            }
            if best.is_finite() {
                nodes.of_word(word).for_each(|node| self.shifted[node] -= best);
                total += f64::from(best);
            }
        }
        total
    }
}

/// Is a sum far enough from both ends of what `f64` can hold?
fn in_range(total: f64) -> bool {
    (1e-290..1e290).contains(&total)
}

/// In logarithms, where linear numbers run out of range.
fn marginals_slowly(problem: &Problem<'_>) -> Result<Table<f32>, DecodeError> {
    let mut solver = Solver::new(Graded(LogSum));
    let total = solver.inside(problem)?;
    let semiring = solver.semiring();
    Ok(solver.parts(problem, |outside, value| {
        complete(semiring.times(outside, value), problem)
            .map_or(0.0, |value| (value - total.value).exp() as f32)
    }))
}
