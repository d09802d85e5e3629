//! Names of symbols, and of indices on them, in the text form.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::graph::{Anchor, Graph, SlotName, Spine, SymbolId, Vertex};

/// Characters with a meaning of their own in a name; a backslash in front takes it away.
const SPECIAL: [char; 9] = ['\\', '#', '~', '>', '@', '[', ']', '^', '/'];

/// The word's own token.
const TAG: &str = "^";

/// The name of an empty label.
const EMPTY: &str = "()";

pub(super) fn escape(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        if SPECIAL.contains(&character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

pub(super) fn unescape(text: &str) -> String {
    if text == EMPTY {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        out.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    out
}

/// Where `wanted` stands in `text`, not counting escaped characters.
pub(super) fn find_plain(text: &str, wanted: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, character)| {
        let found = character == wanted && !escaped;
        escaped = character == '\\' && !escaped;
        found.then_some(at)
    })
}

/// Splits at the first `separator` that is not escaped.
pub(super) fn split_plain(text: &str, separator: char) -> (&str, Option<&str>) {
    match find_plain(text, separator) {
        Some(at) => (&text[..at], Some(&text[at + separator.len_utf8()..])),
        None => (text, None),
    }
}

/// `NP`, or `NP#2` for the second symbol of that name in the spine.
pub(super) fn symbol_name(spine: &Spine, id: SymbolId) -> String {
    let Some(symbol) = spine.get(id) else { return String::new() };
    let occurrence =
        spine.symbols[..=id.index()].iter().filter(|other| other.name() == symbol.name()).count();
    numbered(symbol.name(), occurrence)
}

fn numbered(name: &str, occurrence: usize) -> String {
    let mut out = escape(name);
    if occurrence > 1 {
        write!(out, "#{occurrence}").expect("writing to a string");
    }
    out
}

/// The symbols of all spines of a graph by name, those of one name in order. Looked up one by one in their spine, the names of a spine of a
/// hundred thousand symbols would cost the square of that.
pub(super) struct Names(Vec<BTreeMap<String, Vec<SymbolId>>>);

impl Names {
    pub(super) fn of(graph: &Graph) -> Names {
        let spines = std::iter::once(&graph.root).chain(graph.words.iter().map(|word| &word.spine));
        let by_name = |spine: &Spine| {
            let mut by_name: BTreeMap<String, Vec<SymbolId>> = BTreeMap::new();
            for (index, symbol) in (0..).zip(&spine.symbols) {
                match by_name.get_mut(symbol.name()) {
                    Some(ids) => ids.push(SymbolId(index)),
                    None => {
                        by_name.insert(symbol.name().to_owned(), vec![SymbolId(index)]);
                    }
                }
            }
            by_name
        };
        Names(spines.map(by_name).collect())
    }

    /// The name of a symbol, as [`symbol_name`] has it.
    pub(super) fn symbol(&self, graph: &Graph, vertex: Vertex, id: SymbolId) -> String {
        let Some(symbol) = graph.spine(vertex).and_then(|spine| spine.get(id)) else { return String::new() };
        let before = self.0[vertex.index()]
            .get(symbol.name())
            .map_or(0, |ids| ids.partition_point(|&other| other < id));
        numbered(symbol.name(), before + 1)
    }

    pub(super) fn anchor(&self, graph: &Graph, vertex: Vertex, anchor: Anchor) -> String {
        match anchor {
            Anchor::Tag => TAG.to_owned(),
            Anchor::Symbol(id) => self.symbol(graph, vertex, id),
        }
    }

    /// The symbol that is called so.
    pub(super) fn find_symbol(&self, vertex: Vertex, text: &str) -> Option<SymbolId> {
        let (name, occurrence) = split_plain(text, '#');
        let occurrence: usize = occurrence.map_or(Some(1), |number| number.parse().ok())?;
        self.0.get(vertex.index())?.get(&unescape(name))?.get(occurrence.checked_sub(1)?).copied()
    }

    pub(super) fn find_anchor(&self, vertex: Vertex, text: &str) -> Option<Anchor> {
        if text == TAG { Some(Anchor::Tag) } else { self.find_symbol(vertex, text).map(Anchor::Symbol) }
    }
}

/// The part behind the `~` of an end, if there is one: the sign of the index, the number of the hole, or what is meant below the node.
pub(super) fn slot_name(slot: SlotName, kind: &str) -> Option<String> {
    match slot {
        SlotName::Null => None,
        SlotName::Index => Some("-".to_owned()),
        SlotName::Gap => Some("=".to_owned()),
        SlotName::Hole(hole) => Some(hole.to_string()),
        SlotName::Below(nth) => Some(format!("/{nth}")),
        SlotName::GapBelow(nth) => Some(format!("=/{nth}")),
        SlotName::NullBelow(nth) => Some(format!("{}/{nth}", escape(kind))),
    }
}

/// The slot, and the type of null element that it names if it is below the node.
pub(super) fn find_slot(text: &str) -> Option<(SlotName, Option<String>)> {
    Some(match (text, split_plain(text, '/')) {
        ("-", _) => (SlotName::Index, None),
        ("=", _) => (SlotName::Gap, None),
        (_, ("", Some(nth))) => (SlotName::Below(nth.parse().ok()?), None),
        (_, ("=", Some(nth))) => (SlotName::GapBelow(nth.parse().ok()?), None),
        (_, (kind, Some(nth))) => (SlotName::NullBelow(nth.parse().ok()?), Some(unescape(kind))),
        (hole, _) => (SlotName::Hole(hole.parse().ok()?), None),
    })
}
