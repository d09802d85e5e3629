//! Who did what to whom: what a tree with traces says, as relations and as Universal Dependencies.

mod lemma;

pub use lemma::lemma;
