//! Every attack on its seeds, and on seeds that were changed at random.

use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use tracebank_attacks::ALL;

/// The changed inputs of each attack.
const CASES: usize = 500;
/// The most bytes of a changed input: whole sentences are parsed in some attacks.
const MOST: usize = 600;

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }

    /// A seed with some bytes changed, left out, repeated, or taken from another.
    fn changed(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let (from, length) = (self.below(bytes.len()), self.below(16));
            let to = bytes.len().min(from + length);
            match self.below(5) {
                0 if !bytes.is_empty() => bytes[from] = self.below(256) as u8,
                1 => drop(bytes.drain(from..to)),
                2 => {
                    let again = bytes[from..to].repeat(1 + self.below(8));
                    bytes.splice(from..from, again);
                }
                3 => {
                    const SIGNS: &[u8] = b"()[]{}\"*-=|@+_:;,.\\ \n\t\0\xff0";
                    bytes.insert(from, SIGNS[self.below(SIGNS.len())]);
                }
                _ => {
                    let other = &seeds[self.below(seeds.len())];
                    let start = self.below(other.len());
                    let piece = other[start..other.len().min(start + 40)].to_vec();
                    bytes.splice(from..from, piece);
                }
            }
        }
        bytes.truncate(MOST);
        bytes
    }
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| std::fs::read(file).unwrap()).collect()
}

#[test]
fn seeds_and_changed_seeds_do_no_harm() {
    for (name, attack) in ALL {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(16));
        let changed = (0..CASES).map(|_| dice.changed(&seeds));
        for (case, bytes) in seeds.iter().cloned().chain(changed).enumerate() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let ended = std::panic::catch_unwind(|| attack(&bytes));
            assert!(ended.is_ok(), "{name}, case {case}: {text:?}");
        }
    }
}
