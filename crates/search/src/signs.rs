//! Brackets and line ends in a stretch of text, as bits.

/// How many bytes are looked at together, a bit each.
pub(crate) const STRIDE: usize = 64;

/// The places of brackets and line ends among the next bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Signs {
    pub(crate) open: u64,
    pub(crate) close: u64,
    pub(crate) lines: u64,
}

impl Signs {
    /// The signs among the first [`STRIDE`] bytes, or among all if there are not so many.
    #[inline]
    pub(crate) fn of(text: &[u8]) -> Signs {
        let mut signs = Signs::default();
        let Some(stride) = text.first_chunk::<STRIDE>() else {
            for (at, &byte) in text.iter().enumerate() {
                signs.open |= u64::from(byte == b'(') << at;
                signs.close |= u64::from(byte == b')') << at;
                signs.lines |= u64::from(byte == b'\n') << at;
            }
            return signs;
        };
        for (part, bytes) in stride.as_chunks::<WIDTH>().0.iter().enumerate() {
            let [open, close, lines] = wide::bits(bytes, [b'(', b')', b'\n']);
            signs.open |= open << (WIDTH * part);
            signs.close |= close << (WIDTH * part);
            signs.lines |= lines << (WIDTH * part);
        }
        signs
    }
}

/// How many bytes one step looks at.
const WIDTH: usize = 16;

/// The brackets and blanks among the next bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Marks {
    pub(crate) open: u64,
    pub(crate) close: u64,
    pub(crate) blank: u64,
}

impl Marks {
    #[inline]
    pub(crate) fn of(text: &[u8; STRIDE]) -> Marks {
        let mut marks = Marks::default();
        for (part, bytes) in text.as_chunks::<WIDTH>().0.iter().enumerate() {
            let [open, close] = wide::bits(bytes, [b'(', b')']);
            marks.open |= open << (WIDTH * part);
            marks.close |= close << (WIDTH * part);
            marks.blank |= wide::blanks(bytes) << (WIDTH * part);
        }
        marks
    }
}

#[cfg(not(target_arch = "x86_64"))]
use plain as wide;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod wide {
    //! With SSE2, which every processor of this architecture has.

    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
        _mm_set1_epi8, _mm_sub_epi8,
    };

    #[inline]
    fn load(bytes: &[u8; super::WIDTH]) -> __m128i {
        let (both, _) = bytes.as_chunks::<8>();
        // SAFETY: it takes and gives values, and SSE2 is there.
        unsafe { _mm_set_epi64x(i64::from_le_bytes(both[1]), i64::from_le_bytes(both[0])) }
    }

    /// For each sign, the bytes that are it, a bit each.
    #[inline]
    pub(super) fn bits<const N: usize>(bytes: &[u8; super::WIDTH], signs: [u8; N]) -> [u64; N] {
        let all = load(bytes);
        // SAFETY: as above.
        signs.map(|sign| unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(sign as i8))) as u64 })
    }

    /// The bytes that are blanks, a bit each.
    #[inline]
    pub(super) fn blanks(bytes: &[u8; super::WIDTH]) -> u64 {
        let all = load(bytes);
        // SAFETY: as above.
        unsafe {
            let from_tab = _mm_sub_epi8(all, _mm_set1_epi8(b'\t' as i8));
            let up_to_return = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(4)), from_tab);
            let blank = _mm_cmpeq_epi8(all, _mm_set1_epi8(b' ' as i8));
            _mm_movemask_epi8(_mm_or_si128(blank, up_to_return)) as u64
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    //! Eight bytes in a number.

    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;

    /// The high bits of all bytes side by side.
    fn gather(high: u64) -> u64 {
        ((high & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    /// The high bit of every byte that is 0, and of no other.
    fn zeros(bytes: u64) -> u64 {
        !(((bytes & !HIGH) + !HIGH) | bytes | !HIGH)
    }

    fn halves(bytes: &[u8; super::WIDTH], of: impl Fn(u64) -> u64) -> u64 {
        let (both, _) = bytes.as_chunks::<8>();
        let [low, high] = [both[0], both[1]].map(|half| gather(of(u64::from_le_bytes(half))));
        low | high << 8
    }

    /// For each sign, the bytes that are it, a bit each.
    #[inline]
    pub(super) fn bits<const N: usize>(bytes: &[u8; super::WIDTH], signs: [u8; N]) -> [u64; N] {
        signs.map(|sign| halves(bytes, |half| zeros(half ^ (ONES * u64::from(sign)))))
    }

    /// The bytes that are blanks, a bit each.
    #[inline]
    pub(super) fn blanks(bytes: &[u8; super::WIDTH]) -> u64 {
        bits(bytes, *b" \t\n\r\x0b\x0c").into_iter().fold(0, |all, one| all | one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_where_they_are() {
        for byte in 0..=255_u8 {
            for fill in [b'a', b'(', b')', b'\n', 0x80, 0xa8] {
                for at in 0..STRIDE {
                    let mut text = [fill; STRIDE];
                    text[at] = byte;
                    let places =
                        |sign: u8| (0..STRIDE).map(|at| u64::from(text[at] == sign) << at).sum::<u64>();
                    let wanted = Signs { open: places(b'('), close: places(b')'), lines: places(b'\n') };
                    assert_eq!(Signs::of(&text), wanted);
                    let short = Signs::of(&text[..at]);
                    let below = (1 << at) - 1;
                    assert_eq!(short.open, wanted.open & below);
                    assert_eq!([short.close, short.lines], [wanted.close & below, wanted.lines & below]);
                    let blank = |at: usize| matches!(text[at], b' ' | b'\t'..=b'\r');
                    let blanks = (0..STRIDE).map(|at| u64::from(blank(at)) << at).sum();
                    assert_eq!(
                        Marks::of(&text),
                        Marks { open: wanted.open, close: wanted.close, blank: blanks }
                    );
                    let first: &[u8; WIDTH] = text.first_chunk().unwrap();
                    assert_eq!(plain::blanks(first), wide::blanks(first));
                    assert_eq!(plain::bits(first, *b"()\n"), wide::bits(first, *b"()\n"));
                }
            }
        }
    }
}
