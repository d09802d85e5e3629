//! The parser.

use std::borrow::{Borrow, Cow};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use tracebank_parser::model::{Metadata, ModelFile};
use tracebank_parser::pipeline::{Answer, Pipeline, Request};
use tracebank_parser::progress::Progress;
use tracebank_parser::scores::Scorer;
use tracebank_syntax::dialect::{self, Dialect, Plan, Rewrite};
use tracebank_text::{Sentence, Tokeniser};

use crate::error::Error;
use crate::likelihood::leave_out_unlikely;
use crate::load;
use crate::models::{DEFAULT_MODEL, FAST_MODEL, embedded_model, read_model};
use crate::options::Options;
use crate::parse::Parse;
use crate::threads::Threads;

/// A parser: from text to trees. Loading a model takes a moment; after that a parser can be shared by threads, and parsers with other
/// [`Options`] share its model.
#[derive(Clone)]
pub struct Parser {
    model: Arc<Pipeline<Box<dyn Scorer>>>,
    options: Options,
    request: Request,
    tokeniser: Tokeniser,
    /// The threads for batches; those of the current rayon pool if there are none.
    threads: Option<Threads>,
}

impl Parser {
    /// The parser with the model that comes with the crate.
    pub fn embedded() -> Result<Parser, Error> {
        Parser::named(DEFAULT_MODEL)
    }

    /// The parser with the smaller model that comes with the crate: faster, and not quite as accurate.
    pub fn fast() -> Result<Parser, Error> {
        Parser::named(FAST_MODEL)
    }

    fn named(name: &str) -> Result<Parser, Error> {
        Parser::with_model(&embedded_model(name).ok_or_else(|| Error::NotBuiltIn(name.to_owned()))??)
    }

    /// The parser with the model in a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Parser, Error> {
        let path = path.as_ref();
        Parser::with_model(&read_model(path)?).map_err(|error| match error {
            Error::Model(error) => Error::File { path: path.to_owned(), error },
            other => other,
        })
    }

    /// The parser with the model in memory.
    pub fn from_bytes<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Parser, Error> {
        Parser::with_model(&ModelFile::open(bytes)?)
    }

    /// The parser with an opened model.
    pub fn with_model(file: &ModelFile<'_>) -> Result<Parser, Error> {
        let metadata = Metadata::read(file)?;
        let scorer = load::read_scorer(file, &metadata.vocabulary)?;
        Ok(Parser::with_scorer(metadata, scorer))
    }

    /// A parser with a scorer of your own, which must know the vocabulary in `metadata`.
    pub fn with_scorer(metadata: Metadata, scorer: Box<dyn Scorer>) -> Parser {
        let plan = Plan::usual(&metadata.dialects);
        Parser::following(plan, Options::default(), Arc::new(Pipeline { metadata, scorer }))
    }

    /// A parser with the same model and other options. Fails if the model does not know the dialect.
    ///
    /// ```
    /// use tracebank::{Options, Parser};
    /// let parser = Parser::fast()?;
    /// let brief = parser.with_options(Options { functions: false, ..Options::default() })?;
    /// assert_eq!(brief.parse("They left.").tree.to_string(), "( (S (NP (PRP They)) (VP (VBD left)) (. .)))");
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn with_options(&self, options: Options) -> Result<Parser, Error> {
        let dialects = &self.model.metadata.dialects;
        let plan = match &options.dialect {
            None => Plan::usual(dialects),
            Some(wanted) => Plan::of(wanted, dialects)
                .ok_or_else(|| Error::Dialect { wanted: wanted.clone(), known: dialect::known(dialects) })?,
        };
        let threads = self.threads.clone();
        Ok(Parser { threads, ..Parser::following(plan, options, Arc::clone(&self.model)) })
    }

    /// A parser with the same model and `count` threads of its own for batches, which parsers made of it share. In a process that was forked it
    /// makes new ones. Fails if they cannot be had.
    ///
    /// ```
    /// let parser = tracebank::Parser::fast()?.with_threads(2)?;
    /// assert_eq!(parser.threads(), 2);
    /// assert_eq!(parser.parse_batch(&["They left.", "We stayed."]).len(), 2);
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn with_threads(&self, count: usize) -> Result<Parser, Error> {
        Ok(Parser { threads: Some(Threads::new(count.max(1))?), ..self.clone() })
    }

    /// The number of threads for batches: its own, or those of the current rayon pool.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or_else(rayon::current_num_threads, Threads::count)
    }

    fn following(plan: Plan, options: Options, model: Arc<Pipeline<Box<dyn Scorer>>>) -> Parser {
        let optional = [(options.functions, Rewrite::NoFunctions), (options.traces, Rewrite::NoTraces)];
        let optional = optional.into_iter().filter(|(keep, _)| !keep).map(|(_, rewrite)| rewrite);
        let request = Request {
            structure: options.structure,
            dialect: plan.dialect,
            max_words: options.max_words,
            settings: Some(options.settings(model.metadata.settings)),
            rewrites: plan.rewrites.iter().copied().chain(optional).collect(),
            alternatives: options.alternatives,
            probabilities: options.probabilities || options.min_probability > 0.0,
        };
        let dialect = Dialect::named(options.dialect.as_deref().unwrap_or("penn"));
        let tokeniser = Tokeniser::new(dialect.map(|dialect| dialect.tokens).unwrap_or_default());
        Parser { model, options, request, tokeniser, threads: None }
    }

    /// Its options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The tokeniser of its dialect.
    pub fn tokeniser(&self) -> Tokeniser {
        self.tokeniser
    }

    /// Parses one sentence, whatever full stops are in it.
    pub fn parse(&self, sentence: &str) -> Parse {
        self.one(&self.tokeniser.sentence(sentence))
    }

    /// Parses one sentence that is cut into words already; see [`Sentence::of_words`].
    pub fn parse_tokens<W: AsRef<str>>(&self, words: &[W]) -> Parse {
        self.one(&Sentence::of_words(words))
    }

    /// Parses every sentence of a running text.
    pub fn parse_text(&self, text: &str) -> Vec<Parse> {
        self.parse_sentences(&self.tokeniser.sentences(text))
    }

    /// Parses sentences on [its threads](Parser::with_threads), or on all of the current rayon pool. The answers are in order, and the same for
    /// any number of threads.
    pub fn parse_batch<S: AsRef<str>>(&self, sentences: &[S]) -> Vec<Parse> {
        let cut = |sentence: &S| self.tokeniser.sentence(sentence.as_ref());
        self.parse_sentences(&sentences.iter().map(cut).collect::<Vec<_>>())
    }

    /// Parses sentences that are cut into words and may have tags, on all threads as [`Parser::parse_batch`] does.
    pub fn parse_sentences<T: Borrow<Sentence> + Sync>(&self, sentences: &[T]) -> Vec<Parse> {
        self.parse_each(sentences, &Progress::default(), |_, parse| parse).expect("nobody asked it to stop")
    }

    /// Parses sentences and hands each, by its place, with its answer to `each`, on all threads; the results are in order. Another thread may
    /// watch `progress`, and may stop it: then there are no results.
    ///
    /// ```
    /// use tracebank::{Parser, Progress, Sentence};
    /// let parser = Parser::fast()?;
    /// let sentences = [Sentence::of_words(&["They", "left"]), Sentence::of_words(&["We", "stayed"])];
    /// let progress = Progress::default();
    /// let words = parser.parse_each(&sentences, &progress, |place, parse| (place, parse.tokens.len()));
    /// assert_eq!((words, progress.answered()), (Some(vec![(0, 2), (1, 2)]), 2));
    /// progress.stop();
    /// assert_eq!(parser.parse_each(&sentences, &progress, |place, _| place), None);
    /// # Ok::<(), tracebank::Error>(())
    /// ```
    pub fn parse_each<T: Borrow<Sentence> + Sync, R: Send>(
        &self,
        sentences: &[T],
        progress: &Progress,
        each: impl Fn(usize, Parse) -> R + Sync,
    ) -> Option<Vec<R>> {
        let finish = |(place, answer): (usize, Answer)| {
            let mut parse = Parse::new(sentences[place].borrow(), answer);
            if self.options.min_probability > 0.0 {
                leave_out_unlikely(&mut parse, self.options.min_probability);
            }
            each(place, parse)
        };
        let work = || {
            let answers = self.model.parse_watched(sentences, &self.request, progress)?;
            Some(match answers.len() {
                // a pool would take longer to wake
                0 | 1 => answers.into_iter().enumerate().map(finish).collect(),
                _ => answers.into_par_iter().enumerate().map(finish).collect(),
            })
        };
        match &self.threads {
            Some(threads) if sentences.len() > 1 => threads.run(work),
            _ => work(),
        }
    }

    fn one(&self, sentence: &Sentence) -> Parse {
        self.parse_sentences(&[sentence]).pop().expect("a sentence has an answer")
    }
}
