//! JSON lines: an object a line, with `id`, and `text` (and `split`) or `tokens`, and `tags`.

use serde_json::{Map, Value};

use super::Id;
use super::error::Problem;
use crate::sentence::Sentence;
use crate::token::separates;
use crate::tokeniser::Tokeniser;

/// Integers up to this are exact as floating-point numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A problem of a line, the byte it is at, and the id if it was read.
pub(super) struct Failure {
    pub(super) problem: Problem,
    pub(super) byte: usize,
    pub(super) id: Option<Id>,
}

/// An object that was read.
pub(super) struct Line {
    pub(super) id: Option<Id>,
    /// At least one, if only the empty one.
    pub(super) sentences: Vec<Sentence>,
    /// Whether a text was split into them.
    pub(super) split: bool,
}

pub(super) fn parse(line: &str, tokeniser: Tokeniser) -> Result<Line, Failure> {
    let failure = |problem, byte| Failure { problem, byte, id: None };
    let value: Value = serde_json::from_str(line).map_err(|error| {
        // columns of serde_json count bytes from 1 and may be 0 at the end of the input
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        failure(Problem::Json(reason.to_owned()), error.column().saturating_sub(1).min(line.len()))
    })?;
    let Value::Object(mut fields) = value else { return Err(failure(Problem::NotAnObject, 0)) };
    let id = id(&fields).map_err(|problem| failure(problem, 0))?;
    match sentences(&mut fields, tokeniser) {
        Ok((sentences, split)) => Ok(Line { id, sentences, split }),
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

/// The sentences, and whether a text was split into them.
fn sentences(
    fields: &mut Map<String, Value>,
    tokeniser: Tokeniser,
) -> Result<(Vec<Sentence>, bool), Problem> {
    let whole = fields.contains_key("tokens") || fields.get("tags").is_some_and(|tags| !tags.is_null());
    let split = match fields.remove("split") {
        None | Some(Value::Null) => !whole,
        Some(Value::Bool(split)) if !(split && whole) => split,
        Some(_) => {
            let wanted = "true or false, and not true where there are tokens or tags";
            return Err(Problem::Field { field: "split", wanted });
        }
    };
    match fields.get("text") {
        Some(Value::String(text)) if split => {
            let sentences = tokeniser.sentences(text);
            let empty = || vec![tokeniser.sentence(text.as_str())];
            Ok((if sentences.is_empty() { empty() } else { sentences }, true))
        }
        _ => Ok((vec![sentence(fields, tokeniser)?], false)),
    }
}

fn sentence(fields: &mut Map<String, Value>, tokeniser: Tokeniser) -> Result<Sentence, Problem> {
    let sentence = match (fields.remove("text"), fields.remove("tokens")) {
        (Some(Value::String(text)), None) => tokeniser.sentence(text),
        (Some(_), None) => return Err(Problem::Field { field: "text", wanted: "a string" }),
        (None, Some(tokens)) => Sentence::of_words(&words("tokens", tokens)?),
        _ => return Err(Problem::TextOrTokens),
    };
    let tags = match fields.remove("tags") {
        None | Some(Value::Null) => return Ok(sentence),
        Some(tags) => words("tags", tags)?,
    };
    if tags.len() != sentence.tokens.len() {
        return Err(Problem::TagCount { tokens: sentence.tokens.len(), tags: tags.len() });
    }
    Ok(Sentence { tags, ..sentence })
}

/// An array of strings that can be words: neither empty nor with white space inside.
fn words(field: &'static str, value: Value) -> Result<Vec<String>, Problem> {
    let wanted =
        Problem::Field { field, wanted: "an array of strings, none empty and none with white space" };
    let Value::Array(values) = value else { return Err(wanted) };
    let word = |value| match value {
        Value::String(word) if !word.is_empty() && !word.contains(separates) => Some(word),
        _ => None,
    };
    values.into_iter().map(word).collect::<Option<Vec<_>>>().ok_or(wanted)
}
