//! A tree over its words, with arcs below them.

use tracebank_syntax::tree::{NodeId, Tree};

use super::arcs::{Arc, Arcs, lanes};
use super::face::{Face, TreeOptions};
use super::marks::NodeMarks;
use super::measure::text_width;
use super::palette;
use super::svg::{Stroke, Svg, TextAnchor, TextStyle};
use super::traces::{Trace, chain_of_node, traces};
use super::tree_layout::{LABEL_SIZE, TAG_SIZE, TreeLayout};

/// From the words to the first line under them, and from such a line to the next.
const UNDERLINE_DROP: f64 = 9.0;
const UNDERLINE_STEP: f64 = 7.0;
/// How deep the shallowest arc hangs, and how much deeper the next.
const ARC_DEPTH: f64 = 16.0;
const ARC_STEP: f64 = 13.0;
/// The room beside a word that the ends of its arcs may take.
const END_ROOM: f64 = 10.0;
/// The width of a line above a phrase that is not likely at all, and of one that is certain.
const FAINTEST: f64 = 0.4;
const STRONGEST: f64 = 2.2;
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
    picture_with(tree, &TreeOptions { marks: marks.clone(), ..TreeOptions::default() })
}

/// The tree as an SVG file, as these options want it.
///
/// ```
/// use tracebank_report::draw::{TreeOptions, picture_with};
/// let tree = "( (S (NP-SBJ (DT The) (NN door)) (VP (VBD opened))))".parse()?;
/// let options = TreeOptions { tags: false, functions: false, ..TreeOptions::default() }.collapsing(&tree, &["NP"]);
/// let picture = picture_with(&tree, &options);
/// assert!(picture.contains(">NP</text>") && picture.contains(">The door</text>") && !picture.contains("VBD"));
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn picture_with(tree: &Tree, options: &TreeOptions) -> String {
    let face = Face::new(tree, options);
    let layout = TreeLayout::of(&face);
    let title: Vec<&str> = tree.words().collect();
    draw(&face, layout).finish(&title.join(" "))
}

/// A tree in the places of its layout.
pub(super) fn draw(face: &Face<'_>, layout: TreeLayout) -> Svg {
    let traces = drawn_traces(face);
    let picture = Picture { face, layout, chains: chain_of_node(face.tree, &traces) };
    let mut svg = Svg::new();
    svg.reach(picture.layout.width, picture.layout.word_y + MARGIN);
    for node in face.nodes() {
        picture.branches(node, &mut svg);
    }
    picture.arcs(&traces, &mut svg);
    // text comes last, so that no line can cover it
    for node in face.nodes() {
        picture.node(node, &mut svg);
    }
    svg
}

/// The traces between nodes that are drawn: what is in a collapsed phrase leaves from it.
fn drawn_traces(face: &Face<'_>) -> Vec<Trace> {
    let shown = traces(face.tree).into_iter().map(|trace| Trace {
        from: face.shown(trace.from),
        to: face.shown(trace.to),
        ..trace
    });
    shown.filter(|trace| trace.from != trace.to).collect()
}

struct Picture<'a> {
    face: &'a Face<'a>,
    layout: TreeLayout,
    chains: Vec<Option<usize>>,
}

impl Picture<'_> {
    fn branches(&self, node: NodeId, svg: &mut Svg) {
        let (x, y) = (self.layout.x[node.index()], self.layout.y[node.index()]);
        if self.face.is_collapsed(node) {
            return self.triangle(node, svg);
        }
        let bar = y + 11.0;
        for child in self.face.children(node) {
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
            let width = self.strength(child).map_or(1.0, |p| FAINTEST + (STRONGEST - FAINTEST) * p);
            svg.path(&path, Stroke { colour: palette::GREY, width, dashed: false });
        }
    }

    /// The probability of a node, where it is known.
    fn strength(&self, node: NodeId) -> Option<f64> {
        let known = &self.face.options.probabilities;
        known.get(node.index()).map(|&p| (f64::from(p) * 100.0).round() / 100.0)
    }

    fn triangle(&self, node: NodeId, svg: &mut Svg) {
        let (x, y) = (self.layout.x[node.index()], self.layout.y[node.index()] + 5.0);
        let (left, right) = self.extent(node);
        let base = self.layout.word_y - LABEL_SIZE;
        let path = format!("M{x:.1},{y:.1} L{left:.1},{base:.1} H{right:.1} Z");
        svg.path(&path, Stroke { colour: palette::GREY, width: 1.0, dashed: false });
    }

    /// Where the text of a node begins.
    fn top_of(&self, node: NodeId) -> f64 {
        if self.face.tree.word(node).is_some() && self.face.tag(node).is_empty() {
            self.layout.word_y - LABEL_SIZE - 1.0
        } else {
            self.layout.y[node.index()] - LABEL_SIZE
        }
    }

    fn node(&self, node: NodeId, svg: &mut Svg) {
        let named = self.face.options.named;
        if named {
            let tree = self.face.tree;
            let kind = match tree.word(node) {
                Some(_) if tree.is_null_element(node) => "null",
                Some(_) => "word",
                None if self.face.is_collapsed(node) => "triangle",
                None => "phrase",
            };
            svg.open(format_args!("data-node=\"{}\" data-kind=\"{kind}\"", node.index()));
            let top = self.top_of(node);
            let bottom =
                if self.face.has_foot(node) { self.layout.word_y } else { self.layout.y[node.index()] };
            let foot = self.face.foot(node).map_or(0.0, |foot| text_width(&foot, LABEL_SIZE));
            let width = foot.max(text_width(&self.face.label(node), LABEL_SIZE)).max(20.0);
            svg.handle(self.layout.x[node.index()] - width / 2.0, top, width, bottom - top + 5.0);
        }
        self.texts(node, svg);
        if named {
            svg.close();
        }
    }

    fn texts(&self, node: NodeId, svg: &mut Svg) {
        let (x, y) = (self.layout.x[node.index()], self.layout.y[node.index()]);
        let wrong = self.face.options.marks.is_wrong(node);
        let chain = self.chains[node.index()].map(palette::chain);
        let is_leaf = self.face.tree.word(node).is_some();
        if !is_leaf {
            let label = self.face.label(node);
            if wrong {
                mark(x, y, &label, svg);
            }
            let colour = if wrong { palette::WRONG } else { chain.unwrap_or(palette::INK) };
            let style = TextStyle { size: LABEL_SIZE, colour, bold: chain.is_some() || wrong, italic: false };
            svg.text(x, y, &label, TextAnchor::Middle, style);
        }
        let Some(foot) = self.face.foot(node) else { return };
        let is_null = self.face.tree.is_null_element(node);
        if wrong && is_null {
            mark(x, self.layout.word_y, &foot, svg);
        }
        let tag = if is_leaf { self.face.tag(node) } else { "" };
        if !tag.is_empty() {
            let colour = if wrong { palette::WRONG } else { palette::GREY };
            let style = TextStyle { size: TAG_SIZE, colour, bold: wrong, italic: false };
            svg.text(x, y - 1.0, tag, TextAnchor::Middle, style);
        }
        let colour = match (wrong && is_null, is_null) {
            (true, _) => palette::WRONG,
            (false, true) => chain.unwrap_or(palette::NULL),
            (false, false) => palette::INK,
        };
        let style = TextStyle { size: LABEL_SIZE, colour, bold: false, italic: is_null };
        svg.text(x, self.layout.word_y, &foot, TextAnchor::Middle, style);
    }

    /// From the first to the last word or null of a phrase.
    fn extent(&self, node: NodeId) -> (f64, f64) {
        let half = |foot: NodeId| text_width(&self.face.foot(foot).unwrap_or_default(), LABEL_SIZE) / 2.0;
        let mut extent = (f64::INFINITY, f64::NEG_INFINITY);
        for foot in self.face.feet(node) {
            let (x, half) = (self.layout.x[foot.index()], half(foot));
            extent = (extent.0.min(x - half), extent.1.max(x + half));
        }
        extent
    }

    fn arcs(&self, traces: &[Trace], svg: &mut Svg) {
        let underlines = self.underlines(traces, svg);
        let base = underlines.iter().map(|line| line.y).fold(self.layout.word_y + UNDERLINE_DROP, f64::max);
        let underline = |node: NodeId| underlines.iter().find(|line| line.node == node);
        // An arc leaves or meets a node below its word, or in the middle of the line under its words.
        let room = |node: NodeId| {
            let (left, right) = underline(node).map_or_else(|| self.extent(node), |line| line.extent);
            (f64::midpoint(left, right), right - left + END_ROOM)
        };
        let foot =
            |node: NodeId| underline(node).map_or(self.layout.word_y + UNDERLINE_DROP - 4.0, |line| line.y);
        let stroke =
            |trace: &Trace| Stroke { colour: palette::chain(trace.chain), width: 1.4, dashed: trace.is_gap };
        let arcs = traces.iter().map(|trace| Arc::new(trace.from, trace.to, stroke(trace))).collect();
        for (arc, (from_x, to_x), lane) in Arcs::new(arcs, room).placed() {
            let depth = base + ARC_DEPTH + ARC_STEP * lane as f64;
            // a cubic curve reaches three quarters of the way to its control points
            let control = depth + (depth - base) / 3.0;
            let (from_y, to_y) = (foot(arc.from), foot(arc.to));
            let path = format!(
                "M{from_x:.1},{from_y:.1} C{from_x:.1},{control:.1} {to_x:.1},{control:.1} {to_x:.1},{:.1}",
                to_y + 4.0
            );
            if self.face.options.named {
                svg.open(format_args!("data-from=\"{}\" data-to=\"{}\"", arc.from.index(), arc.to.index()));
            }
            svg.path(&path, arc.stroke);
            svg.arrow_head(to_x, to_y, depth, arc.stroke.colour);
            if self.face.options.named {
                svg.close();
            }
            svg.reach(0.0, depth + MARGIN);
        }
    }

    /// Lines under the phrases of more than one word that are antecedents or, as the remnants of gaps, have one.
    fn underlines(&self, traces: &[Trace], svg: &mut Svg) -> Vec<Underline> {
        let mut underlines: Vec<Underline> = Vec::new();
        for trace in traces {
            for node in [trace.to, trace.from] {
                let is_wide = self.face.feet(node).nth(1).is_some();
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
            if self.face.options.named {
                svg.open(format_args!("data-under=\"{}\"", line.node.index()));
            }
            svg.path(&path, Stroke { colour: palette::chain(line.chain), width: 1.2, dashed: false });
            if self.face.options.named {
                svg.close();
            }
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
