//! A restriction of the chart's rules to those that a treebank needs, as in the paper, which keeps 627 of 49,292.
//!
//! An analysis is then an answer only if these rules derive it. Derivations are unique, so that is a question of its edges alone: the structural
//! edge of each word, and its traces with the direction that they have in training graphs.

use tracebank_chart::decompose::{decompose, graph_of};
use tracebank_chart::expand::Rules;
use tracebank_chart::rule_file::RuleFileError;
use tracebank_chart::{Class, Edge, EdgeKind, Grammar, Node, Nodes, Worker};
use tracebank_syntax::project::Site;

use crate::vocabulary::{Trace, Vocabulary};

/// The rules that answers are derived by, and the file that they come from.
#[derive(Clone, Debug)]
pub struct RuleSet {
    file: String,
    grammar: Grammar,
}

impl PartialEq for RuleSet {
    fn eq(&self, other: &RuleSet) -> bool {
        self.file == other.file
    }
}

impl RuleSet {
    /// The class whose rules the decoder derives by.
    pub const CLASS: Class = Class::ONE_ENDPOINT_GRAPH.with_structural_tree();

    /// The rules of a [file](tracebank_chart::rule_file), as `tracebank rules used --structural` writes it.
    ///
    /// ```
    /// use tracebank_parser::rules::RuleSet;
    /// let error = RuleSet::parse("class 1ec-graph\n").unwrap_err();
    /// assert_eq!(error.to_string(), "the rules are those of the class 1ec-graph, not of 1ec-graph+structural");
    /// ```
    pub fn parse(file: &str) -> Result<RuleSet, RuleFileError> {
        let rules = Rules::expand(RuleSet::CLASS).restricted_to(file)?;
        Ok(RuleSet { file: file.to_owned(), grammar: Grammar::new(&rules) })
    }

    /// The file that they were read from.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The rules, compiled.
    pub(crate) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Whether the rules derive words with these heads and traces. What is too long for the chart is not known to be derived.
    pub(crate) fn derive(
        &self,
        worker: &mut Worker,
        vocabulary: &Vocabulary,
        heads: &[u32],
        traces: &[Trace],
    ) -> bool {
        let graph = graph_of(heads.len(), edges(vocabulary, heads, traces));
        decompose(worker, &self.grammar, &Nodes::single(heads.len()), &graph).is_ok()
    }
}

/// The edges of an analysis, in the chart's terms. Traces between the same two words in the same direction are one edge; beside a structural
/// edge they make it [`EdgeKind::Both`].
fn edges(vocabulary: &Vocabulary, heads: &[u32], traces: &[Trace]) -> Vec<Edge> {
    let node = |word: u32| Node(word.checked_sub(1).unwrap_or(heads.len() as u32));
    let edge =
        |(word, &head): (u32, &u32)| Edge { from: node(head), to: node(word), kind: EdgeKind::Structural };
    let mut edges: Vec<Edge> = (1..).zip(heads).map(edge).collect();
    for trace in traces {
        let (parent, child) = direction(vocabulary, heads, trace);
        let (from, to) = (node(parent), node(child));
        match edges.iter_mut().find(|edge| (edge.from, edge.to) == (from, to)) {
            Some(edge) if edge.kind == EdgeKind::Structural => edge.kind = EdgeKind::Both,
            Some(_) => {}
            None => edges.push(Edge { from, to, kind: EdgeKind::Trace }),
        }
    }
    edges
}

/// The parent and the child of a trace edge, as [`Orientation::AcyclicByTree`](tracebank_syntax::graph::Orientation) has them.
fn direction(vocabulary: &Vocabulary, heads: &[u32], trace: &Trace) -> (u32, u32) {
    let kind = vocabulary.trace(trace.label);
    let stands_for_null = matches!(kind.to.site, Site::Null { .. } | Site::NullPhrase(_));
    let (parent, child) = if matches!(kind.from.site, Site::Null { .. }) && !stands_for_null {
        (trace.referrer, trace.antecedent)
    } else {
        (trace.antecedent, trace.referrer)
    };
    let ancestors = std::iter::successors(Some(parent), |&word| (word > 0).then(|| heads[word as usize - 1]));
    if ancestors.take(heads.len() + 1).any(|word| word == child) { (child, parent) } else { (parent, child) }
}
