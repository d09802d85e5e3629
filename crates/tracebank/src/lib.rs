//! English sentences in, Penn trees with their traces out.
//!
//! ```
//! let parser = tracebank::Parser::embedded()?;
//! let parse = parser.parse("Which book did she want to buy?");
//! println!("{}", parse.tree);
//! for null in parse.nulls() {
//!     println!("{}", null.describe()); // *T*-1 = Which book, object of buy
//! }
//! # Ok::<(), tracebank::Error>(())
//! ```
//!
//! A [`Parse`] has the [tree](Parse::tree), the [graph](Parse::graph) it was made of, the [words](Parse::tokens) with their places in the
//! text and every [null element](Parse::nulls) with what it stands for. [`Options`] say what is asked: the class of structures, the
//! [dialect](DIALECTS), limits. For many sentences, [`Parser::parse_batch`] uses all threads; for more than memory holds,
//! [`parse_stream`] goes from [`read`] to [`OutputFormat`] block by block.
//!
//! What a scorer is and how the best tree is found is told in `tracebank-parser`; with [`Parser::with_scorer`] you can bring your own.

mod describe;
mod error;
mod format;
mod input;
mod load;
mod models;
mod nulls;
mod options;
mod parse;
mod parser;
mod stream;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

pub use error::Error;
pub use format::{OutputFormat, Record};
pub use input::{BadInput, BrokenStream, Excerpt, Id, Input, InputFormat, Inputs, Origin, read};
pub use load::read_scorer;
pub use models::{DEFAULT_MODEL, FAST_MODEL, embedded_model, read_model};
pub use nulls::{Null, Phrase};
pub use options::Options;
pub use parse::{Parse, Token};
pub use parser::Parser;
pub use stream::{BLOCK, Summary, parse_stream};
pub use tracebank_parser::outcome::Outcome;
pub use tracebank_syntax::dialect::{DIALECTS, Dialect};
pub use tracebank_text::{Sentence, Tokeniser};
