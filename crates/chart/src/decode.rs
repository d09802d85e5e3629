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

use crate::derivation::{Derivation, Unmerge};
use crate::engine::{Algebra, Chart, MOST_NODES, Outside, Problem, Ranked, Search};
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::part::{Edge, EdgeKind, Node, Nodes, Scores, Table};
use crate::semiring::{Exists, Graded, LogSum, Max, Semiring, Sum, count_exactly};

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

/// The memory of one thread.
#[derive(Debug)]
pub struct Worker {
    max: Chart<Max>,
    sum: Chart<Sum>,
    graded_max: Chart<Graded<Max>>,
    graded_sum: Chart<Graded<Sum>>,
    outside_max: Outside<f32>,
    outside_sum: Outside<f64>,
    /// Spine scores less what keeps sums in range.
    shifted: Vec<f32>,
    limit: usize,
}

impl Default for Worker {
    fn default() -> Self {
        Self::new()
    }
}

impl Worker {
    /// A worker without memory yet, limited to 4 GiB for a chart.
    pub fn new() -> Self {
        Self::with_limit(4 << 30)
    }

    /// A worker that refuses sentences whose chart needs more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            max: Chart::new(Max),
            sum: Chart::new(Sum),
            graded_max: Chart::new(Graded(Max)),
            graded_sum: Chart::new(Graded(Sum)),
            outside_max: Outside::default(),
            outside_sum: Outside::default(),
            shifted: Vec::new(),
            limit,
        }
    }

    /// The bytes its charts hold.
    pub fn bytes(&self) -> usize {
        let charts = [self.max.bytes(), self.sum.bytes(), self.graded_max.bytes(), self.graded_sum.bytes()];
        charts.iter().sum::<usize>() + self.outside_max.bytes() + self.outside_sum.bytes()
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
        if request.required.is_empty() {
            best_in(&mut self.max, grammar, request, k, self.limit)
        } else {
            best_in(&mut self.graded_max, grammar, request, k, self.limit)
        }
    }

    /// The score of the best structure alone, without looking for it.
    pub fn best_score(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let problem = problem(request, request.scores.spines());
        let score = if request.required.is_empty() {
            fits(&mut self.max, grammar, problem.scores.nodes(), self.limit)?;
            self.max.inside(grammar.program(), &problem)
        } else {
            fits(&mut self.graded_max, grammar, problem.scores.nodes(), self.limit)?;
            complete(self.graded_max.inside(grammar.program(), &problem), request)
                .unwrap_or(f32::NEG_INFINITY)
        };
        if score == f32::NEG_INFINITY { Err(DecodeError::NoStructure) } else { Ok(f64::from(score)) }
    }

    /// The logarithm of the sum, over all structures, of the exponential of their scores.
    pub fn log_sum(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<f64, DecodeError> {
        let shift = self.shift(request.scores);
        let problem = problem(request, &self.shifted);
        let total = if request.required.is_empty() {
            fits(&mut self.sum, grammar, problem.scores.nodes(), self.limit)?;
            self.sum.inside(grammar.program(), &problem)
        } else {
            fits(&mut self.graded_sum, grammar, problem.scores.nodes(), self.limit)?;
            let total = self.graded_sum.inside(grammar.program(), &problem);
            complete(total, request).ok_or(DecodeError::NoStructure)?
        };
        if in_range(total) {
            return Ok(total.ln() + shift);
        }
        let log_total = log_sum_slowly(grammar, request, self.limit)?.0;
        if log_total == f64::NEG_INFINITY { Err(DecodeError::NoStructure) } else { Ok(log_total) }
    }

    /// How much of the sum over structures falls to each part.
    pub fn marginals(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<Marginals, DecodeError> {
        let log_total = self.log_sum(grammar, request)?;
        let nodes = request.scores.nodes();
        let shift = self.shift(request.scores);
        let total = (log_total - shift).exp();
        if !in_range(total) {
            return marginals_slowly(grammar, request, self.limit);
        }
        if request.required.is_empty() {
            self.sum.outside(grammar.program(), nodes, &mut self.outside_sum);
            let share = |outside: f64, value: f64| (outside * value / total) as f32;
            let table = parts(&self.sum, &self.outside_sum, grammar, request, &self.shifted, share);
            return Ok(Marginals { log_total, table });
        }
        let mut outside = Outside::default();
        self.graded_sum.outside(grammar.program(), nodes, &mut outside);
        let semiring = self.graded_sum.semiring();
        let share = |outside, value| {
            complete(semiring.times(outside, value), request).map_or(0.0, |value: f64| (value / total) as f32)
        };
        let table = parts(&self.graded_sum, &outside, grammar, request, &self.shifted, share);
        Ok(Marginals { log_total, table })
    }

    /// For each part, the score of the best structure that has it; -∞ if there is none.
    pub fn max_marginals(
        &mut self,
        grammar: &Grammar,
        request: &Request<'_>,
    ) -> Result<Table<f32>, DecodeError> {
        self.best_score(grammar, request)?;
        let (nodes, spines) = (request.scores.nodes(), request.scores.spines());
        if request.required.is_empty() {
            self.max.outside(grammar.program(), nodes, &mut self.outside_max);
            return Ok(parts(&self.max, &self.outside_max, grammar, request, spines, |outside, value| {
                outside + value
            }));
        }
        let mut outside = Outside::default();
        self.graded_max.outside(grammar.program(), nodes, &mut outside);
        let semiring = self.graded_max.semiring();
        let best =
            |outside, value| complete(semiring.times(outside, value), request).unwrap_or(f32::NEG_INFINITY);
        Ok(parts(&self.graded_max, &outside, grammar, request, spines, best))
    }

    /// Is there any structure?
    pub fn exists(&mut self, grammar: &Grammar, request: &Request<'_>) -> Result<bool, DecodeError> {
        let mut chart = Chart::new(Graded(Exists));
        fits(&mut chart, grammar, request.scores.nodes(), self.limit)?;
        let total = chart.inside(grammar.program(), &problem(request, request.scores.spines()));
        Ok(complete(total, request).is_some_and(|exists| exists))
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
    let request = Request::new(&scores);
    count_exactly(|field| {
        let mut chart = Chart::new(field);
        fits(&mut chart, grammar, scores.nodes(), Worker::new().limit)?;
        Ok(chart.inside(grammar.program(), &problem(&request, scores.spines())))
    })
}

fn problem<'a>(request: &Request<'a>, spines: &'a [f32]) -> Problem<'a> {
    Problem { scores: request.scores, spines, required: request.required }
}

/// Refuses what does not fit into memory before anything is allocated.
fn fits<S: Algebra>(
    chart: &mut Chart<S>,
    grammar: &Grammar,
    nodes: &Nodes,
    limit: usize,
) -> Result<(), DecodeError> {
    let count = nodes.len();
    let bytes = if count > MOST_NODES { usize::MAX } else { chart.need(grammar.program(), nodes) };
    if bytes > limit {
        return Err(DecodeError::TooLong { nodes: count, bytes, most: MOST_NODES, limit });
    }
    Ok(())
}

fn best_in<S: Ranked>(
    chart: &mut Chart<S>,
    grammar: &Grammar,
    request: &Request<'_>,
    k: usize,
    limit: usize,
) -> Result<Vec<Parse>, DecodeError> {
    let nodes = request.scores.nodes();
    fits(chart, grammar, nodes, limit)?;
    chart.inside(grammar.program(), &problem(request, request.scores.spines()));
    let found = Search::new(chart, grammar.program(), request.scores, request.required).best(k);
    if found.is_empty() && k > 0 {
        return Err(DecodeError::NoStructure);
    }
    let parse = |(score, skeleton)| {
        let derivation = Unmerge::derivation(grammar, nodes, &skeleton);
        Parse { score, graph: derivation.graph(), derivation }
    };
    Ok(found.into_iter().map(parse).collect())
}

/// The value of a total that has all marks.
fn complete<V>(total: crate::semiring::Grade<V>, request: &Request<'_>) -> Option<V> {
    (total.marks as usize == request.required.len()).then_some(total.value)
}

/// Is a sum far enough from both ends of what `f64` can hold?
fn in_range(total: f64) -> bool {
    (1e-290..1e290).contains(&total)
}

/// Logarithms, where linear numbers run out of range.
fn log_sum_slowly(
    grammar: &Grammar,
    request: &Request<'_>,
    limit: usize,
) -> Result<(f64, Chart<Graded<LogSum>>), DecodeError> {
    let mut chart = Chart::new(Graded(LogSum));
    fits(&mut chart, grammar, request.scores.nodes(), limit)?;
    let total = chart.inside(grammar.program(), &problem(request, request.scores.spines()));
    Ok((complete(total, request).unwrap_or(f64::NEG_INFINITY), chart))
}

fn marginals_slowly(
    grammar: &Grammar,
    request: &Request<'_>,
    limit: usize,
) -> Result<Marginals, DecodeError> {
    let (log_total, mut chart) = log_sum_slowly(grammar, request, limit)?;
    let mut outside = Outside::default();
    chart.outside(grammar.program(), request.scores.nodes(), &mut outside);
    let semiring = chart.semiring();
    let share = |outside, value| {
        complete(semiring.times(outside, value), request)
            .map_or(0.0, |value| (value - log_total).exp() as f32)
    };
    let table = parts(&chart, &outside, grammar, request, request.scores.spines(), share);
    Ok(Marginals { log_total, table })
}

/// Puts the outside value and the own value of each part together.
fn parts<S: Algebra>(
    chart: &Chart<S>,
    outside: &Outside<S::Value>,
    grammar: &Grammar,
    request: &Request<'_>,
    spines: &[f32],
    combine: impl Fn(S::Value, S::Value) -> f32,
) -> Table<f32> {
    let (scores, semiring) = (request.scores, chart.semiring());
    let nodes = scores.nodes();
    let count = nodes.len();
    let mut table = Table::new(nodes.clone(), combine(semiring.zero(), semiring.zero()));
    // The root has no spine.
    let own = outside.spines.iter().zip(spines).take(count - 1);
    for (value, (&outside, &score)) in table.spines_mut().iter_mut().zip(own) {
        *value = combine(outside, semiring.part(score));
    }
    for kind in EdgeKind::ALL {
        if kind != EdgeKind::Structural && !grammar.class().structural {
            continue;
        }
        let outside = &outside.edges[usize::from(kind == EdgeKind::Trace)];
        for from in 0..count {
            for to in 0..count {
                let edge = Edge { from: Node(from as u32), to: Node(to as u32), kind };
                let own = chart.edge_value(scores, request.required, edge);
                table[edge] = combine(outside[from * count + to], own);
            }
        }
    }
    table
}
