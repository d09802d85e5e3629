//! Sums of money: the Penn Treebank has the sign and its numbers in one quantity, `(NP (QP ($ $) (CD 3) (CD million)))`. Treebanks of today,
//! and parsers that learn from them, have `(NP ($ $) (QP (CD 3) (CD million)))`, `(NP ($ $) (CD 3) (CD million))` and more.

use std::ops::Range;

use tracebank_syntax::graph::{Anchor, Graph, Spine, Symbol, SymbolId, SymbolKind, Vertex, Word};

use crate::rewrite::rename_symbols;
use crate::units::CURRENCIES;

const QUANTITY: &str = "QP";
const FIRST: SymbolId = SymbolId(0);

/// Puts currency signs and the numbers behind them into one quantity.
pub(crate) fn gather(graph: &mut Graph) {
    for sign in 0..graph.words.len() {
        let Some(numbers) = numbers(graph, sign) else { continue };
        let vertex = Vertex(sign as u32 + 1);
        for number in numbers.clone() {
            if graph.words[number].head == vertex
                && let Some(phrase) = graph.words[number].attachment
            {
                one_child_less(&mut graph.words[sign].spine, phrase);
            }
        }
        if !is_quantity(graph, sign, 0) {
            let quantity = Symbol { kind: SymbolKind::Phrase(QUANTITY.to_owned()), depth: 0, place: 0 };
            graph.words[sign].spine.symbols.insert(0, quantity);
            rename_symbols(graph, vertex, |id| id.0 += 1);
        }
        for word in &mut graph.words[numbers] {
            word.spine.symbols.clear();
            (word.head, word.attachment) = (vertex, Some(FIRST));
        }
        let second = SymbolId(1);
        let is_used = graph.words.iter().any(|word| word.head == vertex && word.attachment == Some(second));
        if is_quantity(graph, sign, 1) && !is_used && !is_named(graph, vertex, second) {
            graph.words[sign].spine.symbols.remove(1);
            rename_symbols(graph, vertex, |id| id.0 -= u32::from(*id > second));
        }
    }
}

/// The child next to the head child, on its right, leaves a phrase: what hangs behind it comes nearer.
fn one_child_less(spine: &mut Spine, phrase: SymbolId) {
    let hanging = spine.symbols[phrase.index() + 1..].iter_mut().take_while(|symbol| !symbol.is_headed());
    for symbol in hanging.filter(|symbol| symbol.depth == 1 && symbol.place > 1) {
        symbol.place -= 1;
    }
}

/// The numbers right behind a currency sign, if there are two or more, they depend on it or on each other, and nothing else on them.
fn numbers(graph: &Graph, sign: usize) -> Option<Range<usize>> {
    let words = &graph.words;
    if !CURRENCIES.contains(&words[sign].tag.as_deref()?) || !words[sign].spine.get(FIRST)?.is_headed() {
        return None;
    }
    let is_number = |word: &&Word| word.tag.as_deref() == Some("CD");
    let run = sign + 1..sign + 1 + words[sign + 1..].iter().take_while(is_number).count();
    let within = |head: Vertex| head.index().checked_sub(1).is_some_and(|head| run.contains(&head));
    let are_together = run.clone().all(|number| {
        let head = words[number].head;
        let is_bare = words[number].spine.symbols.is_empty()
            || (words[number].spine.symbols.len() == 1 && is_quantity(graph, number, 0));
        is_bare
            && (within(head) || head.index() == sign + 1)
            && !is_named(graph, Vertex(number as u32 + 1), FIRST)
    });
    let are_alone = words.iter().enumerate().all(|(at, word)| run.contains(&at) || !within(word.head));
    (run.len() > 1 && are_together && are_alone).then_some(run)
}

fn is_quantity(graph: &Graph, word: usize, symbol: usize) -> bool {
    graph.words[word].spine.symbols.get(symbol).is_some_and(|symbol| symbol.name() == QUANTITY)
}

fn is_named(graph: &Graph, vertex: Vertex, symbol: SymbolId) -> bool {
    let mut ends = graph.traces.iter().flat_map(|trace| [&trace.from, &trace.to]).chain(&graph.loose);
    ends.any(|end| end.vertex == vertex && end.anchor == Anchor::Symbol(symbol))
}
