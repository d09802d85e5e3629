//! Roles by table: what a phrase is to its predicate.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tracebank_syntax::tree::NodeId;

use crate::lemma::rows;
use crate::scene::Scene;

/// Where a phrase stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the phrase of the verb.
    Verb,
    /// The same, with another object behind it.
    VerbFirst,
    /// In the predicative phrase.
    Adjective,
    /// Beside the verb phrase.
    Clause,
    /// Beside the verb phrase, where the subject stands.
    Before,
}

struct Row {
    role: &'static str,
    functions: Vec<&'static str>,
    categories: Vec<&'static str>,
    place: &'static str,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let list = |text: &'static str| match text {
        "-" => Vec::new(),
        _ => text.split(',').collect(),
    };
    let row = |row: Vec<&'static str>| Row {
        role: row[0],
        functions: list(row[1]),
        categories: list(row[2]),
        place: row[3],
    };
    rows(include_str!("../../data/roles.tsv")).map(row).collect()
});

static SUBORDINATORS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    rows(include_str!("../../data/subordinators.tsv")).map(|row| (row[0], row[1])).collect()
});

/// The role of the phrase at `node`, standing at `place`.
pub(crate) fn role(scene: &Scene<'_>, node: NodeId, place: Place) -> &'static str {
    let fits = |row: &&Row| {
        let function = row.functions.is_empty()
            || row.functions.iter().any(|function| scene.has_function(node, function));
        let category = row.categories.is_empty() || scene.is(node, &row.categories);
        let there = match row.place {
            "verb first" => place == Place::VerbFirst,
            "verb" => matches!(place, Place::Verb | Place::VerbFirst),
            "adjective" => place == Place::Adjective,
            "clause" => matches!(place, Place::Clause | Place::Before),
            "before" => place == Place::Before,
            _ => true,
        };
        function && category && there
    };
    let role = ROWS.iter().find(fits).map_or("adjunct", |row| row.role);
    let adverbial = role == "adjunct" || role == "complement" && scene.has_function(node, "ADV");
    if adverbial && scene.is(node, &["SBAR", "PP", "S", "SINV"]) {
        let first = scene.tree.leaves(node).find(|&leaf| scene.tree.is_word(leaf));
        let word = first.map(|leaf| scene.lower(leaf)).unwrap_or_default();
        return SUBORDINATORS.get(word.as_str()).copied().unwrap_or("adjunct");
    }
    role
}

/// Roles in the order in which their arguments are given; the others follow as they stand.
const FIRST: [&[&str]; 3] = [&["subject"], &["second object", "object"], &["complement"]];

/// The place of a role among the arguments of a predicate.
pub(crate) fn rank(role: &str) -> usize {
    FIRST.iter().position(|roles| roles.contains(&role)).unwrap_or(FIRST.len())
}

/// The names of all roles, each once.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for role in ROWS.iter().map(|row| row.role).chain(SUBORDINATORS.values().copied()) {
        if !names.contains(&role) {
            names.push(role);
        }
    }
    names
}
