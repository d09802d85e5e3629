//! [`Tree`] → brackets.

use std::fmt;

use crate::tree::{Event, Kind, NodeId, Tree};

/// The layout of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// All on one line, as in `( (S (NP (PRP We)) …))`. Reading such a line and writing it gives the same bytes.
    Line,
    /// Over several lines, children indented below their parent; a phrase that fits on a line stays on one.
    Pretty,
}

/// The widest line of the pretty form that could still be broken.
const PRETTY_WIDTH: usize = 80;

/// Writes `tree` without a line break behind it.
pub fn write_tree(tree: &Tree, style: Style, out: &mut impl fmt::Write) -> fmt::Result {
    match style {
        Style::Line => write_line(tree, tree.top(), out),
        Style::Pretty => write_pretty(tree, out),
    }
}

impl fmt::Display for Tree {
    /// The one-line form; `{:#}` is the pretty one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(self, if f.alternate() { Style::Pretty } else { Style::Line }, f)
    }
}

fn write_line(tree: &Tree, root: NodeId, out: &mut impl fmt::Write) -> fmt::Result {
    for event in tree.walk(root) {
        match event {
            Event::Enter(node) => {
                if node != root {
                    out.write_char(' ')?;
                }
                open(tree, node, out)?;
            }
            Event::Leave(node) => close(tree, node, out)?,
        }
    }
    Ok(())
}

fn open(tree: &Tree, node: NodeId, out: &mut impl fmt::Write) -> fmt::Result {
    if tree.kind(node) != Kind::BareWord {
        out.write_char('(')?;
        out.write_str(tree.label_text(node))?;
    }
    match tree.word(node) {
        Some(word) if tree.kind(node) == Kind::Token => {
            out.write_char(' ')?;
            out.write_str(word)
        }
        Some(word) => out.write_str(word),
        None => Ok(()),
    }
}

fn close(tree: &Tree, node: NodeId, out: &mut impl fmt::Write) -> fmt::Result {
    if tree.kind(node) == Kind::BareWord { Ok(()) } else { out.write_char(')') }
}

fn write_pretty(tree: &Tree, out: &mut impl fmt::Write) -> fmt::Result {
    let widths = line_widths(tree);
    // the indentation stops growing, so that a very deep tree does not take space quadratic in its depth
    let indentation = |depth: usize| 2 * depth.min(PRETTY_WIDTH);
    let mut depth = 0;
    let mut walk = tree.walk(tree.top());
    while let Some(event) = walk.next() {
        match event {
            Event::Enter(node) => {
                if node != tree.top() {
                    write!(out, "\n{:1$}", "", indentation(depth))?;
                }
                if indentation(depth) + widths[node.index()] <= PRETTY_WIDTH
                    || tree.kind(node) != Kind::Phrase
                {
                    write_line(tree, node, out)?;
                    walk.skip_subtree(node);
                } else {
                    open(tree, node, out)?;
                    depth += 1;
                }
            }
            Event::Leave(node) => {
                close(tree, node, out)?;
                depth -= 1;
            }
        }
    }
    Ok(())
}

/// How many characters each node's one-line form has.
fn line_widths(tree: &Tree) -> Vec<usize> {
    let mut widths = vec![0; tree.arena_len()];
    for node in tree.postorder(tree.top()) {
        let label = tree.label_text(node).chars().count();
        let word = tree.word(node).map_or(0, |word| word.chars().count());
        widths[node.index()] = match tree.kind(node) {
            Kind::BareWord => word,
            Kind::Token => label + word + 3,
            Kind::Phrase => {
                label + 2 + tree.children(node).map(|child| 1 + widths[child.index()]).sum::<usize>()
            }
        };
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_byte_for_byte() {
        for line in [
            "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))",
            "(NN dog)",
            "( dog)",
            "( dog cat)",
            "( (S (A a)) (S (B b)))",
            "(NP-SBJ (DT the) dog (NN x))",
            "(ROOT (S (NN 語)))",
        ] {
            assert_eq!(line.parse::<Tree>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn the_pretty_form_breaks_only_what_is_wide() {
        let tree: Tree = "( (S (NP-SBJ-1 (DT The) (JJ old) (NN parser)) (VP (VBD wanted) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep) (ADVP (RB now)))))) (. .)))"
            .parse()
            .unwrap();
        let pretty = format!("{tree:#}");
        assert_eq!(
            pretty,
            "(\n  (S\n    (NP-SBJ-1 (DT The) (JJ old) (NN parser))\n    (VP\n      (VBD wanted)\n      \
             (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep) (ADVP (RB now))))))\n    (. .)))"
        );
        assert_eq!(pretty.parse::<Tree>().unwrap(), tree);
    }

    #[test]
    fn a_deep_tree_is_laid_out_in_linear_space() {
        let deep = format!("{}x{}", "(X ".repeat(100_000), ")".repeat(100_000));
        let tree: Tree = deep.parse().unwrap();
        let pretty = format!("{tree:#}");
        assert!(pretty.len() < 200 * 100_000);
        assert_eq!(pretty.parse::<Tree>().unwrap(), tree);
    }
}
