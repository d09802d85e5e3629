//! The edges of a sentence between its words, without labels: all that classes of structures and the chart look at.

use tracebank_chart::decompose::{Stopped, decompose, graph_of};
use tracebank_chart::{self as chart, DecodeError, Derivation, EdgeKind, Grammar, Node, Nodes, Worker};
use tracebank_syntax::graph::{Arc, ArcKind, Graph, Orientation, Vertex};

/// The edges of a sentence, made from a graph or read as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edges {
    /// The words, in order.
    pub words: Vec<String>,
    /// The edges between different words.
    pub arcs: Vec<Arc>,
    /// The types of all trace edges, which the arcs number; those inside one spine have no arc.
    pub traces: Vec<String>,
    /// How many null elements there are.
    pub nulls: usize,
}

/// Longer sentences are not derived: checking takes time in the third power of the words.
const MOST_WORDS: usize = 1000;

impl Edges {
    /// Those of a graph.
    pub fn of(graph: &Graph, orientation: Orientation) -> Edges {
        Edges {
            words: graph.words.iter().map(|word| word.form.clone()).collect(),
            arcs: graph.arcs(orientation),
            traces: graph.traces.iter().map(|edge| edge.kind.clone()).collect(),
            nulls: graph.null_count(),
        }
    }

    /// How many trace edges lie inside one spine.
    pub fn within_spines(&self) -> usize {
        self.traces.len() - self.arcs.iter().filter(|arc| arc.kind != ArcKind::Structural).count()
    }

    /// The edges with every trace edge turned round whose parent is below its child in the structural tree
    /// ([`Orientation::AcyclicByTree`]).
    #[must_use]
    pub fn following_tree(&self) -> Edges {
        let mut head = vec![Vertex::ROOT; self.words.len() + 1];
        for arc in self.arcs.iter().filter(|arc| arc.kind == ArcKind::Structural) {
            head[arc.child.index()] = arc.parent;
        }
        // A graph that was read may go round in circles.
        let ancestors = |vertex: Vertex| {
            let up = std::iter::successors(Some(vertex), |&below| {
                (below != Vertex::ROOT).then(|| head[below.index()])
            });
            up.take(head.len())
        };
        let mut turned = self.clone();
        for arc in turned.arcs.iter_mut().filter(|arc| arc.kind != ArcKind::Structural) {
            if ancestors(arc.parent).any(|above| above == arc.child) {
                (arc.parent, arc.child) = (arc.child, arc.parent);
            }
        }
        turned
    }

    /// The type of a trace edge.
    pub fn trace_type(&self, arc: Arc) -> Option<&str> {
        match arc.kind {
            ArcKind::Structural => None,
            ArcKind::Trace(index) => self.traces.get(index).map(String::as_str),
        }
    }

    /// `running[3] → We[1] (*)`.
    pub fn describe(&self, arc: Arc) -> String {
        let kind = self.trace_type(arc).unwrap_or("structural");
        format!("{} → {} ({kind})", self.name(arc.parent), self.name(arc.child))
    }

    fn name(&self, vertex: Vertex) -> String {
        let word = vertex.index().checked_sub(1).and_then(|index| self.words.get(index));
        word.map_or_else(|| "ROOT".to_owned(), |form| format!("{form}[{}]", vertex.0))
    }

    /// The graph in the chart's terms: words from 0, and the root behind them. Trace edges between the same two words in the same
    /// direction are one; beside a structural edge they make it [`EdgeKind::Both`]. A class without a structural tree knows one kind of
    /// edge, and one without direction none.
    pub fn chart_graph(&self, class: chart::Class) -> chart::Graph {
        let node = |vertex: Vertex| {
            Node(if vertex == Vertex::ROOT { self.words.len() as u32 } else { vertex.0 - 1 })
        };
        let mut edges: Vec<chart::Edge> = Vec::with_capacity(self.arcs.len());
        for arc in &self.arcs {
            let (mut from, mut to) = (node(arc.parent), node(arc.child));
            if !class.directed && from > to {
                (from, to) = (to, from);
            }
            let is_trace = class.structural && arc.kind != ArcKind::Structural;
            let kind = if is_trace { EdgeKind::Trace } else { EdgeKind::Structural };
            match edges.iter_mut().find(|edge| (edge.from, edge.to) == (from, to)) {
                Some(edge) if edge.kind != kind => edge.kind = EdgeKind::Both,
                Some(_) => {}
                None => edges.push(chart::Edge { from, to, kind }),
            }
        }
        graph_of(self.words.len(), edges)
    }

    /// The one derivation of the graph.
    ///
    /// ```
    /// use tracebank_chart::{Class, Grammar, Worker};
    /// use tracebank_report::coverage::{Encoder, ROWS};
    /// use tracebank_syntax::dialect::Dialect;
    /// let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
    /// let edges = Encoder::new(Dialect::named("penn").unwrap()).edges(&tree, &ROWS[6]);
    /// let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
    /// assert_eq!(edges.derivation(&mut Worker::new(), &grammar)?.steps.len(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn derivation(&self, worker: &mut Worker, grammar: &Grammar) -> Result<Derivation, Stopped> {
        if self.words.len() > MOST_WORDS {
            let (nodes, bytes) = (self.words.len() + 1, worker.limit());
            return Err(DecodeError::TooLong { nodes, most: MOST_WORDS + 1, limit: bytes }.into());
        }
        let graph = self.chart_graph(grammar.class());
        decompose(worker, grammar, &Nodes::single(self.words.len()), &graph)
    }
}
