//! What every reader gives.

use std::fmt;

use super::error::Place;
use crate::token::Token;

/// The name an input came with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Id {
    /// A JSON string.
    Text(String),
    /// A JSON number, as its digits.
    Number(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Id::Text(id) | Id::Number(id)) = self;
        f.write_str(id)
    }
}

/// One sentence, whatever form it came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name, which only JSON lines have.
    pub id: Option<Id>,
    /// Where it begins in its file.
    pub place: Place,
    /// What the tokens' offsets count in: the line, the sentence of a running text, the `text` of JSON, or the `tokens` of JSON with a
    /// space between two.
    pub text: String,
    /// Its tokens; none if the line is empty.
    pub tokens: Vec<Token>,
    /// A tag for each token, if the input had them.
    pub tags: Option<Vec<String>>,
}
