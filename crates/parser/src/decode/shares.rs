//! Shares of a sentence's budget of memory.
//!
//! Four things take memory that grows faster than the sentence: labels of pairs of words that may be joined by an edge, labels of pairs that may
//! be joined by a trace, the tables of the projective parse, and the chart. Each has a share of the budget, and is made smaller until it keeps to it:
//! words keep fewer heads, nulls see less far, words keep fewer spines, the chart is not asked. A sentence whose tables would be too large with one
//! spine a word has no parse, and that is known before anything is scored.

use super::Pruning;

/// The shares of a budget, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shares {
    /// Labels of the pairs that may be joined by an edge, and as much for those that may be joined by a trace.
    pub labels: usize,
    /// Scores of heads, and the tables of the projective parse.
    pub tables: usize,
    /// The chart.
    pub chart: usize,
}

/// Bytes for each label of a pair: one number while it is computed, one where it is kept.
const LABEL: usize = 8;
/// Bytes for each pair of words: scores of heads while they are computed and where they are kept, places of rows, permitted edges.
const PAIR: usize = 24;
/// Bytes for each slot and word, or slot and node, of the projective parse: its edges twice, four halves, a hook.
const SLOT: usize = 28;
/// Bytes for each slot and word where probabilities are asked for: the same in double precision, inside and outside.
const SUMMED_SLOT: usize = 5 * SLOT;

impl Shares {
    /// The shares of a budget.
    pub fn of(pruning: &Pruning) -> Shares {
        let bytes = pruning.bytes;
        Shares { labels: bytes / 16, tables: bytes / 8 * 3, chart: bytes / 2 }
    }

    /// Whether a sentence of so many words may be scored: with the least that can come of it there is room for the tables.
    pub fn hold_words(&self, words: usize) -> bool {
        self.hold_tables(words, words, words)
    }

    /// Whether there is room for the tables of a projective parse.
    pub(super) fn hold_tables(&self, words: usize, nodes: usize, slots: usize) -> bool {
        self.hold(words, nodes, slots, SLOT)
    }

    /// Whether there is room for the tables of sums over projective parses.
    pub(super) fn hold_sums(&self, words: usize, nodes: usize, slots: usize) -> bool {
        self.hold(words, nodes, slots, SUMMED_SLOT)
    }

    fn hold(&self, words: usize, nodes: usize, slots: usize, each: usize) -> bool {
        let (words, nodes, slots, each) = (words as f64, nodes as f64, slots as f64, each as f64);
        words * words * PAIR as f64 + nodes * slots * each <= self.tables as f64
    }
}

impl Pruning {
    /// The most pairs of words whose labels, so many for each, are scored.
    fn most_pairs(&self, labels: usize) -> usize {
        self.pairs.min(Shares::of(self).labels / (LABEL * labels.max(1)))
    }

    /// The most heads of a word whose labels are scored, in a sentence that has so many pairs within the margin; none if all may be.
    pub fn most_heads(&self, words: usize, pairs: usize, labels: usize) -> Option<usize> {
        let most = self.most_pairs(labels);
        (pairs > most).then(|| (most / words.max(1)).max(1))
    }

    /// The distance to the farthest word that is scored as an antecedent, in a sentence with so many words that may refer.
    pub fn reach(&self, words: usize, referrers: usize, labels: usize) -> usize {
        let most = self.most_pairs(labels);
        if referrers * words <= most { words } else { (most / (2 * referrers)).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pruning(bytes: usize) -> Pruning {
        Pruning { bytes, pairs: 1000, ..Pruning::default() }
    }

    #[test]
    fn shares_are_no_more_than_the_budget() {
        let shares = Shares::of(&pruning(1 << 20));
        assert_eq!(2 * shares.labels + shares.tables + shares.chart, 1 << 20);
    }

    #[test]
    fn what_fits_is_left_alone_and_what_does_not_becomes_less() {
        let wide = pruning(1 << 30);
        assert_eq!((wide.most_heads(30, 1000, 50), wide.most_heads(30, 1001, 50)), (None, Some(33)));
        assert_eq!((wide.reach(50, 20, 50), wide.reach(51, 20, 50)), (50, 25));
        // 64 KiB for labels of 400 bytes: 163 pairs
        let narrow = pruning(1 << 20);
        assert_eq!((narrow.most_heads(30, 163, 50), narrow.most_heads(30, 164, 50)), (None, Some(5)));
        assert_eq!((narrow.most_heads(1000, 164, 50), narrow.reach(1000, 500, 50)), (Some(1), 1));
    }

    #[test]
    fn words_that_no_budget_holds_do_not_wrap() {
        let shares = Shares::of(&pruning(2 << 30));
        assert!(shares.hold_words(1000) && shares.hold_words(3000));
        assert!(!shares.hold_words(100_000) && !shares.hold_words(usize::MAX));
        assert!(shares.hold_tables(100, 400, 1000) && !shares.hold_sums(3000, 3000, 3000));
    }

    #[test]
    fn tables_have_a_row_for_each_pair_of_words_and_one_for_each_node_and_slot() {
        // Three eighths are for tables: 24 bytes for each of 49 pairs, 28 for each of 49 slots.
        let bytes = 7 * 7 * 52 / 3 * 8;
        assert!(Shares::of(&pruning(bytes + 8)).hold_words(7) && !Shares::of(&pruning(bytes)).hold_words(7));
        let tables = |tables: usize| Shares { labels: 0, tables, chart: 0 };
        let most = 3 * 3 * 24 + 5 * 11 * 28;
        assert!(tables(most).hold_tables(3, 5, 11) && !tables(most - 1).hold_tables(3, 5, 11));
        let summed = 3 * 3 * 24 + 5 * 11 * 140;
        assert!(tables(summed).hold_sums(3, 5, 11) && !tables(summed - 1).hold_sums(3, 5, 11));
    }
}
