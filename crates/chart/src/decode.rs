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
use crate::semiring::{Exists, Grade, Graded, Max, Semiring, ShortSum, Sum, count_exactly};
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
    pub(crate) forest: Forest,
    scratch: Scratch,
    max: Solver<Max>,
    pub(crate) sum: Solver<Sum>,
    pub(crate) short_sum: Solver<ShortSum>,
    graded_max: Solver<Graded<Max>>,
    pub(crate) graded_sum: Solver<Graded<Sum>>,
    /// Spine scores less what keeps sums in range.
    pub(crate) shifted: Vec<f32>,
    pub(crate) limit: usize,
}

impl Default for Worker {
    fn default() -> Self {
        Self::new()
    }
}

/// The memory a chart may take unless something else is said.
const LIMIT: usize = 4 << 30;

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
    pub(crate) fn build(&mut self, grammar: &Grammar, request: &Request<'_>) -> bool {
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

pub(crate) fn problem<'a>(
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
pub(crate) fn complete<V>(total: Grade<V>, problem: &Problem<'_>) -> Option<V> {
    (total.marks == problem.demands.total()).then_some(total.value)
}
