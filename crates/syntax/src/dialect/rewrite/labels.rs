//! Labels and tags that the Penn Treebank does not have. Treebanks of today mark headings, citations, repairs of speech, orders, hyphens that are
//! words; a model that learns several treebanks has the names of all, and the Penn Treebank's reader expects none of them.

use super::symbols;
use crate::graph::{Graph, SymbolId, SymbolKind, Vertex};
use crate::tree::Label;

/// Categories of other treebanks, and the nearest of Penn's.
const CATEGORIES: [(&str, &str); 9] = [
    ("EDITED", "PRN"),
    ("CIT", "PRN"),
    ("REF", "PRN"),
    ("HEADING", "FRAG"),
    ("CAPTION", "FRAG"),
    ("TITLE", "FRAG"),
    ("XXX", "X"),
    ("EQUA", "NP"),
    ("SYM", "NP"),
];

/// Categories that stand around whole sentences, which have none of it in Penn.
const AROUND: [&str; 3] = ["HEADING", "CAPTION", "TITLE"];

/// Function tags that Penn does not have.
const FUNCTIONS: [&str; 5] = ["IMP", "UNF", "ETC", "SEZ", "FRM"];

/// Tags of other treebanks, and the nearest of Penn's.
const TAGS: [(&str, &str); 8] = [
    ("HYPH", ":"),
    ("NFP", ":"),
    ("ADD", "NN"),
    ("AFX", "JJ"),
    ("GW", "FW"),
    ("XX", "FW"),
    ("-LSB-", "-LRB-"),
    ("-RSB-", "-RRB-"),
];

/// Words that have one tag in Penn.
const WORDS: [(&str, &str); 22] = [
    ("``", "``"),
    ("''", "''"),
    ("-LRB-", "-LRB-"),
    ("-RRB-", "-RRB-"),
    ("-LSB-", "-LRB-"),
    ("-RSB-", "-RRB-"),
    ("-LCB-", "-LRB-"),
    ("-RCB-", "-RRB-"),
    ("$", "$"),
    ("US$", "$"),
    ("C$", "$"),
    ("A$", "$"),
    ("£", "#"),
    ("#", "#"),
    ("to", "TO"),
    ("To", "TO"),
    (",", ","),
    (";", ":"),
    ("--", ":"),
    ("...", ":"),
    ("?", "."),
    ("!", "."),
];

fn look_up(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(theirs, _)| *theirs == name).map(|(_, penn)| *penn)
}

/// Gives phrases Penn's categories and function tags.
pub(super) fn plain_labels(graph: &mut Graph) {
    for vertex in graph.vertices() {
        while let Some(id) = wrapper(graph, vertex) {
            graph.remove_symbol(vertex, id);
        }
    }
    for kind in symbols(graph) {
        if let SymbolKind::Phrase(label) = kind
            && !label.contains('(')
        {
            *label = plain_label(label);
        }
    }
}

/// A phrase around one other, which goes if nothing refers to it.
fn wrapper(graph: &Graph, vertex: Vertex) -> Option<SymbolId> {
    let spine = &graph.word(vertex)?.spine;
    let is_around = |id: SymbolId| {
        spine.get(id).is_some_and(|symbol| AROUND.contains(&Label::parse(symbol.name()).category()))
    };
    let goes = |id: &SymbolId| {
        id.index() > 0
            && is_around(*id)
            && !spine.holds_null(*id)
            && !graph.has_dependants(vertex, *id)
            && !graph.is_referred_to(vertex, *id)
    };
    spine.headed().find(goes)
}

fn plain_label(label: &str) -> String {
    let label = Label::parse(label);
    let category = look_up(&CATEGORIES, label.category()).unwrap_or(label.category());
    let functions = label.functions().filter(|function| !FUNCTIONS.contains(function));
    functions.fold(category.to_owned(), |plain, function| format!("{plain}-{function}"))
}

/// The tag of a number, which is no noun and no adjective.
fn number(form: &str, tag: &str) -> Option<&'static str> {
    let is_number = form.starts_with(|c: char| c.is_ascii_digit())
        && form.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
    (is_number && ["NN", "JJ"].contains(&tag)).then_some("CD")
}

/// Gives words Penn's tags.
pub(super) fn plain_tags(graph: &mut Graph) {
    for word in &mut graph.words {
        let Some(tag) = &mut word.tag else { continue };
        if let Some(penn) =
            look_up(&WORDS, &word.form).or_else(|| number(&word.form, tag)).or_else(|| look_up(&TAGS, tag))
        {
            penn.clone_into(tag);
        }
    }
}
