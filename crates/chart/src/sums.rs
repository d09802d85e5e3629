//! Sums over structures, and how much of them falls to each part.
//!
//! Sums of linear numbers are as cheap as maxima, as long as they stay in range. So scores are shifted, and the numbers are as short as will
//! do: four bytes for marginals if nothing gets lost, else eight, else logarithms.

use crate::decode::{DecodeError, Marginals, Request, Worker, complete, parts};
use crate::engine::{Engine, Problem};
use crate::grammar::Grammar;
use crate::part::{EdgeKind, Scores, Table};
use crate::semiring::{Graded, LogSum, ShortSum, Sum};

/// How often sums in short numbers are tried with another shift.
const SHORT_TRIALS: usize = 3;

impl<E: Engine> Worker<E> {
    /// The logarithm of the sum, over all structures, of the exponential of their scores.
    ///
    /// ```
    /// use tracebank_chart::{Class, Grammar, Nodes, Request, Scores, Worker};
    ///
    /// // All 3,009 structures score zero.
    /// let scores = Scores::new(Nodes::single(4), 0.0);
    /// let sum = Worker::new().log_sum(&Grammar::of(Class::ONE_ENDPOINT_GRAPH), &Request::new(&scores))?;
    /// assert!((sum - 3009_f64.ln()).abs() < 1e-9);
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    pub fn log_sum(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let exact = self.prepare(grammar, request)?;
        self.log_total(&exact)
    }

    /// Fills a chart with sums; gives the logarithm of their total.
    fn log_total(&mut self, exact: &Problem<'_>) -> Result<f64, DecodeError> {
        let shift = self.shift(exact.scores);
        let problem = Problem { spines: &self.shifted, ..*exact };
        let total = if problem.demands.is_empty() {
            self.engine.inside(Sum, &problem, &mut self.sum)?
        } else {
            let total = self.engine.inside(Graded(Sum), &problem, &mut self.graded_sum)?;
            complete(total, &problem).ok_or(DecodeError::NoStructure)?
        };
        if in_range(total) {
            return Ok(total.ln() + shift);
        }
        let total = self.engine.inside(Graded(LogSum), exact, &mut Default::default())?;
        complete(total, exact).ok_or(DecodeError::NoStructure)
    }

    /// The share of each part in the sum over structures.
    pub fn marginals(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<Marginals, DecodeError> {
        let exact = self.prepare(grammar, request)?;
        if self.engine.prefers_short_sums()
            && let Some(marginals) = self.short_marginals(&exact)?
        {
            return Ok(marginals);
        }
        let log_total = self.log_total(&exact)?;
        let shift = self.shift(request.scores);
        let problem = Problem { spines: &self.shifted, ..exact };
        let total = (log_total - shift).exp();
        let table = if !in_range(total) {
            self.marginals_in_logarithms(&exact)?
        } else if problem.demands.is_empty() {
            parts(&self.engine, Sum, &problem, &mut self.sum, 0.0, |sum| (sum / total) as f32)
        } else {
            parts(&self.engine, Graded(Sum), &problem, &mut self.graded_sum, 0.0, |sum| {
                complete(sum, &problem).map_or(0.0, |sum| (sum / total) as f32)
            })
        };
        Ok(Marginals { log_total, table })
    }

    /// Marginals where linear numbers run out of range.
    fn marginals_in_logarithms(&self, problem: &Problem<'_>) -> Result<Table<f32>, DecodeError> {
        let (semiring, mut values) = (Graded(LogSum), Default::default());
        let total = self.engine.inside(semiring, problem, &mut values)?;
        Ok(parts(&self.engine, semiring, problem, &mut values, 0.0, |sum| {
            complete(sum, problem).map_or(0.0, |sum| (sum - total.value).exp() as f32)
        }))
    }

    /// Marginals in short numbers, if these are good enough.
    ///
    /// They are if the sum is at least one and everything is finite. An item that is lost because its inside value is below all
    /// positive `f32` (1.4e-45) has an outside value of at most 3.4e38, so no more than 5e-7 of the sum falls to it; and if its
    /// outside value were infinite, that of every spine below it would be, or would be no number at all.
    fn short_marginals(&mut self, exact: &Problem<'_>) -> Result<Option<Marginals>, DecodeError> {
        if !exact.demands.is_empty() {
            return Ok(None);
        }
        let words = exact.scores.nodes().words() as f32;
        let mut shift = self.shift(exact.scores);
        let mut total = 0.0;
        for _ in 0..SHORT_TRIALS {
            let problem = Problem { spines: &self.shifted, ..*exact };
            total = self.engine.inside(ShortSum, &problem, &mut self.short_sum)?;
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
        let problem = Problem { spines: &self.shifted, ..*exact };
        let table = parts(&self.engine, ShortSum, &problem, &mut self.short_sum, 0.0, |sum| sum / total);
        let shares = || table.spines().iter().chain(EdgeKind::ALL.iter().flat_map(|&kind| table.edges(kind)));
        let log_total = f64::from(total).ln() + shift;
        Ok(shares().all(|share| share.is_finite()).then_some(Marginals { log_total, table }))
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
