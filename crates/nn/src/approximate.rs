//! Elementary functions as straight lines of additions and multiplications.
//!
//! They have no branch and no call, so a loop around them becomes vector code. Errors stay below a few units of the
//! seventh digit, which the tests hold against the standard library.

// Published coefficients are kept digit for digit; and only what is inlined is compiled for its caller's machine.
#![allow(clippy::excessive_precision, clippy::unreadable_literal, clippy::inline_always)]

/// Adding this leaves the rounded number in the low bits of the mantissa.
const ROUNDER: f32 = 12_582_912.0;

/// e to the power x; 0 below -87, capped above 88.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let low = -87.0f32;
    let clamped = if x > 88.0 { 88.0 } else { x };
    let clamped = if clamped < low { low } else { clamped };
    let shifted = clamped * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, so that the remainder keeps its digits.
    let r = (clamped - whole * 0.693359375) + whole * 2.12194440e-4;
    let mut p = 1.9875691500e-4;
    p = p * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    let fraction = (p * r) * r + r + 1.0;
    let power = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127) << 23;
    let result = fraction * f32::from_bits(power);
    if x < low { 0.0 } else { result }
}

/// The hyperbolic tangent (a rational function, as in Eigen).
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let x = if x > 7.9 { 7.9 } else { x };
    let x = if x < -7.9 { -7.9 } else { x };
    let s = x * x;
    let mut p = -2.76076847742355e-16;
    p = p * s + 2.00018790482477e-13;
    p = p * s - 8.60467152213735e-11;
    p = p * s + 5.12229709037114e-08;
    p = p * s + 1.48572235717979e-05;
    p = p * s + 6.37261928875436e-04;
    p = p * s + 4.89352455891786e-03;
    let mut q = 1.19825839466702e-06;
    q = q * s + 1.18534705686654e-04;
    q = q * s + 2.26843463243900e-03;
    q = q * s + 4.89352518554385e-03;
    x * p / q
}

/// 1 / (1 + e^-x)
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    0.5 * tanh(0.5 * x) + 0.5
}

/// x times how much of the normal distribution lies below x, within 5e-5 of the exact value: `0.5 + x * P(x²)` up to 4.5 on both sides (a minimax
/// polynomial), as there beyond. It has neither the division nor the exponential of [`normal`].
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    let inner = if x > 4.5 { 4.5 } else { x };
    let inner = if inner < -4.5 { -4.5 } else { inner };
    let s = inner * inner;
    let mut p = -1.400068758e-12;
    p = p * s + 1.697305157e-10;
    p = p * s - 9.193754746e-09;
    p = p * s + 2.958899928e-07;
    p = p * s - 6.365257965e-06;
    p = p * s + 9.787137964e-05;
    p = p * s - 1.122678584e-03;
    p = p * s + 9.833185202e-03;
    p = p * s - 6.633705674e-02;
    p = p * s + 3.988837946e-01;
    x * (0.5 + inner * p)
}

/// The normal distribution at x: how much lies below x, and the density (Abramowitz & Stegun 7.1.26).
#[inline(always)]
pub(crate) fn normal(x: f32) -> (f32, f32) {
    let bell = exp(-0.5 * x * x);
    let t = 1.0 / (1.0 + 0.3275911 * std::f32::consts::FRAC_1_SQRT_2 * x.abs());
    let mut p = 1.061405429;
    p = p * t - 1.453152027;
    p = p * t + 1.421413741;
    p = p * t - 0.284496736;
    p = p * t + 0.254829592;
    let tail = 0.5 * p * t * bell;
    let below = if x < 0.0 { tail } else { 1.0 - tail };
    (below, bell * 0.39894228)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: f32, to: f32) -> impl Iterator<Item = f32> {
        (0..=10_000).map(move |i| from + (to - from) * i as f32 / 1e4)
    }

    #[test]
    fn exp_is_close() {
        for x in range(-86.9, 87.9) {
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(1000.0).is_finite());
    }

    #[test]
    fn tanh_and_sigmoid_are_close() {
        for x in range(-12.0, 12.0) {
            let exact = f64::from(x).tanh();
            assert!((f64::from(tanh(x)) - exact).abs() < 3e-7, "{x}");
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 3e-7, "{x}");
        }
    }

    #[test]
    fn gelu_is_close() {
        for x in range(-12.0, 12.0) {
            let exact = f64::from(x) * f64::from(normal(x).0);
            assert!((f64::from(gelu(x)) - exact).abs() < 5e-5, "{x}");
        }
    }

    #[test]
    fn the_normal_distribution_is_close() {
        // Simpson's rule over the density, from far out on the left.
        let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let (mut below, step) = (0.0, 1e-3);
        let mut x = -8.0f64;
        while x < 8.0 {
            let (approximate, bell) = normal(x as f32);
            assert!((f64::from(approximate) - below).abs() < 4e-7, "{x}");
            assert!((f64::from(bell) - density(x)).abs() < 4e-7, "{x}");
            below += step / 6.0 * (density(x) + 4.0 * density(x + step / 2.0) + density(x + step));
            x += step;
        }
    }
}
