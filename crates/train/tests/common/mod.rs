//! Helpers of several tests.

use tracebank_parser::gold::Gold;
use tracebank_parser::scores::{Grid, SentenceScores, parts_of_gold};
use tracebank_parser::vocabulary::Vocabulary;

/// Scores under which nothing but gold is any good.
pub(crate) fn oracle(gold: &Gold, vocabulary: &Vocabulary) -> SentenceScores {
    let (n, names) = (gold.heads.len(), vocabulary.names());
    let grid = |rows, columns| Grid::new(rows, columns, -20.0);
    let mut scores = SentenceScores {
        tags: grid(n, names.tags.len()),
        spines: grid(n, names.spines.len()),
        functions: grid(n, names.functions.len()),
        heads: grid(n, n + 1),
        attachments: grid(n * (n + 1), names.attachments.len()),
        traces: vec![Some(grid(n, names.traces.len())); n],
        is_cut: false,
    };
    for part in parts_of_gold(gold) {
        *scores.part_mut(part).unwrap() = 8.0;
    }
    scores
}
