//! Figures on treebanks outside the repository.

mod lemmas;
mod nulls;
