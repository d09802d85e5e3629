//! A tree in lines of text, for a terminal.
//!
//! ```
//! use tracebank_report::draw::{NodeMarks, outline};
//! let tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
//! let lines: Vec<String> = outline(&tree, &NodeMarks::default()).iter().map(|line| line.plain()).collect();
//! assert_eq!(lines, [
//!     "S",
//!     "├─ NP-SBJ-1 (PRP We)",
//!     "├─ VP",
//!     "│  ├─ (VBP like)",
//!     "│  └─ S",
//!     "│     ├─ NP-SBJ (-NONE- *-1)",
//!     "│     └─ VP (VBG running)",
//!     "└─ (. .)",
//! ]);
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

use std::fmt::Write as _;

use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};
use unicode_width::UnicodeWidthStr;

use super::marks::NodeMarks;
use super::palette;
use super::traces::{chain_of_node, traces};

/// How many steps of indentation a line shows at most, so that a very deep tree does not take room quadratic in its depth.
const DEEPEST: usize = 40;

/// Stands for a bracket without a label that has several children.
const NAMELESS: &str = "·";

/// The style of a piece of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Lines between nodes, brackets and tags.
    Faint,
    /// A label.
    Label,
    /// A word.
    Word,
    /// A null element without an antecedent.
    Null,
    /// A null element or a label of the chain with this number.
    Chain(usize),
    /// A node that the other tree does not have.
    Wrong,
}

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its text.
    pub text: String,
    /// Its style.
    pub style: Style,
}

/// A line of an outline.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line(pub Vec<Piece>);

impl Line {
    /// The text alone; what is wrong has `✗` in front.
    pub fn plain(&self) -> String {
        self.0.iter().fold(String::new(), |mut text, piece| {
            if piece.style == Style::Wrong {
                text.push('✗');
            }
            text + &piece.text
        })
    }

    /// The text with colours, as ANSI codes.
    pub fn coloured(&self) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            let (code, cross) = match piece.style {
                Style::Faint => ("\x1b[2m", ""),
                Style::Word => ("", ""),
                Style::Label => ("\x1b[1m", ""),
                Style::Null => ("\x1b[3m", ""),
                Style::Chain(number) => (palette::ansi_chain(number), ""),
                Style::Wrong => ("\x1b[1;31m", "✗"),
            };
            let end = if code.is_empty() { "" } else { "\x1b[0m" };
            write!(text, "{code}{cross}{}{end}", piece.text).expect("writing to a string");
        }
        text
    }

    /// How many columns of a terminal it takes.
    pub fn width(&self) -> usize {
        self.plain().width()
    }

    fn push(&mut self, text: &str, style: Style) {
        if !text.is_empty() {
            self.0.push(Piece { text: text.to_owned(), style });
        }
    }
}

/// The lines of `tree`: a phrase a line, with its leaves on the same line if it has nothing else, and an only child behind its parent.
/// Penn's unlabelled outer bracket has no line unless it has several children.
pub fn outline(tree: &Tree, marks: &NodeMarks) -> Vec<Line> {
    let chains = chain_of_node(tree, &traces(tree));
    let mut outliner =
        Outliner { tree, marks, chains, lines: Vec::new(), open: Vec::new(), line: Line::default() };
    outliner.run();
    outliner.lines
}

struct Outliner<'a> {
    tree: &'a Tree,
    marks: &'a NodeMarks,
    chains: Vec<Option<usize>>,
    lines: Vec<Line>,
    /// For each open phrase that has lines below it: whether the child being shown is its last.
    open: Vec<bool>,
    /// The line being made.
    line: Line,
}

impl Outliner<'_> {
    fn run(&mut self) {
        let mut walk = self.tree.walk(self.tree.top());
        while let Some(event) = walk.next() {
            match event {
                Event::Enter(node) => {
                    let continues = self.shares_line_with_parent(node);
                    if !continues {
                        self.begin_line(node);
                    }
                    if self.is_flat(node) {
                        self.flat(node, continues);
                        self.end_line();
                        walk.skip_subtree(node);
                    } else {
                        self.label(node, continues);
                        if self.tree.children(node).nth(1).is_some() {
                            self.end_line();
                            self.open.push(false);
                        }
                    }
                }
                Event::Leave(node) => {
                    if self.tree.children(node).nth(1).is_some() {
                        self.open.pop();
                    }
                }
            }
        }
    }

    fn shares_line_with_parent(&self, node: NodeId) -> bool {
        self.tree.parent(node).is_none_or(|parent| self.tree.children(parent).nth(1).is_none())
    }

    /// A leaf, or a phrase of nothing but leaves.
    fn is_flat(&self, node: NodeId) -> bool {
        self.tree.children(node).all(|child| self.tree.kind(child) != Kind::Phrase)
    }

    fn begin_line(&mut self, node: NodeId) {
        let is_last = self.tree.next_sibling(node).is_none();
        let mut indentation = String::new();
        let hidden = self.open.len().saturating_sub(DEEPEST);
        if hidden > 0 {
            indentation.push('…');
        }
        if let Some((current, outer)) = self.open.split_last_mut() {
            for &outer_is_last in outer.get(hidden..).unwrap_or_default() {
                indentation.push_str(if outer_is_last { "   " } else { "│  " });
            }
            *current = is_last;
            indentation.push_str(if is_last { "└─ " } else { "├─ " });
        }
        self.line.push(&indentation, Style::Faint);
    }

    fn end_line(&mut self) {
        if self.line.0.is_empty() {
            self.line.push(NAMELESS, Style::Faint);
        }
        self.lines.push(std::mem::take(&mut self.line));
    }

    fn label(&mut self, node: NodeId, continues: bool) {
        let label = self.tree.label_text(node);
        if continues && !label.is_empty() && self.line.0.iter().any(|piece| piece.style != Style::Faint) {
            self.line.push(" ─ ", Style::Faint);
        }
        let style = self.style(node).unwrap_or(Style::Label);
        self.line.push(label, style);
    }

    fn flat(&mut self, node: NodeId, continues: bool) {
        if self.tree.kind(node) == Kind::Phrase {
            self.label(node, continues);
            for leaf in self.tree.children(node) {
                self.line.push(" ", Style::Faint);
                self.leaf(leaf);
            }
        } else {
            if continues && node != self.tree.top() {
                self.line.push(" ", Style::Faint);
            }
            self.leaf(node);
        }
    }

    fn leaf(&mut self, leaf: NodeId) {
        let word = self.tree.word(leaf).unwrap_or_default();
        let is_null = self.tree.is_null_element(leaf);
        let style = self.style(leaf);
        let word_style = match style {
            Some(style) if is_null => style,
            _ if is_null => Style::Null,
            _ => Style::Word,
        };
        if self.tree.kind(leaf) == Kind::BareWord {
            return self.line.push(word, word_style);
        }
        // of a word, what can be wrong is its tag
        let tag_style = if is_null { Style::Faint } else { style.unwrap_or(Style::Faint) };
        self.line.push("(", Style::Faint);
        self.line.push(self.tree.label_text(leaf), tag_style);
        self.line.push(" ", Style::Faint);
        self.line.push(word, word_style);
        self.line.push(")", Style::Faint);
    }

    fn style(&self, node: NodeId) -> Option<Style> {
        if self.marks.is_wrong(node) {
            Some(Style::Wrong)
        } else {
            self.chains[node.index()].map(Style::Chain)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        outline(&text.parse().unwrap(), &NodeMarks::default()).iter().map(Line::plain).collect()
    }

    #[test]
    fn only_children_share_their_parents_line() {
        assert_eq!(
            lines("( (S (VP (VP (V go) (NP (N on))))))"),
            ["S ─ VP ─ VP", "├─ (V go)", "└─ NP (N on)"]
        );
        assert_eq!(lines("(NP (D the) dog)"), ["NP (D the) dog"]);
        assert_eq!(lines("(N dog)"), ["(N dog)"]);
        assert_eq!(
            lines("( (A a) (B (C (D d) (E e)) (F f)))"),
            ["·", "├─ (A a)", "└─ B", "   ├─ C (D d) (E e)", "   └─ (F f)"]
        );
    }

    #[test]
    fn a_deep_tree_takes_room_by_its_size() {
        let depth = 3000;
        let text = format!("{}(N a){}", "(X (M m) ".repeat(depth), ")".repeat(depth));
        let lines = lines(&text);
        assert!(lines.iter().all(|line| line.chars().count() < 200));
        assert_eq!(lines.len(), 2 * depth - 1);
    }
}
