//! Colours.

/// Text and lines of what is nothing special.
pub(super) const INK: &str = "#222222";
/// Tags and lines.
pub(super) const GREY: &str = "#8a8a8a";
/// Lines that only lead the eye.
pub(super) const GUIDE: &str = "#d8d8d8";
/// Null elements without an index.
pub(super) const NULL: &str = "#666699";
/// Nodes that the other tree does not have.
pub(super) const WRONG: &str = "#c1121f";

/// For chains of a trace and what it stands for: Okabe and Ito's colours without yellow, which nobody can read on white, and darkened.
const CHAINS: [&str; 6] = ["#0067a5", "#b35900", "#00785a", "#9b4f82", "#2f7fb5", "#7a5c00"];

/// Chains in a terminal: blue, yellow, green, magenta, cyan and the bright ones.
const ANSI_CHAINS: [&str; 6] = ["\x1b[34m", "\x1b[33m", "\x1b[32m", "\x1b[35m", "\x1b[36m", "\x1b[94m"];

/// The colour of the chain with this number.
pub(super) fn chain(number: usize) -> &'static str {
    CHAINS[number % CHAINS.len()]
}

pub(super) fn ansi_chain(number: usize) -> &'static str {
    ANSI_CHAINS[number % ANSI_CHAINS.len()]
}
