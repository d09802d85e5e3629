//! `N`: edges to `x` are crossed by no edge of the span but that between its ends. Each rule's mirror image is printed.

use super::{Family, Mirror};

/// Several edges to `x`.
pub(super) static NEITHER_MANY: Family = Family {
    output: "N+[ijx đđđđđđ]",
    mirror: Mirror::Contained,
    rules: &[
        "(21) ·N[ikx đđđdđđ] I[kj ..]",
        "(22) ·N[ikx đđđđđd] I[kj ..]",
        "(23) I[ik ..] N·[kjx đdđđđđ]",
        "(24) I[ik ..] N·[kjx đđđđdđ]",
    ],
};

/// One edge to `x`.
pub(super) static NEITHER_ONE: Family = Family {
    output: "N1[ijx đđđđđđ]",
    mirror: Mirror::Contained,
    rules: &[
        "(25) ·X[ikx .đ.dđđ] I[kj ..]",
        "(26) ·X[ikx .đ.đđd] I[kj ..]",
        "(27) I[ik ..] X·[kjx .d.đđđ]",
        "(28) I[ik ..] X·[kjx .đ.đdđ]",
    ],
};
