//! Penn brackets in and out.
//!
//! Reading goes in three steps, each in its own file: [`Input`] opens a file, standard input or a gzip stream; [`Reader`] cuts the
//! stream into trees by counting brackets, with memory that depends on the largest tree and not on the file; and the parser
//! turns the brackets of one tree into a [`Tree`]. Everything that can be wrong with a tree is a [`SyntaxError`] with its
//! place, and the reader goes on behind it if you ask it for the next tree.
//!
//! ```
//! use tracebank_syntax::penn::Reader;
//! let text = "( (S (NP (NN a)) (VP (VB b)))) ( (S (NP (NN c)))\n( (S (NP (NN d))))\n";
//! let results: Vec<_> = Reader::new(text.as_bytes()).collect();
//! assert_eq!(results[0].as_ref().unwrap().words().collect::<Vec<_>>(), ["a", "b"]);
//! assert_eq!(results[1].as_ref().unwrap_err().to_string(), "1:32: the bracket that opens here is never closed");
//! assert_eq!(results[2].as_ref().unwrap().to_string(), "( (S (NP (NN d))))");
//! ```

mod error;
mod input;
mod parse;
mod split;
mod write;

pub use error::{Place, Problem, ReadError, SyntaxError};
pub use input::Input;
pub use split::{BYTE_ORDER_MARK, DEFAULT_TREE_LIMIT, Reader};
pub use write::{Style, write_tree};

use crate::tree::Tree;

impl std::str::FromStr for Tree {
    type Err = SyntaxError;

    /// Reads the one tree in `text`; anything before or behind it is an error.
    fn from_str(text: &str) -> Result<Tree, SyntaxError> {
        let mut reader = Reader::new(text.as_bytes());
        let tree = reader.next().unwrap_or_else(|| Err(SyntaxError::at_start(Problem::NoTree)))?;
        match reader.next() {
            None => Ok(tree),
            Some(Ok(_)) => Err(SyntaxError::at_start(Problem::SeveralTrees)),
            Some(Err(error)) => Err(error),
        }
    }
}
