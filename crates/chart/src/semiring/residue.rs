//! Counting derivations exactly, however many there are.
//!
//! The engine counts modulo a prime of 62 bits, in Montgomery form; counting modulo several primes and putting the
//! remainders together again (Garner's mixed radix) gives the number itself.

use super::Semiring;

/// Counting modulo an odd prime below 2⁶².
#[derive(Clone, Copy, Debug)]
pub struct Residue {
    prime: u64,
    /// `-prime⁻¹ mod 2⁶⁴`.
    inverse: u64,
    /// `2⁶⁴ mod prime`: one, in Montgomery form.
    one: u64,
    /// `2¹²⁸ mod prime`: takes a number into Montgomery form.
    square: u64,
}

impl Residue {
    fn new(prime: u64) -> Self {
        // Newton's iteration doubles the number of correct bits, from the three that every odd number starts with.
        let mut inverse = prime;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let one = ((1u128 << 64) % u128::from(prime)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(prime)) as u64;
        Self { prime, inverse: inverse.wrapping_neg(), one, square }
    }

    #[inline(always)]
    fn multiply(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let fold = (product as u64).wrapping_mul(self.inverse);
        let high = ((product + u128::from(fold) * u128::from(self.prime)) >> 64) as u64;
        if high >= self.prime { high - self.prime } else { high }
    }

    fn power(self, base: u64, mut exponent: u64) -> u64 {
        let (mut result, mut square) = (self.one, base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.multiply(result, square);
            }
            square = self.multiply(square, square);
            exponent >>= 1;
        }
        result
    }

    fn enter(self, number: u64) -> u64 {
        self.multiply(number % self.prime, self.square)
    }

    fn leave(self, value: u64) -> u64 {
        self.multiply(value, 1)
    }

    /// Miller and Rabin's test with the twelve bases that decide every 64-bit number.
    fn is_prime(self) -> bool {
        let shift = (self.prime - 1).trailing_zeros();
        let minus_one = self.prime - self.one;
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
            let mut x = self.power(self.enter(base), (self.prime - 1) >> shift);
            if x == self.one || x == minus_one {
                return true;
            }
            (1..shift).any(|_| {
                x = self.multiply(x, x);
                x == minus_one
            })
        })
    }
}

impl Semiring for Residue {
    type Value = u64;

    fn zero(self) -> u64 {
        0
    }

    fn one(self) -> u64 {
        self.one
    }

    #[inline(always)]
    fn plus(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    #[inline(always)]
    fn times(self, a: u64, b: u64) -> u64 {
        self.multiply(a, b)
    }

    fn part(self, score: f32) -> u64 {
        if score > f32::NEG_INFINITY { self.one } else { 0 }
    }
}

/// Runs a count modulo one prime after another until the number is known, and writes it in decimal.
///
/// A further prime that adds nothing ends the search: a wrong end would need a true count whose next digit, in a base of
/// 2⁶², happened to be zero, so two such digits are asked for.
pub fn count_exactly<E>(mut count: impl FnMut(Residue) -> Result<u64, E>) -> Result<String, E> {
    let mut primes: Vec<Residue> = Vec::new();
    let mut digits: Vec<u64> = Vec::new();
    let mut candidate = (1 << 62) - 1;
    while digits.len() < 2 || digits[digits.len() - 2..] != [0, 0] {
        let field = Residue::new(candidate);
        candidate -= 2;
        if !field.is_prime() {
            continue;
        }
        // The next mixed-radix digit: (count - digits so far) / (product of the primes so far), modulo this prime.
        let (mut known, mut product) = (field.zero(), field.one());
        for (digit, prime) in digits.iter().zip(&primes) {
            known = field.plus(known, field.times(field.enter(*digit), product));
            product = field.times(product, field.enter(prime.prime));
        }
        let rest = field.plus(count(field)?, field.prime - known);
        let digit = field.multiply(rest % field.prime, field.power(product, field.prime - 2));
        digits.push(field.leave(digit));
        primes.push(field);
    }
    Ok(decimal(&digits, &primes))
}

/// Horner's rule over limbs of nine decimal digits.
fn decimal(digits: &[u64], primes: &[Residue]) -> String {
    const BASE: u128 = 1_000_000_000;
    let mut limbs: Vec<u64> = vec![0];
    for (digit, prime) in digits.iter().zip(primes).rev() {
        let mut carry = u128::from(*digit);
        for limb in &mut limbs {
            carry += u128::from(*limb) * u128::from(prime.prime);
            *limb = (carry % BASE) as u64;
            carry /= BASE;
        }
        while carry > 0 {
            limbs.push((carry % BASE) as u64);
            carry /= BASE;
        }
    }
    while limbs.len() > 1 && limbs.last() == Some(&0) {
        limbs.pop();
    }
    let mut text = limbs.last().map_or_else(String::new, u64::to_string);
    for limb in limbs.iter().rev().skip(1) {
        let padded = format!("{limb:09}");
        text.push_str(&padded);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_powers_come_out_whole() {
        let power = |base: u64, exponent: u64| {
            count_exactly(|field| Ok::<_, ()>(field.power(field.enter(base), exponent))).unwrap()
        };
        assert_eq!(power(10, 0), "1");
        assert_eq!(power(10, 60), format!("1{}", "0".repeat(60)));
        assert_eq!(power(2, 128), "340282366920938463463374607431768211456");
        assert_eq!(count_exactly(|field| Ok::<_, ()>(field.zero())).unwrap(), "0");
    }

    #[test]
    fn primes_are_told_from_the_rest() {
        let primes: Vec<u64> = (3..60).step_by(2).filter(|&p| p > 37 && Residue::new(p).is_prime()).collect();
        assert_eq!(primes, [41, 43, 47, 53, 59]);
        assert!(!Residue::new(3_215_031_751).is_prime());
    }
}
