//! What the tests share: random scores, and every structure of a class with its score.

#![allow(dead_code, reason = "each test file uses a part of it")]

use tracebank_chart::{Class, Edge, EdgeKind, Graph, Node, Nodes, Scores, exhaustive};

/// A small random number generator (splitmix64), the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -2 and 2.
    pub(crate) fn score(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 22) as f32 - 2.0
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// Random scores; `forbidden` percent of the parts are forbidden.
pub(crate) fn scores(random: &mut Random, spines: &[usize], forbidden: u64) -> Scores {
    let mut scores = Scores::new(Nodes::new(spines.iter().copied()), 0.0);
    let draw = |random: &mut Random| {
        let score = random.score();
        if random.chance(forbidden) { f32::NEG_INFINITY } else { score }
    };
    for kind in EdgeKind::ALL {
        scores.edges_mut(kind).iter_mut().for_each(|score| *score = draw(random));
    }
    for score in scores.spines_mut() {
        *score = random.score();
    }
    scores
}

/// Every structure of the class over these nodes, with its score: each choice of spines, and with a structural tree each
/// choice of structural edges that have a trace edge beside them.
pub(crate) fn all_structures(class: Class, scores: &Scores) -> Vec<(f64, Graph)> {
    let nodes = scores.nodes();
    let mut choices: Vec<Vec<Node>> = vec![Vec::new()];
    for word in 0..nodes.words() {
        let longer = |choice: &Vec<Node>| {
            let choice = choice.clone();
            nodes
                .of_word(word)
                .map(move |node| [choice.clone(), vec![Node(node as u32)]].concat())
                .collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    let mut all = Vec::new();
    exhaustive::structures(class, nodes.words(), |plain| {
        let structural: Vec<usize> = (0..plain.edges.len())
            .filter(|&e| class.structural && plain.edges[e].kind == EdgeKind::Structural)
            .collect();
        for spines in &choices {
            let node = |word: Node| *spines.get(word.index()).unwrap_or(&nodes.root());
            for beside in 0..1u32 << structural.len() {
                let mut edges = plain.edges.clone();
                for (bit, &edge) in structural.iter().enumerate() {
                    if beside >> bit & 1 == 1 {
                        edges[edge].kind = EdgeKind::Both;
                    }
                }
                let mut edges: Vec<Edge> =
                    edges.iter().map(|e| Edge { from: node(e.from), to: node(e.to), kind: e.kind }).collect();
                edges.sort_unstable();
                let graph = Graph { spines: spines.clone(), edges };
                let score = graph.score(scores);
                if score > f64::NEG_INFINITY {
                    all.push((score, graph));
                }
            }
        }
    });
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

/// The logarithm of a sum of exponentials.
pub(crate) fn log_sum(scores: impl Iterator<Item = f64> + Clone) -> f64 {
    let best = scores.clone().fold(f64::NEG_INFINITY, f64::max);
    if best == f64::NEG_INFINITY { best } else { best + scores.map(|s| (s - best).exp()).sum::<f64>().ln() }
}
