//! `B`: edges to `x` cross edges of both ends. The hat on the left item makes the split point unique.

use super::{Family, Mirror};

pub(super) static BOTH: Family = Family {
    output: "B·[ijx nnđđđđ]",
    mirror: Mirror::All,
    rules: &[
        "(8) L^N^·[ikx nn.đđđ] R·[kjx ...đ.đ]",
        "(9) L^N^·[ikx nn.đđđ] N·[kjx đ.dđ.đ]",
        "(10) L^N^·[ikx nn.đđđ] N·[kjx d.đđ.đ]",
    ],
};
