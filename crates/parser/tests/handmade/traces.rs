//! Traces: which are chosen, and what is done where a budget ends.

use tracebank_parser::decode::{Optimality, Pruning, Settings};
use tracebank_syntax::class::Structure;

use super::{Sentence, close, settings, value};

const FIRST: &str = "(NP *T*)#0 > NP#0";

/// A noun and two verbs, the second of which hangs in the first. Both may refer to the noun.
fn two_verbs(first: f32, second: f32) -> Sentence {
    Sentence::new(3)
        .spine(1, "NP", 0.0)
        .spine(2, "VP SQ(NP(*T*))", 0.0)
        .spine(3, "VP SQ(NP(*T*))", 0.0)
        .hangs(1, 2, "VP#0", 0.0)
        .root(2, 10.0)
        .hangs(3, 2, "VP#0", 0.0)
        .refers(2, 1, FIRST, first)
        .refers(3, 1, FIRST, second)
}

#[test]
fn where_the_budget_of_sets_ends_each_null_takes_its_first_that_fits() {
    let decode = |second: f32, trace_sets: usize, shared_penalty: f32| {
        let pruning = Pruning { trace_sets, ..settings().pruning };
        let settings = Settings { shared_penalty, pruning, ..settings() };
        let decoded = two_verbs(5.0, second).decode(Structure::OneEndpointCrossing, settings, 1);
        (value(&decoded), decoded.best().analysis.traces.len(), decoded.optimality)
    };
    let is = |found: (f32, usize, Optimality), value: f32, traces: usize, proof: Optimality| {
        close(found.0, value) && (found.1, found.2) == (traces, proof)
    };
    // Two traces of movement to one phrase cost 3.
    assert!(is(decode(4.0, 100, 3.0), 16.0, 2, Optimality::ProvedByRelaxation));
    assert!(is(decode(4.0, 0, 3.0), 16.0, 2, Optimality::Unproved));
    assert!(is(decode(2.0, 100, 3.0), 15.0, 1, Optimality::ProvedByRelaxation));
    assert!(is(decode(2.0, 0, 3.0), 14.0, 2, Optimality::Unproved));
    // What reaches the bound is proved, however few sets were tried.
    assert!(is(decode(4.0, 0, 0.0), 19.0, 2, Optimality::ProvedByRelaxation));
}

#[test]
fn a_trace_that_is_worth_no_more_than_none_is_not_made() {
    for (score, traces) in [(0.0, 0), (0.1, 1), (-0.1, 0)] {
        let decoded = two_verbs(score, -1.0).decode(Structure::OneEndpointCrossing, settings(), 1);
        assert_eq!(decoded.best().analysis.traces.len(), traces, "{score}");
    }
}

#[test]
fn the_best_set_of_traces_is_found_whichever_null_goes_without() {
    // Two that refer to one phrase cost 3; what the fourth word refers to is its own.
    let sentence = |first: f32, second: f32, last: f32| {
        let mut sentence = Sentence::new(5).spine(4, "VP SQ(NP(*T*))", 0.0).spine(5, "NP", 0.0);
        let verbs = two_verbs(first, second);
        for word in 0..3 {
            sentence.scores.spines.row_mut(word).copy_from_slice(verbs.scores.spines.row(word));
            for other in 0..3 {
                let row = verbs.scores.traces[word].as_ref().unwrap().row(other);
                sentence.scores.traces[word].as_mut().unwrap().row_mut(other).copy_from_slice(row);
            }
        }
        sentence
            .hangs(1, 2, "VP#0", 0.0)
            .root(2, 10.0)
            .hangs(3, 2, "VP#0", 0.0)
            .hangs(4, 3, "VP#0", 0.0)
            .hangs(5, 4, "VP#0", 0.0)
            .refers(4, 5, FIRST, last)
    };
    for [first, second, last] in [[2.0, 5.0, 4.0], [5.0, 2.0, 4.0], [5.0, 4.0, 4.0], [2.0, 5.0, -1.0]] {
        // The values of all sets, best first.
        let mut all: Vec<f32> = [0.0, first, second, first + second - 3.0]
            .iter()
            .flat_map(|value| [10.0 + value, 10.0 + value + last])
            .collect();
        all.sort_by(|a, b| b.total_cmp(a));
        for wanted in [1, 9] {
            let decoded =
                sentence(first, second, last).decode(Structure::OneEndpointCrossing, settings(), wanted);
            let found: Vec<f32> = decoded.ranking.iter().map(|ranked| ranked.score).collect();
            assert_eq!(found.len(), wanted.min(all.len()));
            assert!(found.iter().zip(&all).all(|(&a, &b)| close(a, b)), "{found:?} {all:?}");
            assert_eq!(decoded.optimality, Optimality::ProvedByRelaxation);
        }
    }
}

#[test]
fn a_null_takes_its_next_antecedent_where_the_first_is_out_of_the_class() {
    let sentence = Sentence::new(3)
        .spine(1, "NP", 0.0)
        .spine(2, "NP", 0.0)
        .spine(3, "VP SQ(NP(*T*))", 0.0)
        .hangs(1, 2, "NP#0", 0.0)
        .root(2, 10.0)
        .hangs(3, 2, "NP#0", 0.0)
        .refers(3, 1, FIRST, 6.0)
        .refers(3, 2, FIRST, 5.0);
    for (structure, antecedent, value_of_best) in
        [(Structure::OneEndpointCrossing, 1, 16.0), (Structure::ProjectiveGraph, 2, 15.0)]
    {
        let decoded = sentence.decode(structure, settings(), 1);
        assert_eq!(decoded.best().analysis.traces, [sentence.trace(3, antecedent, FIRST)]);
        assert!(close(value(&decoded), value_of_best));
        assert_eq!(decoded.optimality, Optimality::ProvedByRelaxation);
    }
}
