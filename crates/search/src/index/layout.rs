//! The rows of an index file, and where they are.
//!
//! All numbers are little-endian.
//!
//! ```text
//! magic (8), head (64): length and time of the corpus, trees, nodes, labels, length of the texts, sum of the order, sum of all that (8 each)
//! nodes, tree after tree in pre-order: label (4), steps back to the parent (2; 1 for the outermost), nodes at and below it (2)
//! trees, and a row for the end: place in the corpus (8), first node (8), length of the text (4), sum of these and of its nodes (4)
//! labels: place and length of the text (8 + 4), place and length of the list (8 + 4), sum of the list (8), sum of the text and of all that (8)
//! order: the labels in the order of their texts (4 each)
//! texts, then lists: the numbers of the trees that have the label, from 1, as differences, 7 bits a byte
//! ```

use super::sum::sum;
use crate::view::Links;

/// The beginning of an index of any version.
pub(super) const NAME: &[u8] = b"tbindex";

pub(super) const MAGIC: &[u8; 8] = b"tbindex2";

/// The numbers that all else is found by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Head {
    /// Length and time of the corpus.
    pub(super) state: [u64; 2],
    pub(super) trees: u64,
    pub(super) nodes: u64,
    pub(super) labels: u64,
    pub(super) texts: u64,
    pub(super) order: u64,
}

impl Head {
    /// How long magic and head are.
    pub(super) const LENGTH: usize = 8 + 64;

    fn numbers(&self) -> [u64; 7] {
        let [length, time] = self.state;
        [length, time, self.trees, self.nodes, self.labels, self.texts, self.order]
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.numbers().iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(sum(0, &bytes).to_le_bytes());
        bytes
    }

    /// The head of a file; `None` if it is damaged, or the file is too short for it.
    pub(super) fn of(file: &[u8]) -> Option<Head> {
        let numbers = file.strip_prefix(MAGIC)?.get(..Head::LENGTH - 8)?;
        let number = |place: usize| u64_at(numbers, 8 * place);
        let head = Head {
            state: [number(0)?, number(1)?],
            trees: number(2)?,
            nodes: number(3)?,
            labels: number(4)?,
            texts: number(5)?,
            order: number(6)?,
        };
        // no place is so large that it cannot be reckoned with
        let small = head.numbers()[2..6].iter().all(|&number| number < 1 << 48);
        (small && head.to_bytes() == numbers && head.lists_at() <= file.len() as u64).then_some(head)
    }

    pub(super) fn nodes_at() -> u64 {
        Head::LENGTH as u64
    }

    pub(super) fn trees_at(&self) -> u64 {
        Head::nodes_at() + NodeRow::LENGTH as u64 * self.nodes
    }

    pub(super) fn labels_at(&self) -> u64 {
        self.trees_at() + TreeRow::LENGTH as u64 * (self.trees + 1)
    }

    pub(super) fn order_at(&self) -> u64 {
        self.labels_at() + Label::LENGTH as u64 * self.labels
    }

    pub(super) fn texts_at(&self) -> u64 {
        self.order_at() + 4 * self.labels
    }

    pub(super) fn lists_at(&self) -> u64 {
        self.texts_at() + self.texts
    }
}

/// The number at a place.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The number at a place.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A node: its label, and its links as distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeRow {
    label: u32,
    up: u16,
    size: u16,
}

impl NodeRow {
    pub(super) const LENGTH: usize = 8;

    /// The row of a node with this number; `None` where a distance is too long.
    pub(super) fn of(node: u32, links: &Links) -> Option<NodeRow> {
        // the outermost has none, which is one step back from 0
        let up = node.wrapping_sub(links.parent);
        Some(NodeRow {
            label: links.label,
            up: up.try_into().ok()?,
            size: (links.end - node).try_into().ok()?,
        })
    }

    pub(super) fn to_bytes(self) -> [u8; NodeRow::LENGTH] {
        let number = u64::from(self.label) | u64::from(self.up) << 32 | u64::from(self.size) << 48;
        number.to_le_bytes()
    }

    /// The links of the node with this number, with so many nodes of the tree from it on; and whether they can be.
    #[inline]
    pub(super) fn links(bytes: [u8; NodeRow::LENGTH], node: u32, rest: u32) -> (Links, bool) {
        let number = u64::from_le_bytes(bytes);
        let (label, up, size) = (number as u32, (number >> 32) as u32 & 0xffff, (number >> 48) as u32);
        let links = Links { label, parent: node.wrapping_sub(up), end: node + size };
        // a parent is before its children, and the outermost has none; an interval has its own node in it
        let has_place = if node == 0 { up == 1 } else { up.wrapping_sub(1) < node };
        (links, has_place & (size.wrapping_sub(1) < rest))
    }
}

/// A tree: where its text and its nodes begin.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct TreeRow {
    pub(super) text: u64,
    pub(super) node: u64,
    /// The length of its text.
    pub(super) length: u32,
    sum: u32,
}

impl TreeRow {
    pub(super) const LENGTH: usize = 24;

    pub(super) fn new(text: u64, length: u32, node: u64, nodes: &[u8]) -> TreeRow {
        let mut row = TreeRow { text, node, length, sum: 0 };
        row.sum = row.sum_with(nodes);
        row
    }

    fn sum_with(&self, nodes: &[u8]) -> u32 {
        sum(self.text.rotate_left(32) ^ self.node ^ u64::from(self.length).rotate_left(48), nodes) as u32
    }

    /// Whether these are the nodes of the tree, and the row as it was written.
    pub(super) fn has_nodes(&self, nodes: &[u8]) -> bool {
        self.sum_with(nodes) == self.sum
    }

    pub(super) fn to_bytes(self) -> [u8; TreeRow::LENGTH] {
        let mut bytes = [0; TreeRow::LENGTH];
        bytes[..8].copy_from_slice(&self.text.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.node.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.length.to_le_bytes());
        bytes[20..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    pub(super) fn of(row: &[u8]) -> Option<TreeRow> {
        let (text, node) = (u64_at(row, 0)?, u64_at(row, 8)?);
        Some(TreeRow { text, node, length: u32_at(row, 16)?, sum: u32_at(row, 20)? })
    }
}

/// A label: its text, and the list of the trees that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    pub(super) text: (u64, u32),
    pub(super) list: (u64, u32),
    list_sum: u64,
    sum: u64,
}

impl Label {
    pub(super) const LENGTH: usize = 40;

    pub(super) fn new(text_at: u64, text: &str, list_at: u64, list: &[u8]) -> Label {
        let list_sum = sum(0, list);
        let mut label = Label {
            text: (text_at, text.len() as u32),
            list: (list_at, list.len() as u32),
            list_sum,
            sum: 0,
        };
        label.sum = label.own_sum(text.as_bytes());
        label
    }

    fn own_sum(&self, text: &[u8]) -> u64 {
        sum(sum(0, &self.to_bytes()[..Label::LENGTH - 8]), text)
    }

    pub(super) fn to_bytes(self) -> [u8; Label::LENGTH] {
        let mut bytes = [0; Label::LENGTH];
        bytes[..8].copy_from_slice(&self.text.0.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.text.1.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.list.0.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.list.1.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.list_sum.to_le_bytes());
        bytes[32..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    pub(super) fn of(row: &[u8]) -> Option<Label> {
        Some(Label {
            text: (u64_at(row, 0)?, u32_at(row, 8)?),
            list: (u64_at(row, 12)?, u32_at(row, 20)?),
            list_sum: u64_at(row, 24)?,
            sum: u64_at(row, 32)?,
        })
    }

    /// Whether this is the text of the row, and the row as it was written.
    pub(super) fn has_text(&self, text: &[u8]) -> bool {
        self.own_sum(text) == self.sum
    }

    /// Whether this is the list of the row.
    pub(super) fn has_list(&self, list: &[u8]) -> bool {
        sum(0, list) == self.list_sum
    }
}
