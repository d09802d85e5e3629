//! Features and labels together: the score of a label for a word or a pair of words.

use std::collections::BTreeMap;

use tracebank_syntax::graph::{Symbol, SymbolKind};
use tracebank_syntax::project::SpineType;

use crate::features::{self, Keys, Templates};
use crate::hash::{mix, text};
use crate::observed::Observed;
use crate::weights::Weights;
use tracebank_parser::vocabulary::{AttachmentId, SpineId, TraceId, Vocabulary};

/// Labels, taken apart: for each view, the different parts, and which one each label has.
#[derive(Clone, PartialEq, Debug)]
struct Labels {
    /// For each view, the hash of each part.
    hashes: Vec<Vec<u64>>,
    /// For each label, its part in each view.
    parts: Vec<Vec<usize>>,
}

impl Labels {
    fn new(views: usize, labels: impl Iterator<Item = Vec<String>>) -> Labels {
        let mut known: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); views];
        let mut hashes = vec![Vec::new(); views];
        let mut part = |view: usize, name: String| {
            *known[view].entry(name).or_insert_with_key(|name| {
                hashes[view].push(text(name));
                hashes[view].len() - 1
            })
        };
        let parts = labels.map(|names| (0..views).zip(names).map(|(view, name)| part(view, name)).collect());
        let parts = parts.collect();
        Labels { hashes, parts }
    }
}

/// A table of features, crossed with labels.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureSet {
    templates: Templates,
    labels: Labels,
}

impl FeatureSet {
    fn new(
        name: &str,
        lines: &[&str],
        views: &[&str],
        labels: impl Iterator<Item = Vec<String>>,
    ) -> FeatureSet {
        let templates = Templates::parse(name, lines, views).expect("the tables are tested");
        FeatureSet { templates, labels: Labels::new(views.len(), labels) }
    }

    /// Labels seen as a whole only.
    pub fn plain<'n>(name: &str, lines: &[&str], labels: impl Iterator<Item = &'n str>) -> FeatureSet {
        FeatureSet::new(name, lines, &["whole"], labels.map(|label| vec![label.to_owned()]))
    }

    /// The hash of every feature of a label for two words (or one, twice).
    pub fn features(&self, sentence: &Observed, ends: [usize; 2], label: usize, mut visit: impl FnMut(u64)) {
        let mut keys = Keys::new();
        self.templates.keys(sentence, ends[0], ends[1], &mut keys);
        for (view, keys) in keys.iter().enumerate() {
            let part = self.labels.hashes[view][self.labels.parts[label][view]];
            keys.iter().for_each(|&key| visit(mix(key, part)));
        }
    }

    /// Reads weights for this set.
    pub fn reader<'a>(&'a self, weights: &'a Weights) -> Reader<'a> {
        let sums = self.labels.hashes.iter().map(|parts| vec![f32::NAN; parts.len()]).collect();
        Reader { set: self, weights, keys: Keys::new(), sums }
    }
}

/// Reads weights, and adds up those of a part of a label but once for each pair of words.
#[derive(Debug)]
pub struct Reader<'a> {
    set: &'a FeatureSet,
    weights: &'a Weights,
    keys: Keys,
    /// The score of each part for the words last looked at; NaN while nobody has asked.
    sums: Vec<Vec<f32>>,
}

impl Reader<'_> {
    /// Looks at two words (or one, twice).
    pub fn look(&mut self, sentence: &Observed, first: usize, second: usize) {
        self.set.templates.keys(sentence, first, second, &mut self.keys);
        self.sums.iter_mut().for_each(|sums| sums.fill(f32::NAN));
    }

    /// The score of a label for them.
    pub fn score(&mut self, label: usize) -> f32 {
        let labels = &self.set.labels;
        let mut score = 0.0;
        for (view, &part) in labels.parts[label].iter().enumerate() {
            let sum = &mut self.sums[view][part];
            if sum.is_nan() {
                let hash = labels.hashes[view][part];
                let weight = |&key: &u64| self.weights.get(self.weights.slot(mix(key, hash)));
                *sum = self.keys[view].iter().map(weight).sum();
            }
            score += *sum;
        }
        score
    }
}

/// The sets of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureSets {
    /// Spines by word.
    pub spine: FeatureSet,
    /// Function tags by word.
    pub function: FeatureSet,
    /// Parents.
    pub head: FeatureSet,
    /// Phrases of parents.
    pub attachment: FeatureSet,
    /// Traces.
    pub trace: FeatureSet,
    /// The two [roles](crate::roles) of a word.
    pub role: FeatureSet,
}

impl FeatureSets {
    /// The sets for the labels of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> FeatureSets {
        let names = vocabulary.names();
        let spines = (0..names.spines.len()).map(|id| spine_views(vocabulary.spine(SpineId(id as u16))));
        let attachments = (0..names.attachments.len()).map(|id| {
            let name = vocabulary.attachment(AttachmentId(id as u16));
            vec![name.to_string(), name.label.clone()]
        });
        let traces = (0..names.traces.len()).map(|id| {
            let trace = vocabulary.trace(TraceId(id as u16));
            let kind = trace.from.kind().to_owned();
            vec![trace.to_string(), kind, trace.from.to_string(), trace.to.to_string()]
        });
        let spine_view_names = ["whole", "bottom", "top", "nulls", "bare"];
        FeatureSets {
            spine: FeatureSet::new("spine", features::SPINE, &spine_view_names, spines),
            function: FeatureSet::plain(
                "function",
                features::FUNCTION,
                names.functions.iter().map(String::as_str),
            ),
            head: FeatureSet::plain("head", features::HEAD, ["head"].into_iter()),
            attachment: FeatureSet::new("attachment", features::ATTACHMENT, &["whole", "label"], attachments),
            trace: FeatureSet::new("trace", features::TRACE, &["whole", "kind", "from", "to"], traces),
            role: FeatureSet::plain("role", features::ROLE, ["refers", "referred"].into_iter()),
        }
    }
}

/// A spine as a whole, its lowest and its topmost phrase, its nulls with what they hang in, and its phrases without them.
fn spine_views(spine: &SpineType) -> Vec<String> {
    let symbols = &spine.spine.symbols;
    let headed: Vec<&str> = symbols.iter().filter(|symbol| symbol.is_headed()).map(Symbol::name).collect();
    let end = |label: Option<&&str>| label.map_or_else(String::new, |label| (*label).to_owned());
    let mut nulls = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if let SymbolKind::Null(kind) = &symbol.kind {
            let above = symbols[..index].iter().rev().find(|other| other.depth < symbol.depth);
            nulls.push(format!("{}({kind})", above.map_or("", |above| above.name())));
        }
    }
    vec![spine.to_string(), end(headed.first()), end(headed.last()), nulls.join(" "), headed.join(" ")]
}
