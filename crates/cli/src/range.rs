//! Numbers on the command line, within bounds: what no machine could do is refused before it is tried.

use std::ops::RangeInclusive;

use clap::builder::RangedU64ValueParser;

/// The most threads that may be asked for.
pub(crate) const THREADS: RangeInclusive<u64> = 1..=1024;

/// A parser of numbers in `range`.
pub(crate) fn within(range: RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}
