//! The page on which a sentence becomes a tree: its files, and the operations that it asks for.
//!
//! The page is hand-written HTML, CSS and JavaScript. It draws nothing itself: an operation takes JSON and answers with SVG, JSON or text, and
//! the same Rust answers in `tracebank serve` (`POST /v1/draw`) and, compiled to WebAssembly, in the browser. So there is one layout, one check
//! of edited trees and one set of formats, wherever the page runs.
//!
//! ```
//! let svg = tracebank_page::answer("draw", r#"{"tree": "(NP (DT the) (NN tea))"}"#, None)?;
//! assert!(svg.text.starts_with("<svg"));
//! # Ok::<(), tracebank_page::Problem>(())
//! ```

#![forbid(unsafe_code)]

mod asked;
mod convert;
mod derive;
mod draw;
mod edit;
mod files;
mod form;
mod inspect;
mod parse;
mod problem;
mod search;
mod trees;

pub use asked::{Asked, Forms, NAMES};
pub use convert::Convert;
pub use derive::Derive;
pub use draw::{Draw, Picture, View};
pub use edit::{Change, Edit};
pub use files::{File, files};
pub use form::Form;
pub use inspect::Inspect;
pub use parse::{Output, ParseBody, Parsing};
pub use problem::Problem;
pub use search::Search;

use serde::de::DeserializeOwned;
use tracebank::Parser;

/// An answer: a text and its media type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The media type.
    pub media: &'static str,
    /// The text.
    pub text: String,
}

impl Answer {
    pub(crate) fn json(value: &serde_json::Value) -> Answer {
        Answer { media: "application/json", text: value.to_string() }
    }

    pub(crate) fn text(text: String) -> Answer {
        Answer { media: "text/plain; charset=utf-8", text }
    }
}

/// The answer to one operation. Those that parse need a parser.
pub fn answer(operation: &str, body: &str, parser: Option<&Parser>) -> Result<Answer, Problem> {
    match operation {
        "parse" => {
            let body: ParseBody = read(body)?;
            let parser = parser.ok_or_else(Problem::no_parser)?;
            parse::run(&body, parser)
        }
        "draw" => read::<Draw>(body)?.answer(),
        "convert" => read::<Convert>(body)?.answer(),
        "derive" => read::<Derive>(body)?.answer(),
        "edit" => read::<Edit>(body)?.answer(),
        "inspect" => read::<Inspect>(body)?.answer(),
        "search" => read::<Search>(body)?.answer(),
        other => Err(Problem::new(404, "operation", format!("there is no operation {other:?}"))),
    }
}

/// Reads the JSON of a request.
pub fn read<T: DeserializeOwned>(body: &str) -> Result<T, Problem> {
    serde_json::from_str(body).map_err(|error| {
        Problem::new(400, "json", format!("the body is not the JSON that is wanted: {error}"))
    })
}
