//! Checking a class against brute force, for whoever asks (`tracebank rules verify`).

use crate::decode::{DecodeError, Request, Worker, count};
use crate::exhaustive;
use crate::grammar::Grammar;
use crate::part::{EdgeKind, Nodes, Scores};
use crate::structure::Class;

/// What was found for one class and one length.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The class.
    pub class: Class,
    /// The number of words.
    pub words: usize,
    /// The number of derivations.
    pub derivations: String,
    /// The number of structures, by brute force.
    pub structures: u64,
    /// The score of the best structure under random scores, from the decoder and by brute force.
    pub best: (f64, f64),
}

impl Verdict {
    /// Do they agree?
    pub fn agrees(&self) -> bool {
        let (decoded, tried) = self.best;
        self.derivations == self.structures.to_string()
            && (decoded - tried).abs() < 1e-4 * (1.0 + tried.abs())
    }
}

/// Compares derivations with structures, and the best of them under random scores.
pub fn verify(class: Class, words: usize) -> Result<Verdict, DecodeError> {
    let grammar = Grammar::of(class);
    let mut scores = random_scores(Nodes::single(words), words as u64 + 1);
    scores.edges_mut(EdgeKind::Both).fill(f32::NEG_INFINITY);
    let (mut structures, mut best) = (0, f64::NEG_INFINITY);
    exhaustive::structures(class, words, |graph| {
        structures += 1;
        best = best.max(graph.score(&scores));
    });
    let decoded = Worker::new().best(&grammar, &Request::new(&scores))?.score;
    Ok(Verdict { class, words, derivations: count(&grammar, words)?, structures, best: (decoded, best) })
}

/// Scores between -2 and 2, the same for the same seed everywhere.
pub fn random_scores(nodes: Nodes, seed: u64) -> Scores {
    let mut state = seed;
    let mut draw = || {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 22) as f32 - 2.0
    };
    let mut scores = Scores::new(nodes, 0.0);
    for kind in EdgeKind::ALL {
        scores.edges_mut(kind).fill_with(&mut draw);
    }
    scores.spines_mut().fill_with(&mut draw);
    scores
}
