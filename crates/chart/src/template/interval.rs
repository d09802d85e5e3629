//! Intervals: rules (1) to (7). How the longest edge of the left end is crossed tells them apart.

use super::{Family, Mirror};

/// The printed rules make the intervals whose left end has no parent inside; the mirror images make the rest.
pub(super) static INTERVAL: Family = Family {
    output: "I[ij nđ]",
    mirror: Mirror::Only("I[ij pn]"),
    rules: &[
        "(1) k=i+1 I[ik nn] I[kj ñn]",
        "(2) I[ik nd] I[kj ..]",
        "(3) BLRN·[ikj nndđđđ] I[kj ..]",
        "(4) RN·[ikl nndđđđ] I[kl ..] ·LNX[ljk .đ..đ.]",
        "(5) BLRN·[ikl nndđđđ] I[kl ..] I[lj ..]",
        "(6) I[il n.] ·LN[lki .đ.dnn] ·N+[kjl đđđ.đ.]",
        "(7) RNX·[ilk nn.đdđ] I[lk ..] ·L+N+[kjl .đ..đ.]",
    ],
};
