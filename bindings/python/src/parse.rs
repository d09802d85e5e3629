//! A parsed sentence.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tracebank::{
    Alternative, CandidateScope, NullProbability, Outcome, OutputFormat, PhraseProbability, Probabilities,
    Record, Times, Token,
};
use tracebank_parser::decode::AntecedentProbability;
use tracebank_report::draw::{spine_picture, tree_picture};
use tracebank_syntax::graph::{Graph, TraceEdge, text as graph_text};

use crate::parser::{form, written};
use crate::tree::Tree;

/// A parsed sentence, which nothing changes: Python's objects share it.
#[pyclass(frozen, module = "tracebank._native")]
pub(crate) struct Parse {
    parse: Arc<tracebank::Parse>,
}

impl From<tracebank::Parse> for Parse {
    fn from(parse: tracebank::Parse) -> Parse {
        Parse { parse: Arc::new(parse) }
    }
}

type TokenState = (String, String, usize, usize, usize, usize);
type NullState = (usize, String, Option<String>, f32, Vec<(usize, Option<String>, f32)>);
type ProbabilityState = (f32, f64, Vec<(usize, String, usize, usize, f32)>, Vec<NullState>);

/// All of a parse as plain values, for pickling; the time it took is not part of it.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct State {
    text: String,
    start: usize,
    start_char: usize,
    tokens: Vec<TokenState>,
    tree: String,
    model_tree: Option<String>,
    graph: String,
    /// For each trace edge, its place among those that are read from `graph`, which orders them by words.
    traces: Vec<usize>,
    score: f32,
    confidence: Vec<f32>,
    alternatives: Vec<(String, f32, f32)>,
    probabilities: Option<ProbabilityState>,
    outcome: String,
    candidates: Option<String>,
}

const OUTCOMES: [Outcome; 7] = [
    Outcome::Exact,
    Outcome::Approximate,
    Outcome::Given,
    Outcome::Empty,
    Outcome::TooLong,
    Outcome::Failed,
    Outcome::Unreadable,
];

const SCOPES: [CandidateScope; 2] = [CandidateScope::Complete, CandidateScope::Pruned];

#[pymethods]
impl Parse {
    /// The parse that a tree stands for.
    #[staticmethod]
    fn of_tree(tree: &Tree) -> Parse {
        tracebank::Parse::of_tree(tree.tree().clone()).into()
    }

    #[getter]
    fn text(&self) -> &str {
        &self.parse.text
    }

    #[getter(start)]
    fn first_char(&self) -> usize {
        self.parse.start_char
    }

    #[getter]
    fn outcome(&self) -> &'static str {
        self.parse.outcome.name()
    }

    #[getter]
    fn score(&self) -> f32 {
        self.parse.score
    }

    #[getter]
    fn tree(&self) -> Tree {
        Tree::from(self.parse.tree.clone())
    }

    /// The words with their tags.
    #[getter]
    fn words(&self) -> Vec<(&str, &str)> {
        self.parse.tokens.iter().map(|token| (&*token.text, &*token.tag)).collect()
    }

    #[getter]
    fn alternatives(&self) -> Vec<(Tree, f32, f32)> {
        let each = self.parse.alternatives.iter();
        each.map(|other| (Tree::from(other.tree.clone()), other.score, other.probability)).collect()
    }

    /// The parse as JSON, version 2.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| written(self.record(), OutputFormat::Json))
    }

    /// The parse in a form of the command line.
    fn form(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let form = form(name)?;
        Ok(py.detach(|| written(self.record(), form)))
    }

    /// A line for each relation.
    fn relation_lines(&self) -> Vec<String> {
        let parse = &*self.parse;
        parse.relations().iter().map(|relation| relation.show(&|tokens| parse.words(tokens))).collect()
    }

    /// The picture of the tree.
    fn svg(&self) -> String {
        tree_picture(&self.parse.tree)
    }

    /// The picture of spines and edges.
    fn spine_svg(&self) -> String {
        spine_picture(&self.parse.graph)
    }

    fn state(&self) -> State {
        let parse = &*self.parse;
        let token = |token: &Token| {
            let (bytes, chars) = (&token.bytes, &token.chars);
            (token.text.clone(), token.tag.clone(), bytes.start, bytes.end, chars.start, chars.end)
        };
        let graph = graph_text::write(&parse.graph);
        State {
            text: parse.text.clone(),
            start: parse.start,
            start_char: parse.start_char,
            tokens: parse.tokens.iter().map(token).collect(),
            tree: parse.tree.to_string(),
            model_tree: parse.model_tree.as_ref().map(ToString::to_string),
            traces: trace_order(&parse.graph, &graph),
            graph,
            score: parse.score,
            confidence: parse.confidence.clone(),
            alternatives: parse
                .alternatives
                .iter()
                .map(|other| (other.tree.to_string(), other.score, other.probability))
                .collect(),
            probabilities: parse.probabilities.as_ref().map(probability_state),
            outcome: parse.outcome.name().to_owned(),
            candidates: parse.candidates.map(|scope| scope.name().to_owned()),
        }
    }

    #[staticmethod]
    fn of_state(state: State) -> PyResult<Parse> {
        let bad = |what: &str| PyValueError::new_err(format!("the {what} of this parse cannot be read"));
        let tree = |text: &str| text.parse::<tracebank::Tree>().map_err(|_| bad("tree"));
        let given = tracebank::Parse::of_tree(tree(&state.tree)?);
        let outcome = OUTCOMES.into_iter().find(|known| known.name() == state.outcome);
        let outcome = outcome.ok_or_else(|| bad("outcome"))?;
        // What is no parse has the graph of its flat tree, which a file of graphs cannot always hold.
        let graph = if outcome.mark().is_some() {
            given.graph
        } else {
            let mut graph = read_graph(&state.graph).ok_or_else(|| bad("graph"))?;
            let edges = state.traces.iter().map(|&place| graph.traces.get(place).cloned());
            graph.traces = edges.collect::<Option<_>>().ok_or_else(|| bad("graph"))?;
            graph
        };
        let scope = |name: String| SCOPES.into_iter().find(|known| known.name() == name);
        let token = |(text, tag, byte, byte_end, char, char_end)| Token {
            text,
            tag,
            bytes: byte..byte_end,
            chars: char..char_end,
        };
        let alternative = |(text, score, probability): (String, f32, f32)| {
            Ok(Alternative { tree: tree(&text)?, score, probability })
        };
        let parse = tracebank::Parse {
            text: state.text,
            start: state.start,
            start_char: state.start_char,
            tokens: state.tokens.into_iter().map(token).collect(),
            tree: given.tree,
            model_tree: state.model_tree.as_deref().map(tree).transpose()?,
            graph,
            score: state.score,
            confidence: state.confidence,
            alternatives: state.alternatives.into_iter().map(alternative).collect::<PyResult<_>>()?,
            probabilities: state.probabilities.map(probabilities),
            outcome,
            candidates: state.candidates.and_then(scope),
            times: Times::default(),
        };
        Ok(parse.into())
    }
}

impl Parse {
    fn record(&self) -> Record<'_> {
        (&*self.parse).into()
    }
}

fn read_graph(text: &str) -> Option<Graph> {
    graph_text::Reader::new(text.as_bytes()).next()?.ok()
}

fn trace_order(graph: &Graph, text: &str) -> Vec<usize> {
    let mut left: Vec<_> =
        read_graph(text).map_or_else(Vec::new, |graph| graph.traces.into_iter().map(Some).collect());
    let place = |edge: &TraceEdge| {
        let place = left.iter().position(|known| known.as_ref() == Some(edge))?;
        left[place] = None;
        Some(place)
    };
    graph.traces.iter().filter_map(place).collect()
}

fn probability_state(known: &Probabilities) -> ProbabilityState {
    let phrase = |phrase: &PhraseProbability| {
        let PhraseProbability { head, label, tokens, probability } = phrase;
        (*head, label.clone(), tokens.start, tokens.end, *probability)
    };
    let null = |null: &NullProbability| {
        let antecedents = null.antecedents.iter().map(|one| (one.head, one.label.clone(), one.probability));
        (null.head, null.kind.clone(), null.above.clone(), null.probability, antecedents.collect())
    };
    let (phrases, nulls) = (known.phrases.iter().map(phrase), known.nulls.iter().map(null));
    (known.analysis, known.log_total, phrases.collect(), nulls.collect())
}

fn probabilities((analysis, log_total, phrases, nulls): ProbabilityState) -> Probabilities {
    let phrase = |(head, label, start, end, probability)| PhraseProbability {
        head,
        label,
        tokens: start..end,
        probability,
    };
    let antecedent = |(head, label, probability)| AntecedentProbability { head, label, probability };
    let null = |(head, kind, above, probability, antecedents): NullState| NullProbability {
        head,
        kind,
        above,
        probability,
        antecedents: antecedents.into_iter().map(antecedent).collect(),
    };
    Probabilities {
        analysis,
        phrases: phrases.into_iter().map(phrase).collect(),
        nulls: nulls.into_iter().map(null).collect(),
        log_total,
    }
}
