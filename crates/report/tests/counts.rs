//! Every metric on two pairs of trees, with counts made by hand.

use tracebank_report::align::pair_up;
use tracebank_report::evaluation::{Evaluation, Options};
use tracebank_report::metric::Metric;
use tracebank_report::score::Counts;
use tracebank_syntax::penn::Reader;

const GOLD: &str = "\
( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))
( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ-2 (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))
";

/// The first guess takes *running* for a noun; the second misses that it is *she* who is to buy.
const GUESS: &str = "\
( (S (NP-SBJ (PRP We)) (VP (VBP like) (NP (NN running))) (. .)))
( (SBARQ (WHNP-1 (WP What)) (SQ (VBD did) (NP-SBJ (PRP she)) (VP (VB want) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB buy) (NP (-NONE- *T*-1))))))) (. ?)))
";

#[test]
fn counts_are_those_made_by_hand() {
    let mut evaluation = Evaluation::new(Options::default());
    for pair in pair_up(Reader::new(GOLD.as_bytes()), Reader::new(GUESS.as_bytes())) {
        evaluation.add(&pair);
    }
    // matched, gold, guess
    let by_hand = [
        // S NP VP (S VP | NP), and all eight of the question; full stops are no words to evalb
        (Metric::Brackets, [3 + 8, 5 + 8, 4 + 8]),
        (Metric::BracketsShort, [3 + 8, 5 + 8, 4 + 8]),
        (Metric::Tags, [2 + 6, 3 + 6, 3 + 6]),
        // the first guess has no null; those of the second are in their places, one without its antecedent
        (Metric::Null, [2, 1 + 2, 2]),
        (Metric::Coindex, [1, 1 + 2, 2]),
        (Metric::JohnsonFull, [1, 1 + 2, 2]),
        (Metric::JohnsonDependency, [1, 1 + 2, 1]),
        (Metric::JohnsonEmptyElement, [2, 1 + 2, 2]),
        (Metric::JohnsonEmptyTerminal, [2, 1 + 2, 2]),
        // all words but *running* have the right spine, and every word the right parent
        (Metric::Spines, [3 + 7, 4 + 7, 4 + 7]),
        (Metric::Edges, [4 + 7, 4 + 7, 4 + 7]),
        (Metric::UnlabelledEdges, [4 + 7, 4 + 7, 4 + 7]),
        (Metric::Traces, [1, 1 + 2, 1]),
        (Metric::UnlabelledTraces, [1, 1 + 2, 1]),
        // the subjects; of the nulls the first guess has none
        (Metric::Functions, [1 + 1, 1 + 1, 1 + 1]),
        (Metric::NullFunctions, [1, 1 + 1, 1]),
    ];
    assert_eq!(by_hand.len(), Metric::COUNT);
    for (metric, [matched, gold, test]) in by_hand {
        assert_eq!(evaluation.tallies()[metric].total, Counts { matched, gold, test }, "{metric:?}");
    }
}
