//! Rows of input as numbers of seven bits.
//!
//! A row becomes whole numbers from 0 to 127 with a scale and a zero of its own: `x ≈ scale * (number - zero)`. Seven bits, because the products of
//! two such inputs and their weights then fit into sixteen, on machines that have no other way; every machine takes seven, so that all find the same.

use multiversion::multiversion;

/// The greatest number.
const GREATEST: f32 = 127.0;
/// Adding this leaves the rounded number in the low bits of a float.
const ROUNDER: f32 = 12_582_912.0;

/// What the numbers of a row mean.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QuantisedRow {
    /// The difference between two numbers.
    pub(super) scale: f32,
    /// The number that stands for 0.
    pub(super) zero: i32,
}

/// Writes the numbers of a row, then zeros.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(super) fn quantise_row(x: &[f32], numbers: &mut [u8]) -> QuantisedRow {
    let (mut least, mut most) = ([0.0f32; 16], [0.0f32; 16]);
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for ((least, most), x) in least.iter_mut().zip(&mut most).zip(chunk) {
            *least = if *x < *least { *x } else { *least };
            *most = if *x > *most { *x } else { *most };
        }
    }
    let least = least.iter().chain(rest).fold(0.0f32, |least, x| if *x < least { *x } else { least });
    let most = most.iter().chain(rest).fold(0.0f32, |most, x| if *x > most { *x } else { most });
    let range = most - least;
    let factor = if range > 0.0 { GREATEST / range } else { 0.0 };
    let zero = (ROUNDER - least * factor) - ROUNDER;
    let number = |x: f32| {
        let place = x * factor + zero;
        let place = if place < GREATEST { place } else { GREATEST };
        ((place + ROUNDER).to_bits() & 0x7F) as u8
    };
    let (numbers, padding) = numbers.split_at_mut(x.len());
    for (to, x) in numbers.iter_mut().zip(x) {
        *to = number(*x);
    }
    padding.fill(0);
    QuantisedRow { scale: range / GREATEST, zero: zero as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn numbers_are_the_nearest() {
        let mut numbers = [9; 8];
        let row = quantise_row(&[-1.0, 0.0, 0.49, 0.27, 4.08], &mut numbers);
        assert!((row.scale - 0.04).abs() < 1e-7);
        assert_eq!((row.zero, numbers), (25, [0, 25, 37, 32, 127, 0, 0, 0]));
    }

    #[test]
    fn nothing_leaves_seven_bits() {
        let mut random = Random::new(3);
        for (from, width) in [(-1.0, 2.0), (0.0, 1.0), (-3.0, 1.0), (-63.5, 127.0), (0.0, 0.0)] {
            let x: Vec<f32> =
                (0..77).map(|i| from + width * if i < 2 { i as f32 } else { random.unit() }).collect();
            let mut numbers = [0; 77];
            let row = quantise_row(&x, &mut numbers);
            for (x, number) in x.iter().zip(numbers) {
                assert!(number <= 127);
                let back = row.scale * (i32::from(number) - row.zero) as f32;
                assert!((back - x).abs() <= 0.51 * row.scale + 1e-6, "{x} became {back}");
            }
        }
    }

    #[test]
    fn wild_numbers_leave_nothing_either() {
        let mut numbers = [0; 4];
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            quantise_row(&[x, 1.0, -x, 0.0], &mut numbers);
            assert!(numbers.iter().all(|&number| number <= 127), "{x}: {numbers:?}");
        }
    }
}
