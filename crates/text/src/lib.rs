//! From raw text to sentences of Penn tokens, with offsets, and nothing lost.
//!
//! A parser that was trained on a treebank wants its words cut as the treebank's annotators cut them: *don't* is `do` `n't`, a bracket is
//! `-LRB-`, the full stop of *Mr.* stays and that of a sentence is a token. [`Tokeniser`] does that, and finds the sentences:
//!
//! ```
//! use tracebank_text::Tokeniser;
//!
//! let text = "Mr. O'Neill can't pay (he owes $1,000). \"Why not?\" she asked.";
//! let sentences = Tokeniser::default().sentences(text);
//! assert_eq!(sentences[0].to_string(), "Mr. O'Neill ca n't pay -LRB- he owes $ 1,000 -RRB- .");
//! assert_eq!(sentences[1].to_string(), "`` Why not ? '' she asked .");
//! ```
//!
//! **Nothing is lost.** Each [`Token`] has the bytes it came from; between two tokens there is only white space. So the text can be put
//! together again, and whatever a parser says about a token can be shown in the original:
//!
//! ```
//! # use tracebank_text::{CharOffsets, Tokeniser};
//! let text = "“Naïve?” – don't!";
//! let tokens = Tokeniser::default().tokens(text);
//! let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
//! assert_eq!(words, ["``", "Naïve", "?", "''", "--", "do", "n't", "!"]);
//! assert_eq!(&text[tokens[1].range()], "Naïve");
//! // bytes for Rust, characters for Python and JavaScript's friends
//! let characters = CharOffsets::new(text);
//! assert_eq!((tokens[2].start, characters.at(tokens[2].start)), (9, 6));
//! ```
//!
//! # How it works
//!
//! 1. The *scanner* goes through the text once, from left to right, and cuts it into pieces. What a piece is depends on a few characters
//!    around it and on the tables in `data/`, never on the rest of the text, so time is linear whatever the text is.
//! 2. The *splitter* looks at the pieces of a paragraph and decides where sentences end: which full stops are those of abbreviations,
//!    which quotation marks belong to the sentence before. A blank line always ends a sentence.
//! 3. Last come the forms: quotation marks, brackets and dashes as the treebank writes them.
//!
//! Treebanks differ: [`TokenStyle`] has the choices, and the registry of dialects in `tracebank-syntax` those of each treebank.
//! `docs/tokenisation.md` has a table of examples and measured figures.
//!
//! # Other inputs
//!
//! [`read`] has streaming readers for text, one sentence per line, tokens, `word_TAG` and JSON lines. All give a [`Sentence`].

#![forbid(unsafe_code)]

mod boundary;
mod excerpt;
mod forms;
mod lexicon;
mod offsets;
mod piece;
pub mod read;
mod scan;
mod sentence;
mod style;
mod token;
mod tokeniser;

pub use excerpt::Excerpt;
pub use forms::{escape, unescape};
pub use offsets::CharOffsets;
pub use sentence::Sentence;
pub use style::{Brackets, Hyphens, Quotes, TokenStyle, WordBrackets};
pub use token::Token;
pub use tokeniser::{Sentences, Tokeniser};
