//! The layout of a tree: where its nodes stand.
//!
//! Every node has a column of its own, wide enough for its label and for the columns of its children side by side; so no
//! two labels can meet. Words stand in one row at the bottom; a phrase stands one step above its highest child, which
//! keeps small phrases close to their words. Lines go from a phrase down to a bar below it, along the bar and down the
//! child's own column, where nothing else stands.

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::measure::{is_right_to_left, text_width};

pub(super) const LABEL_SIZE: f64 = 14.0;
pub(super) const TAG_SIZE: f64 = 11.0;
/// Free room between two neighbours.
const GAP: f64 = 12.0;
/// From a row of labels to the next.
pub(super) const STEP: f64 = 34.0;
const MARGIN: f64 = 14.0;

/// Places of nodes, by their index in the arena.
pub(super) struct TreeLayout {
    /// The middle of each node's label.
    pub(super) x: Vec<f64>,
    /// The left and right end of each node's column.
    pub(super) column: Vec<(f64, f64)>,
    /// The baseline of each node's label; for a leaf, of its tag.
    pub(super) y: Vec<f64>,
    /// The baseline of the words.
    pub(super) word_y: f64,
    pub(super) width: f64,
}

impl TreeLayout {
    pub(super) fn of(tree: &Tree) -> TreeLayout {
        let (widths, heights) = measure(tree);
        let top_y = MARGIN + LABEL_SIZE;
        let top = drawn_root(tree).index();
        let word_y = top_y + f64::from(heights[top]) * STEP + LABEL_SIZE + 3.0;
        let mut layout = TreeLayout {
            x: vec![0.0; tree.arena_len()],
            column: vec![(0.0, 0.0); tree.arena_len()],
            y: heights
                .iter()
                .map(|&height| top_y + f64::from(heights[top] - height.min(heights[top])) * STEP)
                .collect(),
            word_y,
            width: widths[top] + 2.0 * MARGIN,
        };
        layout.place_columns(tree, &widths);
        layout.place_labels(tree);
        if reads_right_to_left(tree.words()) {
            layout.mirror();
        }
        layout
    }

    /// Parents first: a phrase hands its column out to its children, side by side in the middle.
    fn place_columns(&mut self, tree: &Tree, widths: &[f64]) {
        let root = drawn_root(tree);
        self.column[root.index()] = (MARGIN, self.width - MARGIN);
        for node in tree.preorder(root) {
            let (left, right) = self.column[node.index()];
            let needed: f64 = tree.children(node).map(|child| widths[child.index()]).sum();
            let mut at = left + (right - left - needed) / 2.0;
            for child in tree.children(node) {
                let width = widths[child.index()];
                self.column[child.index()] = (at, at + width);
                at += width;
            }
        }
    }

    /// Children first: a label stands over the middle of its children, as far as its column lets it.
    fn place_labels(&mut self, tree: &Tree) {
        for node in tree.postorder(drawn_root(tree)) {
            let (left, right) = self.column[node.index()];
            let mut children = tree.children(node);
            let wanted = match (children.next(), children.next_back()) {
                (Some(first), Some(last)) => f64::midpoint(self.x[first.index()], self.x[last.index()]),
                (Some(only), None) => self.x[only.index()],
                _ => f64::midpoint(left, right),
            };
            let half = own_width(tree, node) / 2.0;
            self.x[node.index()] = wanted.clamp(left + half, (right - half).max(left + half));
        }
    }

    /// The first word at the right.
    fn mirror(&mut self) {
        for x in &mut self.x {
            *x = self.width - *x;
        }
        for column in &mut self.column {
            *column = (self.width - column.1, self.width - column.0);
        }
    }
}

/// Penn's unlabelled outer bracket is not drawn if it wraps one phrase.
pub(super) fn drawn_root(tree: &Tree) -> NodeId {
    let top = tree.top();
    let mut children = tree.children(top);
    match (children.next(), children.next()) {
        (Some(only), None) if tree.label_text(top).is_empty() => only,
        _ => top,
    }
}

/// The text of a leaf above its word.
pub(super) fn tag(tree: &Tree, leaf: NodeId) -> &str {
    if tree.is_null_element(leaf) { "" } else { tree.label_text(leaf) }
}

/// The width of a node by itself, with the gap to its neighbours.
fn own_width(tree: &Tree, node: NodeId) -> f64 {
    let text = match tree.word(node) {
        None => text_width(tree.label_text(node), LABEL_SIZE),
        Some(word) => text_width(word, LABEL_SIZE).max(text_width(tag(tree, node), TAG_SIZE)),
    };
    text + GAP
}

/// The width of each node's column, and how many steps it stands above the words.
fn measure(tree: &Tree) -> (Vec<f64>, Vec<u32>) {
    let mut widths = vec![0.0; tree.arena_len()];
    let mut heights = vec![0; tree.arena_len()];
    for node in tree.postorder(tree.top()) {
        let mut children_width = 0.0;
        for child in tree.children(node) {
            children_width += widths[child.index()];
            heights[node.index()] = heights[node.index()].max(heights[child.index()] + 1);
        }
        widths[node.index()] = own_width(tree, node).max(children_width);
        debug_assert!(tree.kind(node) == Kind::Phrase || heights[node.index()] == 0);
    }
    (widths, heights)
}

/// Whether most words are written from right to left; then the first word stands at the right.
pub(super) fn reads_right_to_left<'t>(words: impl Iterator<Item = &'t str>) -> bool {
    let (mut right_to_left, mut all) = (0, 0);
    for word in words.filter(|word| word.chars().any(char::is_alphabetic)) {
        right_to_left += usize::from(is_right_to_left(word));
        all += 1;
    }
    2 * right_to_left > all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn boxes_of(tree: &Tree) -> Vec<(f64, f64, f64)> {
        let layout = TreeLayout::of(tree);
        tree.preorder(drawn_root(tree))
            .map(|node| {
                let half = (own_width(tree, node) - GAP) / 2.0;
                let x = layout.x[node.index()];
                (x - half, x + half, layout.y[node.index()])
            })
            .collect()
    }

    fn overlaps(boxes: &[(f64, f64, f64)]) -> usize {
        let mut count = 0;
        for (index, a) in boxes.iter().enumerate() {
            for b in &boxes[index + 1..] {
                let same_row = (a.2 - b.2).abs() < LABEL_SIZE;
                count += usize::from(same_row && a.0 < b.1 && b.0 < a.1);
            }
        }
        count
    }

    #[test]
    fn right_to_left_words_begin_at_the_right() {
        let tree: Tree = "( (S (A שלום) (B עולם)))".parse().unwrap();
        let layout = TreeLayout::of(&tree);
        let words: Vec<_> = tree.word_nodes().map(|leaf| layout.x[leaf.index()]).collect();
        assert!(words[0] > words[1]);
    }

    fn any_tree() -> impl Strategy<Value = String> {
        let leaf = "[A-Z]{1,6}(-[A-Z]{3})? [a-zא-ת木]{1,12}".prop_map(|leaf| format!("({leaf})"));
        leaf.prop_recursive(6, 60, 5, |inner| {
            ("[A-Z]{1,8}(-[A-Z]{3}){0,3}", prop::collection::vec(inner, 1..5))
                .prop_map(|(label, children)| format!("({label} {})", children.join(" ")))
        })
    }

    proptest! {
        #[test]
        fn labels_never_overlap(text in any_tree()) {
            let tree: Tree = text.parse().unwrap();
            prop_assert_eq!(overlaps(&boxes_of(&tree)), 0, "{}", text);
        }
    }
}
