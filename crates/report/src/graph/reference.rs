//! Slow counts, from [`tracebank_syntax::graph::encode`], to hold the fast ones against.

use std::borrow::Cow;

use proptest::prelude::*;
use tracebank_syntax::graph::{Anchor, End, Graph, Spine, Symbol, SymbolId, SymbolKind, TraceEdge, Vertex};
use tracebank_syntax::tree::Tree;

use super::{Options, compare};
use crate::arbitrary::tree_pair;

/// Matches among spines, labelled and unlabelled edges, labelled and unlabelled traces.
fn matched(gold: &Graph, test: &Graph) -> [usize; 5] {
    let words = || gold.words.iter().zip(&test.words);
    let traces: Vec<TraceName> = test.traces.iter().map(|edge| trace_name(test, edge)).collect();
    let joined: Vec<_> = test.traces.iter().map(|edge| (edge.from.vertex, edge.to.vertex)).collect();
    [
        words().filter(|(mine, theirs)| same_spine(&mine.spine, &theirs.spine)).count(),
        words()
            .filter(|(mine, theirs)| {
                let (mine_at, theirs_at) = (
                    attachment(gold, mine.head, mine.attachment),
                    attachment(test, theirs.head, theirs.attachment),
                );
                mine.head == theirs.head && mine_at == theirs_at
            })
            .count(),
        words().filter(|(mine, theirs)| mine.head == theirs.head).count(),
        gold.traces.iter().filter(|edge| traces.contains(&trace_name(gold, edge))).count(),
        gold.traces.iter().filter(|edge| joined.contains(&(edge.from.vertex, edge.to.vertex))).count(),
    ]
}

fn same_spine(mine: &Spine, theirs: &Spine) -> bool {
    let same = |(a, b): (&Symbol, &Symbol)| a.depth == b.depth && same_kind(a, b);
    mine.symbols.len() == theirs.symbols.len() && mine.symbols.iter().zip(&theirs.symbols).all(same)
}

/// The two have the same label, wherever in it the indices stand.
fn same_kind(mine: &Symbol, theirs: &Symbol) -> bool {
    match (&mine.kind, &theirs.kind) {
        (SymbolKind::Phrase(mine), SymbolKind::Phrase(theirs)) => {
            without_holes(mine) == without_holes(theirs)
        }
        (mine, theirs) => mine == theirs,
    }
}

/// The [shape](tracebank_syntax::tree::Label::shape) of a label has holes where its indices stood in an unusual place.
fn without_holes(shape: &str) -> Cow<'_, str> {
    if shape.contains("()") {
        Cow::Owned(shape.replace("-()", "").replace("=()", ""))
    } else {
        Cow::Borrowed(shape)
    }
}

/// A phrase of a spine: its label, how many of that label come before it from the bottom, and whether the word heads it. Phrases
/// without words are counted apart from those with.
type PhraseName<'g> = (Cow<'g, str>, usize, bool);

fn phrase_name(spine: &Spine, id: SymbolId) -> Option<PhraseName<'_>> {
    let symbol = spine.get(id)?;
    let same = |other: &&Symbol| other.is_headed() == symbol.is_headed() && same_kind(other, symbol);
    let before = spine.symbols[..id.index()].iter().filter(same).count();
    Some((without_holes(symbol.name()), before, symbol.is_headed()))
}

/// The phrase that a word hangs in. The root has one name, whatever its bracket is called.
fn attachment(graph: &Graph, head: Vertex, phrase: Option<SymbolId>) -> Option<PhraseName<'_>> {
    if head == Vertex::ROOT { None } else { phrase_name(graph.spine(head)?, phrase?) }
}

/// An end of a trace edge: the word and the phrase. A null element is named by the phrase around it.
type EndName<'g> = (Vertex, Option<PhraseName<'g>>);

fn end_name(graph: &Graph, end: End) -> EndName<'_> {
    let phrase = match end.anchor {
        Anchor::Tag => None,
        Anchor::Symbol(id) => {
            graph.spine(end.vertex).and_then(|spine| phrase_name(spine, phrase_around(spine, id)))
        }
    };
    (end.vertex, phrase)
}

fn phrase_around(spine: &Spine, id: SymbolId) -> SymbolId {
    match spine.get(id) {
        Some(symbol) if matches!(symbol.kind, SymbolKind::Null(_)) => spine.symbols[..id.index()]
            .iter()
            .rposition(|above| above.depth + 1 == symbol.depth)
            .map_or(id, |above| SymbolId(above as u32)),
        _ => id,
    }
}

type TraceName<'g> = (EndName<'g>, EndName<'g>, &'g str);

fn trace_name<'g>(graph: &'g Graph, edge: &'g TraceEdge) -> TraceName<'g> {
    (end_name(graph, edge.from), end_name(graph, edge.to), &edge.kind)
}

proptest! {
    #[test]
    fn both_ways_give_the_same_counts((gold, guess) in tree_pair()) {
        let (gold, guess): (Tree, Tree) = (gold.parse().unwrap(), guess.parse().unwrap());
        let options = Options::default();
        let fast = compare(&gold, &guess, &options);
        let slow = matched(&options.graph(&gold), &options.graph(&guess));
        let fast = [fast.spines(), fast.edges(), fast.unlabelled_edges(), fast.traces(), fast.unlabelled_traces()];
        prop_assert_eq!(fast.map(|counts| counts.matched as usize), slow);
    }
}
