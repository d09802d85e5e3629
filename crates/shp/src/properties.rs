//! The comment `# Graph type`, which sums up the edges of a sentence.

use std::collections::BTreeSet;

use tracebank_syntax::class::Class;
use tracebank_syntax::graph::{Arc, ArcKind, Vertex};

use super::edge::{Parent, Trace};

/// `proj`, `1ec` or `other` for how edges cross, and five facts. The root stands before the first word here.
pub(super) fn graph_type(parents: &[Parent], traces: &[Trace]) -> String {
    let arcs: Vec<Arc> = arcs(parents, traces, false).collect();
    let class = Class::of(&without_loops(&arcs));
    let reversed: Vec<Arc> = self::arcs(parents, traces, true).collect();
    let is_acyclic_reversed = Class::of(&without_loops(&reversed)).is_acyclic();
    let is_unique = |key: fn(&Arc) -> (Vertex, Option<Vertex>)| {
        let mut seen = BTreeSet::new();
        arcs.iter().all(|arc| seen.insert(key(arc)))
    };
    let crossing = match () {
        () if class.is_projective() => " proj",
        () if class.is_one_endpoint_crossing() => "  1ec",
        () => "other",
    };
    let has = |is_so: bool, fact: &str| format!(" {}-{fact}", if is_so { "has" } else { "no" });
    [
        crossing.to_owned(),
        if is_unique(|arc| (arc.child, None)) { " tree" } else { " graph" }.to_owned(),
        has(!class.is_acyclic(), "cycle"),
        has(!is_acyclic_reversed, "cycle-rev-edges"),
        has(arcs.iter().any(|arc| arc.parent == arc.child), "len1-cycle"),
        has(!is_unique(|arc| (arc.child, Some(arc.parent))), "double"),
    ]
    .concat()
}

/// The edges between words, from parent to child. [`Class`] has its root behind the last word, so theirs becomes a word before the first.
fn arcs(parents: &[Parent], traces: &[Trace], reverse_null: bool) -> impl Iterator<Item = Arc> {
    let vertex = |word: usize| Vertex(word as u32 + 1);
    let structural = parents.iter().enumerate().map(move |(place, parent)| {
        let parent = match *parent {
            Parent::Root => 0,
            Parent::Phrase { word, .. } => word,
        };
        Arc { parent: vertex(parent), child: vertex(place + 1), kind: ArcKind::Structural }
    });
    let traces = traces.iter().enumerate().map(move |(index, trace)| {
        let (parent, child) = (vertex(trace.referrer.word), vertex(trace.antecedent.word));
        let reversed = reverse_null && trace.antecedent.is_null;
        let (parent, child) = if reversed { (child, parent) } else { (parent, child) };
        Arc { parent, child, kind: ArcKind::Trace(index) }
    });
    structural.chain(traces)
}

fn without_loops(arcs: &[Arc]) -> Vec<Arc> {
    arcs.iter().copied().filter(|arc| arc.parent != arc.child).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Style, write};

    fn graph_type(text: &str) -> String {
        let lines = write(&text.parse().unwrap(), &Style::default()).unwrap();
        lines.lines().find_map(|line| line.strip_prefix("# Graph type ")).unwrap().to_owned()
    }

    #[test]
    fn one_sentence_a_fact() {
        let cases = [
            (
                "(S (NP (PRP it)) (VP (VBZ works)))",
                " proj tree no-cycle no-cycle-rev-edges no-len1-cycle no-double",
            ),
            // he said it works: the antecedent hangs from the verb whose object it is
            (
                "(S (S-1 (NP (PRP it)) (VP (VBZ works))) (, ,) (NP (PRP he)) (VP (VBD said) (S (-NONE- *T*-1))))",
                " proj graph no-cycle no-cycle-rev-edges no-len1-cycle has-double",
            ),
            // it, he said, works: the verb hangs inside its own object
            (
                "(S-1 (NP (PRP it)) (SBAR (S (NP (PRP he)) (VP (VBD said) (S (-NONE- *T*-1))))) (VP (VBZ works)))",
                " proj graph has-cycle has-cycle-rev-edges no-len1-cycle no-double",
            ),
            // a null antecedent below its trace makes a cycle when it is turned round
            (
                "(S (VP (VB say) (NP (-NONE- *-1)) (S (NP-1 (-NONE- *)) (VP (VB go)))))",
                " proj graph no-cycle has-cycle-rev-edges no-len1-cycle has-double",
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(graph_type(text), wanted, "{text}");
        }
    }
}
