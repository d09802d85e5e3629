//! JSON lines: an object a line, with `id`, and `text` or `tokens`, and `tags`.

use serde_json::{Map, Value};

use super::error::Problem;
use super::item::Id;
use crate::forms::escape;
use crate::options::Brackets;
use crate::token::Token;
use crate::tokeniser::Tokeniser;

/// Integers up to this are exact as floating-point numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a line says, but for its place.
pub(super) struct Record {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    pub(super) tags: Option<Vec<String>>,
}

/// What is wrong with a line, at which of its bytes, and the id if it was read.
pub(super) struct Failure {
    pub(super) problem: Problem,
    pub(super) byte: usize,
    pub(super) id: Option<Id>,
}

pub(super) fn parse(line: &str, tokeniser: Tokeniser) -> Result<(Option<Id>, Record), Failure> {
    let failure = |problem, byte| Failure { problem, byte, id: None };
    let value: Value = serde_json::from_str(line).map_err(|error| {
        // columns of serde_json count bytes from 1 and may be 0 at the end of the input
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        failure(Problem::Json(reason.to_owned()), error.column().saturating_sub(1).min(line.len()))
    })?;
    let Value::Object(mut fields) = value else { return Err(failure(Problem::NotAnObject, 0)) };
    let id = id(&fields).map_err(|problem| failure(problem, 0))?;
    match record(&mut fields, tokeniser) {
        Ok(record) => Ok((id, record)),
        Err(problem) => Err(Failure { problem, byte: 0, id }),
    }
}

fn id(fields: &Map<String, Value>) -> Result<Option<Id>, Problem> {
    match fields.get("id") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) => Ok(Some(Id::Text(id.clone()))),
        // a number beyond that has lost digits on the way, and an output under another id is worse than none
        Some(Value::Number(id)) if id.is_f64() && id.as_f64().is_none_or(|id| id.abs() >= EXACT) => {
            Err(Problem::Field { field: "id", wanted: "a string if it is a number beyond 64 bits" })
        }
        Some(Value::Number(id)) => Ok(Some(Id::Number(id.to_string()))),
        Some(_) => Err(Problem::Field { field: "id", wanted: "a string or a number" }),
    }
}

fn record(fields: &mut Map<String, Value>, tokeniser: Tokeniser) -> Result<Record, Problem> {
    let (text, tokens) = match (fields.remove("text"), fields.remove("tokens")) {
        (Some(Value::String(text)), None) => {
            let tokens = tokeniser.tokens(&text);
            (text, tokens)
        }
        (Some(_), None) => return Err(Problem::Field { field: "text", wanted: "a string" }),
        (None, Some(tokens)) => given_tokens(tokens)?,
        _ => return Err(Problem::TextOrTokens),
    };
    let tags = match fields.remove("tags") {
        None | Some(Value::Null) => None,
        Some(tags) => Some(words("tags", tags)?),
    };
    if let Some(tags) = &tags
        && tags.len() != tokens.len()
    {
        return Err(Problem::TagCount { tokens: tokens.len(), tags: tags.len() });
    }
    Ok(Record { text, tokens, tags })
}

/// Tokens as they are, but for round brackets, which a tree could not hold, and the text they make with spaces between them.
fn given_tokens(tokens: Value) -> Result<(String, Vec<Token>), Problem> {
    let words = words("tokens", tokens)?;
    let mut start = 0;
    let tokens = words.iter().map(|word| {
        let token = Token { text: escape(word, Brackets::Round), start, end: start + word.len() };
        start = token.end + 1;
        token
    });
    let tokens = tokens.collect();
    Ok((words.join(" "), tokens))
}

/// An array of strings that can be words: neither empty nor with white space inside.
fn words(field: &'static str, value: Value) -> Result<Vec<String>, Problem> {
    let wanted =
        Problem::Field { field, wanted: "an array of strings, none empty and none with white space" };
    let Value::Array(values) = value else { return Err(wanted) };
    let word = |value| match value {
        Value::String(word)
            if !word.is_empty() && !word.contains(|c: char| c.is_ascii_whitespace() || c == '\x0b') =>
        {
            Some(word)
        }
        _ => None,
    };
    values.into_iter().map(word).collect::<Option<Vec<_>>>().ok_or(wanted)
}
