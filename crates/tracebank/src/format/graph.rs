//! The graph form.

use tracebank_syntax::graph::text as graph_text;

use crate::parse::Parse;

/// The graph form of a parse; what is no parse is marked in a comment.
pub(super) fn text(parse: &Parse) -> String {
    let graph = graph_text::write(&parse.graph);
    if parse.outcome.is_failure() { format!("# {}\n{graph}", parse.outcome) } else { graph }
}
