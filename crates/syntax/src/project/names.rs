//! Names of nodes in the labels of edges, and back. Both directions look at the same graph: the one with no places,
//! which is all that a parser has.

use super::label::{PhraseName, Port, Site};
use crate::graph::outline::{Node, Outline, symbol_anchor};
use crate::graph::{Anchor, Symbol, SymbolId, SymbolKind, Vertex};

impl Outline<'_> {
    /// The name of `node`, which belongs to the spine of `vertex` or is below the phrase `within` of that spine.
    pub(super) fn port(
        &self,
        vertex: Vertex,
        node: Node,
        within: Option<SymbolId>,
        is_gap: bool,
    ) -> Option<Port> {
        let site = self.site(node)?;
        let nth = self.at_site(vertex, within, &site).position(|other| other == node)? as u32;
        let within = match within {
            Some(phrase) => Some(self.phrase_name(vertex, phrase)?),
            None => None,
        };
        Some(Port { site, nth, within, is_gap })
    }

    /// The node that `port` names at `vertex`.
    pub(super) fn node(&self, vertex: Vertex, port: &Port) -> Option<Node> {
        let within = match &port.within {
            Some(phrase) => Some(self.phrase(vertex, phrase)?),
            None => None,
        };
        self.at_site(vertex, within, &port.site).nth(port.nth as usize)
    }

    /// The name of a headed phrase.
    pub(super) fn phrase_name(&self, vertex: Vertex, phrase: SymbolId) -> Option<PhraseName> {
        let symbols = self.symbols(vertex);
        let label = symbols.get(phrase.index())?.name().to_owned();
        let nth = headed_as(symbols, &label).position(|index| index == phrase.index())? as u32;
        Some(PhraseName { label, nth })
    }

    /// The headed phrase with this name.
    pub(super) fn phrase(&self, vertex: Vertex, name: &PhraseName) -> Option<SymbolId> {
        let index = headed_as(self.symbols(vertex), &name.label).nth(name.nth as usize)?;
        Some(SymbolId(index as u32))
    }

    fn at_site(&self, vertex: Vertex, within: Option<SymbolId>, site: &Site) -> impl Iterator<Item = Node> {
        let nodes = if let Some(phrase) = within {
            self.nearest_below((vertex, Anchor::Symbol(phrase)))
        } else {
            let symbols = (0..self.symbols(vertex).len()).map(symbol_anchor);
            std::iter::once(Anchor::Tag).chain(symbols).map(|anchor| (vertex, anchor)).collect()
        };
        nodes.into_iter().filter(move |&node| self.site(node).as_ref() == Some(site))
    }

    /// The kind of this node; `None` for a mark, which no edge can end on.
    fn site(&self, (vertex, anchor): Node) -> Option<Site> {
        let Anchor::Symbol(id) = anchor else { return Some(Site::Word) };
        let symbols = self.symbols(vertex);
        let symbol = symbols.get(id.index())?;
        match &symbol.kind {
            SymbolKind::Phrase(label) if symbol.is_headed() => Some(Site::Phrase(label.clone())),
            SymbolKind::Phrase(label) => Some(Site::NullPhrase(label.clone())),
            SymbolKind::Null(kind) => {
                let before = symbols[..id.index()].iter().rev();
                let above = before.into_iter().find(|other| other.depth < symbol.depth);
                let above = above.filter(|above| !above.is_headed()).map(|above| above.name().to_owned());
                Some(Site::Null { above, kind: kind.clone() })
            }
            SymbolKind::Mark { .. } => None,
        }
    }
}

/// The headed phrases labelled `label`, from the bottom up.
fn headed_as<'a>(symbols: &'a [Symbol], label: &'a str) -> impl Iterator<Item = usize> + 'a {
    (0..symbols.len()).filter(move |&index| symbols[index].is_headed() && symbols[index].name() == label)
}
