//! The finite lists a parser chooses from, and what each choice allows.
//!
//! Everything is learnt from [projections](tracebank_syntax::project) of training trees and named by an id. What makes a combination
//! possible is a fact about spines alone: a spine offers phrases to attach to, nulls that refer, and nodes that can be referred to. The
//! [`SpineFacts`] of each spine type say so once, in ids, and decoding never looks at a label again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracebank_syntax::graph::SymbolKind;
use tracebank_syntax::project::{LabelError, PhraseName, Port, Projection, Site, SpineType, TraceType};
use tracebank_syntax::tree::NULL_TAG;

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

/// The most names of a list: as many as there are ids.
const MOST_NAMES: usize = 1 << 16;
/// The most bytes of a name; the longest of the models in the box has 92. Spines are looked through in the square of their length.
const MOST_BYTES: usize = 512;
/// The most spines times traces, for each of which there is a [fact](SpineFacts::serves).
const MOST_FACTS: usize = 1 << 26;

/// A reason why names are no vocabulary.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// A name is none of the alphabet.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A list has more names than ids, or is as long as no list of its kind can be.
    #[error("there are too many {0}")]
    TooMany(&'static str),
    /// A name stands in its list twice.
    #[error("{name:?} is among the {list} twice")]
    Twice {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
    /// A name could stand in no tree.
    #[error("{:?} cannot be among the {list}: no tree can have it", excerpt(name))]
    Name {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
}

/// The beginning of a name, which may be long.
fn excerpt(name: &str) -> String {
    name.chars().take(80).collect()
}

impl Names {
    fn check(&self) -> Result<(), VocabularyError> {
        type List<'n> = (&'static str, &'n [String], fn(&str) -> bool);
        let lists: [List<'_>; 6] = [
            ("tags", &self.tags, is_tag),
            ("spines", &self.spines, is_short),
            ("functions", &self.functions, is_function),
            ("attachments", &self.attachments, is_short),
            ("traces", &self.traces, is_short),
            ("obliged", &self.obliged, is_short),
        ];
        for (list, names, is_sound) in lists {
            if names.len() > MOST_NAMES {
                return Err(VocabularyError::TooMany(list));
            }
            if let Some(name) = names.iter().find(|name| !is_sound(name)) {
                return Err(VocabularyError::Name { list, name: excerpt(name) });
            }
            let mut seen = BTreeSet::new();
            if let Some(name) = names.iter().find(|&name| !seen.insert(name)) {
                return Err(VocabularyError::Twice { list, name: name.clone() });
            }
        }
        if self.spines.len().saturating_mul(self.traces.len()) > MOST_FACTS {
            return Err(VocabularyError::TooMany("spines and traces"));
        }
        Ok(())
    }
}

fn is_short(name: &str) -> bool {
    name.len() <= MOST_BYTES
}

/// Whether `text` can stand in a tree: it is there, and has no blank or bracket in it.
fn is_word(text: &str) -> bool {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')');
    !text.is_empty() && is_short(text) && !text.contains(breaks)
}

/// Whether a word or a phrase can have this label, which is not that of nulls.
fn is_tag(label: &str) -> bool {
    is_word(label) && label != NULL_TAG
}

/// Whether `functions` can stand behind a category. They may have holes for indices, `-()` and `=()`.
pub(crate) fn is_function(functions: &str) -> bool {
    let filled = functions.replace("()", "1");
    functions.is_empty() || (filled.starts_with(['-', '=']) && is_word(&filled))
}

/// Whether a spine can be built: everything in it has a name, every phrase beside it holds a null, and there are no marks.
fn is_buildable(spine: &SpineType) -> bool {
    let symbols = &spine.spine.symbols;
    symbols.iter().enumerate().all(|(index, symbol)| {
        let holds_more = symbols.get(index + 1).is_some_and(|next| next.depth > symbol.depth);
        match &symbol.kind {
            SymbolKind::Phrase(label) => is_tag(label) && (symbol.is_headed() || holds_more),
            SymbolKind::Null(kind) => is_word(kind) && !holds_more,
            SymbolKind::Mark { .. } => false,
        }
    })
}

fn parse_all<T: std::str::FromStr<Err = LabelError>>(names: &[String]) -> Result<Vec<T>, LabelError> {
    names.iter().map(|name| name.parse()).collect()
}

fn numbered<K: Ord + Clone, I>(keys: &[K], id: impl Fn(u16) -> I) -> BTreeMap<K, I> {
    keys.iter().enumerate().map(|(index, key)| (key.clone(), id(index as u16))).collect()
}

/// Traces by the nodes that they name.
struct Ends<'t> {
    traces: &'t [TraceType],
    from: HashMap<(&'t Site, u32), Vec<TraceId>>,
    to: HashMap<(&'t Site, u32), Vec<TraceId>>,
}

impl<'t> Ends<'t> {
    fn of(traces: &'t [TraceType]) -> Ends<'t> {
        let by = |end: fn(&TraceType) -> &Port| {
            let mut by_node: HashMap<(&Site, u32), Vec<TraceId>> = HashMap::new();
            for (index, trace) in traces.iter().enumerate() {
                let port = end(trace);
                by_node.entry((&port.site, port.nth)).or_default().push(TraceId(index as u16));
            }
            by_node
        };
        Ends { traces, from: by(|trace| &trace.from), to: by(|trace| &trace.to) }
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
    let mut starts: BTreeMap<&Port, Vec<TraceId>> = BTreeMap::new();
    let mut serves = vec![false; ends.traces.len()];
    for (site, nth) in sites {
        for &id in ends.from.get(&(site, *nth)).into_iter().flatten() {
            let port = &ends.traces[id.index()].from;
            if !is_spent(port) {
                starts.entry(port).or_default().push(id);
            }
        }
        for id in ends.to.get(&(site, *nth)).into_iter().flatten() {
            serves[id.index()] = true;
        }
    }
    let referrers = starts.into_iter().map(|(port, labels)| Referrer {
        labels,
        is_obliged: matches!(&port.site, Site::Null { kind, .. } if obliged.contains(kind)),
    });
    let mut phrases = Vec::new();
    for (site, nth) in sites {
        if let Site::Phrase(label) = site {
            phrases.push(ids.attachments.get(&PhraseName { label: label.clone(), nth: *nth }).copied());
        }
    }
    SpineFacts { phrases, referrers: referrers.collect(), serves }
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

/// A counter of all that occurs in training trees, from which a [`Vocabulary`] is made.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut Names)) -> Result<Vocabulary, VocabularyError> {
        let mut names = Names::default();
        change(&mut names);
        Vocabulary::new(names)
    }

    #[test]
    fn what_can_stand_in_no_tree_is_no_name() {
        let long = "N".repeat(MOST_BYTES + 1);
        type Case<'n> = (fn(&mut Names) -> &mut Vec<String>, &'n [&'n str], &'n [&'n str]);
        let lists: [Case<'_>; 4] = [
            (
                |names| &mut names.tags,
                &["NN", "-LRB-", "''", &long[1..]],
                &["", "-NONE-", "N N", "N\u{a0}N", "N\tN", "(N", "N)", "N\u{7}", &long],
            ),
            (
                |names| &mut names.functions,
                &["", "-SBJ", "-SBJ-()-()", "=()", "-NONE-"],
                &["SBJ", " ", "-S BJ", "-(", "-)", "-((", &long],
            ),
            (
                |names| &mut names.spines,
                &["()", "NP", "VP S(NP(*))", "(0)", "VP S(NP(*)) ((NP *)#0 > S#0)", &long[1..]],
                &[
                    "",
                    "(())",
                    "NP((*))",
                    "NP()",
                    "NP(SU /)",
                    "N\nP",
                    "NP(*\n)",
                    "-NONE-",
                    "NP(-NONE-(*))",
                    &long,
                ],
            ),
            (|names| &mut names.attachments, &["NP#0", "#0"], &["NP", "N P#0", &long]),
        ];
        for (list, good, bad) in lists {
            for name in good {
                assert!(with(|names| list(names).push((*name).to_owned())).is_ok(), "{name:?}");
            }
            for name in bad {
                assert!(with(|names| list(names).push((*name).to_owned())).is_err(), "{name:?}");
            }
        }
        let error = with(|names| names.tags.push(long)).unwrap_err().to_string();
        assert!(error.len() < 200 && error.contains("NNN"), "{error}");
    }

    #[test]
    fn ids_name_one_thing_each_and_are_not_exceeded() {
        let twice = with(|names| names.tags = vec!["NN".to_owned(); 2]).unwrap_err();
        assert_eq!(twice.to_string(), "\"NN\" is among the tags twice");
        let many = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(with(|names| names.tags = many(MOST_NAMES)).unwrap().tag_id("65535"), Some(TagId(65_535)));
        let too_many = with(|names| names.tags = many(MOST_NAMES + 1)).unwrap_err();
        assert_eq!(too_many, VocabularyError::TooMany("tags"));
        let facts = |spines: usize, traces: usize| {
            with(|names| {
                names.spines = many(spines);
                names.traces = (0..traces).map(|n| format!("(*)#{n} > NP#0")).collect();
            })
        };
        assert!(facts(1 << 13, 1 << 10).is_ok());
        assert_eq!(facts(1 << 14, (1 << 12) + 1).unwrap_err(), VocabularyError::TooMany("spines and traces"));
    }

    #[test]
    fn a_counter_leaves_out_what_a_vocabulary_refuses() {
        use crate::gold::TrainingExample;
        use tracebank_syntax::heads::HeadTable;
        let heads = HeadTable::named("penn").unwrap();
        let long = "N".repeat(MOST_BYTES + 1);
        let tree = format!("( (S (NP-SBJ (PRP We)) (VP (VBP go) ({long} (NN there)) (NP dogs) ( (NN x)))))");
        let example = TrainingExample::of(&tree.parse().unwrap(), &heads).unwrap();
        let mut counter = VocabularyCounter::default();
        counter.add(&example.projection, &example.functions);
        counter.add(&example.projection, &example.functions);
        for least in [1, 2, 3] {
            let vocabulary = Vocabulary::new(counter.names(least)).unwrap();
            assert!(vocabulary.tag_id("PRP").is_some());
            assert_eq!(vocabulary.function_id("-SBJ").is_some(), least < 3);
            assert_eq!(vocabulary.spine_id(&"NP".parse().unwrap()).is_some(), least < 3);
        }
        assert!(!counter.names(1).tags.iter().any(String::is_empty));
    }
}
