//! Null elements get a place and pairs get a number.

use super::edge::GAP;
use super::row::{Fault, Row};
use super::sprout::Sprouts;
use crate::tree::{NodeId, SlotKind, Tree};

/// Puts every null into its phrase. The text does not tell where; these are the authors' guesses.
pub(super) fn place_nulls(tree: &mut Tree, sprouts: &Sprouts<'_>) {
    for &(phrase, null) in &sprouts.nulls {
        let next = tree.children(phrase).nth(slot(tree, phrase, null));
        tree.insert_before(phrase, next, null);
    }
}

/// How many children of `phrase` stand before `null`.
fn slot(tree: &Tree, phrase: NodeId, null: NodeId) -> usize {
    let label = |node| tree.label_text(node);
    let last = tree.children(phrase).count();
    let guess = match label(null) {
        null if null.starts_with("ADVP") => last,
        null if null.starts_with("NP-SBJ") || label(phrase).starts_with("SBAR") => 0,
        _ => beside_the_verb(tree.children(phrase).map(label)).unwrap_or(last),
    };
    match tree.children(phrase).nth(guess).map(label) {
        Some(next) if next.starts_with("-L") || [",", "LST", "``"].contains(&next) => guess + 1,
        _ => guess,
    }
}

/// Behind the last verb before the first verb phrase, else before that verb phrase; behind the sibling of a list mark.
fn beside_the_verb<'a>(labels: impl Iterator<Item = &'a str>) -> Option<usize> {
    let mut behind_verb = None;
    for (place, label) in labels.enumerate() {
        match label {
            _ if label.starts_with("VB") => behind_verb = Some(place + 1),
            _ if label.starts_with("LST") => return Some(place + 2),
            _ if label.starts_with("VP") => return Some(place),
            _ => {}
        }
    }
    behind_verb
}

/// Writes the numbers of all trace edges, from 1 in the order of the lines.
pub(super) fn number_traces<'a>(
    tree: &mut Tree,
    sprouts: &Sprouts<'a>,
    rows: &[Row<'a>],
) -> Result<(), Fault> {
    let mut numbers = Numbers { given: vec![None; tree.arena_len()], last: 0 };
    for trace in rows.iter().flat_map(|row| &row.traces) {
        let (target, own) = (sprouts.find(trace.target)?, sprouts.find(trace.own)?);
        if trace.kind == GAP {
            let number = numbers.of(tree, target);
            append_to_label(tree, own, SlotKind::Gap, number);
            continue;
        }
        let reversed = trace.target.is_null && trace.own.is_null;
        let (antecedent, above_null, field) =
            if reversed { (target, own, trace.own.field) } else { (own, target, trace.target.field) };
        let null = null_below(tree, above_null, trace.kind)
            .ok_or_else(|| field.fault(format!("there is no null element straight below {}", field.text)))?;
        let number = numbers.of(tree, antecedent);
        let word = format!("{}-{number}", tree.word(null).unwrap_or_default());
        tree.set_word(null, &word);
    }
    Ok(())
}

/// The null element of type `kind` that has no number yet, or the first of all.
fn null_below(tree: &Tree, phrase: NodeId, kind: &str) -> Option<NodeId> {
    let nulls = || tree.children(phrase).filter(|&child| tree.is_null_element(child));
    let fitting = nulls().find(|&null| tree.word(null) == Some(kind));
    fitting.or_else(|| nulls().next())
}

struct Numbers {
    given: Vec<Option<u32>>,
    last: u32,
}

impl Numbers {
    /// The number of `antecedent`, a new one if it has none yet.
    fn of(&mut self, tree: &mut Tree, antecedent: NodeId) -> u32 {
        if let Some(number) = self.given[antecedent.index()] {
            return number;
        }
        self.last += 1;
        self.given[antecedent.index()] = Some(self.last);
        append_to_label(tree, antecedent, SlotKind::Index, self.last);
        self.last
    }
}

fn append_to_label(tree: &mut Tree, node: NodeId, kind: SlotKind, number: u32) {
    let label = format!("{}{}{number}", tree.label_text(node), kind.sign());
    tree.set_label(node, &label);
}
