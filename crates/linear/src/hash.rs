//! Hashes that are the same on every machine and in every version: the slots of weights in model files depend on them.

use std::hash::Hasher as _;

use fnv::FnvHasher;

/// The hash of a text (FNV-1a, then mixed).
pub fn text(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    mix(hasher.finish(), 0)
}

/// Two hashes as one; their order matters.
#[inline]
pub fn mix(first: u64, second: u64) -> u64 {
    let mixed = (first.rotate_left(23) ^ second).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(text(""), 0x956d_7e1a_9f40_cb97);
        assert_eq!(text("NP-SBJ"), 0xabc5_ed4f_6db9_9bce);
        assert_eq!(mix(text("a"), text("b")), 0x79b8_5306_c9ed_5d16);
        assert_ne!(mix(1, 2), mix(2, 1));
    }
}
