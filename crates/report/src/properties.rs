//! Properties of the metrics that hold for every pair of trees over the same words.

use proptest::prelude::*;
use tracebank_syntax::tree::Tree;

use crate::align::{Pair, Pairing};
use crate::arbitrary::tree_pair;
use crate::evaluation::{Evaluation, Options, SentenceResult};
use crate::metric::Metric;
use crate::score::Counts;

fn evaluate(gold: &str, guess: &str) -> (SentenceResult, Evaluation) {
    let (gold, guess): (Tree, Tree) = (gold.parse().unwrap(), guess.parse().unwrap());
    let mut evaluation = Evaluation::new(Options::default());
    let result = evaluation.add(&Pair { number: 1, pairing: Pairing::Aligned { gold, guess } });
    (result.unwrap(), evaluation)
}

/// Metrics whose matches are counted as membership can match an item twice, and are not the same from both sides.
const BY_MEMBERSHIP: [Metric; 4] = [Metric::Null, Metric::Coindex, Metric::Traces, Metric::UnlabelledTraces];

proptest! {
    #[test]
    fn identical_trees_have_no_loss((gold, _) in tree_pair()) {
        let (result, _) = evaluate(&gold, &gold);
        for metric in Metric::all() {
            let Counts { matched, gold, test } = result.counts[metric];
            // evalb skips a sentence of punctuation, and then misses what is in it
            if result.evalb_mismatch.is_none() {
                prop_assert_eq!((matched, matched), (gold, test), "{:?}", metric);
            }
        }
    }

    #[test]
    fn turning_the_pair_round_turns_precision_and_recall_round((gold, guess) in tree_pair()) {
        let ((there, _), (back, _)) = (evaluate(&gold, &guess), evaluate(&guess, &gold));
        if there.evalb_mismatch.is_some() || back.evalb_mismatch.is_some() {
            return Ok(());
        }
        for metric in Metric::all() {
            let (a, b) = (there.counts[metric], back.counts[metric]);
            prop_assert_eq!((a.gold, a.test), (b.test, b.gold), "{:?}", metric);
            if !BY_MEMBERSHIP.contains(&metric) {
                prop_assert_eq!(a.matched, b.matched, "{:?}", metric);
            }
        }
    }

    #[test]
    fn types_add_up_and_nothing_is_matched_that_is_not_there((gold, guess) in tree_pair()) {
        let (result, evaluation) = evaluate(&gold, &guess);
        for metric in Metric::all() {
            let tally = &evaluation.tallies()[metric];
            prop_assert_eq!(tally.total, result.counts[metric], "{:?}", metric);
            prop_assert!(tally.total.matched <= tally.total.gold);
            if !tally.by_type.is_empty() {
                let mut sum = Counts::default();
                tally.by_type.values().for_each(|&counts| sum += counts);
                prop_assert_eq!(sum, tally.total, "{:?}", metric);
            }
        }
    }
}
