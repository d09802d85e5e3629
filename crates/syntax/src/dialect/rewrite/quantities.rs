//! Sums of money: the Penn Treebank has the sign and its numbers in one quantity, `(NP (QP ($ $) (CD 3) (CD million)))`. Treebanks of today,
//! and parsers that learn from them, have `(NP ($ $) (QP (CD 3) (CD million)))`, `(NP ($ $) (CD 3) (CD million))` and more. A sum before a noun
//! is an adjective there: `(NP (DT a) (ADJP (QP ($ $) (CD 3) (CD million))) (NN loss))`. A sign with one number is no quantity: `(NP ($ $) (CD 3))`,
//! `(NP (DT a) (ADJP ($ $) (CD 3)) (NN bill))`; a share before a noun is an adjective as well: `(NP (DT a) (ADJP (CD 51) (NN %)) (NN stake))`.

use std::ops::Range;

use super::units::{CURRENCIES, UNIT};
use crate::graph::{Graph, Spine, Symbol, SymbolId, SymbolKind, Vertex, Word};
use crate::tree::Label;

const QUANTITY: &str = "QP";
pub(super) const ADJECTIVE: &str = "ADJP";
const FIRST: SymbolId = SymbolId(0);

/// The words of shares.
const SHARES: [&str; 2] = ["%", "percent"];

/// Puts currency signs and the numbers behind them into one quantity, takes away that of a single number, and makes adjectives of sums and shares before
/// a noun.
pub(super) fn gather(graph: &mut Graph) {
    for share in 1..graph.words.len() {
        let is_share = SHARES.contains(&graph.words[share].form.as_str());
        if is_share && is_before_noun(graph, share - 1..share + 1) {
            make_adjective(graph, share, share - 1..share);
        }
    }
    for sign in 0..graph.words.len() {
        if is_currency(graph, sign) && is_before_noun(graph, sign..sign + 2) {
            make_adjective(graph, sign, sign + 1..sign + 2);
        }
        dissolve(graph, sign);
        let Some(numbers) = numbers(graph, sign) else { continue };
        let vertex = Vertex(sign as u32 + 1);
        for number in numbers.clone() {
            if graph.words[number].head == vertex
                && let Some(phrase) = graph.words[number].attachment
            {
                one_child_less(&mut graph.words[sign].spine, phrase);
            }
        }
        if !begins_with_quantity(graph, sign) {
            graph.insert_symbol(vertex, FIRST, phrase(QUANTITY));
        }
        let noun_follows = graph.words[sign].head.index() > numbers.end;
        for word in &mut graph.words[numbers] {
            word.spine.symbols.clear();
            (word.head, word.attachment) = (vertex, Some(FIRST));
        }
        graph.drop_repeated_phrases();
        if noun_follows && graph.words[sign].spine.symbols.len() == 1 {
            graph.words[sign].spine.symbols.push(phrase(ADJECTIVE));
        }
    }
}

/// Whether two words, one of them a number, stand flat before the noun or adjective that they hang on.
fn is_before_noun(graph: &Graph, two: Range<usize>) -> bool {
    let Some([first, second]) = graph.words.get(two.clone()) else { return false };
    let tag = |at: usize| graph.words.get(at).and_then(|word| word.tag.as_deref()).unwrap_or_default();
    let is_flat = |word: &Word| word.spine.symbols.is_empty();
    let follows = tag(two.end).starts_with("NN") || tag(two.end).starts_with("JJ");
    two.clone().any(|at| tag(at) == "CD")
        && follows
        && is_flat(first)
        && is_flat(second)
        && first.head.index() > two.end
        && (first.head, first.attachment) == (second.head, second.attachment)
        && graph.words.iter().all(|word| !two.clone().any(|at| word.head.index() == at + 1))
}

/// Makes an adjective that a word heads, with the others in it. The mark of the unit, which a phrase above may have, goes: it belongs to the adjective.
fn make_adjective(graph: &mut Graph, head: usize, others: Range<usize>) {
    let vertex = Vertex(head as u32 + 1);
    let noun = graph.words[head].head;
    graph.words[head].spine.symbols.push(phrase(ADJECTIVE));
    for other in others {
        graph.reattach(Vertex(other as u32 + 1), (vertex, FIRST));
    }
    let marks = graph.spine(noun).map_or(&[][..], |spine| &spine.symbols);
    if let Some(mark) = marks.iter().position(|symbol| symbol.depth == 1 && symbol.name() == UNIT) {
        graph.remove_symbol(noun, SymbolId(mark as u32));
    }
}

/// Takes away the quantity of a currency sign with one number, where a noun phrase is right above it, and makes it an adjective before a noun.
fn dissolve(graph: &mut Graph, sign: usize) {
    let (vertex, above) = (Vertex(sign as u32 + 1), SymbolId(1));
    let spine = &graph.words[sign].spine;
    let is_phrase = spine
        .get(above)
        .is_some_and(|symbol| symbol.is_headed() && Label::parse(symbol.name()).category() == "NP");
    let mut inside = (0..graph.words.len())
        .filter(|&at| graph.words[at].head == vertex && graph.words[at].attachment == Some(FIRST));
    let number = inside.next().filter(|&at| at == sign + 1 && graph.words[at].tag.as_deref() == Some("CD"));
    let is_other = inside.next().is_some();
    if is_other || !begins_with_quantity(graph, sign) || graph.is_referred_to(vertex, FIRST) {
        return;
    }
    let Some(number) = number else { return };
    if spine.symbols.len() == 1 && is_currency(graph, sign) && graph.words[sign].head.index() > number + 1 {
        graph.words[sign].spine.symbols[0] = phrase(ADJECTIVE);
    } else if is_phrase {
        for symbol in hanging(&mut graph.words[sign].spine, above).filter(|symbol| symbol.place > 0) {
            symbol.place += 1;
        }
        graph.words[number].attachment = Some(above);
        graph.remove_symbol(vertex, FIRST);
    }
}

/// The child next to the head child, on its right, leaves a phrase: what hangs behind it comes nearer.
fn one_child_less(spine: &mut Spine, phrase: SymbolId) {
    for symbol in hanging(spine, phrase).filter(|symbol| symbol.place > 1) {
        symbol.place -= 1;
    }
}

/// What is null and hangs right in a phrase.
fn hanging(spine: &mut Spine, phrase: SymbolId) -> impl Iterator<Item = &mut Symbol> {
    let inside = spine.symbols[phrase.index() + 1..].iter_mut().take_while(|symbol| !symbol.is_headed());
    inside.filter(|symbol| symbol.depth == 1)
}

/// The numbers right behind a currency sign, if there are two or more, they depend on it or on each other, and nothing else on them.
fn numbers(graph: &Graph, sign: usize) -> Option<Range<usize>> {
    let words = &graph.words;
    if !is_currency(graph, sign) || !words[sign].spine.get(FIRST)?.is_headed() {
        return None;
    }
    let is_number = |word: &&Word| word.tag.as_deref() == Some("CD");
    let run = sign + 1..sign + 1 + words[sign + 1..].iter().take_while(is_number).count();
    let within = |head: Vertex| head.index().checked_sub(1).is_some_and(|head| run.contains(&head));
    let are_together = run.clone().all(|number| {
        let head = words[number].head;
        let is_bare = words[number].spine.symbols.is_empty()
            || (words[number].spine.symbols.len() == 1 && begins_with_quantity(graph, number));
        is_bare
            && (within(head) || head.index() == sign + 1)
            && !graph.is_referred_to(Vertex(number as u32 + 1), FIRST)
    });
    let are_alone = words.iter().enumerate().all(|(at, word)| run.contains(&at) || !within(word.head));
    (run.len() > 1 && are_together && are_alone).then_some(run)
}

fn is_currency(graph: &Graph, word: usize) -> bool {
    graph.words[word].tag.as_deref().is_some_and(|tag| CURRENCIES.contains(&tag))
}

fn phrase(label: &str) -> Symbol {
    Symbol { kind: SymbolKind::Phrase(label.to_owned()), depth: 0, place: 0 }
}

fn begins_with_quantity(graph: &Graph, word: usize) -> bool {
    graph.words[word].spine.get(FIRST).is_some_and(|symbol| symbol.name() == QUANTITY)
}
