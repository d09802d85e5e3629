//! Requests to parse.

use serde::Deserialize;
use serde_json::{Value, json};
use tracebank::{BLOCK, BrokenStream, Input, InputFormat, Limits, OutputFormat, Parser, Record, Sentence};

use crate::asked::Asked;
use crate::problem::Problem;
use crate::{Answer, Form};

/// A request to parse, as JSON: one of `text`, `sentences` and `tokens`, with options as on the command line.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParseBody {
    /// A running text, which is split into sentences
    #[cfg_attr(feature = "openapi", schema(example = "Which book did she want to buy?"))]
    pub text: Option<String>,
    /// Sentences, each by itself
    pub sentences: Option<Vec<String>>,
    /// Sentences that are cut into tokens
    pub tokens: Option<Vec<Vec<String>>>,
    /// The form of the answer
    pub output: Option<String>,
    /// Options
    #[serde(flatten)]
    pub asked: Asked,
}

/// The way answers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// A form of the command line, byte for byte.
    Form(Form),
    /// One array of JSON objects.
    Array,
}

impl Output {
    /// The output with this name.
    pub fn named(name: &str) -> Result<Output, Problem> {
        Form::named(name).map(Output::Form).ok_or_else(|| {
            let known: Vec<&str> = Form::all().map(Form::name).collect();
            Problem::option("output", &format!("{name:?} is none of {}", known.join(", ")))
        })
    }

    /// The media type.
    pub fn media(self) -> &'static str {
        match self {
            Output::Array => "application/json",
            Output::Form(Form::Format(OutputFormat::Json)) => "application/x-ndjson",
            Output::Form(_) => "text/plain; charset=utf-8",
        }
    }

    /// Whether it has room for several trees of one sentence.
    pub fn holds_alternatives(self) -> bool {
        match self {
            Output::Array => true,
            Output::Form(form) => form.holds_alternatives(),
        }
    }

    /// Writes the answer with this number, from 0.
    pub fn write(self, record: Record<'_>, number: usize, out: &mut String) {
        match self {
            Output::Form(form) => form.write(record, false, out),
            Output::Array => {
                out.push_str(if number == 0 { "[" } else { "," });
                OutputFormat::Json.write(record, out);
            }
        }
    }

    /// Writes what stands behind the last of so many answers.
    pub fn finish(self, number: usize, out: &mut String) {
        if self == Output::Array {
            out.push_str(if number == 0 { "[]\n" } else { "]\n" });
        }
    }
}

/// The inputs of a request: bytes in a form that [`tracebank::read`] knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsing {
    /// The form.
    pub format: InputFormat,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl ParseBody {
    /// The inputs: JSON becomes lines of JSON.
    pub fn parsing(&self) -> Result<Parsing, Problem> {
        let lines: Vec<Value> = match (&self.text, &self.sentences, &self.tokens) {
            // A text goes the way that it goes on the command line.
            (Some(text), None, None) => {
                return Ok(Parsing { format: InputFormat::Text, bytes: text.clone().into_bytes() });
            }
            (None, Some(sentences), None) => {
                sentences.iter().map(|text| json!({"text": text, "split": false})).collect()
            }
            (None, None, Some(tokens)) => tokens.iter().map(|tokens| json!({"tokens": tokens})).collect(),
            _ => {
                let wanted = "one of text, sentences and tokens is needed";
                return Err(Problem::new(400, "body", wanted));
            }
        };
        let text: String = lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        Ok(Parsing { format: InputFormat::Jsonl, bytes: text.into_bytes() })
    }
}

/// Parses here and now, for the browser.
pub(crate) fn run(body: &ParseBody, parser: &Parser) -> Result<Answer, Problem> {
    let output = body.output.as_deref().map_or(Ok(Output::Array), Output::named)?;
    let options = body.asked.options(1000)?;
    let parser =
        parser.with_options(options).map_err(|error| Problem::new(400, "option", error.to_string()))?;
    let Parsing { format, bytes } = body.parsing()?;
    let limits = Limits::for_words(parser.options().max_words);
    let stream = Box::new(std::io::Cursor::new(bytes));
    let bad = |error: &dyn std::fmt::Display| Problem::new(400, "body", error.to_string());
    let inputs = tracebank::read(stream, "<stdin>", format, parser.tokeniser(), limits);
    let inputs: Vec<Input> = inputs.collect::<Result<_, _>>().map_err(|error: BrokenStream| bad(&error))?;
    let mut text = String::new();
    let mut number = 0;
    for block in inputs.chunks(BLOCK) {
        let sentences: Result<Vec<&Sentence>, Problem> =
            block.iter().map(|input| input.sentence.as_ref().map_err(|error| bad(error))).collect();
        for (input, parse) in block.iter().zip(parser.parse_sentences(&sentences?)) {
            let record = Record { parse: &parse, id: input.id.as_ref(), origin: Some(&input.origin) };
            output.write(record, number, &mut text);
            number += 1;
        }
    }
    output.finish(number, &mut text);
    Ok(Answer { media: output.media(), text })
}
