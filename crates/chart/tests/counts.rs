//! Derivations are counted against brute force and against the numbers of the oracle: a rule set is sound, complete and
//! unambiguous for a class exactly when its number of derivations equals the number of structures, for every length.

use tracebank_chart::expand::Rules;
use tracebank_chart::explain::digest;
use tracebank_chart::reference::Reference;
use tracebank_chart::semiring::count_exactly;
use tracebank_chart::{Class, EdgeKind, Grammar, Nodes, Scores, Worker, exhaustive};

/// From the oracle's table, for one to five words; the undirected variants are this crate's own brute force.
const TRUTH: [(Class, [u64; 5]); 10] = [
    (Class::PROJECTIVE_TREE, [1, 3, 12, 55, 273]),
    (Class::ONE_ENDPOINT_TREE, [1, 3, 16, 125, 1_104]),
    (Class::PROJECTIVE_GRAPH, [1, 5, 39, 369, 3_879]),
    (Class::ONE_ENDPOINT_GRAPH, [1, 5, 79, 3_009, 113_547]),
    (Class::PROJECTIVE_GRAPH.with_structural_tree(), [1, 7, 79, 1_085, 16_561]),
    (Class::ONE_ENDPOINT_GRAPH.with_structural_tree(), [1, 7, 157, 8_353, 437_125]),
    (Class::PROJECTIVE_TREE.undirected(), [1, 3, 12, 55, 273]),
    (Class::ONE_ENDPOINT_TREE.undirected(), [1, 3, 16, 125, 1_104]),
    (Class::PROJECTIVE_GRAPH.undirected(), [1, 4, 23, 156, 1_162]),
    (Class::ONE_ENDPOINT_GRAPH.undirected(), [1, 4, 38, 696, 13_693]),
];

fn derivations(rules: &Rules, words: usize) -> String {
    let mut scores = Scores::new(Nodes::single(words), 0.0);
    scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
    count_exactly(|field| Ok::<_, ()>(Reference::inside(rules, field, &scores).total())).unwrap()
}

#[test]
fn derivations_equal_structures_up_to_five_words() {
    for (class, truth) in TRUTH {
        let (rules, grammar, mut worker) = (Rules::expand(class).trim(), Grammar::of(class), Worker::new());
        for (words, &expected) in (1..).zip(&truth) {
            assert_eq!(derivations(&rules, words), expected.to_string(), "{class}, {words} words");
            assert_eq!(
                worker.count_all(&grammar, words).unwrap(),
                expected.to_string(),
                "{class}, {words} words"
            );
        }
    }
}

#[test]
fn brute_force_agrees_with_the_oracle() {
    for (class, truth) in TRUTH {
        for (words, &expected) in (1..=4).zip(&truth) {
            assert_eq!(exhaustive::count(class, words), expected, "{class}, {words} words");
        }
    }
}

#[test]
#[ignore = "slow: enumerates every structure over six words, about a minute with optimisation"]
fn derivations_equal_structures_for_six_words() {
    for (class, _) in TRUTH {
        let rules = Rules::expand(class).trim();
        for words in 5..=6 {
            assert_eq!(
                derivations(&rules, words),
                exhaustive::count(class, words).to_string(),
                "{class}, {words}"
            );
        }
    }
}

/// The figures of the oracle: kinds, combinations and edge rules, reachable and then useful.
#[test]
fn the_rules_are_as_many_as_the_oracle_says() {
    let figures = |class| {
        let rules = Rules::expand(class);
        let useful = rules.trim();
        [&rules, &useful].map(|rules| (rules.kinds.len(), rules.combinations.len(), rules.edges.len()))
    };
    let plain = Class::ONE_ENDPOINT_GRAPH;
    assert_eq!(figures(plain), [(659, 32_298, 1_086), (516, 30_224, 820)]);
    let [reachable, useful] = figures(plain.with_structural_tree());
    assert_eq!(reachable.0, 2_515);
    assert_eq!(useful, (1_557, 104_096, 3_032));
}

/// Rules are generated, not kept in git. A change of these digests is a change of the rules; print them with
/// `tracebank rules stats`.
#[test]
fn the_rules_are_the_ones_that_were_checked() {
    let plain = Class::ONE_ENDPOINT_GRAPH;
    let digests = [plain, plain.with_structural_tree()].map(|class| digest(&Rules::expand(class)));
    assert_eq!(digests, [0xab4d_e319_eb49_1766, 0x6881_e928_bd30_1bec]);
}
