//! The parser.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tracebank::{Options, OutputFormat, Progress, Record, Sentence, Structure};

use crate::batch;
use crate::errors;
use crate::parse::Parse;

/// A parser: a model, shared by all that are made of it, and options.
#[pyclass(frozen, weakref, module = "tracebank._native")]
pub(crate) struct Parser(tracebank::Parser);

/// Something to be parsed.
#[derive(FromPyObject)]
enum Item {
    Text(String),
    Words(Vec<String>),
}

/// Texts longer than this are parsed where Ctrl-C is heard; a shorter one is done before anybody could wish so.
const SHORT: usize = 2000;

/// The form called `name`.
pub(crate) fn form(name: &str) -> PyResult<OutputFormat> {
    let mut all = OutputFormat::ALL.into_iter();
    let known = OutputFormat::ALL.map(OutputFormat::name);
    all.find(|form| form.name() == name).ok_or_else(|| errors::unknown("form", name, &known))
}

/// A parse in a form, without the end of its last line.
pub(crate) fn written(record: Record<'_>, form: OutputFormat) -> String {
    let mut text = String::new();
    form.write(record, &mut text);
    text.truncate(text.trim_end_matches('\n').len());
    text
}

#[pymethods]
impl Parser {
    /// The parser with a model that is built in, or in a file.
    #[staticmethod]
    fn load(py: Python<'_>, model: &str, is_path: bool) -> PyResult<Parser> {
        let loaded = py.detach(|| match tracebank::embedded_model(model) {
            _ if is_path => tracebank::Parser::open(model),
            Some(file) => tracebank::Parser::with_model(&file?),
            None => tracebank::Parser::open(model),
        });
        loaded.map(Parser).map_err(|error| errors::of_model(py, &error))
    }

    /// The parser with other options, and with so many threads of its own.
    #[pyo3(signature = (*, threads, structure, dialect, traces, functions, max_words, spines, margin, alternatives, probabilities, min_probability, seconds, memory))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)]
    fn with_options(
        &self,
        py: Python<'_>,
        threads: usize,
        structure: &str,
        dialect: Option<String>,
        traces: bool,
        functions: bool,
        max_words: usize,
        spines: Option<usize>,
        margin: Option<f32>,
        alternatives: usize,
        probabilities: bool,
        min_probability: f32,
        seconds: Option<f64>,
        memory: Option<usize>,
    ) -> PyResult<Parser> {
        let names = Structure::ALL.map(Structure::name);
        let structure = Structure::ALL
            .into_iter()
            .find(|known| known.name() == structure)
            .ok_or_else(|| errors::unknown("class of structures", structure, &names))?;
        let options = Options {
            structure,
            dialect,
            traces,
            functions,
            max_words,
            spines,
            margin,
            alternatives,
            probabilities,
            min_probability,
            seconds,
            bytes: memory,
        };
        let made = self.0.with_options(options).and_then(|parser| parser.with_threads(threads));
        made.map(Parser).map_err(|error| errors::of_model(py, &error))
    }

    /// The parser with so many other threads.
    fn with_threads(&self, py: Python<'_>, threads: usize) -> PyResult<Parser> {
        self.0.with_threads(threads).map(Parser).map_err(|error| errors::of_model(py, &error))
    }

    /// The parse of one sentence.
    fn parse(&self, py: Python<'_>, text: String) -> PyResult<Parse> {
        self.one(py, self.0.tokeniser().sentence(text))
    }

    /// The parse of one sentence that is cut into words, perhaps with their tags.
    fn parse_tokens(&self, py: Python<'_>, words: Vec<String>, tags: Vec<String>) -> PyResult<Parse> {
        let mut sentence = Sentence::of_words(&words);
        sentence.tags = tags;
        self.one(py, sentence)
    }

    /// Items (texts, or lists of words), each with its answers: one, or with `split` one for each sentence of a text. An answer is a parse, or
    /// with `form` the parse in that form.
    #[pyo3(signature = (items, split, form=None, report=None))]
    fn parse_batch<'py>(
        &self,
        py: Python<'py>,
        items: Vec<Item>,
        split: bool,
        form: Option<&str>,
        report: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyList>>> {
        let form = form.map(self::form).transpose()?;
        let progress = Progress::default();
        let (counts, answers) = batch::run(py, &progress, report, || {
            let tokeniser = self.0.tokeniser();
            let mut sentences: Vec<Sentence> = Vec::with_capacity(items.len());
            let counts: Vec<usize> = items
                .iter()
                .map(|item| {
                    let before = sentences.len();
                    match item {
                        Item::Text(text) if split => sentences.extend(tokeniser.sentences(text)),
                        Item::Text(text) => sentences.push(tokeniser.sentence(text.as_str())),
                        Item::Words(words) => sentences.push(Sentence::of_words(words)),
                    }
                    sentences.len() - before
                })
                .collect();
            let answers = self.0.parse_each(&sentences, &progress, |_, parse| match form {
                Some(form) => Answer::Text(written((&parse).into(), form)),
                None => Answer::Parse(Box::new(parse)),
            })?;
            Some((counts, answers))
        })?;
        let mut answers = answers.into_iter();
        let mut lists = Vec::with_capacity(counts.len());
        for count in counts {
            let list = PyList::empty(py);
            for answer in answers.by_ref().take(count) {
                match answer {
                    Answer::Text(text) => list.append(text)?,
                    Answer::Parse(parse) => list.append(Parse::from(*parse))?,
                }
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// The sentences of a text: their characters, and those of their words.
    fn cut(&self, text: &str) -> Vec<(usize, usize)> {
        let sentences = self.0.tokeniser().sentences(text);
        let range =
            |sentence: &Sentence| (sentence.start_char, sentence.start_char + sentence.text.chars().count());
        sentences.iter().map(range).collect()
    }
}

enum Answer {
    Text(String),
    Parse(Box<tracebank::Parse>),
}

impl Parser {
    fn one(&self, py: Python<'_>, sentence: Sentence) -> PyResult<Parse> {
        let progress = Progress::default();
        let work = || self.0.parse_each(&[&sentence], &progress, |_, parse| parse)?.pop();
        if sentence.text.len() > SHORT {
            return batch::run(py, &progress, None, work).map(Parse::from);
        }
        Ok(Parse::from(py.detach(work).expect("a sentence has an answer")))
    }
}
