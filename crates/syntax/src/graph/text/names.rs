//! Names of symbols, and of indices on them, in the text form.

use std::fmt::Write as _;

use crate::graph::{Anchor, SlotName, Spine, SymbolId};

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
    let mut out = escape(symbol.name());
    if occurrence > 1 {
        write!(out, "#{occurrence}").expect("writing to a string");
    }
    out
}

/// The symbol that [`symbol_name`] calls so.
pub(super) fn find_symbol(spine: &Spine, text: &str) -> Option<SymbolId> {
    let (name, occurrence) = split_plain(text, '#');
    let occurrence: usize = occurrence.map_or(Some(1), |number| number.parse().ok())?;
    let name = unescape(name);
    let mut named = (0..).zip(&spine.symbols).filter(|(_, symbol)| symbol.name() == name);
    named.nth(occurrence.checked_sub(1)?).map(|(index, _)| SymbolId(index))
}

pub(super) fn anchor_name(spine: &Spine, anchor: Anchor) -> String {
    match anchor {
        Anchor::Tag => TAG.to_owned(),
        Anchor::Symbol(id) => symbol_name(spine, id),
    }
}

pub(super) fn find_anchor(spine: &Spine, text: &str) -> Option<Anchor> {
    if text == TAG { Some(Anchor::Tag) } else { find_symbol(spine, text).map(Anchor::Symbol) }
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
