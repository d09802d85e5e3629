//! The graph form, and its fields for the forms that share them.

use tracebank_syntax::graph::text as graph_text;

use crate::parse::Parse;

/// The graph form of a parse; what is no parse is marked in a comment.
pub(super) fn text(parse: &Parse) -> String {
    let graph = graph_text::write(&parse.graph);
    if parse.outcome.is_failure() { format!("# {}\n{graph}", parse.outcome) } else { graph }
}

/// What the graph form says about a word.
pub(super) struct Row {
    pub(super) spine: String,
    pub(super) attachment: String,
}

/// A row for each word.
pub(super) fn rows(parse: &Parse) -> Vec<Row> {
    let text = graph_text::write(&parse.graph);
    let rows = text.lines().skip(1).map(|line| {
        let mut fields = line.split('\t').map(str::trim).skip(3);
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let (spine, _head, attachment) = (next(), next(), next());
        Row { spine, attachment }
    });
    rows.collect()
}
