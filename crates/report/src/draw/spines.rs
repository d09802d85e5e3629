//! The paper's Figure 2: every word with its spine above it, and edges between spines.
//!
//! A spine lies on its side, its top at the left; null elements stand in brackets behind the phrase they hang in. Above the spines,
//! structural edges (solid) go from a phrase to the top of each spine that hangs in it, and trace edges (dashed) from a
//! null element to its antecedent.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tracebank_syntax::graph::{Anchor, End, Graph, Spine, SymbolId, SymbolKind, Vertex};

use super::arcs::{Arc, Arcs};
use super::measure::text_width;
use super::palette;
use super::svg::{Stroke, Svg, TextAnchor, TextStyle};
use super::tree_layout::{LABEL_SIZE, TAG_SIZE, reads_right_to_left};

/// Between the symbols of a spine, and between words.
const JOIN: f64 = 14.0;
const GAP: f64 = 20.0;
const MARGIN: f64 = 14.0;

/// The graph as an SVG file.
///
/// ```
/// use tracebank_report::{draw::spine_picture, graph::Options};
/// let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
/// let picture = spine_picture(&Options { keep_functions: true, ..Options::default() }.graph(&tree));
/// assert!(picture.contains(">(NP-SBJ *)</text>"));
/// assert_eq!(picture.matches("stroke-dasharray").count(), 1);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn spine_picture(graph: &Graph) -> String {
    let mut picture = Picture::of(graph);
    let arcs = picture.arcs(graph);
    let arcs = Arcs::new(arcs, |spot| picture.room(spot));
    picture.baseline = MARGIN + arcs.height() + LABEL_SIZE + 4.0;
    let mut svg = Svg::new();
    arcs.draw(picture.baseline - LABEL_SIZE - 2.0, &mut svg);
    picture.draw_spines(&mut svg);
    svg.reach(picture.width, picture.baseline + 2.6 * LABEL_SIZE + MARGIN);
    let title: Vec<&str> = graph.words.iter().map(|word| word.form.as_str()).collect();
    svg.finish(&title.join(" "))
}

/// A piece of a spine: a phrase, or a null element with the phrases of nothing else around it.
struct Item {
    text: String,
    x: f64,
    width: f64,
    is_null: bool,
    colour: Option<&'static str>,
}

/// A word and its spine.
struct Group<'g> {
    form: &'g str,
    tag: &'g str,
    x: f64,
    items: Vec<Item>,
    /// The item of each symbol, by its index in the spine.
    item_of_symbol: Vec<usize>,
}

struct Picture<'g> {
    groups: Vec<Group<'g>>,
    width: f64,
    baseline: f64,
}

/// An item of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    group: usize,
    item: usize,
}

impl<'g> Picture<'g> {
    fn of(graph: &'g Graph) -> Picture<'g> {
        let mut groups = vec![Group::of("", "", &graph.root, Some("ROOT"))];
        for word in &graph.words {
            groups.push(Group::of(&word.form, word.tag.as_deref().unwrap_or(""), &word.spine, None));
        }
        let mut x = MARGIN;
        for group in &mut groups {
            x = group.place(x) + GAP;
        }
        let width = x - GAP + MARGIN;
        if reads_right_to_left(graph.words.iter().map(|word| word.form.as_str())) {
            for group in &mut groups {
                group.mirror(width);
            }
        }
        Picture { groups, width, baseline: 0.0 }
    }

    /// The edges, and the colours of what trace edges join.
    fn arcs(&mut self, graph: &Graph) -> Vec<Arc<Spot>> {
        let mut arcs = Vec::new();
        for (child, word) in graph.vertices().zip(&graph.words) {
            let from = self.spot(word.head, word.attachment.map(Anchor::Symbol));
            arcs.extend(from.map(|from| (from, Spot { group: child.index(), item: 0 }, None)));
        }
        let mut chains: BTreeMap<(Vertex, Anchor), usize> = BTreeMap::new();
        for edge in &graph.traces {
            let next = chains.len();
            let chain = *chains.entry((edge.to.vertex, edge.to.anchor)).or_insert(next);
            let spot = |end: End| self.spot(end.vertex, Some(end.anchor));
            if let (Some(from), Some(to)) = (spot(edge.from), spot(edge.to)) {
                let colour = palette::chain(chain);
                arcs.push((from, to, Some(colour)));
                for spot in [from, to] {
                    self.groups[spot.group].items[spot.item].colour = Some(colour);
                }
            }
        }
        let stroke = |trace: Option<&'static str>| Stroke {
            colour: trace.unwrap_or(palette::GREY),
            width: 1.2,
            dashed: trace.is_some(),
        };
        arcs.into_iter().map(|(from, to, trace)| Arc::new(from, to, stroke(trace))).collect()
    }

    /// The item of an end; that of a word's own tag, or of nothing in particular, is the last of its group, next to the word.
    fn spot(&self, vertex: Vertex, anchor: Option<Anchor>) -> Option<Spot> {
        let group = self.groups.get(vertex.index())?;
        let lowest = group.items.len().checked_sub(1)?;
        let item = match anchor {
            Some(Anchor::Symbol(SymbolId(id))) => *group.item_of_symbol.get(id as usize)?,
            Some(Anchor::Tag) | None => lowest,
        };
        Some(Spot { group: vertex.index(), item })
    }

    /// The middle and the width of an item.
    fn room(&self, spot: Spot) -> (f64, f64) {
        let item = &self.groups[spot.group].items[spot.item];
        (item.x, item.width)
    }

    fn draw_spines(&self, svg: &mut Svg) {
        let joint_y = self.baseline - LABEL_SIZE / 3.0;
        for group in &self.groups {
            for pair in group.items.windows(2) {
                let side = (pair[1].x - pair[0].x).signum();
                let (from, to) =
                    (pair[0].x + side * pair[0].width / 2.0, pair[1].x - side * pair[1].width / 2.0);
                let path = format!("M{:.1},{joint_y:.1} H{:.1}", from + side * 2.0, to - side * 2.0);
                svg.path(&path, Stroke { colour: palette::INK, width: 1.0, dashed: false });
            }
            for item in &group.items {
                let plain = if item.is_null { palette::NULL } else { palette::INK };
                let style = TextStyle {
                    size: LABEL_SIZE,
                    colour: item.colour.unwrap_or(plain),
                    bold: item.colour.is_some(),
                    italic: item.is_null,
                };
                svg.text(item.x, self.baseline, &item.text, TextAnchor::Middle, style);
            }
            let word = TextStyle { size: LABEL_SIZE, colour: palette::INK, bold: false, italic: false };
            svg.text(group.x, self.baseline + 1.5 * LABEL_SIZE, group.form, TextAnchor::Middle, word);
            let tag = TextStyle { size: TAG_SIZE, colour: palette::GREY, bold: false, italic: false };
            svg.text(group.x, self.baseline + 2.6 * LABEL_SIZE, group.tag, TextAnchor::Middle, tag);
        }
    }
}

impl<'g> Group<'g> {
    /// `name` is what a group shows that has a symbol of its own, as the root has.
    fn of(form: &'g str, tag: &'g str, spine: &Spine, name: Option<&str>) -> Group<'g> {
        let mut group =
            Group { form, tag, x: 0.0, items: Vec::new(), item_of_symbol: vec![0; spine.symbols.len()] };
        let headed: Vec<SymbolId> = spine.headed().collect();
        if let Some(name) = name {
            group.push(name.to_owned(), false);
        }
        // what hangs straight under a root without bracket comes before its first phrase
        let first = headed.first().map_or(spine.symbols.len(), |id| id.index());
        group.push_nulls(spine, 0, first);
        for (place, id) in headed.iter().enumerate().rev() {
            let end = headed.get(place + 1).map_or(spine.symbols.len(), |next| next.index());
            if name.is_none() {
                group.item_of_symbol[id.index()] = group.items.len();
                group.push(spine.symbols[id.index()].name().to_owned(), false);
            }
            group.push_nulls(spine, id.index() + 1, end);
        }
        if group.items.is_empty() {
            group.push("–".to_owned(), false);
        }
        group
    }

    fn push(&mut self, text: String, is_null: bool) {
        let width = text_width(&text, LABEL_SIZE);
        self.items.push(Item { text, x: 0.0, width, is_null, colour: None });
    }

    /// The symbols from `start` to `end` as bracketed items, one for each that hangs in a phrase of the spine itself.
    fn push_nulls(&mut self, spine: &Spine, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let next = (at + 1..end).find(|&other| spine.symbols[other].depth <= 1).unwrap_or(end);
            for symbol in at..next {
                self.item_of_symbol[symbol] = self.items.len();
            }
            self.push(bracketed(spine, at, next), true);
            at = next;
        }
    }

    /// Lays the items out from `left` on, and the word below them; gives the right end.
    fn place(&mut self, left: f64) -> f64 {
        let joints = JOIN * (self.items.len().saturating_sub(1)) as f64;
        let spine = self.items.iter().map(|item| item.width).sum::<f64>() + joints;
        let below = text_width(self.form, LABEL_SIZE).max(text_width(self.tag, TAG_SIZE));
        let width = spine.max(below);
        let mut x = left + (width - spine) / 2.0;
        for item in &mut self.items {
            item.x = x + item.width / 2.0;
            x += item.width + JOIN;
        }
        self.x = left + width / 2.0;
        left + width
    }

    fn mirror(&mut self, width: f64) {
        self.x = width - self.x;
        for item in &mut self.items {
            item.x = width - item.x;
        }
    }
}

/// `(NP *)` for the symbols from `start` to `end`, a null element and the phrases around it.
fn bracketed(spine: &Spine, start: usize, end: usize) -> String {
    let mut text = String::new();
    let mut open = 0;
    for symbol in &spine.symbols[start..end] {
        while open >= symbol.depth {
            text.push(')');
            open -= 1;
        }
        let space = if text.is_empty() || text.ends_with('(') { "" } else { " " };
        let written = match &symbol.kind {
            SymbolKind::Phrase(label) => {
                open = symbol.depth;
                write!(text, "{space}({label}")
            }
            SymbolKind::Null(kind) if open == 0 => write!(text, "{space}({kind})"),
            SymbolKind::Null(kind) => write!(text, "{space}{kind}"),
            SymbolKind::Mark { tag, text: mark } => write!(text, "{space}({tag} {mark})"),
        };
        written.expect("writing to a string");
    }
    text.extend(std::iter::repeat_n(')', open as usize));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Options;

    fn spines(tree: &str) -> Vec<Vec<String>> {
        let graph = Options::default().graph(&tree.parse().unwrap());
        let picture = Picture::of(&graph);
        picture
            .groups
            .into_iter()
            .map(|group| group.items.into_iter().map(|item| item.text).collect())
            .collect()
    }

    #[test]
    fn a_spine_shows_its_top_first_and_nulls_in_brackets() {
        let tree = "( (S (NP-1 (PRP we)) (VP (VBP like) (S (NP (-NONE- *-1)) (VP (VBG running)))) (. .)))";
        assert_eq!(
            spines(tree),
            [vec!["ROOT"], vec!["NP"], vec!["S", "VP"], vec!["S", "(NP *)", "VP"], vec!["–"]]
        );
    }

    #[test]
    fn nested_nulls_are_nested_brackets() {
        let tree =
            "( (S (N we) (VP (V say) (SBAR (-NONE- 0) (S (NP (-NONE- *)) (VP (-NONE- *?*)))) (-NONE- *U*))))";
        assert_eq!(spines(tree)[2], ["S", "VP", "(SBAR 0 (S (NP *) (VP *?*)))", "(*U*)"]);
    }

    #[test]
    fn every_edge_has_an_arc() {
        let tree = "( (S (NP-1 (N we)) (VP (V like) (S (NP (-NONE- *-1)) (VP (V running)))) (. .)))";
        let graph = Options::default().graph(&tree.parse().unwrap());
        assert_eq!(Picture::of(&graph).arcs(&graph).len(), 5);
    }
}
