//! Trees in requests, measured before anything is made of them.

use axum::http::StatusCode;
use serde::Deserialize;

use crate::Config;
use crate::failed::Failed;

/// The most nodes of a tree for each word that a sentence may have; those of treebanks have three or four.
const NODES: usize = 16;

/// The deepest tree; those of treebanks have about 50 levels at most.
const DEPTH: usize = 500;

/// The parts of a request that hold trees.
#[derive(Deserialize)]
struct Request {
    tree: Option<String>,
    trees: Option<String>,
    against: Option<String>,
}

/// The size of some trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    trees: usize,
    nodes: usize,
    /// Of the largest tree, and of the deepest.
    most_nodes: usize,
    depth: usize,
}

impl Size {
    fn of(text: &str) -> Size {
        if text.trim_start().starts_with('(') { Size::of_brackets(text) } else { Size::of_graphs(text) }
    }

    /// The size of trees in brackets: every bracket is a node, and every word one more. What is wrong with them is found by whoever reads them.
    fn of_brackets(text: &str) -> Size {
        let (mut size, mut depth, mut nodes) = (Size::default(), 0_usize, 0);
        let mut before = b' ';
        for byte in text.bytes() {
            match byte {
                b'(' => {
                    (depth, nodes) = (depth + 1, nodes + 1);
                    size.depth = size.depth.max(depth);
                }
                b')' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        size.add(std::mem::take(&mut nodes));
                    }
                }
                // behind a bracket it is a label
                _ => nodes += usize::from(!byte.is_ascii_whitespace() && before.is_ascii_whitespace()),
            }
            before = byte;
        }
        size.add(nodes);
        size
    }

    /// The size of graphs with blank lines between them: no more nodes can come of them than they have names. Their levels are those of the
    /// longest spine.
    fn of_graphs(text: &str) -> Size {
        let (mut size, mut nodes) = (Size::default(), 0);
        for line in text.lines() {
            let names = line.split_ascii_whitespace().count();
            if names == 0 {
                size.add(std::mem::take(&mut nodes));
            }
            nodes += names;
            size.depth = size.depth.max(names);
        }
        size.add(nodes);
        size
    }

    fn add(&mut self, nodes: usize) {
        self.trees += usize::from(nodes > 0);
        self.nodes += nodes;
        self.most_nodes = self.most_nodes.max(nodes);
    }
}

/// Refuses trees beyond the limits. A body that is no such request is left to the operation, which says what is wrong with it.
pub(crate) fn check(body: &str, config: &Config) -> Result<(), Failed> {
    let Ok(Request { tree, trees, against }) = serde_json::from_str(body) else { return Ok(()) };
    for text in [tree, trees, against].into_iter().flatten() {
        let size = Size::of(&text);
        for (kind, found, most, of) in [
            ("sentences", size.trees, config.max_sentences, "a request may have at most"),
            ("nodes", size.nodes, NODES * config.max_words, "the trees of a request may have at most"),
            ("nodes", size.most_nodes, NODES * config.max_sentence_words, "a tree may have at most"),
            ("levels", size.depth, DEPTH, "a tree may have at most"),
        ] {
            if found > most {
                let detail = format!("{of} {most} {kind}");
                return Err(Failed::new(StatusCode::PAYLOAD_TOO_LARGE, kind, detail));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_measured_in_either_form() {
        let size = Size::of("( (S (NP (N a)) (V b)))\n(X (Y c)) (Z");
        assert_eq!(size, Size { trees: 3, nodes: 11, most_nodes: 7, depth: 4 });
        assert_eq!(Size::of(&format!("({})", " a".repeat(99))).nodes, 100, "words without a tag");
        let size = Size::of("0\t-\t-\t()\n1\ta\tN\tNP S (NP *)@-1\t0\t()\n\n\n0\t-\t-\t()\n");
        assert_eq!(size, Size { trees: 2, nodes: 17, most_nodes: 13, depth: 9 });
        assert_eq!(Size::of(" \n"), Size::default());
    }
}
