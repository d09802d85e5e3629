//! A table of weights that threads may read and write together.
//!
//! Features are hashed to 64 bits and share the slots of a table whose size is a power of two. Weights are kept as the bits of an
//! `f32` in an atomic, read and written without order: an update that is lost now and then does no harm (Recht et al. 2011), and with one
//! thread nothing is lost. On this path an atomic costs the same as a plain number.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Numbers in slots.
#[derive(Debug, Default)]
pub struct Weights(Vec<AtomicU32>);

impl Weights {
    /// 2^`bits` zeros.
    pub fn new(bits: u32) -> Weights {
        Weights((0..1_usize << bits).map(|_| AtomicU32::new(0)).collect())
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.0.len()
    }

    /// The slot of a feature.
    #[inline]
    pub fn slot(&self, feature: u64) -> usize {
        feature as usize & (self.0.len() - 1)
    }

    /// The number in a slot.
    #[inline]
    pub fn get(&self, slot: usize) -> f32 {
        f32::from_bits(self.0[slot].load(Relaxed))
    }

    /// Puts a number into a slot.
    #[inline]
    pub fn set(&self, slot: usize, value: f32) {
        self.0[slot].store(value.to_bits(), Relaxed);
    }

    /// Leaves of each number what a `bf16` keeps: a relative error of at most 0.4 %, for half the bytes.
    pub fn round(&self) {
        for slot in 0..self.slots() {
            self.set(slot, widen(narrow(self.get(slot))));
        }
    }

    /// The numbers that are not 0, each as how many zeros come before it (in groups of 7 bits) and the upper half of its bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.0.len().trailing_zeros() as u8];
        let mut zeros = 0_usize;
        for slot in 0..self.slots() {
            let half = narrow(self.get(slot));
            if half == 0 {
                zeros += 1;
                continue;
            }
            while zeros >= 0x80 {
                bytes.push(zeros as u8 | 0x80);
                zeros >>= 7;
            }
            bytes.push(zeros as u8);
            bytes.extend(half.to_le_bytes());
            zeros = 0;
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` if it did not, or if a weight is not finite.
    pub fn from_bytes(bytes: &[u8]) -> Option<Weights> {
        let (&bits, mut rest) = bytes.split_first()?;
        let slots = 1_usize.checked_shl(u32::from(bits))?;
        if bits > MOST_BITS || slots > SLOTS_PER_BYTE * bytes.len().max(LEAST_SPACE) {
            return None;
        }
        let weights = Weights::new(u32::from(bits));
        let mut slot = 0_usize;
        while !rest.is_empty() {
            let (mut zeros, mut shift) = (0_usize, 0);
            loop {
                let (&byte, after) = rest.split_first()?;
                rest = after;
                zeros |= (byte as usize & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
                if shift > 28 {
                    return None;
                }
            }
            let (half, after) = rest.split_first_chunk::<2>()?;
            rest = after;
            slot = slot.checked_add(zeros)?;
            let weight = Some(widen(u16::from_le_bytes(*half))).filter(|weight| weight.is_finite())?;
            weights.0.get(slot)?.store(weight.to_bits(), Relaxed);
            slot += 1;
        }
        Some(weights)
    }
}

/// The most bits of a table that is read from bytes: no more than 1 GiB of weights.
pub(crate) const MOST_BITS: u8 = 28;
/// The most slots for each byte of a table. It is kept sparse, so a short one may be large; but no larger than its bytes explain, or than
/// `LEAST_SPACE` bytes would, which is the 64 MiB of 24 bits.
const SLOTS_PER_BYTE: usize = 64;
const LEAST_SPACE: usize = 1 << 18;

impl Clone for Weights {
    fn clone(&self) -> Weights {
        Weights(self.0.iter().map(|slot| AtomicU32::new(slot.load(Relaxed))).collect())
    }
}

impl PartialEq for Weights {
    fn eq(&self, other: &Weights) -> bool {
        self.0.len() == other.0.len() && (0..self.slots()).all(|slot| self.get(slot) == other.get(slot))
    }
}

/// The upper half of a number's bits, rounded to even.
fn narrow(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

fn widen(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_the_rounded_weights_back() {
        let weights = Weights::new(10);
        for (slot, value) in [(0, 1.0), (1, -0.3), (300, 1e-9), (1023, 12345.678)] {
            weights.set(slot, value);
        }
        let bytes = weights.to_bytes();
        let back = Weights::from_bytes(&bytes).unwrap();
        assert_ne!(back, weights);
        weights.round();
        assert_eq!(back, weights);
        assert!((weights.get(1) + 0.3).abs() < 0.3 * 0.004);
        for cut in 0..bytes.len() {
            // A shorter table or none, never a panic.
            let _ = Weights::from_bytes(&bytes[..cut]);
        }
        assert!(Weights::from_bytes(&[200, 0, 0, 0]).is_none());
        assert!(Weights::from_bytes(&[4, 100, 0, 0x3f]).is_none());
        for damaged in [&[25_u8][..], &[64], &[4, 0, 0x80, 0x7f], &[4, 0, 0xc0, 0xff]] {
            assert!(Weights::from_bytes(damaged).is_none(), "{damaged:?}");
        }
        assert_eq!(Weights::from_bytes(&[24]).unwrap().slots(), 1 << 24);
    }
}
