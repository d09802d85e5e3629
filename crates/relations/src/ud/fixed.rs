//! Expressions of several words, joined by `fixed`: *such as*, *because of*.

use std::sync::LazyLock;

use crate::lemma::rows;
use crate::scene::Scene;

use super::Arc;

static EXPRESSIONS: LazyLock<Vec<(Vec<&str>, &str)>> = LazyLock::new(|| {
    let mut rows: Vec<_> = rows(include_str!("../../data/ud/fixed.tsv"))
        .map(|row| (row[0].split(' ').collect::<Vec<_>>(), row[1]))
        .collect();
    // *as well as* before *as well*
    rows.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    rows
});

/// A preposition and a noun that begin a clause together.
const CLAUSAL: [(&str, &str); 2] = [("in", "order"), ("in", "case")];
/// Labels of the clause under that noun.
const CLAUSES: [&str; 4] = ["acl", "acl:relcl", "ccomp", "advcl"];

/// Joins the expressions whose words depend on one another, or on one word.
pub(crate) fn join(scene: &Scene<'_>, arcs: &mut [Arc]) {
    let words: Vec<String> = scene.words.iter().map(|&leaf| scene.lower(leaf)).collect();
    raise_clauses(&words, arcs);
    let mut at = 0;
    while at < words.len() {
        let found = EXPRESSIONS.iter().find(|(expression, label)| {
            let range = at..at + expression.len();
            range.end <= words.len()
                && words[range.clone()].iter().zip(expression).all(|(word, wanted)| word == wanted)
                && is_one(arcs, range.clone(), label)
        });
        let Some((expression, label)) = found else {
            at += 1;
            continue;
        };
        let range = at..at + expression.len();
        // the governor of the one whose governor is outside
        let outside = range.clone().find(|&word| arcs[word].head.is_none_or(|head| !range.contains(&head)));
        let top = outside.unwrap_or(at);
        let mut arc = arcs[top].clone();
        // *instead of going*: before a clause
        let marks = *label == "case" && range.clone().any(|word| arcs[word].label == "mark");
        if marks { "mark" } else { label }.clone_into(&mut arc.label);
        arcs[at] = arc;
        for word in range.clone().skip(1) {
            arcs[word] = Arc { head: Some(at), label: "fixed".to_owned() };
        }
        // what depended on another of them depends on the first
        for (other, arc) in arcs.iter_mut().enumerate() {
            if arc.head.is_some_and(|head| range.contains(&head)) && !range.contains(&other) {
                arc.head = Some(at);
            }
        }
        at = range.end;
    }
}

/// The clause behind a noun that marks it takes that noun's place: *to win* in *came in order to win*.
fn raise_clauses(words: &[String], arcs: &mut [Arc]) {
    for noun in 1..words.len() {
        if !CLAUSAL.contains(&(words[noun - 1].as_str(), words[noun].as_str()))
            || arcs[noun - 1].head != Some(noun)
        {
            continue;
        }
        let clause = (noun + 1..words.len())
            .find(|&at| arcs[at].head == Some(noun) && CLAUSES.contains(&arcs[at].label.as_str()));
        let Some(clause) = clause else { continue };
        arcs[clause] = Arc { head: arcs[noun].head, label: "advcl".to_owned() };
        for at in [noun - 1, noun] {
            arcs[at] = Arc { head: Some(clause), label: "mark".to_owned() };
        }
    }
}

/// Whether the words of an expression belong together: one governor outside, of which the whole is a function word.
fn is_one(arcs: &[Arc], range: std::ops::Range<usize>, label: &str) -> bool {
    let mut outside: Vec<(usize, &str)> = Vec::new();
    for at in range.clone() {
        match arcs[at].head {
            None => return false,
            Some(head) if range.contains(&head) => {}
            Some(head) => outside.push((head, arcs[at].label.as_str())),
        }
    }
    let one = outside.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let function = |label: &str| {
        matches!(label, "case" | "mark" | "advmod" | "cc" | "fixed" | "amod" | "aux" | "det" | "nummod")
    };
    let holds = |at: usize| {
        arcs.iter()
            .enumerate()
            .any(|(other, arc)| arc.head == Some(at) && !range.contains(&other) && arc.label != "punct")
    };
    let free = !range.clone().any(holds);
    one && free
        && (outside.iter().all(|(_, label)| function(label)) || label == "advmod" && outside.len() == 1)
}
