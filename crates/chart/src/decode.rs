//! Decoding: scores in; the best structures, sums and marginals out.
//!
//! A [`Grammar`] is immutable and shared; a [`Worker`] owns the memory of a thread and is reused, so that decoding a sentence
//! allocates nothing for the chart once a sentence of that length has been seen.
//!
//! ```
//! use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
//!
//! // "We like running ." is nodes 0 to 3; the root is node 4. Every edge is possible, a few are good.
//! let mut scores = Scores::new(Nodes::single(4), 0.0);
//! for kind in EdgeKind::ALL {
//!     scores.edges_mut(kind).fill(-1.0);
//! }
//! let edge = |from, to, kind| Edge { from: Node(from), to: Node(to), kind };
//! for (from, to) in [(4, 1), (1, 0), (1, 2), (1, 3)] {
//!     scores[edge(from, to, EdgeKind::Structural)] = 2.0;
//! }
//! scores[edge(2, 0, EdgeKind::Trace)] = 1.0; // "We" is also the subject of "running"
//!
//! let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
//! let mut worker = Worker::new();
//! let parse = worker.best(&grammar, &Request::new(&scores))?;
//! assert_eq!(parse.score, 9.0);
//! assert_eq!(parse.graph.edges.len(), 5);
//! parse.derivation.certify(&grammar, &scores, parse.score)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::demand::Demands;
use crate::derivation::Derivation;
use crate::forest::{Forest, Scratch};
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores, Table};
use crate::semiring::{Exists, Grade, Graded, LogSum, Max, Semiring, ShortSum, Sum, count_exactly};
use crate::solver::{Problem, Solver};
use crate::structure::Crossing;

/// A score for every part, and parts that every structure must have.
///
/// A part is forbidden by the score -∞. A spine is required by forbidding the others of its word
/// ([`Scores::require_spine`]).
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The scores.
    pub scores: &'a Scores,
    /// Edges that must be there, each once. A required trace edge may also come beside a structural one
    /// ([`EdgeKind::Both`]).
    pub required: &'a [Edge],
}

impl<'a> Request<'a> {
    /// Nothing required.
    pub fn new(scores: &'a Scores) -> Self {
        Self { scores, required: &[] }
    }
}

impl Scores {
    /// Forbids the other spines of a word.
    pub fn require_spine(&mut self, spine: Node) {
        for other in self.nodes().of_word(self.nodes().word(spine)) {
            if other != spine.index() {
                self[Node(other as u32)] = f32::NEG_INFINITY;
            }
        }
    }
}

/// A structure with its score and its derivation.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The sum of the scores of its parts.
    pub score: f64,
    /// The structure.
    pub graph: Graph,
    /// Its one derivation.
    pub derivation: Derivation,
}

/// The sum over all structures, and how much of it falls to each part.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    /// The logarithm of the sum, over all structures, of the exponential of their scores.
    pub log_total: f64,
    /// For each part, the share of the structures that have it.
    pub table: Table<f32>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// No structure of the class has only permitted parts and all required ones.
    #[error("no structure of the class is made of permitted parts and has all required ones")]
    NoStructure,
    /// The sentence has too many words and spines.
    #[error(
        "{nodes} spines in one sentence need {bytes} bytes; the limits are {most} spines and {limit} bytes"
    )]
    TooLong {
        /// The spines of all words, and the root.
        nodes: usize,
        /// The memory they need.
        bytes: usize,
        /// The most that can be handled.
        most: usize,
        /// The memory limit of the worker.
        limit: usize,
    },
}

/// How to decode. Both engines give the same answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The sparse one, unless so much is permitted that the dense one is faster.
    #[default]
    Fastest,
    /// Every cell at once, eight lanes at a time.
    Dense,
    /// One live item at a time.
    Sparse,
}

/// The memory of one thread.
#[derive(Debug)]
pub struct Worker {
    engine: Engine,
    forest: Forest,
    scratch: Scratch,
    max: Solver<Max>,
    sum: Solver<Sum>,
    short_sum: Solver<ShortSum>,
    graded_max: Solver<Graded<Max>>,
    graded_sum: Solver<Graded<Sum>>,
    /// Spine scores less what keeps sums in range.
    shifted: Vec<f32>,
    limit: usize,
}

impl Default for Worker {
    fn default() -> Self {
        Self::new()
    }
}

/// The memory a chart may take unless something else is said.
const LIMIT: usize = 4 << 30;

/// How often sums in short numbers are tried with another shift.
const SHORT_TRIALS: usize = 3;

impl Worker {
    /// A worker without memory yet, limited to 4 GiB for a chart.
    pub fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    /// A worker that refuses sentences whose chart needs more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            engine: Engine::default(),
            forest: Forest::default(),
            scratch: Scratch::default(),
            max: Solver::new(Max),
            sum: Solver::new(Sum),
            short_sum: Solver::new(ShortSum),
            graded_max: Solver::new(Graded(Max)),
            graded_sum: Solver::new(Graded(Sum)),
            shifted: Vec::new(),
            limit,
        }
    }

    /// The same with a given engine.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// The bytes its charts hold.
    pub fn bytes(&self) -> usize {
        let plain = self.max.bytes() + self.sum.bytes() + self.short_sum.bytes();
        let graded = self.graded_max.bytes() + self.graded_sum.bytes();
        plain + graded + self.forest.bytes()
    }

    /// The best structure.
    pub fn best(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<Parse, DecodeError> {
        self.k_best(grammar, request, 1)?.pop().ok_or(DecodeError::NoStructure)
    }

    /// The `k` best structures, best first; fewer if there are fewer, and an error if there are none.
    pub fn k_best(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
        k: usize,
    ) -> Result<Vec<Parse>, DecodeError> {
        let sparse = self.build(grammar, request);
        let problem = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        let found = if problem.demands.is_empty() {
            self.max.best(&problem, k)?
        } else {
            self.graded_max.best(&problem, k)?
        };
        if found.is_empty() && k > 0 { Err(DecodeError::NoStructure) } else { Ok(found) }
    }

    /// The score of the best structure alone, without looking for it.
    pub fn best_score(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let sparse = self.build(grammar, request);
        let problem = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        best_score(&mut self.max, &mut self.graded_max, &problem)
    }

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
    /// It is if the sum is at least one and everything is finite. For an item that is lost because its inside value is below
    /// all positive `f32` (1.4e-45) has an outside value of at most 3.4e38, so what falls to it is at most 5e-7; and if its
    /// outside value were infinite, so would be (or not be a number at all) that of every spine below it.
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
                // It ran out of range. What there is to be gained above the best parent is usually less than this.
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

    /// For each part, the score of the best structure that has it; -∞ if there is none.
    pub fn max_marginals(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
    ) -> Result<Table<f32>, DecodeError> {
        let sparse = self.build(grammar, request);
        let problem = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        best_score(&mut self.max, &mut self.graded_max, &problem)?;
        if problem.demands.is_empty() {
            return Ok(self.max.parts(&problem, |outside, value| outside + value));
        }
        let semiring = self.graded_max.semiring();
        Ok(self.graded_max.parts(&problem, |outside, value| {
            complete(semiring.times(outside, value), &problem).unwrap_or(f32::NEG_INFINITY)
        }))
    }

    /// Is there any structure?
    pub fn exists(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<bool, DecodeError> {
        let sparse = self.build(grammar, request);
        let problem = problem(grammar, request, sparse.then_some(&self.forest), self.limit);
        let total = Solver::new(Graded(Exists)).inside(&problem)?;
        Ok(complete(total, &problem).is_some_and(|exists| exists))
    }

    /// Tries the sparse engine: is there little enough to be made of permitted parts?
    fn build(&mut self, grammar: &Grammar, request: &Request<'_>) -> bool {
        let (class, nodes) = (grammar.class(), request.scores.nodes().len());
        // About where the dense engine gets faster. It certainly is where half of the edges are permitted that can cross.
        let crosses = class.structural && class.crossing == Crossing::OneEndpoint;
        let kind = if crosses { EdgeKind::Trace } else { EdgeKind::Structural };
        let permitted = || request.scores.edges(kind).iter().filter(|score| score.is_finite());
        let most = match (self.engine, class.crossing) {
            (Engine::Dense, _) => return false,
            (Engine::Fastest, _) if permitted().count() > nodes * nodes / 2 => return false,
            (Engine::Sparse, _) => u32::MAX as usize,
            (Engine::Fastest, Crossing::Projective) => nodes.pow(3) / 16,
            (Engine::Fastest, Crossing::OneEndpoint) => nodes.pow(4) / 8,
        };
        let most = most.min(self.limit / Forest::BYTES_PER_PRODUCT);
        self.forest.build((grammar.tables(), class), request.scores, &mut self.scratch, most)
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

/// The number of structures of a class over `words` words, exactly. A structural and a trace edge between the same two words
/// count as one structural edge.
///
/// ```
/// use tracebank_chart::{Class, Grammar, decode::count};
///
/// assert_eq!(count(&Grammar::of(Class::ONE_ENDPOINT_GRAPH), 4)?, "3009");
/// # Ok::<(), tracebank_chart::DecodeError>(())
/// ```
pub fn count(grammar: &Grammar, words: usize) -> Result<String, DecodeError> {
    let mut scores = Scores::new(Nodes::single(words), 0.0);
    scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
    let problem = problem(grammar, &Request::new(&scores), None, LIMIT);
    count_exactly(|field| {
        if problem.demands.is_empty() {
            return Solver::new(field).inside(&problem);
        }
        let total = Solver::new(Graded(field)).inside(&problem)?;
        Ok(complete(total, &problem).unwrap_or(field.zero()))
    })
}

fn problem<'a>(
    grammar: &'a Grammar,
    request: &Request<'a>,
    forest: Option<&'a Forest>,
    limit: usize,
) -> Problem<'a> {
    let Request { scores, required } = *request;
    let nodes = scores.nodes();
    // Without words there is nothing the root could have.
    let single = (grammar.is_single_rooted() && nodes.words() > 0).then(|| nodes.root());
    let demands = Demands { required, single };
    Problem { grammar, scores, spines: scores.spines(), demands, forest, limit }
}

fn best_score(
    max: &mut Solver<Max>,
    graded: &mut Solver<Graded<Max>>,
    problem: &Problem<'_>,
) -> Result<f64, DecodeError> {
    let score = if problem.demands.is_empty() {
        max.inside(problem)?
    } else {
        complete(graded.inside(problem)?, problem).unwrap_or(f32::NEG_INFINITY)
    };
    if score == f32::NEG_INFINITY { Err(DecodeError::NoStructure) } else { Ok(f64::from(score)) }
}

/// The value of a total that has all marks.
fn complete<V>(total: Grade<V>, problem: &Problem<'_>) -> Option<V> {
    (total.marks == problem.demands.total()).then_some(total.value)
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
