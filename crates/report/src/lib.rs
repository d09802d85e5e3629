//! Numbers and pictures of trees.
//!
//! * [`coverage`]: how much of a treebank each representation covers (the paper's Table 1), and why the rest is left out.

pub mod coverage;
