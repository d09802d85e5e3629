//! Trees with attachment sites against brute force: every choice of spines, heads and sites, scored straight from the definition.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_chart::sites::{Side, SiteScores, SiteWorker, Slot};
use tracebank_chart::{Node, Nodes};

/// A tree: a node and a slot for each word.
type Tree = (Vec<Node>, Vec<Slot>);

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    fn score(&mut self) -> f32 {
        (self.0.next_u32() as f32 / u32::MAX as f32 - 0.5) * 6.0
    }
}

fn random_scores(random: &mut Random, words: usize, forbidden: usize) -> SiteScores {
    let spines: Vec<usize> = (0..words).map(|_| 1 + random.below(2)).collect();
    let count = spines.iter().sum();
    let sites: Vec<usize> = (0..count).map(|_| random.below(4)).collect();
    let mut scores = SiteScores::new(Nodes::new(spines), sites.iter().copied());
    scores.single_root = random.below(2) == 0;
    for node in 0..count {
        *scores.spine_mut(Node(node as u32)) = random.score();
    }
    for slot in (0..scores.slots()).map(|slot| Slot(slot as u32)) {
        for side in [Side::Left, Side::Right] {
            *scores.empty_mut(slot, side) = random.score() / 2.0;
        }
    }
    for word in 0..words {
        for node in (0..=count).map(|node| Node(node as u32)) {
            let has_sites = sites.get(node.index()) != Some(&0);
            for slot in scores.slots_of(node) {
                if scores.nodes().word(node) != word && has_sites && random.below(100) >= forbidden {
                    *scores.edge_mut(word, Slot(slot as u32)) = random.score();
                }
            }
        }
    }
    scores
}

/// The node and the height of a slot.
fn place(scores: &SiteScores, slot: Slot) -> (Node, usize) {
    let nodes = (0..scores.nodes().len()).map(|node| Node(node as u32));
    let mut of = nodes.map(|node| (node, scores.slots_of(node)));
    let (node, slots) = of.find(|(_, slots)| slots.contains(&slot.index())).unwrap();
    (node, slot.index() - slots.start)
}

fn is_tree(scores: &SiteScores, (nodes, slots): &Tree) -> bool {
    let (words, root) = (nodes.len(), scores.nodes().words());
    let heads: Vec<usize> = slots.iter().map(|&slot| scores.nodes().word(place(scores, slot).0)).collect();
    // Whoever hangs at a node hangs at the node that was chosen.
    let fits = |&slot: &Slot| {
        let (node, _) = place(scores, slot);
        node == scores.nodes().root() || nodes[scores.nodes().word(node)] == node
    };
    let reaches_root = |mut at: usize| {
        (0..=words).any(|_| {
            at == root || {
                at = heads[at];
                at == root
            }
        })
    };
    let cross = |a: usize, b: usize| {
        let ends = |word: usize| (word.min(heads[word]), word.max(heads[word]));
        let ((a, b), (c, d)) = (ends(a), ends(b));
        (a < c && c < b && b < d) || (c < a && a < d && d < b)
    };
    let single = !scores.single_root || words == 0 || heads.iter().filter(|&&head| head == root).count() == 1;
    slots.iter().all(fits)
        && single
        && (0..words).all(reaches_root)
        && (0..words).all(|a| (0..words).all(|b| !cross(a, b)))
}

/// Whether on either side of each word no dependant hangs lower than one that is nearer.
fn nests(scores: &SiteScores, (nodes, slots): &Tree) -> bool {
    let words = nodes.len();
    let heads: Vec<usize> = slots.iter().map(|&slot| scores.nodes().word(place(scores, slot).0)).collect();
    (0..=words).all(|parent: usize| {
        let height = |word: &usize| place(scores, slots[*word]).1;
        let left: Vec<usize> = (0..parent.min(words)).rev().filter(|&word| heads[word] == parent).collect();
        let right: Vec<usize> = (parent + 1..words).filter(|&word| heads[word] == parent).collect();
        [left, right].iter().all(|side| side.is_sorted_by_key(height))
    })
}

fn score(scores: &SiteScores, (nodes, slots): &Tree) -> f32 {
    let parts = nodes.iter().zip(slots).enumerate();
    let filled: f32 = parts.map(|(word, (&node, &slot))| scores.spine(node) + scores.edge(word, slot)).sum();
    let mut empty = 0.0;
    for &parent in nodes.iter().chain([&scores.nodes().root()]) {
        let at = scores.nodes().word(parent);
        for slot in scores.slots_of(parent).map(|slot| Slot(slot as u32)) {
            let hangs = |side: Side| {
                let mut words = (0..nodes.len()).filter(|&word| slots[word] == slot);
                words.any(|word| (word < at) == (side == Side::Left))
            };
            // Behind the root there is nothing.
            let sides: &[Side] = if at == nodes.len() { &[Side::Left] } else { &[Side::Left, Side::Right] };
            let sides = sides.iter().filter(|&&side| !hangs(side));
            empty += sides.map(|&side| scores.empty(slot, side)).sum::<f32>();
        }
    }
    filled + empty
}

fn all_trees(scores: &SiteScores) -> Vec<(Tree, f32)> {
    let mut trees: Vec<Tree> = vec![(Vec::new(), Vec::new())];
    for word in 0..scores.nodes().words() {
        let nodes: Vec<Node> = scores.nodes().of_word(word).map(|node| Node(node as u32)).collect();
        let slots = (0..scores.slots()).map(|slot| Slot(slot as u32));
        let slots: Vec<Slot> = slots.filter(|&slot| scores.edge(word, slot).is_finite()).collect();
        trees = trees
            .iter()
            .flat_map(|tree| nodes.iter().map(move |&node| (tree, node)))
            .flat_map(|(tree, node)| slots.iter().map(move |&slot| (tree, node, slot)))
            .map(|((nodes, slots), node, slot)| {
                ([&nodes[..], &[node]].concat(), [&slots[..], &[slot]].concat())
            })
            .collect();
    }
    trees.retain(|tree| is_tree(scores, tree));
    trees
        .into_iter()
        .map(|tree| {
            let score = score(scores, &tree);
            (tree, score)
        })
        .collect()
}

fn close(a: f32, b: f32) -> bool {
    a.total_cmp(&b).is_eq() || (a - b).abs() < 1e-3 * (1.0 + a.abs())
}

#[test]
fn best_trees_and_marginals_equal_brute_force() {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(7));
    let mut worker = SiteWorker::default();
    let (mut solved, mut binds) = (0, 0);
    for round in 0..420 {
        let words = [0, 1, 2, 3, 4, 3, 4][round % 7];
        let scores = random_scores(&mut random, words, [0, 30, 60][round % 3]);
        let all = all_trees(&scores);
        let trees: Vec<&(Tree, f32)> = all.iter().filter(|(tree, _)| nests(&scores, tree)).collect();
        let Some(best) = worker.best(&scores) else {
            assert!(trees.is_empty(), "round {round}");
            continue;
        };
        solved += 1;
        let greatest = trees.iter().map(|(_, score)| *score).fold(f32::NEG_INFINITY, f32::max);
        assert!(close(best.score, greatest), "round {round}: {} {greatest}", best.score);
        let found: Tree = (best.nodes, best.slots);
        assert!(
            is_tree(&scores, &found) && nests(&scores, &found) && close(score(&scores, &found), greatest),
            "round {round}: {found:?}"
        );
        let mut ranked: Vec<f32> = trees.iter().map(|(_, score)| *score).collect();
        ranked.sort_by(|a, b| b.total_cmp(a));
        let listed = worker.trees(&scores, 7).collect::<Vec<_>>();
        assert_eq!(listed.len(), ranked.len().min(7), "round {round}");
        for (place, (tree, wanted)) in listed.into_iter().zip(ranked).enumerate() {
            let found: Tree = (tree.nodes, tree.slots);
            assert!(
                close(tree.score, wanted) && close(score(&scores, &found), wanted),
                "round {round}, {place}"
            );
            assert!(is_tree(&scores, &found) && nests(&scores, &found), "round {round}, {place}");
        }
        let reach = worker.max_marginals(&scores).unwrap();
        let shares = worker.marginals(&scores).unwrap();
        let total: f64 = trees.iter().map(|(_, score)| f64::from(*score).exp()).sum();
        assert!((shares.total - total.ln()).abs() < 1e-6, "round {round}: {} {}", shares.total, total.ln());
        for word in 0..words {
            for node in scores.nodes().of_word(word).map(|node| Node(node as u32)) {
                for slot in (0..scores.slots()).map(|slot| Slot(slot as u32)) {
                    let with =
                        || trees.iter().filter(|(tree, _)| tree.0[word] == node && tree.1[word] == slot);
                    let most = with().map(|(_, score)| *score).fold(f32::NEG_INFINITY, f32::max);
                    let share = with().map(|(_, score)| f64::from(*score).exp()).sum::<f64>() / total;
                    assert!(close(reach.row(node)[slot.index()], most), "round {round}: {node:?} {slot:?}");
                    assert!(
                        close(shares.row(node)[slot.index()], share as f32),
                        "round {round}: {node:?} {slot:?}"
                    );
                }
            }
        }
        let unnested = all.iter().map(|(_, score)| *score).fold(f32::NEG_INFINITY, f32::max);
        binds += usize::from(!close(unnested, greatest));
    }
    assert!(solved > 300 && binds >= 20, "{solved} solved, sites have to nest in {binds}");
}
