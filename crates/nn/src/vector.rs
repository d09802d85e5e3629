//! Loops over rows of floats, compiled several times: for any x86-64 (or other machine), for AVX2 and for AVX-512.
//!
//! Sums run over sixteen lanes in a fixed order and nothing is contracted, so all versions give the same bits.

// Only what is inlined is compiled for its caller's machine.
#![allow(clippy::inline_always)]

use multiversion::multiversion;

use crate::approximate::{self, exp, normal};
use crate::random::hash32;

const LANES: usize = 16;

#[inline(always)]
fn fold2(
    a: &[f32],
    b: &[f32],
    start: f32,
    f: impl Fn(f32, f32, f32) -> f32,
    join: impl Fn(f32, f32) -> f32,
) -> f32 {
    assert_eq!(a.len(), b.len());
    let mut lanes = [start; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] = f(lanes[lane], x[lane], y[lane]);
        }
    }
    for lane in 0..a_rest.len() {
        lanes[lane] = f(lanes[lane], a_rest[lane], b_rest[lane]);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = join(lanes[lane], lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// The sum of the values.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn sum(x: &[f32]) -> f32 {
    fold2(x, x, 0.0, |sum, x, _| sum + x, |a, b| a + b)
}

/// The inner product.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn dot(x: &[f32], y: &[f32]) -> f32 {
    fold2(x, y, 0.0, |sum, x, y| sum + x * y, |a, b| a + b)
}

/// The greatest value.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn max(x: &[f32]) -> f32 {
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    fold2(x, x, f32::NEG_INFINITY, |max, x, _| greater(max, x), greater)
}

/// `to += from`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// `to += factor * from`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// `x *= factor`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn scale(x: &mut [f32], factor: f32) {
    for x in x {
        *x *= factor;
    }
}

/// Adds `row` to every row of `rows`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_to_rows(rows: &mut [f32], row: &[f32]) {
    for to in rows.chunks_exact_mut(row.len()) {
        for (to, from) in to.iter_mut().zip(row) {
            *to += from;
        }
    }
}

/// Adds every row of `rows` to `sum`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_rows(sum: &mut [f32], rows: &[f32]) {
    for from in rows.chunks_exact(sum.len()) {
        for (to, from) in sum.iter_mut().zip(from) {
            *to += from;
        }
    }
}

/// Negative values become 0.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn relu(x: &mut [f32]) {
    for x in x {
        *x = if *x > 0.0 { *x } else { 0.0 };
    }
}

/// Zeroes the gradient where the result was 0.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn relu_backward(gradient: &mut [f32], result: &[f32]) {
    for (g, y) in gradient.iter_mut().zip(result) {
        *g = if *y > 0.0 { *g } else { 0.0 };
    }
}

/// `out = relu(a + b)`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_relu(out: &mut [f32], a: &[f32], b: &[f32]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let sum = a + b;
        *out = if sum > 0.0 { sum } else { 0.0 };
    }
}

/// Adds the gradient of `relu(a + b)`, given its result, to those of `a` and of `b`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_relu_backward(gradient: &[f32], result: &[f32], a: &mut [f32], b: &mut [f32]) {
    for (((g, y), a), b) in gradient.iter().zip(result).zip(a).zip(b) {
        let g = if *y > 0.0 { *g } else { 0.0 };
        *a += g;
        *b += g;
    }
}

/// `out = x * P(normal < x)`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn gelu(out: &mut [f32], x: &[f32]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = approximate::gelu(x);
    }
}

/// Multiplies the gradient by the derivative of [`gelu`] at `x`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn gelu_backward(gradient: &mut [f32], x: &[f32]) {
    for (g, &x) in gradient.iter_mut().zip(x) {
        let (below, bell) = normal(x);
        *g *= below + x * bell;
    }
}

/// Zeroes the values whose hash lies below `threshold`, and multiplies the others by `factor`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn drop_out(x: &mut [f32], seed: u32, threshold: u32, factor: f32) {
    for (position, x) in x.iter_mut().enumerate() {
        *x = if hash32(seed, position as u32) < threshold { 0.0 } else { *x * factor };
    }
}

/// Turns scores into probabilities, and gives the logarithm of the sum that divides them.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn softmax(x: &mut [f32]) -> f32 {
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    let max = fold2(x, x, f32::NEG_INFINITY, |max, x, _| greater(max, x), greater);
    for x in x.iter_mut() {
        *x = exp(*x - max);
    }
    let total = fold2(x, x, 0.0, |sum, x, _| sum + x, |a, b| a + b);
    let factor = 1.0 / total;
    for x in x.iter_mut() {
        *x *= factor;
    }
    max + total.ln()
}

/// Turns scores into logarithms of probabilities.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn log_softmax(x: &mut [f32]) {
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    let max = fold2(x, x, f32::NEG_INFINITY, |max, x, _| greater(max, x), greater);
    let total = fold2(x, x, 0.0, |sum, x, _| sum + exp(x - max), |a, b| a + b);
    let log = max + total.ln();
    for x in x {
        *x -= log;
    }
}

/// The gradient at the scores of a softmax: `g = p * (g - sum(g * p)) * factor`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn softmax_backward(gradient: &mut [f32], probabilities: &[f32], factor: f32) {
    let mean = fold2(gradient, probabilities, 0.0, |sum, g, p| sum + g * p, |a, b| a + b);
    for (g, p) in gradient.iter_mut().zip(probabilities) {
        *g = p * (*g - mean) * factor;
    }
}

/// The gradient at the scores of a log-softmax, given its result: `g -= exp(y) * sum(g)`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn log_softmax_backward(gradient: &mut [f32], result: &[f32]) {
    let total = fold2(gradient, gradient, 0.0, |sum, g, _| sum + g, |a, b| a + b);
    for (g, y) in gradient.iter_mut().zip(result) {
        *g -= exp(*y) * total;
    }
}

/// Shifts and scales `x` to mean 0 and variance 1, in place, and gives the scale.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn standardise(x: &mut [f32], epsilon: f32) -> f32 {
    let count = x.len() as f32;
    let mean = fold2(x, x, 0.0, |sum, x, _| sum + x, |a, b| a + b) / count;
    for x in x.iter_mut() {
        *x -= mean;
    }
    let variance = fold2(x, x, 0.0, |sum, x, _| sum + x * x, |a, b| a + b) / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for x in x.iter_mut() {
        *x *= scale;
    }
    scale
}

/// Turns the gradient at a standardised row into that at the row before.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn standardise_backward(gradient: &mut [f32], standard: &[f32], scale: f32) {
    let count = gradient.len() as f32;
    let mean = fold2(gradient, gradient, 0.0, |sum, g, _| sum + g, |a, b| a + b) / count;
    let projection = fold2(gradient, standard, 0.0, |sum, g, s| sum + g * s, |a, b| a + b) / count;
    for (g, s) in gradient.iter_mut().zip(standard) {
        *g = scale * (*g - mean - s * projection);
    }
}

/// `out = x * weight + bias`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn affine(out: &mut [f32], x: &[f32], weight: &[f32], bias: &[f32]) {
    for (((out, x), w), b) in out.iter_mut().zip(x).zip(weight).zip(bias) {
        *out = x * w + b;
    }
}

/// `to += x * y`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn add_product(to: &mut [f32], x: &[f32], y: &[f32]) {
    for ((to, x), y) in to.iter_mut().zip(x).zip(y) {
        *to += x * y;
    }
}

/// `to *= x`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2+fma"))]
pub(crate) fn multiply_by(to: &mut [f32], x: &[f32]) {
    for (to, x) in to.iter_mut().zip(x) {
        *to *= x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_sums_to_one_and_forgets_what_is_masked() {
        let mut x: Vec<f32> = (0..37).map(|i| (i as f32).sin() * 5.0).collect();
        x[3] = f32::NEG_INFINITY;
        let mut logs = x.clone();
        log_softmax(&mut logs);
        softmax(&mut x);
        assert!((sum(&x) - 1.0).abs() < 1e-6);
        assert_eq!(x[3], 0.0);
        assert_eq!(logs[3], f32::NEG_INFINITY);
        assert!(x.iter().zip(&logs).all(|(p, log)| (p - log.exp()).abs() < 1e-6));
    }

    #[test]
    fn sums_do_not_miss_the_rest() {
        let x: Vec<f32> = (0..45).map(|i| i as f32).collect();
        assert_eq!(sum(&x), 990.0);
        assert_eq!(max(&x), 44.0);
        assert_eq!(dot(&x, &x), 29370.0);
    }
}
