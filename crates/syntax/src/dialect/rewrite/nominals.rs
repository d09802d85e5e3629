//! Nominals, `NML`: parts of a noun phrase that belong together, `(NP (NML (NN brain) (NN weight)) (NN loss))`. Treebanks of today mark
//! them; the Penn Treebank left them flat. A sum before a noun, `(NML (QP ($ $) (CD 3) (CD million)) (-NONE- *U*))`, is an adjective there.

use super::quantities::ADJECTIVE;
use super::units::UNIT;
use crate::graph::{Anchor, Graph, SymbolId, SymbolKind, Vertex};
use crate::tree::Label;

const NOMINAL: &str = "NML";

/// Takes out all nominals but those that something hangs in or refers to; what they hold goes to the phrase above.
pub(super) fn flatten(graph: &mut Graph) {
    for word in &mut graph.words {
        for at in 1..word.spine.symbols.len() {
            let [.., above, null] = &mut word.spine.symbols[..=at] else { continue };
            if above.is_headed() && above.name() == NOMINAL && null.name() == UNIT {
                above.kind = SymbolKind::Phrase(ADJECTIVE.to_owned());
            }
        }
    }
    let next = |graph: &Graph| graph.vertices().find_map(|vertex| Some((vertex, nominal(graph, vertex)?)));
    while let Some((vertex, (phrase, above))) = next(graph) {
        for word in &mut graph.words {
            if word.head == vertex && word.attachment == Some(phrase) {
                (word.head, word.attachment) = (above.0, Some(above.1));
            }
        }
        graph.remove_symbol(vertex, phrase);
    }
}

/// A nominal that a word heads, and the phrase above it with its word.
fn nominal(graph: &Graph, vertex: Vertex) -> Option<(SymbolId, (Vertex, SymbolId))> {
    let spine = graph.spine(vertex)?;
    let is_nominal = |&id: &SymbolId| Label::parse(spine.symbols[id.index()].name()).category() == NOMINAL;
    let phrase = spine.headed().find(is_nominal)?;
    let (head, Anchor::Symbol(above)) = graph.parent((vertex, Anchor::Symbol(phrase)))? else { return None };
    let is_plain = !spine.holds_null(phrase)
        && !graph.spine(head)?.holds_null(above)
        && !graph.is_referred_to(vertex, phrase);
    is_plain.then_some((phrase, (head, above)))
}
