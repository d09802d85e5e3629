//! JSON lines: an object a line, with `id`, and `text` (and `split`) or `tokens`, and `tags`.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::Id;
use super::error::Problem;
use crate::sentence::Sentence;
use crate::token::separates;
use crate::tokeniser::Tokeniser;

/// A problem of a line, the byte it is at, and the id if it was read.
pub(super) struct Failure {
    pub(super) problem: Problem,
    pub(super) byte: usize,
    pub(super) id: Option<Id>,
}

/// The object of a line; other keys are passed over.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(default)]
    text: Option<Value>,
    #[serde(default)]
    tokens: Option<Value>,
    #[serde(default)]
    tags: Option<Value>,
    #[serde(default)]
    split: Option<Value>,
}

/// An object that was read.
pub(super) struct Line {
    pub(super) id: Option<Id>,
    /// At least one, if only the empty one.
    pub(super) sentences: Vec<Sentence>,
    /// Whether a text was split into them.
    pub(super) split: bool,
}

/// The sentences of a line, none of more than `most` words, and its id.
pub(super) fn parse(line: &str, tokeniser: Tokeniser, most: usize) -> Result<Line, Failure> {
    let failure = |problem, byte| Failure { problem, byte, id: None };
    let fields = fields(line).map_err(|(problem, byte)| failure(problem, byte))?;
    let id = fields.id.map(id).transpose().map_err(|problem| failure(problem, 0))?;
    match sentences(fields, tokeniser, most) {
        Ok((sentences, split)) => Ok(Line { id, sentences, split }),
        Err(problem) => Err(Failure { problem, byte: 0, id }),
    }
}

fn fields(line: &str) -> Result<Fields<'_>, (Problem, usize)> {
    let malformed = |error: serde_json::Error| {
        // columns of serde_json count bytes from 1 and may be 0 at the end of the input
        let byte = error.column().saturating_sub(1).min(line.len());
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        let problem = match reason.strip_prefix("duplicate field `") {
            Some(key) => Problem::RepeatedKey(key.trim_end_matches('`').to_owned()),
            None => Problem::Json(reason.to_owned()),
        };
        (problem, byte)
    };
    // a struct of serde may be an array too, which an object is not
    if line.trim_ascii_start().starts_with('{') {
        return serde_json::from_str(line).map_err(malformed);
    }
    serde_json::from_str::<IgnoredAny>(line).map_err(malformed)?;
    Err((Problem::NotAnObject, 0))
}

fn id(raw: &RawValue) -> Result<Id, Problem> {
    if let Ok(text) = serde_json::from_str(raw.get()) {
        return Ok(Id::Text(text));
    }
    let wrong = |wanted| Problem::Field { field: "id", wanted };
    let number: Number = serde_json::from_str(raw.get()).map_err(|_| wrong("a string or a number"))?;
    // one that is not written back digit by digit, as -0, 1e2 or one beyond 64 bits, would name another input
    if number.to_string() != raw.get() {
        return Err(wrong(
            "a string, or a number of no more than 64 bits that is written plainly, as 7 or -1.5",
        ));
    }
    Ok(Id::Number(raw.get().to_owned()))
}

/// The sentences, and whether a text was split into them.
fn sentences(
    fields: Fields<'_>,
    tokeniser: Tokeniser,
    most: usize,
) -> Result<(Vec<Sentence>, bool), Problem> {
    let whole = fields.tokens.is_some() || fields.tags.is_some();
    let split = match fields.split {
        None => !whole,
        Some(Value::Bool(split)) if !(split && whole) => split,
        Some(_) => {
            let wanted = "true or false, and not true where there are tokens or tags";
            return Err(Problem::Field { field: "split", wanted });
        }
    };
    let Some(Value::String(text)) = fields.text.as_ref().filter(|_| split) else {
        return Ok((vec![sentence(fields, tokeniser, most)?], false));
    };
    let mut found = tokeniser.iter(text);
    let mut sentences = Vec::new();
    while let Some(sentence) = found.next_within(most) {
        sentences.push(sentence.map_err(|_| Problem::TooManyWords(most))?);
    }
    if sentences.is_empty() {
        sentences.push(tokeniser.sentence(text.as_str()));
    }
    Ok((sentences, true))
}

fn sentence(fields: Fields<'_>, tokeniser: Tokeniser, most: usize) -> Result<Sentence, Problem> {
    let too_many = Problem::TooManyWords(most);
    let sentence = match (fields.text, fields.tokens) {
        (Some(Value::String(text)), None) => {
            let tokens = tokeniser.tokens_within(&text, most).ok_or(too_many)?;
            Sentence { text, tokens, ..Sentence::default() }
        }
        (Some(_), None) => return Err(Problem::Field { field: "text", wanted: "a string" }),
        (None, Some(Value::Array(tokens))) if tokens.len() > most => return Err(too_many),
        (None, Some(tokens)) => Sentence::of_words(&words("tokens", tokens)?),
        _ => return Err(Problem::TextOrTokens),
    };
    let tags = match fields.tags {
        None => return Ok(sentence),
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
