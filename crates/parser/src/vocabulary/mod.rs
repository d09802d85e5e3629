//! The finite lists a parser chooses from, and what each choice allows.
//!
//! Everything is learnt from [projections](tracebank_syntax::project) of training trees and named by an id. What makes a combination
//! possible is a fact about spines alone: a spine offers phrases to attach to, nulls that refer, and nodes that can be referred to. The
//! [`SpineFacts`] of each spine type say so once, in ids; only function tags and guidelines look at labels again.

mod check;
mod contents;
mod counter;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use tracebank_syntax::graph::SymbolKind;
use tracebank_syntax::project::{LabelError, PhraseName, Port, Site, SpineType, TraceType};

pub use check::VocabularyError;
use check::is_buildable;
pub(crate) use check::is_function;
pub use contents::PhraseContents;
pub use counter::VocabularyCounter;

macro_rules! id {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u16);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A part of speech.
    TagId
    /// A spine type.
    SpineId
    /// The function tags on the topmost phrase of a spine, as they are written: `-SBJ`, `-LOC-PRD`, or nothing.
    FunctionId
    /// A phrase of the parent's spine, by its name.
    AttachmentId
    /// A trace between two spines: which node refers, and which it refers to.
    TraceId
}

/// A trace with its two words, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Trace {
    /// The word whose spine has the null, or the gap.
    pub referrer: u32,
    /// The word whose spine has what it stands for.
    pub antecedent: u32,
    /// The kind of trace: which node of the one spine stands for which node of the other.
    pub label: TraceId,
}

/// Names in the order of their ids.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// The tags.
    pub tags: Vec<String>,
    /// The spine types.
    pub spines: Vec<String>,
    /// The function tags.
    pub functions: Vec<String>,
    /// The phrases to attach to.
    pub attachments: Vec<String>,
    /// The traces.
    pub traces: Vec<String>,
    /// The types of null elements that always refer to something.
    pub obliged: Vec<String>,
}

/// A null (or a phrase that may be a gap) of a spine from which a trace can start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referrer {
    /// The traces that start there.
    pub labels: Vec<TraceId>,
    /// Whether one of them must be chosen.
    pub is_obliged: bool,
}

/// The facts about a spine type that make combinations possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpineFacts {
    /// The names of its phrases, from the bottom to the top; `None` for a phrase that nothing ever attached to.
    pub phrases: Vec<Option<AttachmentId>>,
    /// The nodes from which traces start.
    pub referrers: Vec<Referrer>,
    /// For each trace, whether the spine has the node it refers to.
    pub serves: Vec<bool>,
    /// The contents of its phrases, from the bottom to the top.
    pub contents: Vec<PhraseContents>,
    /// Whether it has a trace of movement.
    pub has_trace: bool,
}

impl SpineFacts {
    /// The height of a phrase in the spine, if it is there.
    pub fn height(&self, attachment: AttachmentId) -> Option<usize> {
        self.phrases.iter().position(|&phrase| phrase == Some(attachment))
    }
}

/// The lists, ready for use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vocabulary {
    names: Names,
    spines: Vec<SpineType>,
    attachments: Vec<PhraseName>,
    traces: Vec<TraceType>,
    facts: Vec<SpineFacts>,
    sites: Vec<Vec<(Site, u32)>>,
    root_attachment: Option<AttachmentId>,
    ids: Ids,
}

/// Ids by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ids {
    tags: BTreeMap<String, TagId>,
    spines: BTreeMap<SpineType, SpineId>,
    functions: BTreeMap<String, FunctionId>,
    attachments: BTreeMap<PhraseName, AttachmentId>,
    traces: BTreeMap<TraceType, TraceId>,
}

impl Vocabulary {
    /// The vocabulary with these names.
    ///
    /// ```
    /// use tracebank_parser::vocabulary::{Vocabulary, Names};
    /// let names = Names {
    ///     spines: vec!["VP S(NP(*))".into(), "NP".into()],
    ///     attachments: vec!["VP#0".into(), "S#0".into()],
    ///     traces: vec!["(NP *)#0 > NP#0".into()],
    ///     ..Names::default()
    /// };
    /// let vocabulary = Vocabulary::new(names)?;
    /// let [verb, noun] = [0, 1].map(|id| vocabulary.facts(tracebank_parser::vocabulary::SpineId(id)));
    /// assert_eq!(verb.phrases.len(), 2);
    /// assert_eq!(verb.referrers.len(), 1);
    /// assert!(noun.serves[0] && !verb.serves[0]);
    /// # Ok::<(), tracebank_parser::vocabulary::VocabularyError>(())
    /// ```
    ///
    /// Names may come from anywhere: those of which no tree could be built are refused, and so are more than there are ids.
    pub fn new(names: Names) -> Result<Vocabulary, VocabularyError> {
        names.check()?;
        let spines: Vec<SpineType> = parse_all(&names.spines)?;
        if let Some(place) = spines.iter().position(|spine| !is_buildable(spine)) {
            return Err(VocabularyError::Name { list: "spines", name: names.spines[place].clone() });
        }
        let attachments: Vec<PhraseName> = parse_all(&names.attachments)?;
        let traces: Vec<TraceType> = parse_all(&names.traces)?;
        let ids = Ids {
            tags: numbered(&names.tags, TagId),
            spines: numbered(&spines, SpineId),
            functions: numbered(&names.functions, FunctionId),
            attachments: numbered(&attachments, AttachmentId),
            traces: numbered(&traces, TraceId),
        };
        let root_attachment = ids.attachments.get(&PhraseName { label: String::new(), nth: 0 }).copied();
        let ends = Ends::of(&traces);
        let sites: Vec<Vec<(Site, u32)>> = spines.iter().map(sites).collect();
        let each = spines.iter().zip(&sites);
        let facts = each.map(|(spine, sites)| facts(spine, sites, &ids, &ends, &names.obliged)).collect();
        Ok(Vocabulary { names, spines, attachments, traces, facts, sites, root_attachment, ids })
    }

    /// The names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The facts about a spine.
    pub fn facts(&self, spine: SpineId) -> &SpineFacts {
        &self.facts[spine.index()]
    }

    /// The spine type with this id.
    pub fn spine(&self, id: SpineId) -> &SpineType {
        &self.spines[id.index()]
    }

    /// The labels of a spine's phrases, from the bottom to the top.
    pub fn labels(&self, id: SpineId) -> impl Iterator<Item = &str> {
        let spine = &self.spine(id).spine;
        spine.headed().map(|symbol| spine.symbols[symbol.index()].name())
    }

    /// The nodes of a spine as the ends of traces name them: each with the number of those of its kind before it.
    pub fn sites(&self, id: SpineId) -> impl Iterator<Item = (&Site, u32)> {
        self.sites[id.index()].iter().map(|(site, nth)| (site, *nth))
    }

    /// The name of the phrase with this id.
    pub fn attachment(&self, id: AttachmentId) -> &PhraseName {
        &self.attachments[id.index()]
    }

    /// The trace with this id.
    pub fn trace(&self, id: TraceId) -> &TraceType {
        &self.traces[id.index()]
    }

    /// Whether a trace is a trace of movement.
    pub fn is_movement(&self, id: TraceId) -> bool {
        self.trace(id).from.kind() == "*T*"
    }

    /// Whether a trace is a trace of movement of a wh-phrase. Such a phrase was moved from somewhere, as a rule.
    pub fn is_awaited(&self, id: TraceId) -> bool {
        let moved = match &self.trace(id).to.site {
            Site::Phrase(label) | Site::NullPhrase(label) => label,
            Site::Word | Site::Null { .. } => return false,
        };
        self.is_movement(id) && moved.starts_with("WH")
    }

    /// The only phrase of the root.
    pub fn root_attachment(&self) -> Option<AttachmentId> {
        self.root_attachment
    }

    /// The id of a tag.
    pub fn tag_id(&self, tag: &str) -> Option<TagId> {
        self.ids.tags.get(tag).copied()
    }

    /// The id of a spine type.
    pub fn spine_id(&self, spine: &SpineType) -> Option<SpineId> {
        self.ids.spines.get(spine).copied()
    }

    /// The id of function tags.
    pub fn function_id(&self, function: &str) -> Option<FunctionId> {
        self.ids.functions.get(function).copied()
    }

    /// The id of a phrase's name.
    pub fn attachment_id(&self, name: &PhraseName) -> Option<AttachmentId> {
        self.ids.attachments.get(name).copied()
    }

    /// The id of a trace.
    pub fn trace_id(&self, trace: &TraceType) -> Option<TraceId> {
        self.ids.traces.get(trace).copied()
    }
}

fn parse_all<T: std::str::FromStr<Err = LabelError>>(names: &[String]) -> Result<Vec<T>, LabelError> {
    names.iter().map(|name| name.parse()).collect()
}

fn numbered<K: Ord + Clone, I>(keys: &[K], id: impl Fn(u16) -> I) -> BTreeMap<K, I> {
    keys.iter().enumerate().map(|(index, key)| (key.clone(), id(index as u16))).collect()
}

/// A port, and the traces that start there.
type Starts<'t> = (&'t Port, Vec<TraceId>);

/// Traces by the nodes that they name.
struct Ends<'t> {
    traces: usize,
    /// For each node its ports.
    from: HashMap<(&'t Site, u32), Vec<Starts<'t>>>,
    to: HashMap<(&'t Site, u32), Vec<TraceId>>,
}

impl<'t> Ends<'t> {
    fn of(traces: &'t [TraceType]) -> Ends<'t> {
        let mut ends = Ends { traces: traces.len(), from: HashMap::new(), to: HashMap::new() };
        for (index, TraceType { from, to }) in traces.iter().enumerate() {
            let id = TraceId(index as u16);
            let ports = ends.from.entry((&from.site, from.nth)).or_default();
            match ports.iter_mut().find(|(port, _)| *port == from) {
                Some((_, labels)) => labels.push(id),
                None => ports.push((from, vec![id])),
            }
            ends.to.entry((&to.site, to.nth)).or_default().push(id);
        }
        ends
    }
}

fn facts(
    spine: &SpineType,
    sites: &[(Site, u32)],
    ids: &Ids,
    ends: &Ends<'_>,
    obliged: &[String],
) -> SpineFacts {
    let is_spent = |port: &Port| spine.traces.iter().any(|inner| inner.from == *port);
    let mut starts: Vec<&Starts<'_>> = Vec::new();
    let mut serves = vec![false; ends.traces];
    for (site, nth) in sites {
        let ports = ends.from.get(&(site, *nth)).into_iter().flatten();
        starts.extend(ports.filter(|(port, _)| !is_spent(port)));
        for id in ends.to.get(&(site, *nth)).into_iter().flatten() {
            serves[id.index()] = true;
        }
    }
    starts.sort();
    let referrers = starts.into_iter().map(|(port, labels)| Referrer {
        labels: labels.clone(),
        is_obliged: matches!(&port.site, Site::Null { kind, .. } if obliged.contains(kind)),
    });
    let mut phrases = Vec::new();
    for (site, nth) in sites {
        if let Site::Phrase(label) = site {
            phrases.push(ids.attachments.get(&PhraseName { label: label.clone(), nth: *nth }).copied());
        }
    }
    SpineFacts {
        phrases,
        referrers: referrers.collect(),
        serves,
        contents: PhraseContents::of(&spine.spine),
        has_trace: contents::has_trace(&spine.spine),
    }
}

/// The nodes of a spine as the ends of traces name them.
fn sites(spine: &SpineType) -> Vec<(Site, u32)> {
    let mut sites = vec![(Site::Word, 0)];
    let symbols = &spine.spine.symbols;
    for (index, symbol) in symbols.iter().enumerate() {
        let site = match &symbol.kind {
            SymbolKind::Phrase(label) if symbol.is_headed() => Site::Phrase(label.clone()),
            SymbolKind::Phrase(label) => Site::NullPhrase(label.clone()),
            SymbolKind::Null(kind) => {
                let above = symbols[..index].iter().rev().find(|other| other.depth < symbol.depth);
                let above = above.filter(|above| !above.is_headed()).map(|above| above.name().to_owned());
                Site::Null { above, kind: kind.clone() }
            }
            SymbolKind::Mark { .. } => continue,
        };
        let nth = sites.iter().filter(|(other, _)| *other == site).count() as u32;
        sites.push((site, nth));
    }
    sites
}
