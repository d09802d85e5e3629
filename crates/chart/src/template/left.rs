//! `L`: edges to `x` cross edges of the left end only. Its mirror images are the rules for `R`.

use super::{Family, Mirror};

/// One edge to `x`.
pub(super) static LEFT_ONE: Family = Family {
    output: "L1°[ijx đđđđđđ]",
    mirror: Mirror::All,
    rules: &["(11) X[ikx .đ.dnn] ·L°N°[kji .đ.đđđ]", "(12) X[ikx .đ.đđd] ·L°N°[kji .đ.đđđ]"],
};

/// Several edges to `x`.
pub(super) static LEFT_MANY: Family = Family {
    output: "L+[ijx đđđđđđ]",
    mirror: Mirror::All,
    rules: &[
        "(13) LN[ikx .đ.dđđ] ·N[kji đđđđđđ]",
        "(14) LN[ikx .đ.đđd] ·N[kji đđđđđđ]",
        "(15) L[ikx .đ.dđđ] I[kj ..]",
        "(16) L[ikx .đ.đđd] I[kj ..]",
        "(17) N[ikx đđddđđ] I[kj ..]",
        "(18) N[ikx đđdđđd] I[kj ..]",
        "(19) N[ikx dđđdđđ] I[kj ..]",
        "(20) N[ikx dđđđđd] I[kj ..]",
    ],
};
