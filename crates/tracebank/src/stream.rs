//! One input, one answer, in order, whatever happens, in memory that does not grow.

use std::sync::atomic::{AtomicBool, Ordering};

use tracebank_parser::outcome::Outcome;
use tracebank_parser::pipeline::Times;
use tracebank_text::Sentence;

use crate::input::{BrokenStream, Input};
use crate::parse::Parse;
use crate::parser::Parser;

/// The number of inputs that are held at a time, unless answers are waited for.
pub const BLOCK: usize = 256;

/// The bytes of text of the inputs that are held at a time: the input that reaches it is the last of its block. An answer takes some 700 bytes
/// for each word.
const BLOCK_BYTES: usize = 1 << 18;

/// A summary of a stream's parses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The inputs that were answered.
    pub sentences: usize,
    /// Their words.
    pub tokens: usize,
    /// The parses that may not be the best.
    pub approximate: usize,
    /// The inputs that have no parse.
    pub failed: usize,
    /// The time of the stages, summed over threads.
    pub times: Times,
    /// Whether it was told to stop before the end.
    pub interrupted: bool,
}

/// Parses `inputs` in blocks of at most `block` and hands each with its answer to `each`, in order, until the end or until `stop` is set.
pub fn parse_stream<E: From<BrokenStream>>(
    parser: &Parser,
    inputs: impl IntoIterator<Item = Result<Input, BrokenStream>>,
    block: usize,
    stop: &AtomicBool,
    mut each: impl FnMut(&Input, &Parse) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut summary = Summary::default();
    let mut inputs = inputs.into_iter();
    let mut broken = None;
    while broken.is_none() {
        let mut waiting: Vec<Input> = Vec::new();
        let mut bytes = 0;
        while waiting.len() < block
            && bytes < BLOCK_BYTES
            && let Some(input) = inputs.next()
        {
            match input {
                Ok(input) => {
                    bytes += input.bytes();
                    waiting.push(input);
                }
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            }
        }
        // Inputs may have ended because of it, so it comes before all else.
        if stop.load(Ordering::SeqCst) {
            summary.interrupted = true;
            break;
        }
        if waiting.is_empty() {
            break;
        }
        let sentences: Vec<&Sentence> =
            waiting.iter().filter_map(|input| input.sentence.as_ref().ok()).collect();
        let mut parses = parser.parse_sentences(&sentences).into_iter();
        for input in &waiting {
            let parse = input.sentence.as_ref().ok().and_then(|_| parses.next());
            let parse = parse.unwrap_or_else(Parse::unreadable);
            summary.add(&parse);
            each(input, &parse)?;
        }
    }
    broken.map_or(Ok(summary), |error| Err(error.into()))
}

impl Summary {
    fn add(&mut self, parse: &Parse) {
        self.sentences += 1;
        self.tokens += parse.tokens.len();
        self.approximate += usize::from(parse.outcome == Outcome::Approximate);
        self.failed += usize::from(parse.outcome.is_failure());
        self.times.score += parse.times.score;
        self.times.decode += parse.times.decode;
        self.times.build += parse.times.build;
    }
}
