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
//! text and every [null element](Parse::nulls) with its antecedent. [`Options`] are the class of structures, the
//! [dialect](DIALECTS), limits. For many sentences, [`Parser::parse_batch`] uses all threads, or [as many as are wanted](Parser::with_threads); for more than memory holds,
//! [`parse_stream`] goes from [`read`] to [`OutputFormat`] block by block.
//!
//! A [`Pattern`] finds constructions in trees, parsed or read; [`search`] has the rest of searching: names, files, indexes.
//!
//! ```
//! use tracebank::{Pattern, Tree};
//! let tree: Tree = "( (NP (NP (NNS cakes)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (PRP we)) (VP (VBD baked) (NP (-NONE- *T*-1)))))))".parse()?;
//! let pattern = Pattern::parse("NP=gap =>> (@NP=noun !>> SBAR)")?;
//! let found = pattern.matches(&tree);
//! let noun = found[0].get("noun").unwrap().node;
//! assert_eq!(tree.leaves(noun).filter_map(|leaf| tree.word(leaf)).collect::<Vec<_>>(), ["cakes"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every type that these signatures speak in is exported here too. With [`Parser::with_scorer`] you can bring a [`Scorer`] of your own;
//! `tracebank-parser` tells how scores become trees. `docs/stability.md` says what will not change without a new major version.

#![forbid(unsafe_code)]

mod error;
mod format;
mod input;
mod likelihood;
mod load;
mod model_bytes;
mod models;
mod nulls;
mod options;
mod parse;
mod parser;
mod stream;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
mod threads;

pub use error::Error;
pub use format::{OutputFormat, Record};
pub use input::{BadInput, BrokenStream, Excerpt, Id, Input, InputFormat, Inputs, Limits, Origin, read};
pub use likelihood::LikelyAntecedent;
pub use load::read_scorer;
pub use models::{DEFAULT_MODEL, FAST_MODEL, embedded_bytes, embedded_model, read_model};
pub use nulls::{Null, Phrase};
pub use options::Options;
pub use parse::{Parse, Token};
pub use parser::Parser;
pub use stream::{BLOCK, Summary, parse_stream};
pub use tracebank_parser::decode::{CandidateScope, NullProbability, PhraseProbability, Probabilities};
pub use tracebank_parser::model::{Metadata, ModelError, ModelFile};
pub use tracebank_parser::outcome::Outcome;
pub use tracebank_parser::pipeline::{Alternative, Times};
pub use tracebank_parser::progress::Progress;
pub use tracebank_parser::scores::{ScoreRequest, Scorer, SentenceScores};
pub use tracebank_parser::vocabulary::Vocabulary;
pub use tracebank_relations::{Argument, Filler, Predicate, Relation, Step, Voice};
pub use tracebank_search as search;
pub use tracebank_search::{Match, Pattern, PatternError};
pub use tracebank_syntax::class::Structure;
pub use tracebank_syntax::dialect::{DIALECTS, Dialect};
pub use tracebank_syntax::graph::Graph;
pub use tracebank_syntax::tree::{NodeId, Tree};
pub use tracebank_text::{Sentence, TokenStyle, Tokeniser};
