//! Decoding: scores in; the best structures, sums and marginals out.
//!
//! A [`Grammar`] is immutable and shared; a [`Worker`] owns the memory of a thread and is reused, so that decoding a sentence
//! allocates nothing for the chart once a sentence of that length has been seen. Which [`Engine`] fills the chart makes no
//! difference to the answers.
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
use crate::derivation::{Derivation, Unmerge};
use crate::engine::{Engine, Part, Problem};
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores, Table};
use crate::search::{self, Ranked, Skeleton};
use crate::semiring::{Exists, Grade, Graded, Max, Semiring, ShortSum, Sum, count_exactly};
use crate::sparse::Sparse;

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
    /// The sentence has too many words and spines, or too many of their parts are permitted.
    #[error("{nodes} spines in one sentence are too many; the limits are {most} spines and {limit} bytes")]
    TooLong {
        /// The spines of all words, and the root.
        nodes: usize,
        /// The most that can be handled.
        most: usize,
        /// The memory limit of the worker.
        limit: usize,
    },
}

/// The memory of one thread.
#[derive(Debug)]
pub struct Worker<E: Engine = Sparse> {
    pub(crate) engine: E,
    max: E::Values<Max>,
    pub(crate) sum: E::Values<Sum>,
    pub(crate) short_sum: E::Values<ShortSum>,
    graded_max: E::Values<Graded<Max>>,
    pub(crate) graded_sum: E::Values<Graded<Sum>>,
    /// Spine scores less what keeps sums in range.
    pub(crate) shifted: Vec<f32>,
    pub(crate) limit: usize,
}

impl<E: Engine> Default for Worker<E> {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

/// The memory a chart may take unless something else is said: 4 GiB, or 1 GiB where addresses have 32 bits.
const LIMIT: usize = if usize::BITS > 32 { 4 << 30 } else { 1 << 30 };

impl Worker {
    /// A worker without memory yet, limited to 4 GiB for a chart.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<E: Engine> Worker<E> {
    /// A worker that refuses sentences whose chart needs more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            engine: E::default(),
            max: Default::default(),
            sum: Default::default(),
            short_sum: Default::default(),
            graded_max: Default::default(),
            graded_sum: Default::default(),
            shifted: Vec::new(),
            limit,
        }
    }

    /// The most bytes that a chart may need.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The bytes its charts hold.
    pub fn bytes(&self) -> usize {
        let plain = E::bytes_of(&self.max) + E::bytes_of(&self.sum) + E::bytes_of(&self.short_sum);
        let graded = E::bytes_of(&self.graded_max) + E::bytes_of(&self.graded_sum);
        plain + graded + self.engine.bytes()
    }

    /// The best structure, with its derivation.
    pub fn best(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<Parse, DecodeError> {
        self.k_best(grammar, request, 1)?.pop().ok_or(DecodeError::NoStructure)
    }

    /// The score and the structure of [`Worker::best`], for those who need no derivation.
    pub fn best_graph(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
    ) -> Result<(f64, Graph), DecodeError> {
        let (score, skeleton) = self.find(grammar, request, 1)?.pop().ok_or(DecodeError::NoStructure)?;
        Ok((score, search::graph(&skeleton)))
    }

    /// The scores and the structures of [`Worker::k_best`], for those who need no derivations.
    pub fn k_best_graphs(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
        k: usize,
    ) -> Result<Vec<(f64, Graph)>, DecodeError> {
        let found = self.find(grammar, request, k)?;
        Ok(found.into_iter().map(|(score, skeleton)| (score, search::graph(&skeleton))).collect())
    }

    /// The `k` best structures, best first; fewer if there are fewer, and an error if there are none.
    ///
    /// ```
    /// use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
    ///
    /// // Two words have three projective trees.
    /// let mut scores = Scores::new(Nodes::single(2), 0.0);
    /// scores[Edge { from: Node(1), to: Node(0), kind: EdgeKind::Structural }] = 1.5;
    /// let found = Worker::new().k_best(&Grammar::of(Class::PROJECTIVE_TREE), &Request::new(&scores), 9)?;
    /// assert_eq!(found.iter().map(|parse| parse.score).collect::<Vec<_>>(), [1.5, 0.0, 0.0]);
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    pub fn k_best(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
        k: usize,
    ) -> Result<Vec<Parse>, DecodeError> {
        let found = self.find(grammar, request, k)?;
        let parse = |(score, skeleton): (f64, Skeleton)| {
            let derivation = Unmerge::derivation(grammar, request.scores.nodes(), &skeleton);
            Parse { score, graph: derivation.graph(), derivation }
        };
        Ok(found.into_iter().map(parse).collect())
    }

    /// The derivations of the `k` best structures as the search finds them.
    fn find(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
        k: usize,
    ) -> Result<Vec<(f64, Skeleton)>, DecodeError> {
        let problem = self.prepare(grammar, request)?;
        let found = if problem.demands.is_empty() {
            find(&self.engine, Max, &problem, &mut self.max, k)?
        } else {
            find(&self.engine, Graded(Max), &problem, &mut self.graded_max, k)?
        };
        if found.is_empty() && k > 0 { Err(DecodeError::NoStructure) } else { Ok(found) }
    }

    /// The score of the best structure alone, without looking for it.
    pub fn best_score(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let problem = self.prepare(grammar, request)?;
        self.maximum(&problem)
    }

    /// Fills a chart with maxima; gives the score of the best structure.
    fn maximum(&mut self, problem: &Problem<'_>) -> Result<f64, DecodeError> {
        let score = if problem.demands.is_empty() {
            self.engine.inside(Max, problem, &mut self.max)?
        } else {
            let total = self.engine.inside(Graded(Max), problem, &mut self.graded_max)?;
            complete(total, problem).unwrap_or(f32::NEG_INFINITY)
        };
        if score == f32::NEG_INFINITY { Err(DecodeError::NoStructure) } else { Ok(f64::from(score)) }
    }

    /// For each part, the score of the best structure that has it; -∞ if there is none.
    ///
    /// ```
    /// use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
    ///
    /// let mut scores = Scores::new(Nodes::single(2), 0.0);
    /// let edge = |from, to| Edge { from: Node(from), to: Node(to), kind: EdgeKind::Structural };
    /// scores[edge(1, 0)] = 1.5;
    /// scores[edge(2, 0)] = -1.0;
    /// let best = Worker::new().max_marginals(&Grammar::of(Class::PROJECTIVE_TREE), &Request::new(&scores))?;
    /// assert_eq!((best[edge(1, 0)], best[edge(2, 0)]), (1.5, -1.0));
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    pub fn max_marginals(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
    ) -> Result<Table<f32>, DecodeError> {
        let problem = self.prepare(grammar, request)?;
        self.maximum(&problem)?;
        Ok(if problem.demands.is_empty() {
            parts(&self.engine, Max, &problem, &mut self.max, f32::NEG_INFINITY, |best| best)
        } else {
            parts(&self.engine, Graded(Max), &problem, &mut self.graded_max, f32::NEG_INFINITY, |best| {
                complete(best, &problem).unwrap_or(f32::NEG_INFINITY)
            })
        })
    }

    /// Is there any structure?
    pub fn exists(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<bool, DecodeError> {
        let problem = self.prepare(grammar, request)?;
        let total = self.engine.inside(Graded(Exists), &problem, &mut Default::default())?;
        Ok(complete(total, &problem).is_some_and(|exists| exists))
    }

    /// The number of structures made of permitted parts, exactly.
    ///
    /// ```
    /// use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Request, Scores, Worker};
    ///
    /// let scores = Scores::new(Nodes::single(3), 0.0);
    /// let required = [Edge { from: Node(3), to: Node(0), kind: EdgeKind::Structural }];
    /// let request = Request { scores: &scores, required: &required };
    /// assert_eq!(Worker::new().count(&Grammar::of(Class::PROJECTIVE_TREE), &request)?, "7");
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    pub fn count(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<String, DecodeError> {
        let problem = self.prepare(grammar, request)?;
        let (mut plain, mut graded) = Default::default();
        count_exactly(|field| {
            if problem.demands.is_empty() {
                return self.engine.inside(field, &problem, &mut plain);
            }
            let total = self.engine.inside(Graded(field), &problem, &mut graded)?;
            Ok(complete(total, &problem).unwrap_or(field.zero()))
        })
    }

    /// The number of structures of a class over `words` words, exactly. A structural and a trace edge between the same two
    /// words count as one structural edge.
    ///
    /// ```
    /// use tracebank_chart::{Class, Grammar, Worker};
    ///
    /// assert_eq!(Worker::new().count_all(&Grammar::of(Class::ONE_ENDPOINT_GRAPH), 4)?, "3009");
    /// # Ok::<(), tracebank_chart::DecodeError>(())
    /// ```
    pub fn count_all(&mut self, grammar: &Grammar, words: usize) -> Result<String, DecodeError> {
        let mut scores = Scores::new(Nodes::single(words), 0.0);
        scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
        self.count(grammar, &Request::new(&scores))
    }

    /// Gets the engine ready for a request.
    pub(crate) fn prepare<'a>(
        &mut self,
        grammar: &'a Grammar,
        request: &Request<'a>,
    ) -> Result<Problem<'a>, DecodeError> {
        let Request { scores, required } = *request;
        let nodes = scores.nodes();
        // Without words there is nothing the root could have.
        let single = (grammar.is_single_rooted() && nodes.words() > 0).then(|| nodes.root());
        let demands = Demands { required, single };
        self.engine.prepare(grammar, scores, self.limit)?;
        Ok(Problem { grammar, scores, spines: scores.spines(), demands, limit: self.limit })
    }
}

/// The derivations of the `k` best structures; without words, the empty one.
fn find<E: Engine, S: Ranked>(
    engine: &E,
    semiring: S,
    problem: &Problem<'_>,
    values: &mut E::Values<S>,
    k: usize,
) -> Result<Vec<(f64, Skeleton)>, DecodeError> {
    engine.inside(semiring, problem, values)?;
    Ok(match problem.scores.nodes().words() {
        0 => vec![(0.0, Skeleton::new())],
        _ => engine.search(semiring, problem, values, k),
    })
}

/// A table of the value of all structures with each part; the inside pass must have run.
pub(crate) fn parts<E: Engine, S: Semiring>(
    engine: &E,
    semiring: S,
    problem: &Problem<'_>,
    values: &mut E::Values<S>,
    none: f32,
    of: impl Fn(S::Value) -> f32,
) -> Table<f32> {
    let mut table = Table::new(problem.scores.nodes().clone(), none);
    engine.outside(semiring, problem, values, |part, outside| {
        if outside != semiring.zero() {
            let value = of(semiring.times(outside, problem.value(semiring, part)));
            match part {
                Part::Spine(spine) => table[spine] = value,
                Part::Edge(edge) => table[edge] = value,
            }
        }
    });
    table
}

/// The value of a total that has all marks.
pub(crate) fn complete<V>(total: Grade<V>, problem: &Problem<'_>) -> Option<V> {
    (total.marks == problem.demands.total()).then_some(total.value)
}
