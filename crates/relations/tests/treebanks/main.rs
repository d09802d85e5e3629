//! Figures on treebanks outside the repository.

#![allow(clippy::print_stdout)] // figures are shown with --nocapture

mod lemmas;
mod nulls;
