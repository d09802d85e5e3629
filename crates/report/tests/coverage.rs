//! Coverage and its reasons, on sentences made by hand.

use tracebank_chart::{Class, EdgeKind, Grammar, Node, Worker};
use tracebank_report::coverage::{Count, Coverage, Encoder, GIVEN_ROWS, ROWS, Reason, explain};
use tracebank_report::edges::Edges;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::graph::{Arc, ArcKind, Vertex};

/// The edges of a sentence of words `a`, `b`, `c` and so on with their heads, and trace edges, all of type `*`, from parent to child.
fn edges(heads: &[u32], traces: &[(u32, u32)], nulls: usize) -> Edges {
    let arc = |(parent, child), kind| Arc { parent: Vertex(parent), child: Vertex(child), kind };
    let structural = heads.iter().zip(1..).map(|(&head, child)| arc((head, child), ArcKind::Structural));
    let traced = traces.iter().enumerate().map(|(index, &ends)| arc(ends, ArcKind::Trace(index)));
    Edges {
        words: ('a'..).take(heads.len()).map(String::from).collect(),
        arcs: structural.chain(traced).collect(),
        traces: vec!["*".to_owned(); traces.len()],
        nulls,
    }
}

#[test]
fn trees_are_counted_and_their_parts_added() {
    let encoder = Encoder::new(Dialect::named("penn").unwrap());
    let of = |trees: &[&str]| {
        let mut coverage = Coverage::of_trees();
        trees.iter().for_each(|tree| coverage.add(&encoder, &tree.parse().unwrap()));
        coverage
    };
    let plain = "( (S (NP-SBJ (PRP We)) (VP (VBP go))))";
    let control =
        "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))";
    let within = "( (S (NP-SBJ-1 (-NONE- *)) (VP (VBN seen) (NP (-NONE- *-1)))))";
    let whole = of(&[plain, control, within, control]);
    // Sentences, edges, all edges, edges within spines. The trace of `control` is more than a tree.
    let count = |[sentences, edges, all_edges, within_spines]: [usize; 4]| Count {
        sentences,
        edges,
        all_edges,
        within_spines,
    };
    assert_eq!(whole.counts()[0], count([1, 11, 13, 1]));
    assert_eq!(whole.counts()[1], count([2, 11, 13, 1]));
    assert_eq!(whole.counts()[3], count([4, 13, 13, 1]));
    let mut parts = of(&[plain, control, within]);
    parts.merge(&of(&[control, within]));
    assert_eq!((whole.trees(), parts.trees()), (4, 5));
    assert_eq!(parts.counts()[3], count([5, 14, 14, 2]));
    assert_eq!(parts.counts()[0], count([1, 12, 14, 2]));
}

#[test]
fn given_graphs_are_counted_as_they_are_but_for_the_direction_of_traces() {
    let mut coverage = Coverage::of_graphs();
    // A circle of an edge and a trace, which turned round is none; and a trace within a spine, which has no edge.
    let circle = edges(&[0, 1], &[(2, 1)], 1);
    let mut within = edges(&[0, 1], &[], 1);
    within.traces.push("*".to_owned());
    coverage.add_given(&circle);
    coverage.add_given(&within);
    coverage.add_given(&edges(&[2, 0, 2], &[], 0));
    assert_eq!(coverage.trees(), 3);
    let counts: Vec<_> = coverage
        .counts()
        .iter()
        .map(|count| (count.sentences, count.edges, count.all_edges, count.within_spines))
        .collect();
    assert_eq!(counts, [(1, 7, 8, 1), (2, 7, 8, 1), (2, 7, 8, 1), (2, 7, 8, 1), (3, 8, 8, 1)]);
}

#[test]
fn reasons_name_the_trouble_and_the_edges_in_it() {
    let [no_nulls, with_nulls, projective, one_endpoint] = [0, 1, 2, 3].map(|row| &ROWS[row]);
    let circle = edges(&[0, 1], &[(2, 1)], 1);
    let crossing = edges(&[0, 1, 2, 2], &[(1, 3)], 1);
    let crossed_circle = edges(&[0, 1, 2, 2], &[(1, 3), (4, 2)], 1);
    // The trace from b to e is crossed by two edges that have no end in common.
    let twice = edges(&[0, 1, 1, 1, 1, 4], &[(2, 5)], 1);
    let both = edges(&[0, 1, 1, 1, 1, 4], &[(2, 5), (6, 4)], 2);
    let reason = |edges: &Edges, row| explain(edges, row).map(|found| (found.reason, found.edges.join(", ")));
    let expected = |reason, edges: &str| Some((reason, edges.to_owned()));
    let crossed = "b[2] → e[5] (*), a[1] → c[3] (structural), d[4] → f[6] (structural)";
    let circled = "d[4] → f[6] (structural), f[6] → d[4] (*)";
    let cases = [
        (&circle, one_endpoint, expected(Reason::Cycle, "a[1] → b[2] (structural), b[2] → a[1] (*)")),
        (&circle, with_nulls, expected(Reason::Traces, "b[2] → a[1] (*)")),
        (&circle, no_nulls, expected(Reason::Traces, "b[2] → a[1] (*)")),
        (&crossing, one_endpoint, None),
        (&crossing, projective, expected(Reason::Crossing, "b[2] → d[4] (structural), a[1] → c[3] (*)")),
        (&crossed_circle, one_endpoint, expected(Reason::Cycle, "b[2] → d[4] (structural), d[4] → b[2] (*)")),
        (&twice, one_endpoint, expected(Reason::Crossing, crossed)),
        (&both, one_endpoint, expected(Reason::CycleAndCrossing, &format!("{circled}, {crossed}"))),
        (&edges(&[0], &[], 1), no_nulls, expected(Reason::Traces, "")),
        (&edges(&[0], &[], 1), with_nulls, None),
        (&edges(&[0], &[], 0), no_nulls, None),
    ];
    for (edges, row, expected) in cases {
        assert_eq!(reason(edges, row), expected, "{}", row.name);
    }
    assert_eq!(explain(&circle, one_endpoint).unwrap().dropped, ["*"]);
    assert_eq!(circle.describe(circle.arcs[0]), "ROOT → a[1] (structural)");
}

#[test]
fn traces_follow_the_tree_also_where_it_goes_round_in_a_circle() {
    let acyclic = GIVEN_ROWS[4];
    let ends = |edges: &Edges| -> Vec<(u32, u32)> {
        acyclic.given(edges).arcs.iter().map(|arc| (arc.parent.0, arc.child.0)).collect()
    };
    assert_eq!(ends(&edges(&[0, 1, 2, 1], &[(3, 1), (1, 3), (4, 3)], 0))[4..], [(1, 3), (1, 3), (4, 3)]);
    assert_eq!(ends(&edges(&[2, 1], &[(1, 2)], 0)), [(2, 1), (1, 2), (2, 1)]);
    assert_eq!(GIVEN_ROWS[3].given(&edges(&[0, 1], &[(2, 1)], 0)).arcs[2].parent, Vertex(2));
}

#[test]
fn the_chart_sees_one_edge_between_two_words_in_each_direction() {
    let edges = edges(&[0, 1, 1], &[(1, 2), (1, 2), (3, 1), (2, 3), (2, 3)], 0);
    let graph = |class: Class| -> Vec<(u32, u32, EdgeKind)> {
        edges.chart_graph(class).edges.iter().map(|edge| (edge.from.0, edge.to.0, edge.kind)).collect()
    };
    let directed = Class::ONE_ENDPOINT_GRAPH;
    let (structural, trace, both) = (EdgeKind::Structural, EdgeKind::Trace, EdgeKind::Both);
    assert_eq!(
        graph(directed.with_structural_tree()),
        [(0, 1, both), (0, 2, structural), (1, 2, trace), (2, 0, trace), (3, 0, structural)]
    );
    assert_eq!(
        graph(directed),
        [(0, 1, structural), (0, 2, structural), (1, 2, structural), (2, 0, structural), (3, 0, structural)]
    );
    assert_eq!(
        graph(Class { directed: false, ..directed }),
        [(0, 1, structural), (0, 2, structural), (0, 3, structural), (1, 2, structural)]
    );
    assert_eq!(edges.chart_graph(directed).spines, [0, 1, 2].map(Node));
}

#[test]
fn sentences_of_up_to_a_thousand_words_are_derived() {
    let grammar = Grammar::of(Class::ONE_ENDPOINT_GRAPH.with_structural_tree());
    let error = edges(&[0; 1001], &[], 0).derivation(&mut Worker::new(), &grammar).unwrap_err().to_string();
    assert!(error.contains("1002") && error.contains("1001"), "{error}");
    let derivation = edges(&[2, 0], &[], 0).derivation(&mut Worker::new(), &grammar).unwrap();
    assert!(!derivation.steps.is_empty());
}
