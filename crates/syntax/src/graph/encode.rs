//! [`Tree`] → [`Graph`].

use std::collections::BTreeMap;

use super::{Anchor, End, Graph, SlotName, Spine, Symbol, SymbolId, SymbolKind, TraceEdge, Vertex, Word};
use crate::heads::HeadTable;
use crate::tree::{Event, Kind, NodeId, SlotKind, Tree};

/// The phrases that the ends of a trace edge are on. All three keep everything; they differ in how often edges cross.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Targets {
    /// The nodes that have the indices.
    Referent,
    /// For a gap (`=1`), the parent of the node whose role it shares: the paper's "parallel construction shift". DIVERGENCE: the
    /// authors' shift forgets which child was meant; here the edge says so ([`SlotName::Below`]).
    Parent,
    /// For a gap, the whole first conjunct, which all gaps of a sentence then share. And for a null that says where something
    /// belongs that stands elsewhere ([`PSEUDO_ATTACHMENT`]), the phrase that holds both ([`SlotName::NullBelow`]): the
    /// edge then runs beside the structural edge of what was moved, and crosses nothing. DIVERGENCE: not in the paper.
    Common,
}

/// Types of null elements that mark where a constituent belongs which is attached elsewhere.
pub const PSEUDO_ATTACHMENT: [&str; 2] = ["*EXP*", "*ICH*"];

/// Labels of an outermost bracket that only wraps the sentence. It belongs to the root and to no word's spine.
pub const WRAPPERS: [&str; 4] = ["", "ROOT", "TOP", "S1"];

/// Where a node of the tree is in the graph.
type Home = (Vertex, Anchor);

/// An index as it stands in the tree.
#[derive(Clone, Copy)]
struct Index {
    number: u32,
    node: NodeId,
    end: End,
    /// Whether it points to another and is not itself what others point to: a null element's, a gap's.
    refers: bool,
    is_gap: bool,
}

/// The graph of `tree`, with heads by `table`.
pub fn encode(tree: &Tree, table: &HeadTable, targets: Targets) -> Graph {
    let heads = head_words(tree, table);
    let mut encoder = Encoder { tree, heads, homes: vec![None; tree.arena_len()], graph: Graph::default() };
    encoder.root();
    for (index, leaf) in tree.word_nodes().enumerate() {
        encoder.word(Vertex(index as u32 + 1), leaf);
    }
    encoder.attach();
    encoder.link(targets);
    encoder.graph.sort_traces();
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
    fn link(&mut self, targets: Targets) {
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
                let to = self.gap_target(index, referent, targets).unwrap_or(referent.end);
                let from = self.common_phrase(index, referent, targets).unwrap_or(index.end);
                self.graph.traces.push(TraceEdge { kind: self.trace_kind(index).to_owned(), from, to });
            } else if classes[&index.number].len() == 1 {
                self.graph.loose.push(index.end);
            }
        }
    }

    fn trace_kind(&self, index: Index) -> &str {
        match self.tree.null_element(index.node) {
            Some(null) => null.kind,
            None if index.is_gap => "=",
            None => "-",
        }
    }

    /// The indices on `node`, in the order in which they stand.
    fn indices(&self, node: NodeId) -> Vec<Index> {
        let Some((vertex, anchor)) = self.homes[node.index()] else { return Vec::new() };
        let index = |number, slot, refers, is_gap| Index {
            number,
            node,
            end: End { vertex, anchor, slot },
            refers,
            is_gap,
        };
        if let Some(null) = self.tree.null_element(node) {
            return null.index.map(|number| index(number, SlotName::Null, true, false)).into_iter().collect();
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
            .map(|(place, slot)| {
                let is_gap = slot.kind == SlotKind::Gap;
                index(slot.number, slot_name(place, slot.kind), is_gap, is_gap)
            })
            .collect()
    }

    /// The index that the others of its number refer to: on the label that has it as `-1`, the last one in post-order if there are several
    /// (as the authors' program has it), the first index of all if there is none.
    fn referent(&self, class: &[Index]) -> Index {
        let mut candidates: Vec<Index> = class.iter().filter(|index| !index.refers).copied().collect();
        if candidates.len() > 1 {
            let order: Vec<NodeId> = self.tree.postorder(self.tree.top()).collect();
            candidates.sort_by_key(|index| order.iter().position(|&node| node == index.node));
        }
        *candidates.last().unwrap_or(&class[0])
    }

    /// Where the edge of a gap goes instead of to its referent.
    fn gap_target(&self, gap: Index, referent: Index, targets: Targets) -> Option<End> {
        let below = match referent.end.slot {
            SlotName::Index if gap.is_gap => SlotName::Below,
            SlotName::Gap if gap.is_gap => SlotName::GapBelow,
            _ => return None,
        };
        let parent = self.tree.parent(referent.node)?;
        let phrase = match targets {
            Targets::Referent => return None,
            Targets::Parent => parent,
            Targets::Common => {
                let path = std::iter::once(referent.node).chain(self.tree.ancestors(referent.node));
                let conjunct = path.take_while(|&node| !self.is_above(node, gap.node)).last()?;
                if conjunct == referent.node { parent } else { conjunct }
            }
        };
        let nth = self.tree.preorder(phrase).skip(1).position(|node| node == referent.node)?;
        let end = self.on_headed_phrase(phrase, below(nth as u32))?;
        (!self.graph.is_null(referent.end) && end.vertex != Vertex::ROOT).then_some(end)
    }

    /// The phrase from which the edge of a pseudo-attachment goes instead of from its null element.
    fn common_phrase(&self, null: Index, referent: Index, targets: Targets) -> Option<End> {
        let kind = self.tree.null_element(null.node)?.kind;
        if targets < Targets::Common
            || !PSEUDO_ATTACHMENT.contains(&kind)
            || self.is_above(referent.node, null.node)
        {
            return None;
        }
        let common = self.tree.ancestors(null.node).find(|&phrase| self.is_above(phrase, referent.node))?;
        let nulls = self.tree.leaves(common).filter(|&leaf| self.tree.is_null_element(leaf));
        let nth = nulls.into_iter().position(|leaf| leaf == null.node)?;
        self.on_headed_phrase(common, SlotName::NullBelow(nth as u32))
    }

    fn on_headed_phrase(&self, phrase: NodeId, slot: SlotName) -> Option<End> {
        let (vertex, anchor) = self.homes[phrase.index()]?;
        let end = End { vertex, anchor, slot };
        self.graph.symbol(end)?.is_headed().then_some(end)
    }

    fn is_above(&self, a: NodeId, b: NodeId) -> bool {
        self.tree.ancestors(b).any(|above| above == a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the trace edges of a tree go: the word, the phrase of its spine from the bottom, the index there.
    fn targets_of(text: &str, targets: Targets) -> Vec<(u32, u32, SlotName)> {
        let graph = encode(&text.parse().unwrap(), &HeadTable::named("penn").unwrap(), targets);
        let place = |end: End| match end.anchor {
            Anchor::Symbol(SymbolId(symbol)) => (end.vertex.0, symbol, end.slot),
            Anchor::Tag => panic!("no index of {text} is on a tag"),
        };
        graph.traces.iter().map(|edge| place(edge.to)).collect()
    }

    #[test]
    fn the_root_has_a_bracket_only_if_that_wraps_the_sentence() {
        for (text, root, word) in [("( (S (NN a)))", 1, 1), ("(S (NN a))", 0, 1)] {
            let graph = encode(&text.parse().unwrap(), &HeadTable::named("penn").unwrap(), Targets::Referent);
            assert_eq!(
                (graph.root.symbols.len(), graph.words[0].spine.symbols.len()),
                (root, word),
                "{text}"
            );
        }
    }

    #[test]
    fn of_several_referents_the_last_in_post_order_is_meant() {
        let text = "( (S (NP-1 (NP-1 (NN cake)) (PP (IN of) (NP (NN rice)))) (VP (VBD was) (VP (VBN made) (NP (-NONE- *-1))))))";
        let outer = (1, 1, SlotName::Index);
        assert_eq!(targets_of(text, Targets::Referent), [outer, outer]);
    }

    #[test]
    fn a_gap_alone_is_shifted_to_its_parallel() {
        let gap = "( (S (S (NP=1 (NN a)) (VP (VBD b))) (CC and) (S (NP=1 (NN c)) (VP (VBD d)))))";
        assert_eq!(targets_of(gap, Targets::Parent), [(2, 1, SlotName::GapBelow(0))]);
        let null = "( (S (NP=1 (NN a)) (VP (VBD b) (NP (-NONE- *-1)))))";
        assert_eq!(targets_of(null, Targets::Parent), [(1, 0, SlotName::Gap)]);
    }

    #[test]
    fn no_gap_is_shifted_to_the_root_or_from_a_null() {
        let root = "( (NP-1 (NN a)) (NP=1 (NN b)))";
        assert_eq!(targets_of(root, Targets::Parent), [(1, 0, SlotName::Index)]);
        let null = "( (S (NP-1 (-NONE- *)) (VP (VBD b)) (NP=1 (NN c))))";
        assert_eq!(targets_of(null, Targets::Parent), [(1, 2, SlotName::Index)]);
    }
}
