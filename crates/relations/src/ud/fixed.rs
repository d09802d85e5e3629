//! Expressions of several words, joined by `fixed`: *such as*, *because of*.

use std::sync::LazyLock;

use crate::lemma::rows;
use crate::scene::Scene;

use super::{Arc, Arcs};

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
pub(crate) fn join(scene: &Scene<'_>, arcs: &mut Arcs) {
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
        arcs.set(at, arc);
        for word in range.clone().skip(1) {
            arcs.set(word, Arc { head: Some(at), label: "fixed".to_owned() });
        }
        // what depended on another of them depends on the first
        for word in range.clone().skip(1) {
            arcs.hand_over(word, at, |other, _| !range.contains(&other));
        }
        at = range.end;
    }
}

/// The clause behind a noun that marks it takes that noun's place: *to win* in *came in order to win*.
fn raise_clauses(words: &[String], arcs: &mut Arcs) {
    for noun in 1..words.len() {
        if !CLAUSAL.contains(&(words[noun - 1].as_str(), words[noun].as_str()))
            || arcs[noun - 1].head != Some(noun)
        {
            continue;
        }
        let clause =
            arcs.dependants(noun).find(|&at| at > noun && CLAUSES.contains(&arcs[at].label.as_str()));
        let Some(clause) = clause else { continue };
        arcs.set(clause, Arc { head: arcs[noun].head, label: "advcl".to_owned() });
        for at in [noun - 1, noun] {
            arcs.set(at, Arc { head: Some(clause), label: "mark".to_owned() });
        }
    }
}

/// Whether the words of an expression belong together: one governor outside, of which the whole is a function word.
fn is_one(arcs: &Arcs, range: std::ops::Range<usize>, label: &str) -> bool {
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
    let holds =
        |at: usize| arcs.dependants(at).any(|other| !range.contains(&other) && arcs[other].label != "punct");
    let free = !range.clone().any(holds);
    one && free
        && (outside.iter().all(|(_, label)| function(label)) || label == "advmod" && outside.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracebank_syntax::tree::Tree;

    fn arc(head: usize, label: &str) -> Arc {
        Arc { head: Some(head), label: label.to_owned() }
    }

    /// The arcs of words once their expressions are joined.
    fn joined(words: &[&str], arcs: Vec<Arc>) -> Vec<Arc> {
        let mut arcs = Arcs::from(arcs);
        let leaves: Vec<String> = words.iter().map(|word| format!("(NN {word})")).collect();
        let tree: Tree = format!("( (FRAG {}))", leaves.join(" ")).parse().unwrap();
        join(&Scene::for_dependencies(&tree), &mut arcs);
        (0..arcs.len()).map(|at| arcs[at].clone()).collect()
    }

    #[test]
    fn every_expression_of_the_table_is_joined_under_its_first_word() {
        for (expression, label) in EXPRESSIONS.iter() {
            // all words under the noun behind them, which is the root
            let noun = expression.len();
            let words: Vec<&str> = expression.iter().copied().chain(["tea"]).collect();
            let mut arcs = vec![arc(noun, "case"); noun];
            arcs.push(Arc { head: None, label: "root".to_owned() });
            let arcs = joined(&words, arcs);
            assert_eq!(arcs[0], arc(noun, label), "{expression:?}");
            assert!(arcs[1..noun].iter().all(|found| *found == arc(0, "fixed")), "{expression:?}");
        }
    }

    #[test]
    fn words_are_not_joined_that_do_not_belong_together() {
        let root = || Arc { head: None, label: "root".to_owned() };
        // *such as* under two governors, and with a dependant of its own
        let apart = vec![arc(2, "amod"), arc(3, "case"), root(), arc(2, "nmod")];
        assert_eq!(joined(&["such", "as", "tea", "milk"], apart.clone()), apart);
        let held = vec![arc(1, "amod"), arc(3, "case"), arc(1, "advmod"), root()];
        assert_eq!(joined(&["such", "as", "even", "tea"], held.clone()), held);
    }

    #[test]
    fn a_clause_takes_the_place_of_the_noun_that_marks_it() {
        let root = Arc { head: None, label: "root".to_owned() };
        let arcs = vec![root.clone(), arc(2, "case"), arc(0, "obl"), arc(4, "mark"), arc(2, "acl")];
        let found = joined(&["came", "in", "order", "to", "win"], arcs);
        let marks = |at: usize| found[at].label == "mark" || found[at].label == "fixed";
        assert_eq!(found[4], arc(0, "advcl"));
        assert!(marks(1) && marks(2) && found[3] == arc(4, "mark"), "{found:?}");
    }
}
