//! Random numbers that are the same everywhere: a generator for weights and orders, and a hash that decides about dropout from a seed and a
//! position alone, so that no mask has to be kept.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::matrix::Matrix;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// An index below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from the standard normal distribution.
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f32::consts::TAU * self.unit()).cos()
    }

    /// A matrix of normal numbers.
    pub fn normal_matrix(&mut self, rows: usize, cols: usize, deviation: f32) -> Matrix {
        Matrix::from_vec(rows, cols, (0..rows * cols).map(|_| deviation * self.normal()).collect())
    }

    /// A matrix of numbers spread evenly between `-bound` and `bound`.
    pub fn uniform_matrix(&mut self, rows: usize, cols: usize, bound: f32) -> Matrix {
        let values = (0..rows * cols).map(|_| bound * (2.0 * self.unit() - 1.0)).collect();
        Matrix::from_vec(rows, cols, values)
    }

    /// The numbers below `count` in random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        self.shuffle(&mut order);
        order
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The seed of the `nth` of the sequences that belong to one seed; neighbours are unrelated.
pub fn substream(seed: u64, nth: u64) -> u64 {
    let mut first = SplitMix64::seed_from_u64(seed);
    SplitMix64::seed_from_u64(first.next_u64() ^ nth).next_u64()
}

/// 32 random bits for a position; made of operations that run on eight positions at once.
#[allow(clippy::inline_always, reason = "only what is inlined is compiled for its caller's machine")]
#[inline(always)]
pub(crate) fn hash32(seed: u32, position: u32) -> u32 {
    let mut x = position.wrapping_mul(0x9E37_79B9) ^ seed;
    x = (x ^ (x >> 16)).wrapping_mul(0x7FEB_352D);
    x = (x ^ (x >> 15)).wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_right_moments() {
        let sample = Random::new(7).normal_matrix(100, 100, 2.0);
        let mean = sample.values().iter().sum::<f32>() / 1e4;
        let variance = sample.values().iter().map(|x| x * x).sum::<f32>() / 1e4;
        assert!(mean.abs() < 0.06 && (variance - 4.0).abs() < 0.2, "{mean} {variance}");
    }

    #[test]
    fn the_hash_is_even() {
        let ones = (0..10_000).filter(|&i| hash32(5, i) < u32::MAX / 10).count();
        assert!((900..1100).contains(&ones), "{ones}");
    }
}
