//! Options of the parser in a request, named as on the command line.

use serde::{Deserialize, Serialize};
use tracebank::{InputFormat, Options, Structure};

use crate::problem::Problem;

/// Options of the parser, with the names and the limits of the command line.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Asked {
    /// The dialect of the trees: penn, masc, genia, craft, or another that the model knows
    pub dialect: Option<String>,
    /// Leave out null elements and indices
    pub no_traces: bool,
    /// Leave out function tags
    pub no_functions: bool,
    /// The class of structures in which the best is searched
    pub class: Option<String>,
    /// The most candidate spines of a word
    pub k: Option<usize>,
    /// The margin of candidates below the best of their word, in logarithms
    pub margin: Option<f32>,
    /// Give the N best trees of each sentence, best first
    pub best: Option<usize>,
    /// Tell the probabilities of phrases, nulls and antecedents (in JSON)
    pub probabilities: bool,
    /// Leave out nulls, and the antecedents of nulls, that are less likely than this
    pub min_probability: Option<f32>,
    /// Sentences with more words get a flat tree
    pub max_words: Option<usize>,
    /// The decoder's budget of work for one sentence, in seconds of a reference machine
    pub time_budget: Option<f64>,
    /// The decoder's budget of memory for one sentence, in bytes
    pub memory_budget: Option<usize>,
}

/// The forms of a request to parse.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct Forms {
    /// The form of a body that is plain text: text, lines, tokens, tagged, penn or jsonl
    pub input: Option<String>,
    /// The form of the answer: penn, pretty, graph, json, conllu, spines, words, relations or outline
    pub output: Option<String>,
}

impl Forms {
    /// The form of the body.
    pub fn input(&self) -> Result<InputFormat, Problem> {
        let Some(name) = &self.input else { return Ok(InputFormat::Text) };
        InputFormat::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| {
            let known: Vec<&str> = InputFormat::ALL.iter().map(|form| form.name()).collect();
            Problem::option("input", &format!("{name:?} is none of {}", known.join(", ")))
        })
    }
}

/// The names of all options of a request to parse.
pub const NAMES: [&str; 14] = [
    "input",
    "output",
    "dialect",
    "no-traces",
    "no-functions",
    "class",
    "k",
    "margin",
    "best",
    "probabilities",
    "min-probability",
    "max-words",
    "time-budget",
    "memory-budget",
];

impl Asked {
    /// The library's options, or the first that is out of bounds. No sentence may be longer than `most_words`.
    pub fn options(&self, most_words: usize) -> Result<Options, Problem> {
        let within = |name: &str, fits: bool, wanted: &str| {
            if fits { Ok(()) } else { Err(Problem::option(name, wanted)) }
        };
        let in_range =
            |value: Option<usize>, most: usize| value.is_none_or(|value| (1..=most).contains(&value));
        within("k", in_range(self.k, 1000), "a number from 1 to 1000 is needed")?;
        within("best", in_range(self.best, 1000), "a number from 1 to 1000 is needed")?;
        within("max-words", in_range(self.max_words, 1_000_000), "a number from 1 to 1000000 is needed")?;
        within("margin", self.margin.is_none_or(|margin| margin > 0.0), "a number above 0 is needed")?;
        let least = self.min_probability.unwrap_or(0.0);
        within("min-probability", (0.0..=1.0).contains(&least), "a number from 0 to 1 is needed")?;
        let seconds = self.time_budget.is_none_or(|seconds| seconds > 0.0 && seconds <= 86_400.0);
        within("time-budget", seconds, "a number of seconds is needed, more than 0 and at most 86400")?;
        let bytes = self.memory_budget.is_none_or(|bytes| bytes >= 1 << 20);
        within("memory-budget", bytes, "a number of bytes is needed, at least 1048576")?;
        let structure = match &self.class {
            None => Options::default().structure,
            Some(name) => Structure::ALL
                .into_iter()
                .find(|structure| structure.name() == name)
                .ok_or_else(|| Problem::option("class", &format!("there is no class {name:?}")))?,
        };
        Ok(Options {
            structure,
            dialect: self.dialect.clone(),
            traces: !self.no_traces,
            functions: !self.no_functions,
            max_words: self.max_words.unwrap_or(Options::default().max_words).min(most_words),
            spines: self.k,
            margin: self.margin,
            alternatives: self.best.unwrap_or(0),
            probabilities: self.probabilities,
            min_probability: least,
            seconds: self.time_budget,
            bytes: self.memory_budget,
        })
    }
}
