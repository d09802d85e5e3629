//! Checking a class against brute force, for whoever asks (`tracebank rules verify`).

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tracebank_chart::{Class, DecodeError, EdgeKind, Grammar, Nodes, Request, Scores, exhaustive};

use crate::Worker;

/// The findings for one class and one length.
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
    let mut worker = Worker::default();
    let decoded = worker.best(&grammar, &Request::new(&scores))?.score;
    let derivations = worker.count_all(&grammar, words)?;
    Ok(Verdict { class, words, derivations, structures, best: (decoded, best) })
}

/// Scores between -2 and 2, the same for the same seed everywhere.
pub fn random_scores(nodes: Nodes, seed: u64) -> Scores {
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut draw = || (random.next_u64() >> 40) as f32 / (1u64 << 22) as f32 - 2.0;
    let mut scores = Scores::new(nodes, 0.0);
    for kind in EdgeKind::ALL {
        scores.edges_mut(kind).fill_with(&mut draw);
    }
    scores.spines_mut().fill_with(&mut draw);
    scores
}
