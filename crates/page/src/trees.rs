//! Trees in requests.

use std::io::Cursor;

use tracebank::Tree;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::tree::NodeId;
use tracebank_syntax::{graph, penn};

use crate::problem::Problem;

/// One tree in Penn brackets.
pub(crate) fn tree(text: &str) -> Result<Tree, Problem> {
    text.parse().map_err(|error: penn::SyntaxError| Problem::new(422, "tree", error.to_string()))
}

/// Trees of a dialect, or graphs, in the project's own dialect.
pub(crate) fn trees(text: &str, from: &str) -> Result<Vec<Tree>, Problem> {
    let stream = || Box::new(Cursor::new(text.as_bytes().to_vec()));
    let bad = |error: penn::SyntaxError| Problem::new(422, "tree", error.to_string());
    if from == "graph" {
        return graph::text::Reader::new(stream())
            .map(|graph| {
                graph::decode(&graph.map_err(bad)?)
                    .map_err(|error| Problem::new(422, "tree", error.to_string()))
            })
            .collect();
    }
    let dialect = Dialect::named(from)
        .ok_or_else(|| Problem::option("from", &format!("there is no dialect {from:?}")))?;
    let read = penn::Reader::new(stream()).map(|tree| {
        let mut tree = tree.map_err(bad)?;
        dialect.normalise(&mut tree);
        Ok(tree)
    });
    read.collect()
}

/// The node with this number, which is its place in the tree's arena.
pub(crate) fn node(tree: &Tree, number: usize) -> Result<NodeId, Problem> {
    tree.preorder(tree.top())
        .find(|node| node.index() == number)
        .ok_or_else(|| Problem::new(422, "node", format!("the tree has no node {number}")))
}
