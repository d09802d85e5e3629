//! Pictures of trees and graphs.
//!
//! ```text
//! Tree  ── tree_layout ──> places ──> tree ───┐
//!                                             ├──> svg
//! Graph ── spines ──> places and edges ───────┤
//! Derivation ── derivation ──> rows of items ─┘
//! Tree  ── outline ──> lines for a terminal
//! ```
//!
//! * [`tree_picture`]: a tree over its words, with an arc from each null element to what it stands for;
//! * [`spine_picture`]: the paper's Figure 2, words with spines and edges between them;
//! * [`derivation_picture`]: the paper's Figure 1, a derivation step by step, items over the words;
//! * [`edge_picture`]: words and the edges between them, some of them marked;
//! * [`comparison_picture`]: gold above guess, with what differs marked;
//! * [`latex()`]: a tree as LaTeX source;
//! * [`outline()`]: a tree in lines of text.
//!
//! No picture knows the fonts of whoever looks at it. Widths of text are [estimated](measure) on the generous side, and every
//! subtree has a column of its own, so that labels do not run into each other.

mod arcs;
mod comparison;
mod derivation;
mod face;
mod latex;
mod marks;
pub mod measure;
mod outline;
mod palette;
mod spines;
mod svg;
mod traces;
mod tree;
mod tree_layout;

pub use comparison::{comparison_picture, comparison_with};
pub use derivation::{derivation_picture, derivation_rows, edge_picture};
pub use face::TreeOptions;
pub use latex::{Latex, latex};
pub use marks::{Marks, NodeMarks};
pub use outline::{Line, Piece, Style, outline};
pub use spines::spine_picture;
pub use tree::{marked_picture, picture_with, tree_picture};
