//! The paper's Figure 1: a derivation step by step, items over the words.
//!
//! The words stand at the bottom with their numbers and the edges of the whole graph, the root behind them. Each row above makes items out
//! of those below it: a line over the span, the edges inside it, a dot on the external vertex, and below the line the item's letter with the
//! numbers of its vertices. The edge that a row adds has a colour. Items of one row never overlap, for none is part of another.

use tracebank_chart::derivation::{How, Item, StepId};
use tracebank_chart::{Derivation, Edge, EdgeKind, Grammar, Node};

use super::arcs::{Arc, Arcs};
use super::measure::text_width;
use super::palette;
use super::svg::{Stroke, Svg, TextAnchor, TextStyle};
use super::tree_layout::{LABEL_SIZE, TAG_SIZE, reads_right_to_left};

const MARGIN: f64 = 14.0;
/// Between words, and the least width of a word's column.
const GAP: f64 = 22.0;
const LEAST_COLUMN: f64 = 52.0;
/// Left of the words, for the numbers of the rows.
const NUMBERS: f64 = 34.0;
/// From a vertex to the line of an item that ends there.
const INSET: f64 = 9.0;
/// Below the line of an item, for its name, and between rows.
const NAME: f64 = 15.0;
const ROW_GAP: f64 = 10.0;
/// Room for the ends of arcs on one vertex.
const VERTEX_WIDTH: f64 = 16.0;

/// A derivation over `words` as an SVG file.
///
/// ```
/// use tracebank_chart::{Class, Grammar, Worker};
/// use tracebank_report::{coverage::{Encoder, ROWS}, draw::derivation_picture};
/// use tracebank_syntax::dialect::Dialect;
/// let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
/// let edges = Encoder::new(Dialect::named("penn").unwrap()).edges(&tree, &ROWS[6]);
/// let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
/// let derivation = edges.derivation(&mut Worker::new(), &grammar)?;
/// let picture = derivation_picture(&edges.words, &grammar, &derivation);
/// assert!(picture.contains(">1,4,0</text>") && picture.contains(">running</text>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn derivation_picture(words: &[String], grammar: &Grammar, derivation: &Derivation) -> String {
    let line = Line::of(words);
    let rows = rows(derivation, grammar, &line);
    let graph = derivation.graph();
    let bottom = line.arcs(&graph.edges, |_| palette::GREY);
    let mut svg = Svg::new();
    // From the top down: the last row is the highest.
    let mut y = MARGIN;
    let mut lines = vec![0.0; rows.len()];
    for (row, line_y) in rows.iter().zip(&mut lines).rev() {
        *line_y = y + row.arcs.height();
        y = *line_y + NAME + ROW_GAP;
    }
    let foot = y + bottom.height() + ROW_GAP;
    line.draw_guides(&rows, &lines, foot, &mut svg);
    for (number, (row, &line_y)) in rows.iter().zip(&lines).enumerate() {
        svg.open(format_args!("data-row=\"{}\"", number + 1));
        row.draw(number + 1, line_y, &line, &mut svg);
        svg.close();
    }
    bottom.draw(foot, &mut svg);
    line.draw_words(foot, &mut svg);
    svg.finish(&words.join(" "))
}

/// Words and edges between them as an SVG file, with some edges marked and a line of text that says why.
///
/// ```
/// use tracebank_chart::{Edge, EdgeKind, Node};
/// use tracebank_report::draw::edge_picture;
/// let edge = |from, to| Edge { from: Node(from), to: Node(to), kind: EdgeKind::Structural };
/// let picture = edge_picture(&["a".to_owned(), "b".to_owned()], &[edge(1, 0), edge(0, 1), edge(2, 1)], &[edge(0, 1)], "a cycle");
/// assert_eq!(picture.matches("#c1121f").count(), 3);
/// # Ok::<(), ()>(())
/// ```
pub fn edge_picture(words: &[String], edges: &[Edge], marked: &[Edge], reason: &str) -> String {
    let line = Line::of(words);
    let arcs = line.arcs(edges, |edge| if marked.contains(edge) { palette::WRONG } else { palette::GREY });
    let mut svg = Svg::new();
    let style = TextStyle { size: 12.0, colour: palette::WRONG, bold: false, italic: false };
    svg.text(MARGIN, MARGIN + 12.0, reason, TextAnchor::Start, style);
    svg.reach(2.0 * MARGIN + text_width(reason, 12.0), 0.0);
    let foot = 2.0 * MARGIN + 12.0 + arcs.height();
    arcs.draw(foot, &mut svg);
    line.draw_words(foot, &mut svg);
    svg.finish(&words.join(" "))
}

/// The words and the root, and where they stand.
struct Line<'w> {
    words: Vec<&'w str>,
    x: Vec<f64>,
    width: f64,
}

/// A vertex as an item sees it, so that neighbours that share one do not share its arcs. The whole graph is item 0.
type Spot = (usize, Node);

impl<'w> Line<'w> {
    fn of(words: &'w [String]) -> Line<'w> {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["ROOT"]).collect();
        let mut right = MARGIN + NUMBERS;
        let mut x: Vec<f64> = Vec::with_capacity(words.len());
        for word in &words {
            let column = (text_width(word, LABEL_SIZE) + GAP).max(LEAST_COLUMN);
            x.push(right + column / 2.0);
            right += column;
        }
        let width = right + MARGIN;
        if reads_right_to_left(words[..words.len() - 1].iter().copied()) {
            x.iter_mut().for_each(|x| *x = width + NUMBERS - *x);
        }
        Line { words, x, width }
    }

    fn arcs(&self, edges: &[Edge], colour: impl Fn(&Edge) -> &'static str) -> Arcs<Spot> {
        let arcs = edges.iter().map(|edge| arc(0, edge, colour(edge))).collect();
        Arcs::new(arcs, |(_, node)| (self.x[node.index()], VERTEX_WIDTH))
    }

    /// The vertices as dotted lines, up to the last row in which an item sees them.
    fn draw_guides(&self, rows: &[Row], lines: &[f64], foot: f64, svg: &mut Svg) {
        let stroke = Stroke { colour: palette::GUIDE, width: 1.0, dashed: true };
        for (index, x) in self.x.iter().enumerate() {
            let last = rows.iter().rposition(|row| row.sees(Node(index as u32)));
            let top = last.map_or(foot, |row| lines[row]);
            svg.path(&format!("M{x:.1},{top:.1} V{foot:.1}"), stroke);
        }
    }

    fn draw_words(&self, foot: f64, svg: &mut Svg) {
        let (word_y, number_y) = (foot + 1.3 * LABEL_SIZE, foot + 2.4 * LABEL_SIZE);
        let word_style = TextStyle { size: LABEL_SIZE, colour: palette::INK, bold: false, italic: false };
        let number_style = TextStyle { size: TAG_SIZE, colour: palette::GREY, bold: false, italic: false };
        for (number, (word, &x)) in self.words.iter().zip(&self.x).enumerate() {
            svg.text(x, word_y, word, TextAnchor::Middle, word_style);
            svg.text(x, number_y, &number.to_string(), TextAnchor::Middle, number_style);
        }
        svg.reach(self.width, number_y + MARGIN);
    }
}

fn arc(item: usize, edge: &Edge, colour: &'static str) -> Arc<Spot> {
    let dashed = edge.kind == EdgeKind::Trace;
    Arc::new((item, edge.from), (item, edge.to), Stroke { colour, width: 1.2, dashed })
}

/// The items that are made out of those of the rows below.
struct Row {
    items: Vec<Placed>,
    arcs: Arcs<Spot>,
}

/// An item with its letter and the ends of its line.
struct Placed {
    item: Item,
    letter: String,
    ends: (f64, f64),
}

/// For each step, the row of the picture that it is drawn in, from 0 at the bottom: how many steps lead to it at most.
pub fn derivation_rows(derivation: &Derivation) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::with_capacity(derivation.steps.len());
    for step in &derivation.steps {
        let above = |input: &StepId| levels[input.index()] + 1;
        levels.push(inputs(&step.how).iter().map(above).max().unwrap_or(0));
    }
    levels
}

/// The steps in their rows, with all edges of each item.
fn rows(derivation: &Derivation, grammar: &Grammar, line: &Line<'_>) -> Vec<Row> {
    let levels = derivation_rows(derivation);
    let height = levels.iter().max().map_or(0, |&highest| highest + 1);
    (0..height).map(|level| row(derivation, grammar, line, &levels, level)).collect()
}

fn row(derivation: &Derivation, grammar: &Grammar, line: &Line<'_>, levels: &[usize], level: usize) -> Row {
    let (mut items, mut arcs) = (Vec::new(), Vec::new());
    for (index, step) in derivation.steps.iter().enumerate().filter(|&(index, _)| levels[index] == level) {
        for below in below(derivation, index) {
            if let How::Edge { edge, .. } = &derivation.steps[below].how {
                let colour = if below == index { palette::chain(0) } else { palette::GREY };
                arcs.push(arc(index, edge, colour));
            }
        }
        let (left, right) = (line.x[step.item.left.index()], line.x[step.item.right.index()]);
        let inset = INSET * (right - left).signum();
        let letter = format!("{:?}", grammar.rules().kinds[step.item.kind.index()].letter);
        items.push(Placed { item: step.item, letter, ends: (left + inset, right - inset) });
    }
    let room = |(index, node): Spot| {
        let item = derivation.steps[index].item;
        let (left, right) = (line.x[item.left.index()], line.x[item.right.index()]);
        let inset = INSET * (right - left).signum();
        let x = match node {
            node if node == item.left => left + inset,
            node if node == item.right => right - inset,
            inner => line.x[inner.index()],
        };
        (x, VERTEX_WIDTH)
    };
    Row { items, arcs: Arcs::new(arcs, room) }
}

fn inputs(how: &How) -> &[StepId] {
    match how {
        How::Initial => &[],
        How::Edge { input, .. } => std::slice::from_ref(input),
        How::Combine { inputs, .. } => inputs,
    }
}

/// A step and all that it is made of.
fn below(derivation: &Derivation, step: usize) -> Vec<usize> {
    let mut found = vec![step];
    let mut next = 0;
    while let Some(&step) = found.get(next) {
        found.extend(inputs(&derivation.steps[step].how).iter().map(|input| input.index()));
        next += 1;
    }
    found
}

impl Row {
    fn sees(&self, node: Node) -> bool {
        let sees = |item: &Item| item.left == node || item.right == node || item.external == Some(node);
        self.items.iter().any(|placed| sees(&placed.item))
    }

    fn draw(&self, number: usize, y: f64, line: &Line<'_>, svg: &mut Svg) {
        let grey = TextStyle { size: TAG_SIZE, colour: palette::GREY, bold: false, italic: false };
        svg.text(MARGIN, y + 4.0, &format!("({number})"), TextAnchor::Start, grey);
        let stroke = Stroke { colour: palette::INK, width: 1.4, dashed: false };
        for Placed { item, letter, ends } in &self.items {
            svg.path(&format!("M{:.1},{y:.1} H{:.1}", ends.0, ends.1), stroke);
            if let Some(external) = item.external {
                // A line without length and with round ends is a dot.
                let dot = Stroke { colour: palette::INK, width: 6.0, dashed: false };
                svg.path(&format!("M{:.1},{y:.1} h0", line.x[external.index()]), dot);
            }
            let x = ends.0.min(ends.1) + 2.0;
            let style = TextStyle { size: 11.0, colour: palette::INK, bold: false, italic: true };
            svg.text(x, y + 11.0, letter, TextAnchor::Start, style);
            let external = item.external.map_or_else(String::new, |external| format!(",{}", external.0));
            let places = format!("{},{}{external}", item.left.0, item.right.0);
            let style = TextStyle { size: 8.5, italic: false, ..style };
            svg.text(x + text_width(letter, 11.0), y + 13.5, &places, TextAnchor::Start, style);
        }
        self.arcs.draw(y - 2.0, svg);
    }
}

#[cfg(test)]
mod tests {
    use tracebank_chart::decompose::{decompose, graph_of};
    use tracebank_chart::{Class, Nodes, Worker};

    use super::*;

    fn example() -> (std::sync::Arc<Grammar>, Derivation) {
        let edge = |from, to, kind| Edge { from: Node(from), to: Node(to), kind };
        let structural =
            [(4, 1), (1, 0), (1, 2), (1, 3)].map(|(from, to)| edge(from, to, EdgeKind::Structural));
        let graph = graph_of(4, structural.into_iter().chain([edge(2, 0, EdgeKind::Trace)]));
        let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
        let derivation = decompose(&mut Worker::new(), &grammar, &Nodes::single(4), &graph).unwrap();
        (grammar, derivation)
    }

    #[test]
    fn every_step_is_an_item_of_one_row_and_rows_do_not_overlap() {
        let words = ["We", "like", "running", "."].map(str::to_owned);
        let (grammar, derivation) = example();
        let line = Line::of(&words);
        let rows = rows(&derivation, &grammar, &line);
        assert_eq!(rows.iter().map(|row| row.items.len()).collect::<Vec<_>>(), [4, 3, 2, 1, 1, 1]);
        for row in &rows {
            assert!(row.items.windows(2).all(|pair| pair[0].item.right <= pair[1].item.left));
        }
        let picture = derivation_picture(&words, &grammar, &derivation);
        // The whole graph and the last item have the trace edge, and so have those that are made on the way.
        assert_eq!(picture.matches("stroke-dasharray=\"5 3\"").count(), 5 + 5, "five guides, five traces");
        assert_eq!(picture.matches(" h0\"").count(), 5, "a dot for each external vertex");
    }

    #[test]
    fn a_sentence_without_words_is_an_empty_line() {
        let grammar = Grammar::of(Class::PROJECTIVE_TREE);
        assert!(derivation_picture(&[], &grammar, &Derivation::default()).contains(">ROOT</text>"));
    }

    #[test]
    fn right_to_left_words_stand_from_right_to_left() {
        let words = ["שלום", "עולם"].map(str::to_owned);
        let line = Line::of(&words);
        assert!(line.x[0] > line.x[1] && line.x[1] > line.x[2]);
        assert!(line.x[2] > NUMBERS && line.x[0] < line.width);
    }
}
