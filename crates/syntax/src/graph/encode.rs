//! [`Tree`] → [`Graph`].

use std::collections::BTreeMap;

use super::{Anchor, End, Graph, SlotName, Spine, Symbol, SymbolId, SymbolKind, TraceEdge, Vertex, Word};
use crate::heads::HeadTable;
use crate::tree::{Event, Kind, NodeId, SlotKind, Tree};

/// Where the edge of a gap (`=1`) goes. Both ways keep everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// To the node whose role the gapped one shares.
    ToReferent,
    /// To the parent of that node, as the paper's last row does: fewer edges cross. DIVERGENCE: the authors' shift forgets which
    /// child was meant; here the edge says so ([`SlotName::Child`]).
    ToParent,
}

/// Labels of an outermost bracket that only wraps the sentence. It belongs to the root and to no word's spine.
const WRAPPERS: [&str; 4] = ["", "ROOT", "TOP", "S1"];

/// Where a node of the tree is in the graph.
type Home = (Vertex, Anchor);

/// An index as it stands in the tree.
#[derive(Clone, Copy)]
struct Index {
    number: u32,
    node: NodeId,
    end: End,
    /// Whether it points to another (a null element's, a gap's) and is not itself what others point to.
    refers: bool,
}

/// The graph of `tree`, with heads by `table`.
pub fn encode(tree: &Tree, table: &HeadTable, parallel: Parallel) -> Graph {
    let heads = head_words(tree, table);
    let mut encoder = Encoder { tree, heads, homes: vec![None; tree.arena_len()], graph: Graph::default() };
    encoder.root();
    for (index, leaf) in tree.word_nodes().enumerate() {
        encoder.word(Vertex(index as u32 + 1), leaf);
    }
    encoder.attach();
    encoder.link(parallel);
    encoder.graph
}

/// The head word of each node; `None` where there is no word.
fn head_words(tree: &Tree, table: &HeadTable) -> Vec<Option<Vertex>> {
    let mut heads = vec![None; tree.arena_len()];
    let mut words = 0;
    let mut children = Vec::new();
    for node in tree.postorder(tree.top()) {
        heads[node.index()] = if tree.kind(node) == Kind::Phrase {
            children.clear();
            children.extend(tree.children(node).filter(|child| heads[child.index()].is_some()));
            (!children.is_empty())
                .then(|| heads[children[table.head(tree, node, &children)].index()])
                .flatten()
        } else if tree.is_word(node) {
            words += 1;
            Some(Vertex(words))
        } else {
            None
        };
    }
    heads
}

struct Encoder<'a> {
    tree: &'a Tree,
    heads: Vec<Option<Vertex>>,
    homes: Vec<Option<Home>>,
    graph: Graph,
}

impl Encoder<'_> {
    fn head(&self, node: NodeId) -> Option<Vertex> {
        self.heads[node.index()]
    }

    fn wrapper(&self) -> Option<NodeId> {
        let top = self.tree.top();
        let wraps = self.tree.kind(top) == Kind::Phrase && WRAPPERS.contains(&self.tree.label_text(top));
        wraps.then_some(top)
    }

    fn root(&mut self) {
        let mut spine = Spine::default();
        if let Some(wrapper) = self.wrapper() {
            self.headed_symbol(&mut spine, Vertex::ROOT, wrapper);
        } else if self.head(self.tree.top()).is_none() {
            self.hanging_symbols(&mut spine, Vertex::ROOT, self.tree.top(), 0);
        }
        self.graph.root = spine;
    }

    fn word(&mut self, vertex: Vertex, leaf: NodeId) {
        let tree = self.tree;
        self.homes[leaf.index()] = Some((vertex, Anchor::Tag));
        let mut spine = Spine::default();
        let wrapper = self.wrapper();
        for node in tree.ancestors(leaf) {
            if Some(node) == wrapper || self.head(node) != Some(vertex) {
                break;
            }
            self.headed_symbol(&mut spine, vertex, node);
        }
        self.graph.words.push(Word {
            form: tree.word(leaf).unwrap_or_default().to_owned(),
            tag: (tree.kind(leaf) == Kind::Token).then(|| tree.label(leaf).shape().into_owned()),
            spine,
            head: Vertex::ROOT,
            attachment: None,
        });
    }

    /// Adds the phrase `node`, and all null that hangs in it, to the spine of the word that heads it (or of the root).
    fn headed_symbol(&mut self, spine: &mut Spine, vertex: Vertex, node: NodeId) {
        let tree = self.tree;
        self.push(spine, vertex, node, 0, 0);
        let is_head = |child: NodeId| vertex != Vertex::ROOT && self.heads[child.index()] == Some(vertex);
        let overt: Vec<NodeId> = tree.children(node).filter(|&child| self.head(child).is_some()).collect();
        let head = overt.iter().position(|&child| is_head(child)).unwrap_or(0) as i32;
        let mut before = 0;
        for child in tree.children(node) {
            if self.head(child).is_some() {
                before += 1;
                continue;
            }
            let place = if vertex == Vertex::ROOT {
                before
            } else if before <= head {
                before - head - 1
            } else {
                before - head
            };
            self.hanging_symbols(spine, vertex, child, place);
        }
    }

    /// Adds the null `node` and all below it.
    fn hanging_symbols(&mut self, spine: &mut Spine, vertex: Vertex, node: NodeId, place: i32) {
        let mut depth = 0;
        for event in self.tree.walk(node) {
            match event {
                Event::Enter(below) => {
                    depth += 1;
                    self.push(spine, vertex, below, depth, if below == node { place } else { 0 });
                }
                Event::Leave(_) => depth -= 1,
            }
        }
    }

    fn push(&mut self, spine: &mut Spine, vertex: Vertex, node: NodeId, depth: u32, place: i32) {
        let kind = match (self.tree.word(node), self.tree.null_element(node)) {
            (None, _) => SymbolKind::Phrase(self.tree.label(node).shape().into_owned()),
            (Some(_), Some(null)) => SymbolKind::Null(null.kind.to_owned()),
            (Some(text), None) => {
                SymbolKind::Mark { tag: self.tree.label_text(node).to_owned(), text: text.to_owned() }
            }
        };
        self.homes[node.index()] = Some((vertex, Anchor::Symbol(SymbolId(spine.symbols.len() as u32))));
        spine.symbols.push(Symbol { kind, depth, place });
    }

    /// Adds the structural edges: every spine is there now.
    fn attach(&mut self) {
        for (index, leaf) in self.tree.word_nodes().enumerate() {
            let vertex = Vertex(index as u32 + 1);
            let wrapper = self.wrapper();
            let parent = self
                .tree
                .ancestors(leaf)
                .find(|&node| Some(node) == wrapper || self.head(node) != Some(vertex));
            if let Some((head, Anchor::Symbol(attachment))) = parent.and_then(|node| self.homes[node.index()])
            {
                let word = &mut self.graph.words[index];
                (word.head, word.attachment) = (head, Some(attachment));
            }
        }
    }

    /// Adds an edge for every index that shares its number with another.
    fn link(&mut self, parallel: Parallel) {
        let indices: Vec<Index> =
            self.tree.preorder(self.tree.top()).flat_map(|node| self.indices(node)).collect();
        let mut classes: BTreeMap<u32, Vec<Index>> = BTreeMap::new();
        for &index in &indices {
            classes.entry(index.number).or_default().push(index);
        }
        let referents: BTreeMap<u32, Index> =
            classes.iter().map(|(&number, class)| (number, self.referent(class))).collect();
        for index in indices {
            let referent = referents[&index.number];
            if index.end != referent.end {
                let shift = parallel == Parallel::ToParent && index.end.slot == SlotName::Gap;
                let to = if shift { self.shifted(referent) } else { referent.end };
                self.graph.traces.push(TraceEdge { from: index.end, to });
            } else if classes[&index.number].len() == 1 {
                self.graph.loose.push(index.end);
            }
        }
    }

    /// The indices on `node`, in the order in which they stand.
    fn indices(&self, node: NodeId) -> Vec<Index> {
        let Some((vertex, anchor)) = self.homes[node.index()] else { return Vec::new() };
        let index = |number, slot, refers| Index { number, node, end: End { vertex, anchor, slot }, refers };
        if let Some(null) = self.tree.null_element(node) {
            return null.index.map(|number| index(number, SlotName::Null, true)).into_iter().collect();
        }
        if !self.tree.can_carry_index(node) {
            return Vec::new();
        }
        let label = self.tree.label(node);
        let has_holes = label.shape().contains('(');
        let slot_name = |place: usize, kind| match kind {
            _ if has_holes => SlotName::Hole(place as u32),
            SlotKind::Index => SlotName::Index,
            SlotKind::Gap => SlotName::Gap,
        };
        let slots = label.slots().enumerate();
        slots
            .map(|(place, slot)| index(slot.number, slot_name(place, slot.kind), slot.kind == SlotKind::Gap))
            .collect()
    }

    /// What the indices of one number refer to: the label that has it as `-1`, the last one in post-order if there are several
    /// (as the authors' program has it), the first index of all if there is none.
    fn referent(&self, class: &[Index]) -> Index {
        let mut candidates: Vec<Index> = class.iter().filter(|index| !index.refers).copied().collect();
        if candidates.len() > 1 {
            let order: Vec<NodeId> = self.tree.postorder(self.tree.top()).collect();
            candidates.sort_by_key(|index| order.iter().position(|&node| node == index.node));
        }
        *candidates.last().unwrap_or(&class[0])
    }

    /// The end of `referent` as a child of its parent, if both are phrases that some word heads.
    fn shifted(&self, Index { node, end: to, .. }: Index) -> End {
        let headed = |end: End| self.graph.symbol(end).is_none_or(Symbol::is_headed);
        let Some(parent) = self.tree.parent(node) else { return to };
        let Some((vertex, anchor)) = self.homes[parent.index()] else { return to };
        let child = self.tree.children(parent).position(|child| child == node).unwrap_or_default();
        let shifted = End { vertex, anchor, slot: SlotName::Child(child as u32) };
        if to.slot == SlotName::Index && vertex != Vertex::ROOT && headed(to) && headed(shifted) {
            shifted
        } else {
            to
        }
    }
}
