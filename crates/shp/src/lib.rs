//! The split-head text format of the paper's authors (`.shp`), so that their files can be read here and ours there.
//!
//! One line for each word: its number, the word, its tag, its spine, the word it hangs from and the phrase of that word's spine; then
//! six fields for each trace edge. Sentences end with a blank line and lines that begin with `#` are comments. The whole
//! format, and what it loses, is in `docs/shp-format.md`.
//!
//! ```
//! use tracebank_shp::{self as shp, Style};
//! use tracebank_syntax::tree::Tree;
//! let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
//! let text = shp::write(&tree, &Style { comments: false, ..Style::default() })?;
//! let lines: Vec<&str> = text.lines().collect();
//! assert_eq!(lines, [
//!     "1 We      PRP NP-SBJ            2 S_0    3 NP-SBJ_0 T NP-SBJ_0 F *",
//!     "2 like    VBP VP_S              0 ROOT_0",
//!     "3 running VBG VP_(NP-SBJ_(*))_S 2 VP_0  ",
//!     "4 .       .   _                 2 S_0   ",
//!     "",
//! ]);
//! let back = shp::Reader::new(text.as_bytes()).next().unwrap()?;
//! assert_eq!(back.to_string(), tree.to_string().replacen("( ", "(ROOT ", 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Writing goes through `prepare` (the edits that the authors make to a tree first), `index` (which number is on which node),
//! `extent` (head words), `spine` and `edge`, to `layout`. Reading goes through `read` (a stream into sentences), `row`
//! (a line into fields), `sprout` (a spine into nodes), `join` (structural edges), `place` (null elements) and `number` (trace edges).
//!
//! Mistakes of the authors' program that show in the text are made here too, and only here; each such place is marked DIVERGENCE,
//! from what the format ought to say.

#![forbid(unsafe_code)]

mod edge;
mod extent;
mod index;
mod join;
mod layout;
mod number;
mod place;
mod prepare;
mod properties;
mod read;
mod redirect;
mod row;
mod spine;
mod sprout;

use thiserror::Error;

pub use read::{Reader, Sentence};

use tracebank_syntax::tree::Tree;

/// The label of the node above the sentence.
const ROOT: &str = "ROOT";

/// The authors' edits to a tree before it is written, and whether it is commented. The default is their `-o hr -e hj0 -h j1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Keep function tags; without them it is the authors' edit `f`.
    pub functions: bool,
    /// Let the edges of gaps go to the parent of the node that they resemble, the authors' edit `g`. Which child it was is lost.
    pub redirect_gaps: bool,
    /// Write lines with `#` in front of each sentence that say what is in it.
    pub comments: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { functions: true, redirect_gaps: false, comments: true }
    }
}

/// A tree that the format cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ShpError {
    /// Between the top and the first branching there is no phrase with a category of the Penn Treebank.
    #[error("there is no phrase of the Penn Treebank at the top of the tree")]
    NoPhrase,
    /// The sentence is not one phrase under the root.
    #[error("the tree has {0} nodes at its top, and the format has place for one")]
    SeveralTops(usize),
    /// There are null elements at most.
    #[error("the tree has no words")]
    NoWords,
    /// A word has no tag.
    #[error("the word {0:?} has no tag")]
    BareWord(String),
    /// A label is empty or has a `_` in it, which is what parts the labels of a spine, or ends with `*`, which says that a parse failed.
    #[error("the label {0:?} would be misread in a spine")]
    Label(String),
}

/// The lines of one sentence, the blank line behind it included.
///
/// ```
/// use tracebank_shp::{self as shp, Style, ShpError};
/// let two_tops = "( (S (NP (NN a))) (S (NP (NN b))))".parse()?;
/// assert_eq!(shp::write(&two_tops, &Style::default()), Err(ShpError::SeveralTops(2)));
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn write(tree: &Tree, style: &Style) -> Result<String, ShpError> {
    let mut tree = tree.clone();
    prepare::prepare(&mut tree)?;
    if !style.functions {
        prepare::drop_functions(&mut tree);
        prepare::check_labels(&tree)?;
    }
    if style.redirect_gaps {
        redirect::redirect_gaps(&mut tree);
    }
    Ok(layout::lay_out(&tree, style.comments))
}
