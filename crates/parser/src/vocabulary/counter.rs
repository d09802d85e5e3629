//! Counting of all that occurs in training trees.

use std::collections::BTreeMap;

use tracebank_syntax::graph::SymbolKind;
use tracebank_syntax::project::{PhraseName, Projection, Site, SpineType, TraceType};

use super::Names;
use super::check::{MOST_NAMES, is_buildable, is_function, is_short, is_tag};

/// A counter of all that occurs in training trees, from which a [`Vocabulary`](super::Vocabulary) is made.
#[derive(Clone, Debug, Default)]
pub struct VocabularyCounter {
    tags: BTreeMap<String, usize>,
    spines: BTreeMap<SpineType, usize>,
    functions: BTreeMap<String, usize>,
    attachments: BTreeMap<PhraseName, usize>,
    traces: BTreeMap<TraceType, usize>,
    /// For each type of null, how many there are and how many of them refer.
    nulls: BTreeMap<String, (usize, usize)>,
}

/// The share of the nulls of a type that must refer for the type to be obliged to.
const OBLIGED_SHARE: f64 = 0.95;

impl VocabularyCounter {
    /// Counts one more sentence. What a model may not have, such as the tag of a word without one, is left out.
    pub fn add(&mut self, projection: &Projection, functions: &[String]) {
        for (word, function) in projection.words.iter().zip(functions) {
            if let Some(tag) = word.tag.as_ref().filter(|tag| is_tag(tag)) {
                count(&mut self.tags, tag.clone());
            }
            if is_buildable(&word.spine) {
                count(&mut self.spines, word.spine.clone());
            }
            if is_function(function) {
                count(&mut self.functions, function.clone());
            }
            if let Some(attachment) = &word.attachment {
                count(&mut self.attachments, attachment.clone());
            }
            for symbol in &word.spine.spine.symbols {
                if let SymbolKind::Null(kind) = &symbol.kind {
                    self.nulls.entry(kind.clone()).or_default().0 += 1;
                }
            }
            for trace in &word.spine.traces {
                self.refers(trace);
            }
        }
        for link in projection.arcs.iter().flat_map(|arc| &arc.label.0) {
            count(&mut self.traces, link.trace.clone());
            self.refers(&link.trace);
        }
    }

    fn refers(&mut self, trace: &TraceType) {
        if let Site::Null { kind, .. } = &trace.from.site {
            self.nulls.entry(kind.clone()).or_default().1 += 1;
        }
    }

    /// All that occurred at least `least` times, the most frequent first. Tags and attachments are never left out.
    pub fn names(&self, least: usize) -> Names {
        let obliged =
            self.nulls.iter().filter(|(_, (all, refer))| *refer as f64 >= OBLIGED_SHARE * *all as f64);
        Names {
            tags: ranked(&self.tags, 1),
            spines: ranked(&self.spines, least),
            functions: ranked(&self.functions, least),
            attachments: ranked(&self.attachments, 1),
            traces: ranked(&self.traces, least),
            obliged: obliged.map(|(kind, _)| kind.clone()).collect(),
        }
    }
}

fn count<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) {
    *counts.entry(key).or_default() += 1;
}

fn ranked<K: Ord + ToString>(counts: &BTreeMap<K, usize>, least: usize) -> Vec<String> {
    let mut ranked: Vec<_> = counts.iter().filter(|&(_, &count)| count >= least).collect();
    ranked.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
    ranked
        .into_iter()
        .map(|(key, _)| key.to_string())
        .filter(|name| is_short(name))
        .take(MOST_NAMES)
        .collect()
}
