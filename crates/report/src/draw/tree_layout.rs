//! The layout of a tree: where its nodes stand.
//!
//! Every node has a column of its own, wide enough for its label and for the columns of its children side by side; so no
//! two labels can meet. Words stand in one row at the bottom; a phrase stands one step above its highest child, which
//! keeps small phrases close to their words. Lines go from a phrase down to a bar below it, along the bar and down the
//! child's own column, where nothing else stands.

use tracebank_syntax::tree::NodeId;

use super::face::Face;
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
    pub(super) fn of(face: &Face<'_>) -> TreeLayout {
        let (widths, heights) = measure(face);
        let top_y = MARGIN + LABEL_SIZE;
        let top = face.root.index();
        let tag_row = if face.options.tags { LABEL_SIZE + 3.0 } else { 0.0 };
        let mut layout = TreeLayout {
            x: vec![0.0; face.tree.arena_len()],
            column: vec![(0.0, 0.0); face.tree.arena_len()],
            y: heights
                .iter()
                .map(|&height| top_y + f64::from(heights[top] - height.min(heights[top])) * STEP)
                .collect(),
            word_y: top_y + f64::from(heights[top]) * STEP + tag_row,
            width: widths[top] + 2.0 * MARGIN,
        };
        layout.place_columns(face, &widths);
        layout.place_labels(face);
        if reads_right_to_left(face.tree.words()) {
            layout.mirror();
        }
        layout
    }

    /// Parents first: a phrase hands its column out to its children, side by side in the middle.
    fn place_columns(&mut self, face: &Face<'_>, widths: &[f64]) {
        self.column[face.root.index()] = (MARGIN, self.width - MARGIN);
        for node in face.nodes() {
            let (left, right) = self.column[node.index()];
            let needed: f64 = face.children(node).map(|child| widths[child.index()]).sum();
            let mut at = left + (right - left - needed) / 2.0;
            for child in face.children(node) {
                let width = widths[child.index()];
                self.column[child.index()] = (at, at + width);
                at += width;
            }
        }
    }

    /// Children first: a label stands over the middle of its children, as far as its column lets it.
    fn place_labels(&mut self, face: &Face<'_>) {
        let nodes: Vec<NodeId> = face.nodes().collect();
        for &node in nodes.iter().rev() {
            let (left, right) = self.column[node.index()];
            let mut children = face.children(node);
            let wanted = match (children.next(), children.next_back()) {
                (Some(first), Some(last)) => f64::midpoint(self.x[first.index()], self.x[last.index()]),
                (Some(only), None) => self.x[only.index()],
                _ => f64::midpoint(left, right),
            };
            let half = own_width(face, node) / 2.0;
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

    /// Two layouts over the same words, stretched until each word stands at the same place in both. Nothing comes closer to its
    /// neighbour, so what did not overlap does not now.
    pub(super) fn line_up(layouts: [(&mut TreeLayout, &[NodeId]); 2]) {
        let [(one, one_words), (two, two_words)] = layouts;
        let pairs = |layout: &TreeLayout, words: &[NodeId]| -> Vec<f64> {
            words.iter().map(|word| layout.x[word.index()]).collect()
        };
        let (mut first, mut second) = (pairs(one, one_words), pairs(two, two_words));
        // Words that are written from right to left come in descending order.
        first.sort_by(f64::total_cmp);
        second.sort_by(f64::total_cmp);
        let mut common: Vec<f64> = Vec::with_capacity(first.len());
        for (index, (a, b)) in first.iter().zip(&second).enumerate() {
            common.push(match common.last() {
                None => a.max(*b),
                Some(last) => last + (a - first[index - 1]).max(b - second[index - 1]),
            });
        }
        one.stretch(&first, &common);
        two.stretch(&second, &common);
    }

    /// Moves each of the places `from`, which ascend, to that of `to`, and all between them in proportion.
    fn stretch(&mut self, from: &[f64], to: &[f64]) {
        let moved = |x: f64| {
            let next = from.partition_point(|&place| place <= x);
            match (next.checked_sub(1), from.get(next)) {
                (None, None) => x,
                (None, Some(first)) => x + to[0] - first,
                (Some(last), None) => x + to[last] - from[last],
                (Some(at), Some(end)) => to[at] + (x - from[at]) / (end - from[at]) * (to[next] - to[at]),
            }
        };
        self.x.iter_mut().for_each(|x| *x = moved(*x));
        self.column.iter_mut().for_each(|(left, right)| (*left, *right) = (moved(*left), moved(*right)));
        self.width = moved(self.width);
    }
}

/// The width of a node by itself, with the gap to its neighbours.
fn own_width(face: &Face<'_>, node: NodeId) -> f64 {
    let foot = face.foot(node).map_or(0.0, |foot| text_width(&foot, LABEL_SIZE));
    let head = match face.tree.word(node) {
        None => text_width(&face.label(node), LABEL_SIZE),
        Some(_) => text_width(face.tag(node), TAG_SIZE),
    };
    foot.max(head) + GAP
}

/// The width of each node's column, and how many steps it stands above the words.
fn measure(face: &Face<'_>) -> (Vec<f64>, Vec<u32>) {
    let mut widths = vec![0.0; face.tree.arena_len()];
    let mut heights = vec![0; face.tree.arena_len()];
    let nodes: Vec<NodeId> = face.nodes().collect();
    for &node in nodes.iter().rev() {
        let mut children_width = 0.0;
        // A triangle is as high as a step.
        heights[node.index()] = u32::from(face.is_collapsed(node));
        for child in face.children(node) {
            children_width += widths[child.index()];
            heights[node.index()] = heights[node.index()].max(heights[child.index()] + 1);
        }
        widths[node.index()] = own_width(face, node).max(children_width);
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
    use tracebank_syntax::tree::Tree;

    use super::super::face::TreeOptions;
    use super::*;

    fn boxes(face: &Face<'_>, layout: &TreeLayout) -> Vec<(f64, f64, f64)> {
        face.nodes()
            .map(|node| {
                let half = (own_width(face, node) - GAP) / 2.0;
                let x = layout.x[node.index()];
                (x - half, x + half, layout.y[node.index()])
            })
            .collect()
    }

    fn boxes_of(tree: &Tree, options: &TreeOptions) -> Vec<(f64, f64, f64)> {
        let face = Face::new(tree, options);
        boxes(&face, &TreeLayout::of(&face))
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
        let layout = TreeLayout::of(&Face::new(&tree, &TreeOptions::default()));
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
            prop_assert_eq!(overlaps(&boxes_of(&tree, &TreeOptions::default())), 0, "{}", text);
            let labels: Vec<&str> = tree.preorder(tree.top()).skip(2).step_by(3).map(|node| tree.label_text(node)).collect();
            let collapsed = TreeOptions { tags: false, ..TreeOptions::default() }.collapsing(&tree, &labels);
            prop_assert_eq!(overlaps(&boxes_of(&tree, &collapsed)), 0, "{}", text);
        }

        #[test]
        fn words_line_up_and_still_nothing_overlaps(text in any_tree()) {
            let tree: Tree = text.parse().unwrap();
            let words: Vec<String> = tree.words().map(|word| format!("(X {word})")).collect();
            let flat: Tree = format!("(S {})", words.join(" (Y (-NONE- *))")).parse().unwrap();
            let options = TreeOptions::default();
            let (one, two) = (Face::new(&tree, &options), Face::new(&flat, &options));
            let (mut first, mut second) = (TreeLayout::of(&one), TreeLayout::of(&two));
            let leaves = |tree: &Tree| tree.word_nodes().collect::<Vec<_>>();
            TreeLayout::line_up([(&mut first, &leaves(&tree)), (&mut second, &leaves(&flat))]);
            for (a, b) in leaves(&tree).into_iter().zip(leaves(&flat)) {
                prop_assert!((first.x[a.index()] - second.x[b.index()]).abs() < 1e-6);
            }
            prop_assert_eq!(overlaps(&boxes(&one, &first)) + overlaps(&boxes(&two, &second)), 0);
        }
    }
}
