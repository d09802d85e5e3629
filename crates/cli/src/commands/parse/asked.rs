//! Options of the parser on the command line.

use clap::Args;
use tracebank::Options;
use tracebank_syntax::class::Structure;

use crate::choice::one_of;
use crate::range::within;

/// Options of the parser.
#[derive(Args)]
pub(super) struct Asked {
    /// The dialect of the trees: penn, masc, genia, craft, or another that the model knows [default: penn, else the model's first]
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Leave out null elements and indices
    #[arg(long)]
    no_traces: bool,
    /// Leave out function tags
    #[arg(long)]
    no_functions: bool,
    /// The class of structures in which the best is searched
    #[arg(long, value_parser = one_of::<Structure>(), default_value = Structure::OneEndpointCrossing.name(), value_name = "CLASS")]
    class: Structure,
    /// The most candidate spines of a word [default: as the model was tuned]
    #[arg(long = "k", value_name = "N", value_parser = within(1..=1000))]
    spines: Option<usize>,
    /// The margin of candidate spines, heads and traces below the best of their word, in logarithms [default: as the model was tuned]
    #[arg(long, value_name = "M", value_parser = margin)]
    margin: Option<f32>,
    /// Give the N best trees of each sentence, best first, with score and probability
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    best: Option<u16>,
    /// Tell the probabilities of phrases, nulls and antecedents (in JSON)
    #[arg(long)]
    probabilities: bool,
    /// Leave out nulls, and the antecedents of nulls, that are less likely than this
    #[arg(long, value_name = "P", value_parser = probability)]
    min_probability: Option<f32>,
    /// Sentences with more words get a flat tree, and an empty one if they have more than 10,000 as well; so do those that the memory budget has
    /// no room for
    #[arg(long, value_name = "N", default_value_t = Options::default().max_words, value_parser = within(1..=1_000_000))]
    max_words: usize,
    /// The budget of work for one sentence, in seconds of a reference machine: for scoring pairs of words, and for decoding. Beyond it the parse is
    /// approximate. Encoding is not in it: it takes as long for every word
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_budget: Option<f64>,
    /// The budget of memory for one sentence, as 500M or 2G, over scoring and decoding, beside the model and what each word takes by itself
    /// [default: 2G]. Beyond it the parse is approximate, and a sentence that is far too long for it gets a flat tree
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory_budget: Option<usize>,
}

impl Asked {
    /// The options by name, as far as they decide the answers.
    pub(super) fn fingerprint(&self) -> impl Iterator<Item = (String, String)> {
        let options = [
            ("dialect", self.dialect.clone()),
            ("no-traces", Some(self.no_traces.to_string())),
            ("no-functions", Some(self.no_functions.to_string())),
            ("class", Some(self.class.name().to_owned())),
            ("k", self.spines.map(|spines| spines.to_string())),
            ("margin", self.margin.map(|margin| margin.to_string())),
            ("best", self.best.map(|best| best.to_string())),
            ("probabilities", self.probabilities.then(String::new)),
            ("min-probability", self.min_probability.map(|least| least.to_string())),
            ("max-words", Some(self.max_words.to_string())),
            ("time-budget", self.time_budget.map(|seconds| seconds.to_string())),
            ("memory-budget", self.memory_budget.map(|bytes| bytes.to_string())),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
    }

    /// Whether several trees of each sentence are wanted.
    pub(super) fn wants_alternatives(&self) -> bool {
        self.best.is_some()
    }

    /// The library's options.
    pub(super) fn options(&self) -> Options {
        Options {
            structure: self.class,
            dialect: self.dialect.clone(),
            traces: !self.no_traces,
            functions: !self.no_functions,
            max_words: self.max_words,
            spines: self.spines,
            margin: self.margin,
            alternatives: self.best.map_or(0, usize::from),
            probabilities: self.probabilities,
            min_probability: self.min_probability.unwrap_or(0.0),
            seconds: self.time_budget,
            bytes: self.memory_budget,
        }
    }
}

fn margin(text: &str) -> Result<f32, String> {
    let wanted = "a number above 0 is needed, as 6; inf for no margin";
    text.parse().ok().filter(|&margin: &f32| margin > 0.0).ok_or_else(|| wanted.to_owned())
}

fn probability(text: &str) -> Result<f32, String> {
    let wanted = "a number from 0 to 1 is needed, as 0.5";
    text.parse().ok().filter(|least: &f32| (0.0..=1.0).contains(least)).ok_or_else(|| wanted.to_owned())
}

/// The most seconds that a budget can have: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// The fewest bytes that a budget can have: with less, nothing at all could be decoded.
const FEWEST_BYTES: usize = 1 << 20;

pub(in crate::commands) fn seconds(text: &str) -> Result<f64, String> {
    let wanted = "a number of seconds is needed, more than 0 and at most 86400, as 0.5";
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= MOST_SECONDS);
    seconds.ok_or_else(|| wanted.to_owned())
}

pub(in crate::commands) fn bytes(text: &str) -> Result<usize, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let read =
        |(unit, shift): (&str, u32)| text.strip_suffix(unit)?.parse::<usize>().ok()?.checked_mul(1 << shift);
    let bytes = units.into_iter().find_map(read).filter(|&bytes| bytes >= FEWEST_BYTES);
    bytes.ok_or_else(|| "a number of bytes is needed, at least 1M, as 500M or 2G".to_owned())
}
