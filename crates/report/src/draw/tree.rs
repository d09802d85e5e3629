//! A tree over its words, with arcs below them.

use tracebank_syntax::tree::{Kind, NodeId, Tree};

use super::arcs::lanes;
use super::marks::NodeMarks;
use super::measure::text_width;
use super::palette;
use super::svg::{Stroke, Svg, TextAnchor, TextStyle};
use super::traces::{Trace, chain_of_node, traces};
use super::tree_layout::{LABEL_SIZE, TAG_SIZE, TreeLayout, drawn_root, tag};

/// From the words to the first line under them, and from such a line to the next.
const UNDERLINE_DROP: f64 = 9.0;
const UNDERLINE_STEP: f64 = 7.0;
/// How deep the shallowest arc hangs, and how much deeper the next.
const ARC_DEPTH: f64 = 16.0;
const ARC_STEP: f64 = 13.0;
/// How far from the middle of a word arcs leave and arrive.
const END_ASIDE: f64 = 3.5;
const MARGIN: f64 = 12.0;

/// The tree as an SVG file.
///
/// Null elements are in italics. A null element with an index, what it stands for and the arc between them have a colour of their own; what
/// it stands for is underlined if it has more than one word.
///
/// ```
/// use tracebank_report::draw::tree_picture;
/// let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
/// let picture = tree_picture(&tree);
/// assert!(picture.starts_with("<svg") && picture.contains(">NP-SBJ-1</text>"));
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn tree_picture(tree: &Tree) -> String {
    marked_picture(tree, &NodeMarks::default())
}

/// The tree as an SVG file, with some of its nodes marked.
pub fn marked_picture(tree: &Tree, marks: &NodeMarks) -> String {
    let title: Vec<&str> = tree.words().collect();
    draw(tree, marks).finish(&title.join(" "))
}

/// The tree with marked nodes.
pub(super) fn draw(tree: &Tree, marks: &NodeMarks) -> Svg {
    let traces = traces(tree);
    let picture = Picture { tree, marks, layout: TreeLayout::of(tree), chains: chain_of_node(tree, &traces) };
    let mut svg = Svg::new();
    svg.reach(picture.layout.width, picture.layout.word_y + MARGIN);
    for node in tree.preorder(drawn_root(tree)) {
        picture.branches(node, &mut svg);
    }
    picture.arcs(&traces, &mut svg);
    // text comes last, so that no line can cover it
    for node in tree.preorder(drawn_root(tree)) {
        picture.node(node, &mut svg);
    }
    svg
}

struct Picture<'a> {
    tree: &'a Tree,
    marks: &'a NodeMarks,
    layout: TreeLayout,
    chains: Vec<Option<usize>>,
}

impl Picture<'_> {
    fn branches(&self, node: NodeId, svg: &mut Svg) {
        let (x, y) = (self.layout.x[node.index()], self.layout.y[node.index()]);
        let bar = y + 11.0;
        for child in self.tree.children(node) {
            let child_x = self.layout.x[child.index()];
            let child_top = self.top_of(child);
            let turn = (child_x - x).clamp(-5.0, 5.0);
            let path = if turn.abs() < 0.1 {
                format!("M{x:.1},{:.1} V{child_top:.1}", y + 5.0)
            } else {
                format!(
                    "M{x:.1},{:.1} V{bar:.1} H{:.1} Q{child_x:.1},{bar:.1} {child_x:.1},{:.1} V{child_top:.1}",
                    y + 5.0,
                    child_x - turn,
                    bar + turn.abs(),
                )
            };
            let stroke = Stroke { colour: palette::GREY, width: 1.0, dashed: false };
            svg.path(&path, stroke);
        }
    }

    /// Where the text of a node begins.
    fn top_of(&self, node: NodeId) -> f64 {
        if self.tree.kind(node) != Kind::Phrase && tag(self.tree, node).is_empty() {
            self.layout.word_y - LABEL_SIZE - 1.0
        } else {
            self.layout.y[node.index()] - LABEL_SIZE
        }
    }

    fn node(&self, node: NodeId, svg: &mut Svg) {
        let (x, y) = (self.layout.x[node.index()], self.layout.y[node.index()]);
        let label = self.tree.label_text(node);
        let wrong = self.marks.is_wrong(node);
        let chain = self.chains[node.index()].map(palette::chain);
        let Some(word) = self.tree.word(node) else {
            if wrong {
                mark(x, y, label, svg);
            }
            let colour = if wrong { palette::WRONG } else { chain.unwrap_or(palette::INK) };
            let style = TextStyle { size: LABEL_SIZE, colour, bold: chain.is_some() || wrong, italic: false };
            return svg.text(x, y, label, TextAnchor::Middle, style);
        };
        let is_null = self.tree.is_null_element(node);
        if wrong && is_null {
            mark(x, self.layout.word_y, word, svg);
        }
        let tag_colour = if wrong { palette::WRONG } else { palette::GREY };
        let tag_style = TextStyle { size: TAG_SIZE, colour: tag_colour, bold: wrong, italic: false };
        svg.text(x, y - 1.0, tag(self.tree, node), TextAnchor::Middle, tag_style);
        let colour = match (wrong && is_null, is_null) {
            (true, _) => palette::WRONG,
            (false, true) => chain.unwrap_or(palette::NULL),
            (false, false) => palette::INK,
        };
        let style = TextStyle { size: LABEL_SIZE, colour, bold: false, italic: is_null };
        svg.text(x, self.layout.word_y, word, TextAnchor::Middle, style);
    }

    /// From the first to the last word or null of a phrase.
    fn extent(&self, node: NodeId) -> (f64, f64) {
        let half = |leaf: NodeId| text_width(self.tree.word(leaf).unwrap_or_default(), LABEL_SIZE) / 2.0;
        let mut extent = (f64::INFINITY, f64::NEG_INFINITY);
        for leaf in self.tree.leaves(node) {
            let (x, half) = (self.layout.x[leaf.index()], half(leaf));
            extent = (extent.0.min(x - half), extent.1.max(x + half));
        }
        extent
    }

    fn arcs(&self, traces: &[Trace], svg: &mut Svg) {
        let underlines = self.underlines(traces, svg);
        let base = underlines.iter().map(|line| line.y).fold(self.layout.word_y + UNDERLINE_DROP, f64::max);
        // where an arc leaves or meets a node: below its word, or in the middle of the line under its words
        let foot = |node: NodeId| {
            let underline = underlines.iter().find(|line| line.node == node);
            let (left, right) = underline.map_or_else(|| self.extent(node), |line| line.extent);
            let y = underline.map_or(self.layout.word_y + UNDERLINE_DROP - 4.0, |line| line.y);
            (f64::midpoint(left, right), y)
        };
        let ends: Vec<_> = traces
            .iter()
            .map(|trace| {
                let ((from_x, from_y), (to_x, to_y)) = (foot(trace.from), foot(trace.to));
                // a node may be both, so arcs leave and arrive on the side of their other end
                let aside = END_ASIDE * (to_x - from_x).signum();
                ((from_x + aside, from_y), (to_x - aside, to_y))
            })
            .collect();
        let intervals: Vec<_> = ends.iter().map(|((a, _), (b, _))| (a.min(*b), a.max(*b))).collect();
        for ((trace, ((from_x, from_y), (to_x, to_y))), lane) in
            traces.iter().zip(ends).zip(lanes(&intervals))
        {
            let depth = base + ARC_DEPTH + ARC_STEP * lane as f64;
            // a cubic curve reaches three quarters of the way to its control points
            let control = depth + (depth - base) / 3.0;
            let colour = palette::chain(trace.chain);
            let path = format!(
                "M{from_x:.1},{from_y:.1} C{from_x:.1},{control:.1} {to_x:.1},{control:.1} {to_x:.1},{:.1}",
                to_y + 4.0
            );
            svg.path(&path, Stroke { colour, width: 1.4, dashed: trace.is_gap });
            svg.arrow_head(to_x, to_y, depth, colour);
            svg.reach(0.0, depth + MARGIN);
        }
    }

    /// Lines under the phrases of more than one word that are antecedents or, as the remnants of gaps, have one.
    fn underlines(&self, traces: &[Trace], svg: &mut Svg) -> Vec<Underline> {
        let mut underlines: Vec<Underline> = Vec::new();
        for trace in traces {
            for node in [trace.to, trace.from] {
                let is_wide = self.tree.leaves(node).nth(1).is_some();
                if is_wide && underlines.iter().all(|line| line.node != node) {
                    let extent = self.extent(node);
                    underlines.push(Underline { node, chain: trace.chain, extent, y: 0.0 });
                }
            }
        }
        let extents: Vec<_> = underlines.iter().map(|line| line.extent).collect();
        for (line, lane) in underlines.iter_mut().zip(lanes(&extents)) {
            line.y = self.layout.word_y + UNDERLINE_DROP + UNDERLINE_STEP * lane as f64;
            let ((left, right), y) = (line.extent, line.y);
            let path = format!("M{left:.1},{:.1} V{y:.1} H{right:.1} V{:.1}", y - 3.0, y - 3.0);
            svg.path(&path, Stroke { colour: palette::chain(line.chain), width: 1.2, dashed: false });
        }
        underlines
    }
}

fn mark(x: f64, y: f64, text: &str, svg: &mut Svg) {
    let width = text_width(text, LABEL_SIZE) + 6.0;
    svg.rounded_box(x - width / 2.0, y - LABEL_SIZE, width, LABEL_SIZE + 5.0, palette::WRONG);
}

struct Underline {
    node: NodeId,
    chain: usize,
    extent: (f64, f64),
    y: f64,
}
