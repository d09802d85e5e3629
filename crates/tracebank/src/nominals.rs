//! `NML`: part of a noun phrase that belongs together, `(NP (NML (NN brain) (NN weight)) (NN loss))`. Treebanks of today mark it; the Penn
//! Treebank left it flat.

use tracebank_syntax::graph::{Graph, SymbolId, Vertex};

const NOMINAL: &str = "NML";

/// Takes out all nominals but those that something hangs in or refers to; what they hold goes to the phrase above.
pub(crate) fn flatten(graph: &mut Graph) {
    while let Some((vertex, phrase, above)) = graph.vertices().find_map(|vertex| nominal(graph, vertex)) {
        for word in &mut graph.words {
            if word.head == vertex && word.attachment == Some(phrase) {
                (word.head, word.attachment) = (above.0, Some(above.1));
            }
        }
        graph.remove_symbol(vertex, phrase);
    }
}

/// A nominal that a word heads, and the phrase above it with its word.
fn nominal(graph: &Graph, vertex: Vertex) -> Option<(Vertex, SymbolId, (Vertex, SymbolId))> {
    let word = &graph.words[vertex.index() - 1];
    let spine_of = |vertex: Vertex| match vertex {
        Vertex::ROOT => &graph.root,
        _ => &graph.words[vertex.index() - 1].spine,
    };
    let mut headed = word.spine.headed();
    let phrase = headed.find(|&id| word.spine.get(id).is_some_and(|symbol| symbol.name() == NOMINAL))?;
    let above = match headed.next() {
        Some(id) => (vertex, id),
        None => (word.head, word.attachment?),
    };
    let is_plain = !word.spine.holds_null(phrase)
        && !spine_of(above.0).holds_null(above.1)
        && !graph.is_referred_to(vertex, phrase);
    is_plain.then_some((vertex, phrase, above))
}
