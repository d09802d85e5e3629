//! The outline of a graph: parents and children in the tree it stands for, read off spines and structural edges without decoding.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::{Anchor, Graph, Symbol, SymbolId, SymbolKind, Vertex};

/// A node of the tree, named as the graph names it.
pub(crate) type Node = (Vertex, Anchor);

/// The children of a headed phrase that hold a word, left to right.
pub(crate) struct Overt {
    pub(crate) children: Vec<Node>,
    /// Which of them is the head; `None` under the root.
    head: Option<usize>,
}

impl Overt {
    /// How many of the children stand before what has this [place](Symbol::place).
    pub(crate) fn gap(&self, place: i32) -> usize {
        let head = self.head.map_or(0, |head| head as i32);
        let gap = if place < 0 { head + 1 + place } else { head + place };
        usize::try_from(gap).unwrap_or(0).min(self.children.len())
    }

    /// The [place](Symbol::place) of what has so many of the children before it.
    pub(crate) fn place(&self, gap: usize) -> i32 {
        match self.head {
            None => gap as i32,
            Some(head) if gap <= head => gap as i32 - head as i32 - 1,
            Some(head) => gap as i32 - head as i32,
        }
    }
}

impl Graph {
    /// The parent of a word, or of a phrase that it heads. `None` for the top of the tree.
    pub(crate) fn parent(&self, (vertex, anchor): Node) -> Option<Node> {
        let word = self.word(vertex)?;
        let mut above = word.spine.headed().map(Anchor::Symbol).filter(|&above| above > anchor);
        let attachment = || Some((word.head, Anchor::Symbol(word.attachment?)));
        above.next().map(|above| (vertex, above)).or_else(attachment)
    }
}

/// A graph with its structural edges sorted by the phrase they come to.
pub(crate) struct Outline<'a> {
    pub(crate) graph: &'a Graph,
    dependants: BTreeMap<(Vertex, SymbolId), Vec<Vertex>>,
    node_count: usize,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(graph: &'a Graph) -> Outline<'a> {
        let mut dependants: BTreeMap<_, Vec<Vertex>> = BTreeMap::new();
        for (word, vertex) in graph.words.iter().zip(graph.vertices()) {
            if let Some(attachment) = word.attachment {
                dependants.entry((word.head, attachment)).or_default().push(vertex);
            }
        }
        let spines = graph.words.iter().map(|word| &word.spine).chain([&graph.root]);
        let node_count = graph.words.len() + spines.map(|spine| spine.symbols.len()).sum::<usize>();
        Outline { graph, dependants, node_count }
    }

    /// Every vertex, the root first.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        std::iter::once(Vertex::ROOT).chain(self.graph.vertices())
    }

    pub(crate) fn symbols(&self, vertex: Vertex) -> &'a [Symbol] {
        self.graph.spine(vertex).map_or(&[], |spine| &spine.symbols)
    }

    /// The label of a phrase or the tag of a word, empty for a bare word.
    pub(crate) fn label(&self, (vertex, anchor): Node) -> &'a str {
        match anchor {
            Anchor::Tag => self.graph.word(vertex).and_then(|word| word.tag.as_deref()).unwrap_or_default(),
            Anchor::Symbol(id) => self.symbols(vertex).get(id.index()).map_or("", Symbol::name),
        }
    }

    pub(crate) fn overt(&self, vertex: Vertex, phrase: SymbolId) -> Overt {
        let dependants = self.dependants.get(&(vertex, phrase)).map_or(&[][..], Vec::as_slice);
        let mut children: Vec<Node> = dependants.iter().map(|&child| (child, self.top(child))).collect();
        if vertex == Vertex::ROOT {
            return Overt { children, head: None };
        }
        let head = dependants.partition_point(|&child| child < vertex);
        let spine = &self.symbols(vertex)[..phrase.index()];
        let below = spine.iter().rposition(Symbol::is_headed);
        children.insert(head, (vertex, below.map_or(Anchor::Tag, symbol_anchor)));
        Overt { children, head: Some(head) }
    }

    /// The highest node of a word's spine: the word itself if it heads nothing.
    fn top(&self, vertex: Vertex) -> Anchor {
        self.symbols(vertex).iter().rposition(Symbol::is_headed).map_or(Anchor::Tag, symbol_anchor)
    }

    /// All nodes below `node`, parents first, in the order of a [`Tree`](crate::tree::Tree).
    pub(crate) fn preorder_below(&self, node: Node) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut stack = self.children(node);
        stack.reverse();
        while let Some(next) = stack.pop() {
            nodes.push(next);
            stack.extend(self.children(next).into_iter().rev());
        }
        nodes
    }

    /// All nodes below `node`, the nearest first.
    pub(crate) fn nearest_below(&self, node: Node) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut queue = VecDeque::from(self.children(node));
        while let Some(next) = queue.pop_front() {
            nodes.push(next);
            // a graph that was predicted may go round in circles
            if nodes.len() > self.node_count {
                break;
            }
            queue.extend(self.children(next));
        }
        nodes
    }

    /// The children of a node, left to right.
    pub(crate) fn children(&self, (vertex, anchor): Node) -> Vec<Node> {
        let Anchor::Symbol(id) = anchor else { return Vec::new() };
        let symbols = self.symbols(vertex);
        let hanging = subtrees(symbols, id.index() + 1, symbols[id.index()].depth + 1);
        let hanging = hanging.into_iter().map(|range| range.start);
        if !symbols[id.index()].is_headed() {
            return hanging.map(|index| (vertex, symbol_anchor(index))).collect();
        }
        let overt = self.overt(vertex, id);
        let mut hanging: Vec<usize> = hanging.collect();
        hanging.sort_by_key(|&index| symbols[index].place);
        let mut children = overt.children.clone();
        for index in hanging.into_iter().rev() {
            children.insert(overt.gap(symbols[index].place), (vertex, symbol_anchor(index)));
        }
        children
    }

    pub(crate) fn is_null_element(&self, (vertex, anchor): Node) -> bool {
        let Anchor::Symbol(id) = anchor else { return false };
        matches!(self.symbols(vertex)[id.index()].kind, SymbolKind::Null(_))
    }
}

/// The place in a spine as an anchor.
pub(crate) fn symbol_anchor(index: usize) -> Anchor {
    Anchor::Symbol(SymbolId(index as u32))
}

/// The subtrees of depth `depth` that follow each other from `start` on, as ranges of `symbols`.
pub(crate) fn subtrees(symbols: &[Symbol], start: usize, depth: u32) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (offset, symbol) in symbols[start..].iter().take_while(|symbol| symbol.depth >= depth).enumerate() {
        let index = start + offset;
        match ranges.last_mut() {
            Some(last) if symbol.depth > depth => last.end = index + 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Targets, encode};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    #[test]
    fn the_outline_has_the_order_of_the_tree() {
        let text = "( (S (-NONE- x) (NP (DT a) (-NONE- y) (NN b) (-NONE- z)) (NP (-NONE- u) (NP (-NONE- v))) \
                    (VP (VB c) (-NONE- w) (PP (IN d))) (-NONE- t)))";
        let tree: Tree = text.parse().unwrap();
        let graph = encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        let outline = Outline::of(&graph);
        let labels: Vec<&str> = outline
            .preorder_below((Vertex::ROOT, symbol_anchor(0)))
            .into_iter()
            .map(|node| outline.label(node))
            .collect();
        assert_eq!(labels.join(" "), "S x NP DT y NN z NP u NP v VP VB w PP IN t");
        let nearest = outline.nearest_below((Vertex::ROOT, symbol_anchor(0)));
        let labels: Vec<&str> = nearest.into_iter().map(|node| outline.label(node)).collect();
        assert_eq!(labels.join(" "), "S x NP NP VP t DT y NN z u NP VB w PP v IN");
    }

    #[test]
    fn places_and_gaps_are_inverse() {
        let children = vec![(Vertex(1), Anchor::Tag); 3];
        for head in [None, Some(0), Some(1), Some(2)] {
            let overt = Overt { children: children.clone(), head };
            for gap in 0..=3 {
                assert_eq!(overt.gap(overt.place(gap)), gap, "{head:?}");
            }
        }
    }
}
