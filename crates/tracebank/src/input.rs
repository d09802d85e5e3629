//! Sentences from a stream, in any form, one after another.

use std::io::BufRead;

use thiserror::Error;
use tracebank_syntax::penn;
pub use tracebank_text::read::{Id, Limits};
use tracebank_text::{Sentence, Tokeniser, read};

/// The form of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InputFormat {
    /// Running text; a blank line ends a paragraph.
    Text,
    /// A sentence a line.
    Lines,
    /// A sentence a line, its tokens with white space between them.
    Tokens,
    /// A sentence a line, with `_TAG` behind each token.
    Tagged,
    /// Penn trees, whose words are parsed anew.
    Penn,
    /// JSON lines with `text` or `tokens`, and perhaps `id` and `tags`; a `text` is split into sentences unless `split` is false.
    Jsonl,
}

impl InputFormat {
    /// Every form.
    pub const ALL: [InputFormat; 6] = [
        InputFormat::Text,
        InputFormat::Lines,
        InputFormat::Tokens,
        InputFormat::Tagged,
        InputFormat::Penn,
        InputFormat::Jsonl,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Text => "text",
            InputFormat::Lines => "lines",
            InputFormat::Tokens => "tokens",
            InputFormat::Tagged => "tagged",
            InputFormat::Penn => "penn",
            InputFormat::Jsonl => "jsonl",
        }
    }

    /// The form in a few words.
    pub fn description(self) -> &'static str {
        match self {
            InputFormat::Text => "running text",
            InputFormat::Lines => "a sentence a line",
            InputFormat::Tokens => "a sentence a line, its tokens with blanks between",
            InputFormat::Tagged => "a sentence a line, each token with its tag: `word_TAG`",
            InputFormat::Penn => "Penn brackets, whose words are parsed anew",
            InputFormat::Jsonl => {
                "JSON lines with \"text\" (split into sentences unless \"split\" is false) or \"tokens\", and perhaps \"id\" and \"tags\""
            }
        }
    }
}

/// The origin of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// Its number among the file's inputs, from 1.
    pub number: usize,
    /// Its number among the sentences of a text that a JSON line was split into, from 0.
    pub part: Option<usize>,
    /// Its line, from 1, and the byte it begins at, from 0; trees have none.
    pub place: Option<(usize, usize)>,
}

/// One input: a sentence, or what is wrong with it. Either way it has one answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name, which only JSON lines have.
    pub id: Option<Id>,
    /// Its origin.
    pub origin: Origin,
    /// The sentence, or why there is none.
    pub sentence: Result<Sentence, BadInput>,
}

impl Input {
    /// The bytes of its text, by which the memory that it takes is judged.
    pub(crate) fn bytes(&self) -> usize {
        self.sentence.as_ref().map_or(0, |sentence| sentence.text.len())
    }
}

/// An input that is no sentence.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct BadInput {
    /// The fault and its place.
    pub message: String,
    /// The line in question.
    pub excerpt: Option<Excerpt>,
}

/// A line with a place in it, or the part of it around the place if it is long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The file.
    pub file: String,
    /// The line and the column of the place, from 1.
    pub place: (usize, usize),
    /// The text.
    pub text: String,
    /// The place in it, in bytes from 0.
    pub offset: usize,
}

impl Excerpt {
    fn of(excerpt: &tracebank_text::Excerpt, file: &str, line: usize) -> Excerpt {
        let tracebank_text::Excerpt { text, offset, column } = excerpt.clone();
        Excerpt { file: file.to_owned(), place: (line, column), text, offset }
    }
}

impl BadInput {
    /// A tree, or a graph, of this file that could not be read.
    pub fn of_tree(file: &str, error: &penn::SyntaxError) -> BadInput {
        let excerpt = error.excerpt.as_ref().map(|excerpt| Excerpt::of(excerpt, file, error.place.line));
        BadInput { message: format!("{file}:{error}"), excerpt }
    }

    fn of_text(error: &read::ReadError) -> BadInput {
        let excerpt =
            error.excerpt.as_ref().map(|excerpt| Excerpt::of(excerpt, &error.file, error.place.line));
        BadInput { message: error.to_string(), excerpt }
    }
}

/// An error of the stream itself, which ends it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct BrokenStream(pub String);

/// The inputs of a stream.
pub type Inputs = Box<dyn Iterator<Item = Result<Input, BrokenStream>> + Send>;

/// Reads `stream`, which messages call `file`. An input beyond `limits` is bad, and known to be so before tokens are made of it, so that
/// memory is bounded whatever the stream is.
pub fn read(
    stream: Box<dyn BufRead + Send>,
    file: &str,
    format: InputFormat,
    tokeniser: Tokeniser,
    limits: Limits,
) -> Inputs {
    let format = match format {
        InputFormat::Text => read::Format::Text,
        InputFormat::Lines => read::Format::Lines,
        InputFormat::Tokens => read::Format::Tokens,
        InputFormat::Tagged => read::Format::Tagged,
        InputFormat::Jsonl => read::Format::Json,
        InputFormat::Penn => return trees(stream, file.to_owned(), limits),
    };
    let file = file.to_owned();
    let items = read::Reader::new(stream, &file, format, tokeniser).within(limits).enumerate();
    Box::new(items.map(move |(index, item)| {
        let origin = |place: read::Place, part| Origin {
            file: file.clone(),
            number: index + 1,
            part,
            place: Some((place.line, place.byte)),
        };
        match item {
            Ok(read::Item { id, place, part, sentence }) => {
                Ok(Input { id, origin: origin(place, part), sentence: Ok(sentence) })
            }
            Err(error) if matches!(error.problem, read::Problem::Io(_)) => {
                Err(BrokenStream(error.to_string()))
            }
            Err(error) => {
                let sentence = Err(BadInput::of_text(&error));
                Ok(Input { id: error.id, origin: origin(error.place, None), sentence })
            }
        }
    }))
}

fn trees(stream: Box<dyn BufRead + Send>, file: String, limits: Limits) -> Inputs {
    let trees = penn::Reader::new(stream).with_tree_limit(limits.bytes).enumerate();
    Box::new(trees.map(move |(index, tree)| {
        let sentence = match tree {
            Ok(tree) if tree.words().nth(limits.words).is_some() => {
                let problem = read::Problem::TooManyWords(limits.words);
                Err(BadInput { message: format!("{file}, tree {}: {problem}", index + 1), excerpt: None })
            }
            Ok(tree) => Ok(Sentence::of_words(&tree.words().collect::<Vec<_>>())),
            Err(error) if matches!(error.problem, penn::Problem::Io(_)) => {
                return Err(BrokenStream(format!("{file}:{error}")));
            }
            Err(error) => Err(BadInput::of_tree(&file, &error)),
        };
        let origin = Origin { file: file.clone(), number: index + 1, part: None, place: None };
        Ok(Input { id: None, origin, sentence })
    }))
}
