//! Trees as a parser should answer them: [`Analysis`] in, tree out, and back.

use thiserror::Error;
use tracebank_syntax::graph::{self, DecodeError, Graph, Orientation, Targets, Vertex};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::project::{
    Alphabet, Link, PlaceTable, ProjectedWord, Projection, RestoreError, SpineType, TraceArc, TraceLabel,
    restore,
};
use tracebank_syntax::tree::Tree;

use crate::functions::{FunctionTable, functions_of};
use crate::null_functions;
use crate::vocabulary::{AttachmentId, FunctionId, SpineId, TagId, Trace, Vocabulary};

/// The alphabet that parsers predict in: no marks, and function tags apart from the spines.
pub const ALPHABET: Alphabet =
    Alphabet { functions: false, marks: false, orientation: Orientation::AcyclicByTree };

/// The analysis of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordAnalysis {
    /// Its part of speech.
    pub tag: TagId,
    /// The spine that it heads.
    pub spine: SpineId,
    /// The function tags of its topmost phrase.
    pub function: FunctionId,
    /// Its structural parent, counted from 1; 0 is the root.
    pub head: u32,
    /// The phrase of the parent under which it goes.
    pub attachment: AttachmentId,
}

/// A sentence's analysis in ids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// The words, in order.
    pub words: Vec<WordAnalysis>,
    /// The traces between different words, sorted.
    pub traces: Vec<Trace>,
}

/// A gold analysis in ids, with `None` for what the vocabulary does not have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gold {
    /// The tags.
    pub tags: Vec<Option<TagId>>,
    /// The spines.
    pub spines: Vec<Option<SpineId>>,
    /// The function tags.
    pub functions: Vec<Option<FunctionId>>,
    /// The structural parents.
    pub heads: Vec<u32>,
    /// The phrases attached to.
    pub attachments: Vec<Option<AttachmentId>>,
    /// The traces that the vocabulary has.
    pub traces: Vec<Trace>,
}

impl Gold {
    /// The analysis, if the vocabulary has all of it.
    pub fn complete(&self) -> Option<Analysis> {
        let words = (0..self.heads.len()).map(|word| {
            Some(WordAnalysis {
                tag: self.tags[word]?,
                spine: self.spines[word]?,
                function: self.functions[word]?,
                head: self.heads[word],
                attachment: self.attachments[word]?,
            })
        });
        Some(Analysis { words: words.collect::<Option<_>>()?, traces: self.traces.clone() })
    }
}

/// A training tree as what is to be predicted of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingExample {
    /// The graph, in the whole alphabet.
    pub graph: Graph,
    /// The projection that is to be predicted, without function tags.
    pub projection: Projection,
    /// The function tags of each word's topmost phrase.
    pub functions: Vec<String>,
}

impl TrainingExample {
    /// The example of a tree in the project's dialect.
    pub fn of(tree: &Tree, heads: &HeadTable) -> Result<TrainingExample, DecodeError> {
        TrainingExample::with_targets(tree, heads, Targets::Referent)
    }

    /// The example of a tree whose trace edges end on these phrases.
    pub fn with_targets(
        tree: &Tree,
        heads: &HeadTable,
        targets: Targets,
    ) -> Result<TrainingExample, DecodeError> {
        let graph = graph::encode(tree, heads, targets);
        let projection = ALPHABET.project(&graph)?;
        let functions = graph.words.iter().map(|word| {
            let top = word.spine.headed().next_back().and_then(|top| word.spine.get(top));
            top.map_or_else(String::new, |top| functions_of(top.name()))
        });
        Ok(TrainingExample { functions: functions.collect(), projection, graph })
    }

    /// The example in ids.
    pub fn gold(&self, vocabulary: &Vocabulary) -> Gold {
        let words = &self.projection.words;
        let mut traces: Vec<Trace> = Vec::new();
        for arc in &self.projection.arcs {
            for link in &arc.label.0 {
                let (referrer, antecedent) =
                    if link.parent_refers { (arc.parent, arc.child) } else { (arc.child, arc.parent) };
                let label = vocabulary.trace_id(&link.trace);
                traces.extend(label.map(|label| Trace {
                    referrer: referrer.0,
                    antecedent: antecedent.0,
                    label,
                }));
            }
        }
        traces.retain(|trace| trace.referrer > 0 && trace.antecedent > 0);
        traces.sort_unstable();
        let attachment =
            |word: &ProjectedWord| word.attachment.as_ref().and_then(|name| vocabulary.attachment_id(name));
        Gold {
            tags: words
                .iter()
                .map(|word| vocabulary.tag_id(word.tag.as_deref().unwrap_or_default()))
                .collect(),
            spines: words.iter().map(|word| vocabulary.spine_id(&word.spine)).collect(),
            functions: self.functions.iter().map(|function| vocabulary.function_id(function)).collect(),
            heads: words.iter().map(|word| word.head.0).collect(),
            attachments: words.iter().map(attachment).collect(),
            traces,
        }
    }
}

/// The reason why an analysis is that of no tree.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BuildError {
    /// A label does not fit the spines it is between.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The graph is that of no tree.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// The restoration table: all that trees have and analyses do not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RestorationTable {
    /// The places of nulls among their siblings.
    pub places: PlaceTable,
    /// The function tags of phrases of nulls.
    pub functions: FunctionTable,
}

impl RestorationTable {
    /// Learns from one more tree.
    pub fn learn(&mut self, example: &TrainingExample) {
        self.places.learn(&example.graph, ALPHABET);
        self.functions.learn(&example.graph);
    }
}

/// The graph of an analysis.
pub fn build<W: AsRef<str>>(
    analysis: &Analysis,
    forms: &[W],
    vocabulary: &Vocabulary,
    restoration: &RestorationTable,
) -> Result<Graph, BuildError> {
    let words = analysis.words.iter().zip(forms).map(|(word, form)| ProjectedWord {
        form: form.as_ref().to_owned(),
        tag: Some(vocabulary.names().tags[word.tag.index()].clone()),
        spine: vocabulary.spine(word.spine).clone(),
        head: Vertex(word.head),
        attachment: Some(vocabulary.attachment(word.attachment).clone()),
    });
    let arcs = analysis.traces.iter().map(|trace| TraceArc {
        parent: Vertex(trace.referrer),
        child: Vertex(trace.antecedent),
        label: TraceLabel(vec![Link { trace: vocabulary.trace(trace.label).clone(), parent_refers: true }]),
    });
    let projection = Projection { root: root_spine(), words: words.collect(), arcs: arcs.collect() };
    let mut graph = restore(&projection, &restoration.places)?;
    let functions = analysis.words.iter().map(|word| &*vocabulary.names().functions[word.function.index()]);
    restoration.functions.apply(&mut graph, functions);
    null_functions::refine(&mut graph);
    Ok(graph)
}

/// The outermost bracket.
fn root_spine() -> SpineType {
    "(())".parse().expect("the outermost bracket is a spine")
}
