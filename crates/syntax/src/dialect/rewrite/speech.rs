//! Reported speech: *Prices rose, he said* has the Penn Treebank's `0` before the trace of the clause that was moved from behind its verb,
//! `(VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))`, and *"Prices rose," he said* has none, since a quotation takes no complementiser. Other
//! treebanks write the trace alone, and quotation marks say which is which.

use crate::graph::outline::Outline;
use crate::graph::{Anchor, End, Graph, Symbol, SymbolId, SymbolKind, Vertex};

/// Quotation marks, as words.
pub(super) const QUOTES: [&str; 9] = ["``", "''", "\"", "`", "'", "“", "”", "‘", "’"];

/// Puts the complementiser before each trace of a clause that is not quoted.
pub(super) fn complete(graph: &mut Graph) {
    for (vertex, clause) in unquoted(graph) {
        let place = graph.words[vertex.index() - 1].spine.symbols[clause.index()].place;
        let sbar = Symbol { kind: SymbolKind::Phrase("SBAR".to_owned()), depth: 1, place };
        let zero = Symbol { kind: SymbolKind::Null("0".to_owned()), depth: 2, place: 0 };
        graph.insert_symbol(vertex, clause, zero);
        graph.insert_symbol(vertex, clause, sbar);
        let symbols = &mut graph.words[vertex.index() - 1].spine.symbols;
        let moved = &mut symbols[clause.index() + 2..];
        moved[0] = Symbol { depth: 2, place: 0, ..moved[0].clone() };
        moved[1].depth = 3;
    }
}

/// The clauses of nothing but a trace whose antecedent is not quoted, the last of a spine first.
fn unquoted(graph: &Graph) -> Vec<(Vertex, SymbolId)> {
    let outline = Outline::of(graph);
    let clauses = graph.traces.iter().filter(|trace| trace.kind == "*T*").filter_map(|trace| {
        let Anchor::Symbol(null) = trace.from.anchor else { return None };
        let clause = SymbolId(null.0.checked_sub(1)?);
        let spine = &graph.word(trace.from.vertex)?.spine;
        let is_clause = |symbol: &Symbol| symbol.depth == 1 && symbol.name() == "S";
        let is_alone = spine.get(SymbolId(null.0 + 1)).is_none_or(|next| next.depth < 2);
        let is_in_verb_phrase = spine.get(spine.host(clause)?)?.name() == "VP";
        (is_clause(spine.get(clause)?)
            && is_alone
            && is_in_verb_phrase
            && !is_quoted(graph, &outline, trace.to))
        .then_some((trace.from.vertex, clause))
    });
    let mut clauses: Vec<(Vertex, SymbolId)> = clauses.collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses.reverse();
    clauses
}

/// Whether a quotation mark stands at an end of a phrase or beside it, a comma left out.
fn is_quoted(graph: &Graph, outline: &Outline<'_>, phrase: End) -> bool {
    let below = outline.preorder_below((phrase.vertex, phrase.anchor));
    let words =
        || below.iter().filter(|(_, anchor)| *anchor == Anchor::Tag).map(|(vertex, _)| vertex.index() - 1);
    let (Some(first), Some(last)) = (words().min(), words().max()) else { return false };
    let form =
        |at: Option<usize>| at.and_then(|at| graph.words.get(at)).map_or("", |word| word.form.as_str());
    let behind = if form(Some(last + 1)) == "," { last + 2 } else { last + 1 };
    [first.checked_sub(1), Some(first), Some(last), Some(behind)]
        .into_iter()
        .any(|at| QUOTES.contains(&form(at)))
}

#[cfg(test)]
mod tests {
    use crate::dialect::rewrite::{Rewrite, testing::rewritten};

    fn completed(text: &str) -> String {
        rewritten(text, Rewrite::ReportedSpeech)
    }

    #[test]
    fn a_quotation_takes_no_complementiser() {
        let plain = "( (S (S-TPC-1 (NP-SBJ (NNS Prices)) (VP (VBD rose))) (, ,) (NP-SBJ (PRP he)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))";
        let bare = plain.replace("(SBAR (-NONE- 0) (S (-NONE- *T*-1)))", "(S (-NONE- *T*-1))");
        assert_eq!(completed(&bare), plain);
        assert_eq!(completed(plain), plain, "it is there already");
        for quoted in [
            bare.replace("(S-TPC-1", "(`` ``) (S-TPC-1").replace("(, ,)", "(, ,) ('' '')"),
            bare.replace("(VBD rose))", "(VBD rose)) ('' '')"),
            bare.replace("(S-TPC-1", "(S-TPC-1 (`` “)"),
        ] {
            assert_eq!(completed(&quoted), quoted);
        }
    }

    #[test]
    fn an_aside_and_two_clauses_of_one_verb_keep_their_traces() {
        let aside = "( (S-1 (NP-SBJ (NNS Prices)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))) (, ,)) (VP (VBD rose))))";
        assert_eq!(
            completed(&aside.replace("(SBAR (-NONE- 0) (S (-NONE- *T*-1)))", "(S (-NONE- *T*-1))")),
            aside
        );
        let relative = "( (NP (NP (DT the) (NN man)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left))))))";
        assert_eq!(completed(relative), relative);
    }
}
