//! What can be asked of the parser on the command line.

use clap::{Args, ValueEnum};
use tracebank::Options;
use tracebank_syntax::class::Structure;

/// What is asked of the parser.
#[derive(Args)]
pub(super) struct Asked {
    /// Whose conventions to follow: penn, masc, genia, craft, or one that the model knows; penn if it can be had
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Leave out null elements and indices
    #[arg(long)]
    no_traces: bool,
    /// Leave out function tags
    #[arg(long)]
    no_functions: bool,
    /// The class of structures in which the best is searched
    #[arg(long, value_enum, default_value_t = Class::OneEcGraph, value_name = "CLASS")]
    class: Class,
    /// How many spines of a word are looked at; what the model was tuned for unless given
    #[arg(long = "k", value_name = "N")]
    spines: Option<usize>,
    /// Sentences with more words get a flat tree
    #[arg(long, value_name = "N", default_value_t = Options::default().max_words)]
    max_words: usize,
    /// The most time for the search of one sentence, in seconds of a usual machine; beyond it, an approximate parse
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_budget: Option<f64>,
    /// The most memory for the search of one sentence, as 500M or 2G; beyond it, an approximate parse
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory_budget: Option<usize>,
}

impl Asked {
    /// The same for the library.
    pub(super) fn options(&self) -> Options {
        Options {
            structure: self.class.structure(),
            dialect: self.dialect.clone(),
            traces: !self.no_traces,
            functions: !self.no_functions,
            max_words: self.max_words,
            spines: self.spines,
            seconds: self.time_budget,
            bytes: self.memory_budget,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Class {
    /// structural edges alone: nulls refer to nothing
    ProjectiveTree,
    /// traces, but no two edges cross
    ProjectiveGraph,
    /// the paper's class: traces, each edge crossed at one endpoint only
    #[value(name = "1ec-graph")]
    OneEcGraph,
}

impl Class {
    fn structure(self) -> Structure {
        match self {
            Class::ProjectiveTree => Structure::ProjectiveTree,
            Class::ProjectiveGraph => Structure::ProjectiveGraph,
            Class::OneEcGraph => Structure::OneEndpointCrossing,
        }
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let wanted = "a number of seconds is needed, as 0.5";
    text.parse().ok().filter(|&seconds: &f64| seconds > 0.0).ok_or_else(|| wanted.to_owned())
}

pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let read =
        |(unit, shift): (&str, u32)| text.strip_suffix(unit)?.parse::<usize>().ok()?.checked_mul(1 << shift);
    units.into_iter().find_map(read).ok_or_else(|| "a number of bytes is needed, as 500M or 2G".to_owned())
}
