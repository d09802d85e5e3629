//! Answers that restricted rules must derive.

use tracebank_chart::decompose::{RuleUse, decompose, graph_of};
use tracebank_chart::{Edge, EdgeKind, Grammar, Node, Nodes, Worker, rule_file};
use tracebank_parser::decode::{Decoded, Optimality, Pruning, Settings};
use tracebank_parser::rules::RuleSet;
use tracebank_syntax::class::Structure;

use super::{Sentence, close, settings, value};

const FIRST: &str = "(NP *T*)#0 > NP#0";

/// The rules that derive three words under the second, with and without a trace from the third to the first as is asked for, and no others.
fn rules(with: &[bool]) -> RuleSet {
    let grammar = Grammar::of(RuleSet::CLASS);
    let edge = |from: u32, to: u32, kind: EdgeKind| Edge { from: Node(from), to: Node(to), kind };
    let mut uses = RuleUse::new(&grammar);
    for has_trace in with {
        let structural = [(1, 0), (3, 1), (1, 2)].map(|(from, to)| edge(from, to, EdgeKind::Structural));
        let trace = has_trace.then(|| edge(2, 0, EdgeKind::Trace));
        let graph = graph_of(3, structural.into_iter().chain(trace));
        uses.add(&decompose(&mut Worker::new(), &grammar, &Nodes::single(3), &graph).unwrap());
    }
    RuleSet::parse(&rule_file::write(grammar.rules(), &uses)).unwrap()
}

/// Three words under the second, of which the third may refer to the first with this score.
fn three_words(score: f32) -> Sentence {
    Sentence::new(3)
        .spine(1, "NP", 0.0)
        .spine(2, "NP NP", 0.0)
        .spine(3, "VP SQ(NP(*T*))", 0.0)
        .hangs(1, 2, "NP#0", 0.0)
        .root(2, 10.0)
        .hangs(3, 2, "NP#0", 0.0)
        .refers(3, 1, FIRST, score)
}

fn decode(sentence: &Sentence, structure: Structure, settings: Settings, rules: &RuleSet) -> Decoded {
    let mut decoder = sentence.decoder(settings).with_rules(Some(rules));
    decoder.decode(&sentence.scores, structure, None, 1)
}

#[test]
fn a_trace_that_is_worse_than_none_is_made_where_the_rules_need_it() {
    for (has_trace, score, expected) in [(true, -1.0, 9.0), (false, -1.0, 10.0), (true, 1.0, 11.0)] {
        let sentence = three_words(score);
        let decoded = decode(&sentence, Structure::OneEndpointCrossing, settings(), &rules(&[has_trace]));
        assert!(close(value(&decoded), expected), "{has_trace} {score}: {}", value(&decoded));
        let traces: Vec<_> = has_trace.then(|| sentence.trace(3, 1, FIRST)).into_iter().collect();
        assert_eq!(decoded.best().analysis.traces, traces);
        assert_eq!(decoded.optimality, Optimality::ProvedByRelaxation);
    }
}

#[test]
fn the_chart_has_the_graphs_of_the_rules_alone_and_proves_nothing_of_them() {
    // Two trees with the trace stand before the answer, and two graphs, for the chart has it either way round.
    let sentence = three_words(6.0).hangs(3, 2, "NP#1", -0.5).spine(3, "NP", 3.0);
    let found = |structure: Structure, graphs: [usize; 2], with: &[bool]| {
        let pruning = Pruning { trees: 2, graphs, ..settings().pruning };
        let decoded = decode(&sentence, structure, Settings { pruning, ..settings() }, &rules(with));
        assert!(decoded.best().analysis.traces.is_empty());
        (value(&decoded), decoded.optimality)
    };
    let of_all = found(Structure::OneEndpointCrossing, [1, 2], &[false]);
    assert!(close(of_all.0, 13.0) && of_all.1 == Optimality::Unproved, "{of_all:?}");
    // In a class of which there are no rules, the chart has the graphs of the class.
    let projective = found(Structure::ProjectiveGraph, [1, 1], &[false, true]);
    assert!(close(projective.0, 13.0) && projective.1 == Optimality::Unproved, "{projective:?}");
}
