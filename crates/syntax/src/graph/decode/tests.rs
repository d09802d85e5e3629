//! Graphs that are the graph of no tree: each is an error of its own.

use super::*;
use crate::graph::{Targets, Word, encode};
use crate::heads::HeadTable;

/// The graph of three words, of which the last heads `VP` and `S`, and the others hang in `S`.
fn graph() -> Graph {
    let tree = "( (S (NP (NN a)) (NP (NN b)) (VP (VB c))))".parse().unwrap();
    encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent)
}

fn hang(word: &mut Word, head: u32, attachment: Option<u32>) {
    (word.head, word.attachment) = (Vertex(head), attachment.map(SymbolId));
}

fn phrase(depth: u32, place: i32) -> Symbol {
    Symbol { kind: SymbolKind::Phrase("X".to_owned()), depth, place }
}

fn null(depth: u32, place: i32) -> Symbol {
    Symbol { kind: SymbolKind::Null("*".to_owned()), depth, place }
}

fn index(vertex: u32, symbol: u32, slot: SlotName) -> End {
    End { vertex: Vertex(vertex), anchor: Anchor::Symbol(SymbolId(symbol)), slot }
}

/// Adds symbols to the spine of the first word, a noun phrase.
fn add(graph: &mut Graph, symbols: &[Symbol]) {
    graph.words[0].spine.symbols.extend_from_slice(symbols);
}

#[test]
fn what_is_no_tree_is_an_error() {
    use DecodeError::{BadIndex, BareRoot, Circle, Empty, EmptyPhrase, Misplaced, NoSuchParent, NotNested};
    type Change = fn(&mut Graph);
    let cases: [(DecodeError, Change); 24] = [
        (Empty, |graph| *graph = Graph::default()),
        (NoSuchParent(Vertex(1)), |graph| hang(&mut graph.words[0], 4, Some(0))),
        (NoSuchParent(Vertex(1)), |graph| hang(&mut graph.words[0], 3, Some(2))),
        (NoSuchParent(Vertex(1)), |graph| hang(&mut graph.words[0], 3, None)),
        (NoSuchParent(Vertex(3)), |graph| hang(&mut graph.words[2], 0, None)),
        (NoSuchParent(Vertex(1)), |graph| {
            graph.root.symbols.clear();
            hang(&mut graph.words[0], 3, None);
        }),
        (Circle(Vertex(1)), |graph| hang(&mut graph.words[2], 1, Some(0))),
        (NotNested(Vertex(1)), |graph| hang(&mut graph.words[0], 3, Some(0))),
        (BareRoot(3), |graph| {
            graph.root.symbols.clear();
            graph.words.iter_mut().for_each(|word| hang(word, 0, None));
        }),
        (EmptyPhrase(Vertex(1)), |graph| add(graph, &[phrase(1, 1)])),
        (EmptyPhrase(Vertex(1)), |graph| add(graph, &[phrase(1, 1), null(1, 1)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(0, 0)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(2, 0)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(1, 1), null(2, 0)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(1, 0)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(1, 2)])),
        (Misplaced(Vertex(1)), |graph| add(graph, &[null(1, -2)])),
        (Misplaced(Vertex(1)), |graph| graph.words[0].spine.symbols.insert(0, null(1, 1))),
        (Misplaced(Vertex::ROOT), |graph| graph.root.symbols.push(phrase(0, 0))),
        (BadIndex(Vertex(4)), |graph| graph.loose.push(index(4, 0, SlotName::Index))),
        (BadIndex(Vertex(1)), |graph| graph.loose.push(index(1, 0, SlotName::Null))),
        (BadIndex(Vertex(1)), |graph| graph.loose.push(index(1, 0, SlotName::Hole(0)))),
        (BadIndex(Vertex(1)), |graph| {
            add(graph, &[null(1, 1)]);
            graph.loose.push(index(1, 1, SlotName::Index));
        }),
        (BadIndex(Vertex(1)), |graph| {
            graph.words[0].spine.symbols[0].kind = SymbolKind::Phrase("NP=()-()".to_owned());
        }),
    ];
    for (number, (error, change)) in cases.into_iter().enumerate() {
        let mut graph = graph();
        change(&mut graph);
        assert_eq!(decode(&graph), Err(error), "case {number}");
    }
}

#[test]
fn nulls_stand_where_they_are_said_to() {
    let mut graph = graph();
    add(&mut graph, &[null(1, -1), phrase(1, 1), null(2, 0)]);
    let expected = "( (S (NP (-NONE- *) (NN a) (X (-NONE- *))) (NP (NN b)) (VP (VB c))))";
    assert_eq!(decode(&graph).unwrap().to_string(), expected);
}

#[test]
fn indices_are_numbered_from_one() {
    let tree = "( (S (NP-7 (NN a)) (VP (VB b) (NP (-NONE- *-7)))))".parse().unwrap();
    let graph = encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
    assert_eq!(decode(&graph).unwrap().to_string(), tree.to_string().replace('7', "1"));
}
