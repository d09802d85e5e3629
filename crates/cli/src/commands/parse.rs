//! `tracebank parse`.

pub(super) mod asked;
mod seen;

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use miette::{Report, Result};
use tracebank::{BrokenStream, Input, InputFormat, Limits, Parse, Parser, Record, Summary};
use tracebank_report::draw::tree_picture;

use self::asked::Asked;
use self::seen::Seen;
use super::model::open_model;
use crate::choice::one_of;
use crate::failure::{self, Failure, Misuse};
use crate::interrupt::Interrupt;
use crate::log::{Log, LogArguments};
use crate::output::{Output, OutputArguments, make_folder};
use crate::partial::Answers;
use crate::range::{THREADS, within};
use crate::record::Fingerprint;
use crate::show::{Form, usual_form};
use crate::sources::{Source, inputs, sources};
use crate::stats::stats;

/// The exit code when some inputs have no parse.
const SOME_FAILED: u8 = 3;

/// Parse sentences into trees with their traces
///
/// An argument that names a file is that file (plain or gzip). Any other with a blank in it is a text, and one without a blank is a pattern of
/// file names. Without arguments, standard input is read. Each input has one answer, in order: a sentence without a parse gets a flat tree
/// labelled X-FAILED, a line on standard error, and exit code 3 at the end.
#[derive(Args)]
#[command(after_help = "Examples:
  tracebank parse 'Which book did she want to buy?'
  tracebank parse letters.txt 'corpus/*.txt.gz' --output json --out parses.jsonl
  tracebank parse --input tokens --no-functions < tokens.txt > trees.mrg
  tracebank parse --input penn gold.mrg --out guess.mrg --stats
  tracebank parse --input lines huge.txt.gz --out huge.mrg --resume")]
pub(crate) struct ParseArguments {
    /// Texts, files or patterns of file names; `-` or none for standard input
    #[arg(value_name = "TEXT|FILE")]
    what: Vec<String>,

    /// The form of the input
    #[arg(short, long, value_parser = one_of::<InputFormat>(), default_value = InputFormat::Text.name(), value_name = "FORM")]
    input: InputFormat,
    /// The form of the output [default: json or conllu for a FILE of that name, outline for a text given or typed on a terminal, else penn]
    #[arg(short = 'f', long = "output", value_parser = one_of::<Form>(), value_name = "FORM")]
    form: Option<Form>,
    #[command(flatten)]
    output: OutputArguments,
    /// Continue FILE.part, which FILE is called until it is complete, where an earlier run with the same inputs and options stopped
    #[arg(long, requires = "out")]
    resume: bool,
    /// Answer each input at once, for pipes in which somebody waits for the answer; slower, and used anyway for what is typed
    #[arg(long)]
    unbuffered: bool,
    /// Also draw each tree as SVG into this directory: 000001.svg and so on
    #[arg(long, value_name = "DIR")]
    draw: Option<PathBuf>,

    /// A model file, or one of those built in: default, fast
    #[arg(short, long, default_value = tracebank::DEFAULT_MODEL, value_name = "MODEL")]
    model: String,
    #[command(flatten)]
    asked: Asked,

    /// The number of threads; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = within(THREADS))]
    threads: Option<usize>,
    /// At the end, print JSON on standard error: sentences, seconds per stage, peak memory
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    log: LogArguments,
}

pub(crate) fn run(arguments: &ParseArguments) -> Result<ExitCode> {
    let mut log = Log::new(arguments.log);
    match arguments.run(&mut log) {
        Err(error) if !error.is::<failure::OutputClosed>() && log.error(&error.to_string()) => {
            Ok(failure::code(&error))
        }
        result => result,
    }
}

impl ParseArguments {
    fn run(&self, log: &mut Log) -> Result<ExitCode> {
        let sources = sources(&self.what)?;
        let start = Instant::now();
        let model = open_model(&self.model)?;
        let parser = Parser::with_model(&model)
            .and_then(|parser| parser.with_options(self.asked.options()))
            .and_then(|parser| match self.threads {
                Some(threads) => parser.with_threads(threads),
                None => Ok(parser),
            })
            .map_err(|error| Failure(format!("model {}: {error}", self.model)))?;
        // The process ends soon after. Giving its many pieces of memory back one by one would take as long as a few sentences.
        let parser = ManuallyDrop::new(parser);
        let load = start.elapsed();
        log.info(&format!("model {} is ready after {:.0} ms", self.model, 1000.0 * load.as_secs_f64()));
        let interrupt = Interrupt::watch();
        let summary = self.answer(&parser, || model.checksum(), sources, &interrupt, log)?;
        if self.stats {
            failure::say(&stats(&summary, load, start.elapsed(), parser.threads()).to_string());
        }
        Ok(ExitCode::from(match summary {
            Summary { interrupted: true, .. } => interrupt.code(),
            Summary { failed: 1.., .. } => SOME_FAILED,
            _ => 0,
        }))
    }

    /// Parses all there is and writes the answers.
    fn answer(
        &self,
        parser: &Parser,
        model: impl Fn() -> String,
        sources: Vec<Source>,
        interrupt: &Interrupt,
        log: &mut Log,
    ) -> Result<Summary> {
        let form = self.form.unwrap_or_else(|| usual_form(&sources, self.output.out.as_deref()));
        if self.asked.wants_alternatives() && !form.holds_alternatives() {
            let help = "--best needs a form that holds several trees: --output json, or outline";
            return Err(Misuse(help.to_owned()).into());
        }
        if let Some(folder) = &self.draw {
            make_folder(folder, self.output.force || self.resume)?;
        }
        // A checksum of the model is worth its time only where a later run may ask.
        let model = if self.output.path().is_some() { model() } else { String::new() };
        let fingerprint = self.fingerprint(form, &model);
        let Some((mut answers, done)) = Answers::open(&self.output, self.resume, fingerprint)? else {
            log.warn("the output is complete already");
            return Ok(Summary::default());
        };
        let awaited = self.unbuffered || sources.iter().any(Source::is_typed);
        let block = if awaited { 1 } else { tracebank::BLOCK };
        let limits = Limits::for_words(parser.options().max_words);
        let mut inputs = inputs(sources, self.input, parser.tokeniser(), limits);
        let mut seen = Seen::default();
        seen.skip(&mut inputs, &done)?;
        let done = done.answered;
        if done > 0 {
            log.info(&format!("{done} inputs are answered already"));
        }
        let inputs = interrupt.awaited(inputs);
        let mut number = done;
        let (mut text, colours) = (String::new(), self.output.shows_colours());
        let each = |input: &Input, parse: &Parse| -> Result<(), Ended> {
            number += 1;
            text.clear();
            let record = Record { parse, id: input.id.as_ref(), origin: Some(&input.origin) };
            form.write(record, colours, &mut text);
            answers.write(&text)?;
            seen.add(input);
            if (number - done).is_multiple_of(block) {
                answers.flush(|| seen.progress())?;
            }
            match &input.sentence {
                Err(bad) => log.bad_input(bad),
                Ok(_) if parse.outcome.is_failure() => log.warn(&no_parse(input, parse)),
                Ok(_) => {}
            }
            if let Some(folder) = &self.draw {
                draw(parse, &folder.join(format!("{number:06}.svg")))?;
            }
            log.progress(number);
            Ok(())
        };
        let summary = match tracebank::parse_stream(parser, inputs, block, &interrupt.stop, each) {
            Ok(summary) => summary,
            Err(Ended(error)) => {
                // what was answered is kept, whatever ended the rest
                answers.flush(|| seen.progress())?;
                return Err(error);
            }
        };
        if summary.interrupted {
            answers.flush(|| seen.progress())?;
            let hint = if self.output.path().is_some() { "; --resume continues" } else { "" };
            log.warn(&format!("stopped after {number} inputs{hint}"));
        } else {
            answers.finish()?;
        }
        Ok(summary)
    }
}

impl ParseArguments {
    /// Everything but the inputs that decides the bytes of the output.
    fn fingerprint(&self, form: Form, model: &str) -> Fingerprint {
        let own = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("model", model.to_owned()),
            ("input", self.input.name().to_owned()),
            ("output", form.name().to_owned()),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
        own.chain(self.asked.fingerprint()).collect()
    }
}

/// The end of a stream: a failure of its own or of whoever takes the answers.
struct Ended(Report);

impl From<BrokenStream> for Ended {
    fn from(error: BrokenStream) -> Ended {
        Ended(Failure(error.0).into())
    }
}

impl From<Report> for Ended {
    fn from(error: Report) -> Ended {
        Ended(error)
    }
}

/// The reason why a sentence has no parse.
fn no_parse(Input { origin, .. }: &Input, parse: &Parse) -> String {
    let words = parse.tokens.len();
    format!("{}, input {}: no parse ({}, {words} words)", origin.file, origin.number, parse.outcome)
}

fn draw(parse: &Parse, path: &std::path::Path) -> Result<()> {
    let mut output = Output::file(path, true)?;
    output.write(&tree_picture(&parse.tree))?;
    output.finish()
}

#[cfg(test)]
mod tests;
