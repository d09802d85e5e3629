//! [`Graph`] → [`Tree`].

use std::collections::BTreeMap;

use thiserror::Error;

use super::{Anchor, End, Graph, SlotName, Symbol, SymbolId, SymbolKind, Vertex};
use crate::tree::{Kind, Label, NodeId, NullElement, Slot, SlotKind, Tree};

/// A graph that is not the graph of any tree. Vertices are numbered as in the text form: words from 1, the root 0.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The sentence has no words and no nulls.
    #[error("the graph is empty")]
    Empty,
    /// The structural parent of a word is not in the sentence, or the phrase it names is not headed by that parent.
    #[error("word {} hangs from a phrase that is not there", .0.0)]
    NoSuchParent(Vertex),
    /// Following structural parents from this word never comes to the root.
    #[error("the structural parents of word {} go round in a circle", .0.0)]
    Circle(Vertex),
    /// The order of the words would change: two structural edges cross, or a nearer dependant hangs above a farther one.
    #[error("word {} would stand in another place: the structural edges around it are not nested", .0.0)]
    NotNested(Vertex),
    /// Without an outermost bracket there must be exactly one phrase (or word) under the root.
    #[error("the root has no bracket and {0} children")]
    BareRoot(usize),
    /// A phrase would have nothing in it.
    #[error("the spine of vertex {} has a phrase with nothing in it", .0.0)]
    EmptyPhrase(Vertex),
    /// A null stands beyond the children of its phrase, or below something that is no phrase.
    #[error("the spine of vertex {} has a null element where none can be", .0.0)]
    Misplaced(Vertex),
    /// A trace edge or loose index names a node, or an index of it, that is not there, or names it twice for different numbers.
    #[error("an index at vertex {} is on a node that cannot have it", .0.0)]
    BadIndex(Vertex),
}

/// The tree of `graph`, its indices numbered from 1 in the order in which they stand.
pub fn decode(graph: &Graph) -> Result<Tree, DecodeError> {
    check_parents(graph)?;
    let mut decoder = Decoder::new(graph);
    decoder.build()?;
    decoder.number()?;
    let tree = decoder.tree;
    let misplaced = tree
        .word_nodes()
        .zip(graph.vertices())
        .find(|&(leaf, vertex)| decoder.nodes[vertex.index()].tag != Some(leaf));
    match misplaced {
        Some((_, vertex)) => Err(DecodeError::NotNested(vertex)),
        None => Ok(tree),
    }
}

/// Every word hangs from a headed phrase, and all of them, in the end, from the root.
pub(crate) fn check_parents(graph: &Graph) -> Result<(), DecodeError> {
    for (word, vertex) in graph.words.iter().zip(graph.vertices()) {
        let spine = graph.spine(word.head).ok_or(DecodeError::NoSuchParent(vertex))?;
        let fits = match word.attachment {
            Some(id) => spine.get(id).is_some_and(Symbol::is_headed),
            None => word.head == Vertex::ROOT && spine.headed().next().is_none(),
        };
        if !fits {
            return Err(DecodeError::NoSuchParent(vertex));
        }
    }
    let mut reaches_root = vec![false; graph.words.len() + 1];
    reaches_root[0] = true;
    for start in graph.vertices() {
        let mut path = vec![];
        let mut vertex = start;
        while !reaches_root[vertex.index()] {
            path.push(vertex);
            if path.len() > graph.words.len() {
                return Err(DecodeError::Circle(start));
            }
            vertex = graph.words[vertex.index() - 1].head;
        }
        for on_path in path {
            reaches_root[on_path.index()] = true;
        }
    }
    Ok(())
}

/// The tree nodes of one vertex.
#[derive(Default)]
struct Nodes {
    tag: Option<NodeId>,
    symbols: Vec<NodeId>,
}

/// A headed phrase while its children are collected.
struct Assembly {
    left: Vec<NodeId>,
    right: Vec<NodeId>,
}

struct Decoder<'a> {
    graph: &'a Graph,
    tree: Tree,
    nodes: Vec<Nodes>,
}

impl<'a> Decoder<'a> {
    fn new(graph: &'a Graph) -> Decoder<'a> {
        let nodes = (0..=graph.words.len()).map(|_| Nodes::default()).collect();
        Decoder { graph, tree: Tree::with_top(""), nodes }
    }

    fn build(&mut self) -> Result<(), DecodeError> {
        let graph = self.graph;
        for (word, vertex) in graph.words.iter().zip(graph.vertices()) {
            let leaf = match &word.tag {
                Some(tag) => self.tree.new_token(tag, &word.form),
                None => self.tree.new_bare_word(&word.form),
            };
            self.nodes[vertex.index()].tag = Some(leaf);
            self.make_symbols(vertex)?;
        }
        self.make_symbols(Vertex::ROOT)?;
        let mut assemblies = self.assemblies();
        for vertex in std::iter::once(Vertex::ROOT).chain(graph.vertices()) {
            let mut below = self.nodes[vertex.index()].tag;
            let spine = graph.spine(vertex).expect("a vertex of the graph");
            for id in spine.headed() {
                let assembly =
                    assemblies.remove(&(vertex, id)).unwrap_or(Assembly { left: vec![], right: vec![] });
                self.assemble(vertex, id, below, assembly)?;
                below = Some(self.nodes[vertex.index()].symbols[id.index()]);
            }
        }
        self.set_top()
    }

    /// Makes a node for every symbol; those that hang inside a null phrase go to their place at once.
    fn make_symbols(&mut self, vertex: Vertex) -> Result<(), DecodeError> {
        let spine = self.graph.spine(vertex).expect("a vertex of the graph");
        let mut open: Vec<NodeId> = Vec::new();
        for (index, symbol) in spine.symbols.iter().enumerate() {
            let is_bracket = vertex == Vertex::ROOT && symbol.depth == 0;
            let node = match &symbol.kind {
                SymbolKind::Phrase(label) if is_bracket => {
                    self.tree.set_label(self.tree.top(), label);
                    self.tree.top()
                }
                SymbolKind::Phrase(label) => self.tree.new_phrase(label),
                SymbolKind::Null(kind) => self.tree.new_token(crate::tree::NULL_TAG, kind),
                SymbolKind::Mark { tag, text } => self.tree.new_token(tag, text),
            };
            let depth = symbol.depth as usize;
            let is_phrase = |node: NodeId| self.tree.kind(node) == Kind::Phrase;
            let impossible = (depth == 0 && (!is_phrase(node) || (is_bracket && index > 0)))
                || (depth >= 2 && open.get(depth - 2).is_none_or(|&parent| !is_phrase(parent)))
                || (depth == 1 && vertex != Vertex::ROOT && index == 0);
            if impossible {
                return Err(DecodeError::Misplaced(vertex));
            }
            if depth >= 2 {
                self.tree.append(open[depth - 2], node);
            }
            open.truncate(depth.saturating_sub(1));
            if depth > 0 {
                open.push(node);
            }
            self.nodes[vertex.index()].symbols.push(node);
        }
        let empty = spine.symbols.iter().enumerate().any(|(index, symbol)| {
            let next_depth = spine.symbols.get(index + 1).map_or(0, |next| next.depth);
            symbol.depth > 0 && matches!(symbol.kind, SymbolKind::Phrase(_)) && next_depth <= symbol.depth
        });
        if empty { Err(DecodeError::EmptyPhrase(vertex)) } else { Ok(()) }
    }

    /// Sorts the words' tops into the phrases that they are children of.
    fn assemblies(&self) -> BTreeMap<(Vertex, SymbolId), Assembly> {
        let mut assemblies: BTreeMap<(Vertex, SymbolId), Assembly> = BTreeMap::new();
        for (word, vertex) in self.graph.words.iter().zip(self.graph.vertices()) {
            let Some(attachment) = word.attachment else { continue };
            let assembly =
                assemblies.entry((word.head, attachment)).or_insert(Assembly { left: vec![], right: vec![] });
            let side = if vertex < word.head { &mut assembly.left } else { &mut assembly.right };
            side.push(self.spine_top(vertex));
        }
        assemblies
    }

    fn spine_top(&self, vertex: Vertex) -> NodeId {
        let nodes = &self.nodes[vertex.index()];
        let top = self.graph.spine(vertex).and_then(|spine| spine.headed().next_back());
        top.map_or_else(|| nodes.tag.expect("a word has a leaf"), |id| nodes.symbols[id.index()])
    }

    /// Puts the children of a headed phrase under it: what hangs on the left, the head, what hangs on the right, and the nulls.
    fn assemble(
        &mut self,
        vertex: Vertex,
        id: SymbolId,
        head: Option<NodeId>,
        assembly: Assembly,
    ) -> Result<(), DecodeError> {
        let graph = self.graph;
        let spine = graph.spine(vertex).expect("a vertex of the graph");
        let phrase = self.nodes[vertex.index()].symbols[id.index()];
        let head_at = assembly.left.len() as i64;
        let overt: Vec<NodeId> = assembly.left.into_iter().chain(head).chain(assembly.right).collect();
        let mut at_place: Vec<Vec<NodeId>> = vec![Vec::new(); overt.len() + 1];
        for (offset, symbol) in
            spine.symbols[id.index() + 1..].iter().enumerate().take_while(|(_, symbol)| symbol.depth > 0)
        {
            if symbol.depth > 1 {
                continue;
            }
            let place = i64::from(symbol.place);
            let gap = match place {
                _ if head.is_none() => place,
                ..0 => head_at + 1 + place,
                0 => -1,
                1.. => head_at + place,
            };
            let slot = usize::try_from(gap).ok().and_then(|gap| at_place.get_mut(gap));
            slot.ok_or(DecodeError::Misplaced(vertex))?
                .push(self.nodes[vertex.index()].symbols[id.index() + 1 + offset]);
        }
        let mut overt = overt.into_iter();
        for nulls in at_place {
            nulls.into_iter().chain(overt.next()).for_each(|child| self.tree.append(phrase, child));
        }
        if self.tree.first_child(phrase).is_none() { Err(DecodeError::EmptyPhrase(vertex)) } else { Ok(()) }
    }

    /// Without a bracket around it the sentence is its own top.
    fn set_top(&mut self) -> Result<(), DecodeError> {
        if self.graph.root.headed().next().is_some() {
            return Ok(());
        }
        let nulls = self.graph.root.symbols.iter().enumerate().filter(|(_, symbol)| symbol.depth == 1);
        let mut children: Vec<NodeId> = nulls.map(|(index, _)| self.nodes[0].symbols[index]).collect();
        children.extend(
            self.graph
                .vertices()
                .filter(|&vertex| self.graph.words[vertex.index() - 1].head == Vertex::ROOT)
                .map(|vertex| self.spine_top(vertex)),
        );
        match children[..] {
            [] => Err(DecodeError::Empty),
            [only] => {
                self.replace_top(only);
                Ok(())
            }
            _ => Err(DecodeError::BareRoot(children.len())),
        }
    }

    fn replace_top(&mut self, only: NodeId) {
        let top = self.tree.become_top(only);
        for nodes in &mut self.nodes {
            nodes
                .tag
                .iter_mut()
                .chain(&mut nodes.symbols)
                .filter(|node| **node == only)
                .for_each(|node| *node = top);
        }
    }

    /// Writes the indices: each set of ends that edges join gets a number of its own.
    fn number(&mut self) -> Result<(), DecodeError> {
        let mut classes = Classes::default();
        for edge in &self.graph.traces {
            let (from, to) = (self.resolve(edge.from)?, self.resolve(edge.to)?);
            classes.join(from, to);
        }
        for &end in &self.graph.loose {
            let end = self.resolve(end)?;
            classes.join(end, end);
        }
        let mut labels: BTreeMap<NodeId, Vec<(SlotName, u32)>> = BTreeMap::new();
        for ((node, slot), class) in classes.members() {
            labels.entry(node).or_default().push((slot, class));
        }
        for (node, slots) in labels {
            self.write_slots(node, &slots);
        }
        self.tree.renumber();
        match self.unfilled() {
            Some(vertex) => Err(DecodeError::BadIndex(vertex)),
            None => Ok(()),
        }
    }

    /// The node and index that `end` names.
    fn resolve(&self, end: End) -> Result<(NodeId, SlotName), DecodeError> {
        let bad = DecodeError::BadIndex(end.vertex);
        let nodes = self.nodes.get(end.vertex.index()).ok_or_else(|| bad.clone())?;
        let node = match end.anchor {
            Anchor::Tag => nodes.tag,
            Anchor::Symbol(id) => nodes.symbols.get(id.index()).copied(),
        };
        let anchor = node.ok_or_else(|| bad.clone())?;
        let (node, slot) = match end.slot {
            SlotName::Below(nth) => (self.tree.preorder(anchor).skip(1).nth(nth as usize), SlotName::Index),
            SlotName::GapBelow(nth) => (self.tree.preorder(anchor).skip(1).nth(nth as usize), SlotName::Gap),
            SlotName::NullBelow(nth) => {
                let mut nulls = self.tree.leaves(anchor).filter(|&leaf| self.tree.is_null_element(leaf));
                (nulls.nth(nth as usize), SlotName::Null)
            }
            slot => (Some(anchor), slot),
        };
        let node = node.ok_or_else(|| bad.clone())?;
        let holes = self.tree.label_text(node).matches("()").count();
        let fits = match slot {
            SlotName::Null => self.tree.is_null_element(node),
            SlotName::Hole(hole) => (hole as usize) < holes,
            SlotName::Index | SlotName::Gap => holes == 0 && self.tree.can_carry_index(node),
            SlotName::Below(_) | SlotName::GapBelow(_) | SlotName::NullBelow(_) => false,
        };
        if fits { Ok((node, slot)) } else { Err(bad) }
    }

    fn write_slots(&mut self, node: NodeId, slots: &[(SlotName, u32)]) {
        if let Some(NullElement { kind, .. }) = self.tree.null_element(node) {
            let word = NullElement { kind, index: slots.first().map(|&(_, class)| class) }.text();
            self.tree.set_word(node, &word);
            return;
        }
        let filled: Vec<Slot> = slots
            .iter()
            .map(|&(slot, number)| {
                let kind = if slot == SlotName::Gap { SlotKind::Gap } else { SlotKind::Index };
                Slot { kind, number }
            })
            .collect();
        let label = Label::fill(self.tree.label_text(node), &filled);
        self.tree.set_label(node, &label);
    }

    /// A vertex with a label that still has a hole in it.
    fn unfilled(&self) -> Option<Vertex> {
        let vertices = std::iter::once(Vertex::ROOT).chain(self.graph.vertices());
        vertices.into_iter().find(|vertex| {
            let nodes = &self.nodes[vertex.index()];
            let labelled = nodes.tag.iter().chain(&nodes.symbols);
            labelled.into_iter().any(|&node| self.tree.label_text(node).contains(['(', ')']))
        })
    }
}

/// Disjoint sets of indices.
#[derive(Default)]
struct Classes {
    ids: BTreeMap<(NodeId, SlotName), usize>,
    parents: Vec<usize>,
}

impl Classes {
    fn id(&mut self, end: (NodeId, SlotName)) -> usize {
        *self.ids.entry(end).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    /// The first of its class. Each step on the way halves the way for the next, so that long chains of indices cost no more than short ones.
    fn find(&mut self, mut id: usize) -> usize {
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    fn join(&mut self, a: (NodeId, SlotName), b: (NodeId, SlotName)) {
        let (a, b) = (self.id(a), self.id(b));
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// Every index with the number of its class, in the order of nodes and, on a node, of [`SlotName`].
    fn members(mut self) -> Vec<((NodeId, SlotName), u32)> {
        let ids = std::mem::take(&mut self.ids);
        ids.into_iter().map(|(end, id)| (end, self.find(id) as u32 + 1)).collect()
    }
}

#[cfg(test)]
mod tests;
